-- json, jsonb, jsonpath, xml, uuid, bits, text search, network addresses.
--@ sees BCRIUD
--@ set xmlbinary = hex; SET xmloption = document
CREATE TABLE t (j json, jb jsonb, jp jsonpath, x xml, u uuid, b bit(5), vb varbit, tv tsvector, tq tsquery, i inet, c cidr, m macaddr, m8 macaddr8);
ALTER TABLE t REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE t;

--@ run
INSERT INTO t VALUES ('{"a" : 1, "a":2, "u":"\u00e4"}', '{"a" : 1, "a":2, "n": [1.50, null, true, {"x":"ä"}]}', '$.a[*] ? (@ > 1)', '<a b="c">ä</a>', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', B'10101', B'', 'a:1A fat:2B,4C cat:5D', 'fat & (rat | !cat:*AB) <2> x', '192.168.0.1/24', '10.0.0.0/8', '08:00:2b:01:02:03', '08:00:2b:ff:fe:01:02:03');
INSERT INTO t VALUES ('null', '"scalar"', 'strict $', '<?xml version="1.0" encoding="UTF-8"?><r/>', '00000000-0000-0000-0000-000000000000', B'00000', B'1', '', '', '::1', '::/0', 'ff:ff:ff:ff:ff:ff', '00:00:00:00:00:00:00:00');
INSERT INTO t VALUES ('[]', '{}', 'lax $.**{1 to last}', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff', B'11111', repeat('10', 100)::varbit, NULL, NULL, '2001:db8::ff00:42:8329/64', '2001:db8::/32', NULL, NULL);
INSERT INTO t DEFAULT VALUES;
UPDATE t SET jb = '{"z": 1e400}', j = '  {"spaces" :  [ ] } ';
DELETE FROM t WHERE u IS NULL;
