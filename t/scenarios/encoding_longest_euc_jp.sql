-- Names of 62 bytes in an EUC_JP database, of characters of two bytes, which are
-- three in UTF8; long ones of an origin and a message.
--@ database ENCODING 'EUC_JP' LC_COLLATE 'C' LC_CTYPE 'C'
--@ sees BCORYIUDM
--@ matrix origin=any binary=false
--@ set client_encoding = UTF8
--@ set client_encoding = SJIS
DO $$
DECLARE
	name text[] := (SELECT array_agg(repeat(c, 31) ORDER BY i) FROM unnest('{日,本,語,表,鍵,値}'::text[]) WITH ORDINALITY u (c, i));
BEGIN
	EXECUTE format('CREATE SCHEMA %I', name[1]);
	EXECUTE format('CREATE TYPE %I.%I AS ENUM (%L, ''x'')', name[1], name[2], name[3]);
	EXECUTE format('CREATE DOMAIN %I.%I AS text', name[1], name[4]);
	EXECUTE format('CREATE TABLE %1$I.%5$I (id int PRIMARY KEY, %6$I %1$I.%2$I, d %1$I.%4$I)', VARIADIC name);
END $$;
CREATE PUBLICATION pub FOR ALL TABLES;
SELECT pg_replication_origin_create(repeat('日', 250));

--@ run
DO $$
BEGIN
	EXECUTE format('INSERT INTO %I.%I VALUES (1, %L, %L), (2, ''x'', ''ascii'')',
		repeat('日', 31), repeat('鍵', 31), repeat('語', 31), repeat('表', 1000));
	EXECUTE format('UPDATE %I.%I SET d = %L WHERE id = 2', repeat('日', 31), repeat('鍵', 31), repeat('本', 300));
	PERFORM pg_logical_emit_message(true, repeat('値', 300), repeat('日', 300));
END $$;
--@ session replay
SELECT pg_replication_origin_session_setup(repeat('日', 250));
DO $$
BEGIN
	EXECUTE format('DELETE FROM %I.%I', repeat('日', 31), repeat('鍵', 31));
END $$;
