\i sql/include/start.psql
-- In a stream block each change has the xid of the subtransaction that made
-- it; the blocks have the top one's.
CREATE TABLE t (id int PRIMARY KEY, big text);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
BEGIN;
INSERT INTO t VALUES (1);
SAVEPOINT a;
INSERT INTO t VALUES (2);
SAVEPOINT b;
INSERT INTO t VALUES (3);
RELEASE b;
INSERT INTO t VALUES (4);
RELEASE a;
INSERT INTO t VALUES (5);
SAVEPOINT c;
UPDATE t SET id = 6 WHERE id = 5;
DELETE FROM t WHERE id = 6;
RELEASE c;
INSERT INTO t VALUES (7, repeat('x', 70000));
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- They are the xids that the rows themselves have.
SELECT id, xmin::text::int - min(xmin::text::int) OVER () AS "X+" FROM t ORDER BY id;
SELECT t.id, t.xmin::text::bigint = wire.number(substr(m.data, 2, 4)) AS equal
FROM t, pg_logical_slot_peek_binary_changes('slot', NULL, NULL, 'publication_names', 'pub',
			'proto_version', '2', 'streaming', 'on') m
WHERE get_byte(data, 0) = ascii('I') AND get_byte(data, 17) = ascii('0') + id AND id < 7
ORDER BY id;

-- A plain transaction has none.
SELECT * FROM wire.show();

-- The subtransaction comes first, and the top transaction has no row itself.
CALL wire.skip();
BEGIN;
SAVEPOINT a;
INSERT INTO t VALUES (11, repeat('x', 70000));
RELEASE a;
SAVEPOINT b;
INSERT INTO t VALUES (12, repeat('x', 70000));
RELEASE b;
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT wire.compare('proto_version', '2', 'streaming', 'on');
