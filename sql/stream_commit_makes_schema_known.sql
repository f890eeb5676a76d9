\i sql/include/start.psql
-- A plain transaction after a streamed one does not describe the table again
-- if the streamed one was committed, but does if it was rolled back.
CREATE TABLE t (id int PRIMARY KEY, big text);
CREATE TABLE u (LIKE t INCLUDING ALL);
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
ALTER TABLE u ALTER big SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE t, u;
CALL wire.start();
BEGIN;
INSERT INTO t VALUES (1, repeat('x', 70000));
COMMIT;
INSERT INTO t VALUES (2);
BEGIN;
INSERT INTO u VALUES (1, repeat('x', 70000));
ROLLBACK;
INSERT INTO u VALUES (2);
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on')
	WHERE message ~ '^[RI]' AND message !~ '70000';
SELECT wire.compare('proto_version', '2', 'streaming', 'on') ~ '^the same' AS same;
