\i sql/include/start.psql
-- binary: the send format where the type has one, text where it has not.
CREATE TABLE t (id int PRIMARY KEY, s smallint, f float8, b bool, v varchar(10), n numeric,
	d date, bytes bytea, a int[], j jsonb, item aclitem, nothing text);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
INSERT INTO t VALUES (258, -2, 1.5, true, 'text', 12.5, '2000-01-02', '\x00ff', '{7}', '1',
	makeaclitem('pg_monitor'::regrole, 'pg_monitor'::regrole, 'SELECT', false));
UPDATE t SET id = 259;
SELECT message FROM wire.hex('binary', 'true') WHERE message ~ '^49';
SELECT message FROM wire.show('binary', 'true') WHERE message ~ '^[IU]';
SELECT wire.compare('binary', 'true');

-- Not asked for.
SELECT message FROM wire.show('binary', 'false') WHERE message ~ '^[IU]';
SELECT wire.compare();

-- Text in it is in the client's encoding.
CALL wire.skip();
UPDATE t SET v = U&'\00e4';
SET client_encoding = LATIN1;
SELECT message FROM wire.show('binary', 'true') WHERE message ~ '^U';
SELECT wire.compare('binary', 'true');
RESET client_encoding;
