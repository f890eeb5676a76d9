-- Names of 63 bytes in a LATIN1 database, as many characters and in UTF8 twice
-- as many bytes; long ones of an origin and a message.
--@ database ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'
--@ sees BCORYIUDM
--@ matrix origin=any binary=false
--@ set client_encoding = UTF8
--@ set client_encoding = SQL_ASCII
DO $$
DECLARE
	name text[] := (SELECT array_agg(repeat(c, 63) ORDER BY i) FROM unnest('{é,à,ü,ö,ñ,ç}'::text[]) WITH ORDINALITY u (c, i));
BEGIN
	EXECUTE format('CREATE SCHEMA %I', name[1]);
	EXECUTE format('CREATE TYPE %I.%I AS ENUM (%L, ''x'')', name[1], name[2], name[3]);
	EXECUTE format('CREATE DOMAIN %I.%I AS text', name[1], name[4]);
	EXECUTE format('CREATE TABLE %1$I.%5$I (id int PRIMARY KEY, %6$I %1$I.%2$I, d %1$I.%4$I)', VARIADIC name);
END $$;
CREATE PUBLICATION pub FOR ALL TABLES;
SELECT pg_replication_origin_create(repeat('é', 250));

--@ run
DO $$
BEGIN
	EXECUTE format('INSERT INTO %I.%I VALUES (1, %L, %L), (2, ''x'', ''ascii'')',
		repeat('é', 63), repeat('ñ', 63), repeat('ü', 63), repeat('ö', 1000));
	EXECUTE format('UPDATE %I.%I SET d = %L WHERE id = 2', repeat('é', 63), repeat('ñ', 63), repeat('à', 300));
	PERFORM pg_logical_emit_message(true, repeat('ç', 300), repeat('é', 300));
END $$;
--@ session replay
SELECT pg_replication_origin_session_setup(repeat('é', 250));
DO $$
BEGIN
	EXECUTE format('DELETE FROM %I.%I', repeat('é', 63), repeat('ñ', 63));
END $$;
