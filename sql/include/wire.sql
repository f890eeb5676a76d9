-- Show what a slot yields, byte for byte, apart from what differs between
-- two runs.  Plain SQL, loaded by sql/*.sql and specs/*.spec alike.  It reads
-- the bytes by itself and owes nothing to the plugin's readers.
--
-- What differs is shown as a mark.  Equal marks are equal bytes:
--
--	X, X+1 ..	a transaction id, relative to the lowest top one of the result
--	S1, S2 ..	the LSN at which a record starts, in order of appearance within
--				one transaction
--	E1, E2 ..	the LSN at which a record ends, likewise
--	T1, T2 ..	a time of the last hour, likewise; other times are shown as bytes
--	{name}		the OID of that relation or user-defined type
--
-- The column "lsn" is filled for messages that stand at the end of a record.

DROP SCHEMA IF EXISTS wire CASCADE;
CREATE SCHEMA wire;

-- Options that a test does not care about.
CREATE FUNCTION wire.complete(options text[]) RETURNS text[] LANGUAGE sql AS $$
	SELECT CASE WHEN 'proto_version' = ANY (options) THEN '{}'
				ELSE '{proto_version,1}'::text[] END ||
		   CASE WHEN 'publication_names' = ANY (options) THEN '{}'
				ELSE '{publication_names,pub}'::text[] END ||
		   options
$$;

-- The fields after the first byte, one letter each; see wire.marked.
CREATE FUNCTION wire.layout(code text, length int, in_block bool)
RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN in_block AND code IN ('M', 'R', 'Y', 'I', 'U', 'D', 'T')
				THEN 'X' ELSE '' END ||
		   CASE code
				WHEN 'B' THEN 'STX'
				WHEN 'C' THEN '1SET'
				WHEN 'O' THEN '8s'
				WHEN 'M' THEN '1Em'
				WHEN 'R' THEN 'Osskcq'
				WHEN 'Y' THEN 'Yss'
				WHEN 'I' THEN 'Or'
				WHEN 'U' THEN 'Or'
				WHEN 'D' THEN 'Or'
				WHEN 'T' THEN '41L'
				WHEN 'S' THEN 'X1'
				WHEN 'E' THEN ''
				WHEN 'c' THEN 'X1SET'
				WHEN 'A' THEN CASE WHEN length > 9 THEN 'XXET' ELSE 'XX' END
				WHEN 'b' THEN 'SETXs'
				WHEN 'P' THEN '1SETXs'
				WHEN 'K' THEN '1SETXs'
				WHEN 'r' THEN '1EETTXs'
				WHEN 'p' THEN '1SETXs'
		   END
$$;

CREATE FUNCTION wire.number(bytes bytea) RETURNS bigint LANGUAGE sql AS $$
	SELECT ('x' || lpad(encode(bytes, 'hex'), 16, '0'))::bit(64)::bigint
$$;

CREATE FUNCTION wire.is_recent(bytes bytea) RETURNS bool LANGUAGE sql AS $$
	SELECT '2000-01-01 00:00+00'::timestamptz +
		   wire.number(bytes) * interval '1 microsecond'
		   BETWEEN clock_timestamp() - interval '1 hour' AND clock_timestamp()
$$;

CREATE FUNCTION wire.quote(bytes bytea, format text DEFAULT 'escape')
RETURNS text LANGUAGE sql AS $$
	SELECT CASE WHEN length(bytes) > 60
				THEN format('''%s''..%s bytes',
							encode(substr(bytes, 1, 8), format), length(bytes))
				ELSE format('''%s''', encode(bytes, format)) END
$$;

-- One line per message.  In hex, everything that follows the last field of
-- fixed place is shown as it is.  Otherwise strings (s: up to the NUL), row
-- values and codes are shown as text, and integers still in hex.
CREATE FUNCTION wire.marked(slot text, options text[], hex bool)
RETURNS TABLE (lsn text, message text) LANGUAGE plpgsql AS $$
DECLARE
	row record;
	seen jsonb := '{}';			-- what a mark's number stands for
	in_block bool := false;
	pending text;				-- fields still to come
	field text;
	width int;
	pos int;					-- of the next byte, from 1
	bytes bytea;
	shown text;
BEGIN
	FOR row IN
		SELECT c.lsn, c.xid, c.data, chr(get_byte(c.data, 0)) AS code,
			   min(nullif(c.xid, 0)) OVER () AS lowest
		FROM (SELECT p.lsn, p.xid::text::bigint AS xid, p.data, p.n
			  FROM pg_logical_slot_peek_binary_changes(slot, NULL, NULL,
							VARIADIC wire.complete(options))
				WITH ORDINALITY AS p (lsn, xid, data, n)) c
		ORDER BY n
	LOOP
		message := CASE WHEN hex THEN encode(substr(row.data, 1, 1), 'hex')
						ELSE row.code END;
		lsn := '';
		pos := 2;
		pending := wire.layout(row.code, length(row.data), in_block);

		WHILE pending <> '' LOOP
			field := left(pending, 1);
			pending := substr(pending, 2);
			EXIT WHEN hex AND field IN ('s', 'm', 'k', 'r');

			-- Fields that stand for others.
			IF field = 'L' THEN			-- OIDs up to the end
				IF pos <= length(row.data) THEN
					pending := 'OL';
				END IF;
				CONTINUE;
			ELSIF field = 'r' THEN		-- rows up to the end
				IF pos <= length(row.data) THEN
					pending := 'kcvr';
				END IF;
				CONTINUE;
			ELSIF field = 'q' THEN		-- description of a column
				pending := '1so4' || pending;
				CONTINUE;
			END IF;

			width := CASE
				WHEN field IN ('S', 'E', 'T', '8') THEN 8
				WHEN field IN ('X', 'O', 'Y', 'o', '4') THEN 4
				WHEN field = 'c' THEN 2
				WHEN field = 's' THEN position('\x00'::bytea IN substr(row.data, pos))
				WHEN field = 'm' THEN 0
				ELSE 1 END;
			bytes := substr(row.data, pos, width);
			pos := pos + width;
			shown := encode(bytes, 'hex');

			IF field = 'X' THEN
				shown := regexp_replace(format('X+%s', wire.number(bytes) - row.lowest),
										'\+0$|\+(?=-)', '');
			ELSIF field IN ('S', 'E') OR
				field = 'T' AND wire.is_recent(bytes) THEN
				field := field || row.xid;
				seen := jsonb_build_object(field, '{}'::jsonb) || seen;
				IF NOT seen->field ? shown THEN
					seen := jsonb_set(seen, ARRAY[field, shown], to_jsonb(1 +
						(SELECT count(*) FROM jsonb_object_keys(seen->field))));
				END IF;
				shown := left(field, 1) || (seen->field->>shown);
				IF field LIKE 'E%' AND
					bytes = pg_lsn_send(row.lsn) THEN
					lsn := shown;
				END IF;
			ELSIF field = 'O' THEN
				shown := format('{%s}', COALESCE((SELECT oid::regclass::text
					FROM pg_class WHERE oid = wire.number(bytes)::oid), 'dropped'));
			ELSIF field = 'Y' OR field = 'o' AND wire.number(bytes) >= 16384 THEN
				shown := format('{%s}', wire.number(bytes)::oid::regtype);
			ELSIF field = 'c' THEN		-- so many of the next field
				pending := repeat(left(pending, 1), wire.number(bytes)::int) ||
					substr(pending, 2);
			ELSIF field = 's' THEN
				shown := wire.quote(substr(bytes, 1, width - 1));
			ELSIF field = 'k' THEN
				shown := encode(bytes, 'escape');
			ELSIF field = 'v' THEN		-- a column's value
				shown := encode(bytes, 'escape');
				IF shown IN ('t', 'b') THEN
					width := wire.number(substr(row.data, pos, 4));
					bytes := substr(row.data, pos + 4, width);
					pos := pos + 4 + width;
					shown := shown || wire.quote(bytes,
						CASE shown WHEN 't' THEN 'escape' ELSE 'hex' END);
				END IF;
			ELSIF field = 'm' THEN		-- prefix and content of a message
				width := position('\x00'::bytea IN substr(row.data, pos));
				shown := wire.quote(substr(row.data, pos, width - 1));
				pos := pos + width;
				width := wire.number(substr(row.data, pos, 4));
				shown := shown || ' ' || wire.quote(substr(row.data, pos + 4, width));
				pos := pos + 4 + width;
			END IF;
			message := message || ' ' || shown;
		END LOOP;

		IF pos <= length(row.data) THEN
			message := message || CASE WHEN hex THEN ' ' ELSE ' and then ' END ||
				encode(substr(row.data, pos), 'hex');
		ELSIF pos > length(row.data) + 1 THEN
			message := message || ' but it is too short';
		END IF;
		in_block := CASE row.code WHEN 'S' THEN true WHEN 'E' THEN false
								  ELSE in_block END;
		RETURN NEXT;
	END LOOP;
END
$$;

CREATE FUNCTION wire.hex(VARIADIC options text[] DEFAULT '{}')
RETURNS TABLE (lsn text, message text) LANGUAGE sql AS $$
	SELECT * FROM wire.marked('slot', options, true)
$$;

CREATE FUNCTION wire.show(VARIADIC options text[] DEFAULT '{}')
RETURNS TABLE (message text) LANGUAGE sql AS $$
	SELECT m.message FROM wire.marked('slot', options, false) m
$$;

-- Successive messages that differ in row values only, as one line.
CREATE FUNCTION wire.summary(VARIADIC options text[] DEFAULT '{}')
RETURNS TABLE (count bigint, message text) LANGUAGE sql AS $$
	WITH line AS
	(
		SELECT ordinality AS n,
			   regexp_replace(m.message, '^([IUD] .*?}) .*', '\1') AS head
		FROM wire.marked('slot', options, false) WITH ORDINALITY m
	), run AS
	(
		SELECT n, head, n - row_number() OVER (PARTITION BY head ORDER BY n) AS id
		FROM line
	)
	SELECT count(*), head FROM run GROUP BY head, id ORDER BY min(n)
$$;

-- Compare with pgoutput, from the same position: LSN, xid and bytes.
CREATE FUNCTION wire.compare(VARIADIC options text[] DEFAULT '{}')
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	row record;
	compared int := 0;
	different int := 0;
BEGIN
	PERFORM pg_copy_logical_replication_slot('slot', 'reference', true, 'pgoutput');
	FOR row IN
		SELECT n, o AS ours, p AS pgoutputs, (o.lsn, o.xid::text, o.data)
			   IS DISTINCT FROM (p.lsn, p.xid::text, p.data) AS differs
		FROM pg_logical_slot_peek_binary_changes('slot', NULL, NULL,
							VARIADIC wire.complete(options))
			WITH ORDINALITY AS o (lsn, xid, data, n)
		FULL JOIN pg_logical_slot_peek_binary_changes('reference', NULL, NULL,
							VARIADIC wire.complete(options))
			WITH ORDINALITY AS p (lsn, xid, data, n) USING (n)
		ORDER BY n
	LOOP
		compared := compared + 1;
		IF row.differs THEN
			different := different + 1;
			RETURN NEXT format('%s: %s, but pgoutput %s', row.n, row.ours, row.pgoutputs);
		END IF;
	END LOOP;
	PERFORM pg_drop_replication_slot('reference');
	IF different = 0 THEN
		RETURN NEXT format('the same %s messages', compared);
	END IF;
END
$$;

-- Create the slot.
CREATE PROCEDURE wire.start(two_phase bool DEFAULT false) LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_create_logical_replication_slot('slot', 'stream_pgoutput', false, two_phase);
END
$$;

-- Forget what there is so far.
CREATE PROCEDURE wire.skip() LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_replication_slot_advance('slot', pg_current_wal_lsn());
END
$$;

-- Drop it.
CREATE PROCEDURE wire.stop() LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_drop_replication_slot('slot');
END
$$;

-- Stream each change as it comes.  15 has no such setting: there it takes
-- changes larger than the memory for decoding.
CREATE PROCEDURE wire.stream_every_change() LANGUAGE plpgsql AS $$
BEGIN
	IF current_setting('server_version_num')::int >= 160000 THEN
		PERFORM set_config('debug_logical_replication_streaming', 'immediate', false);
	END IF;
END
$$;
