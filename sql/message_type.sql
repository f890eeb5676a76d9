\i sql/include/start.psql
-- TYPE goes before RELATION, once for each column whose type is not built in.
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE DOMAIN positive AS int CHECK (VALUE > 0);
CREATE DOMAIN good_mood AS mood;
CREATE TYPE pair AS (a int, b text);
CREATE TABLE t (id positive PRIMARY KEY, m mood, n mood, g good_mood, ms mood[], p pair, j jsonb);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
INSERT INTO t VALUES (1, 'ok', 'sad', 'ok', '{sad,ok}', (1, 'x'), '{}');

-- A domain is announced by its own OID and the name of its base type; the
-- schema of a built-in one is empty.
SELECT message FROM wire.hex() WHERE message LIKE '59%';
SELECT * FROM wire.show();
SELECT wire.compare();

-- With the xid in front in a stream block; again with the RELATION.
CALL wire.skip();
ALTER TABLE t DROP n, DROP g, DROP ms, DROP p, DROP j, ADD big text;
ALTER TABLE t ALTER big SET STORAGE EXTERNAL;
INSERT INTO t VALUES (2, 'ok');
BEGIN;
INSERT INTO t VALUES (3, 'ok', repeat('x', 70000));
COMMIT;
SELECT * FROM wire.show('proto_version', '2', 'streaming', 'on');
SELECT message FROM wire.hex('proto_version', '2', 'streaming', 'on') WHERE message LIKE '59%';
SELECT wire.compare('proto_version', '2', 'streaming', 'on');

-- A type that was renamed is announced by its new name when that is due.
CALL wire.skip();
CREATE SCHEMA s;
ALTER TYPE mood RENAME TO feeling;
ALTER TYPE feeling SET SCHEMA s;
INSERT INTO t VALUES (4, 'ok');
SELECT * FROM wire.show();
SELECT wire.compare();
