\i sql/include/start.psql
-- INSERT: a new row; each column a value or NULL.
CREATE TABLE t (id int PRIMARY KEY, v text, n numeric);
CREATE PUBLICATION pub FOR TABLE t;
CALL wire.start();
INSERT INTO t VALUES (1, 'one', 1.50);
INSERT INTO t VALUES (2, NULL, NULL);
INSERT INTO t VALUES (3, '', 0);
SELECT message FROM wire.hex() WHERE message LIKE '49%';
SELECT message FROM wire.show() WHERE message LIKE 'I%';
SELECT wire.compare();

-- Of one statement, and of COPY, one message for each row.
CALL wire.skip();
INSERT INTO t SELECT i, 'v' FROM generate_series(10, 12) i;
COPY t FROM stdin;
20	twenty	20
21	\N	\N
\.
SELECT * FROM wire.show();
SELECT wire.compare();

-- ON CONFLICT sends what it really did.
CALL wire.skip();
INSERT INTO t VALUES (1, 'again') ON CONFLICT DO NOTHING;
INSERT INTO t VALUES (1, 'again'), (30, 'new')
	ON CONFLICT (id) DO UPDATE SET v = excluded.v;
SELECT * FROM wire.show();
SELECT wire.compare();
