"""The loads of the benchmark.

Each shape makes its tables and the publication `pub` (setup), and after that
writes the WAL that is measured, in one or more steps (load).  @name@ stands
for a size of the shape.

    what      one line for people
    sizes     numbers for @name@; they are divided by 200 or so in a smoke run
    rows      which sizes multiply to the number of changes in the WAL
    tcp       read over TCP loopback rather than the Unix socket
    options   plugin options besides proto_version and publication_names
    set       server settings of the reading connection
    flags     more arguments of the reader
    since     first major version that can do it
    sql       read with pg_logical_slot_peek_binary_changes
    others    plugins that know no publications can read it too
    goal      at least so many times pgoutput's rows/s, and at most one so-manieth
              of its CPU above the floor
"""

NARROW = """
CREATE TABLE narrow (id bigint PRIMARY KEY, a int, b int, t text);
CREATE PUBLICATION pub FOR TABLE narrow;
"""
NARROW_ROWS = """
INSERT INTO narrow SELECT g, g % 1000, -g, 'row number ' || g FROM generate_series(1, @n@ / 2) g;
INSERT INTO narrow SELECT g, g % 1000, -g, 'row number ' || g FROM generate_series(@n@ / 2 + 1, @n@) g;
"""

WIDE = """
CREATE TABLE wide (
	id bigint PRIMARY KEY, i1 int, i2 int, i3 int, b1 bigint, s1 smallint, s2 smallint,
	t1 text, t2 text, t3 text, v1 varchar(40), v2 varchar(40), f1 boolean, f2 boolean,
	n1 numeric, n2 numeric(12, 2), n3 numeric(20, 6), d1 double precision, d2 double precision,
	z1 timestamptz, z2 timestamptz, y1 date, y2 date, u1 uuid, u2 uuid);
CREATE PUBLICATION pub FOR TABLE wide;
"""
WIDE_ROWS = """
CREATE FUNCTION pg_temp.fill(low int, high int) RETURNS void LANGUAGE sql AS $$
INSERT INTO wide SELECT g, g, -g, g % 1000, g::bigint * 1000003, g % 30000, 7,
	'customer ' || g, 'a text of some forty characters, as is usual', NULL,
	'city ' || g % 500, 'street ' || g % 9000, g % 2 = 0, true,
	g * 1.25, g / 100.0, g / 7.0, g / 3.0, g * 1e6,
	'2024-01-01 00:00:00+00'::timestamptz + g * interval '1.234567 s', '2024-06-01 12:00:00+00',
	'2020-01-01'::date + g % 3000, NULL, md5(g::text)::uuid, md5((-g)::text)::uuid
FROM generate_series(low, high) g $$;
SELECT pg_temp.fill(1, @n@ / 2);
SELECT pg_temp.fill(@n@ / 2 + 1, @n@);
"""

# @tables@ tables t_1, t_2, ...; no index and no TOAST table, to be made quickly.
MANY = """
DO $$ BEGIN
	FOR i IN 1..@tables@ LOOP
		EXECUTE format('CREATE TABLE t_%s (id bigint, a int, b int, t varchar(20))', i);
		IF i % 500 = 0 THEN COMMIT; END IF;
	END LOOP;
END $$;
"""
# Every table once, so that plugins know it.
TOUCH_MANY = """
DO $$ BEGIN
	FOR i IN 1..@tables@ LOOP
		EXECUTE format('INSERT INTO t_%s VALUES (%s, 1, 2, ''touched'')', i, i);
		IF i % 500 = 0 THEN COMMIT; END IF;
	END LOOP;
END $$;
"""
HOT = MANY + """
DO $$ BEGIN
	FOR i IN 0..19 LOOP
		EXECUTE format('CREATE TABLE hot_%s (id bigint, t varchar(20))', i);
	END LOOP;
END $$;
CREATE SCHEMA bystander_0;
CREATE PUBLICATION other;
CREATE PUBLICATION pub FOR ALL TABLES;
"""


def change_and_insert(statement):
    """@changes@ transactions that run a statement, each followed by a row."""
    return """
DO $$ BEGIN
	FOR i IN 1..@changes@ LOOP
		EXECUTE %s;
		EXECUTE format('INSERT INTO hot_%%s VALUES (%%s, ''row'')', i %% 20, i);
		COMMIT;
	END LOOP;
END $$;
""" % statement


# Rounds low to high of a new column type and a row for each table.
def ddl_cycles(low, high):
    return """
DO $$ BEGIN
	FOR r IN %s..%s LOOP
		FOR i IN 1..@tables@ LOOP
			EXECUTE format('ALTER TABLE t_%%s ALTER t TYPE varchar(%%s)', i, 20 + r);
			EXECUTE format('INSERT INTO t_%%s VALUES (%%s, 1, 2, ''row'')', i, r);
			COMMIT;
		END LOOP;
	END LOOP;
END $$;
""" % (low, high)


# Names are not used again: while a slot holds them back, dead catalog rows of
# one name would make each look-up slower than the one before.
def drop_cycles(low, high):
    return """
DO $$ BEGIN
	FOR batch IN (%s) / 20 + 1..(%s) / 20 LOOP
		FOR i IN 1..20 LOOP
			EXECUTE format('CREATE TABLE d_%%s_%%s (id bigint, a int, b int, t varchar(20))', batch, i);
		END LOOP;
		COMMIT;
		FOR i IN 1..20 LOOP
			EXECUTE format('INSERT INTO d_%%s_%%s VALUES (%%s, 1, 2, ''row'')', batch, i, i);
		END LOOP;
		COMMIT;
		FOR i IN 1..20 LOOP
			EXECUTE format('DROP TABLE d_%%s_%%s', batch, i);
		END LOOP;
		COMMIT;
	END LOOP;
END $$;
""" % (low, high)


SHAPES = {
    'n-tcp': dict(
        what='narrow inserts, TCP loopback', goal=(4.8, 20), others=True, tcp=True,
        sizes=dict(n=400000), setup=NARROW, load=[NARROW_ROWS]),
    'n-unix': dict(
        what='narrow inserts, Unix socket', goal=(2.1, 6), others=True,
        sizes=dict(n=400000), setup=NARROW, load=[NARROW_ROWS]),
    'stream': dict(
        what='one large transaction, streamed, TCP', goal=(4.5, 20), tcp=True,
        sizes=dict(n=1000000), options=dict(streaming='parallel'),
        set=dict(logical_decoding_work_mem='64MB'), setup=NARROW,
        load=["INSERT INTO narrow SELECT g, g % 1000, -g, 'row number ' || g FROM generate_series(1, @n@) g;"]),
    'w-tcp': dict(
        what='25 mixed columns, TCP', goal=(4.0, 8), others=True, tcp=True,
        sizes=dict(n=120000), setup=WIDE, load=[WIDE_ROWS]),
    'w-bin': dict(
        what='25 mixed columns, binary, TCP', goal=(4.0, 10), tcp=True,
        sizes=dict(n=120000), options=dict(binary='on'), setup=WIDE, load=[WIDE_ROWS]),
    'upd-full': dict(
        what='updates under REPLICA IDENTITY FULL, TCP', goal=(3.3, 10), others=True, tcp=True,
        sizes=dict(n=250000),
        setup=NARROW + 'ALTER TABLE narrow REPLICA IDENTITY FULL;' + NARROW_ROWS,
        load=['UPDATE narrow SET a = a + 1 WHERE id <= @n@ / 2; UPDATE narrow SET a = a + 1 WHERE id > @n@ / 2;']),
    'small-tx': dict(
        what='transactions of one row, TCP', goal=(2.0, 2.5), others=True, tcp=True,
        sizes=dict(n=100000), setup=NARROW,
        load=["DO $$ BEGIN FOR i IN 1..@n@ LOOP INSERT INTO narrow VALUES (i, 1, 2, 'a row'); COMMIT; END LOOP; END $$;"]),
    'sql': dict(
        what='pg_logical_slot_peek_binary_changes', goal=(1.3, None), sql=True,
        sizes=dict(n=300000), setup=NARROW, load=[NARROW_ROWS]),
    '1-in-1000': dict(
        what='one published row in a thousand', goal=(1.0, None), tcp=True,
        sizes=dict(n=1000000),
        setup=NARROW + 'CREATE TABLE dark (LIKE narrow);',
        load=["""
DO $$ BEGIN FOR i IN 1..@n@ / 1000 LOOP
	INSERT INTO dark SELECT g, i, -g, 'row number ' || g FROM generate_series(1, 999) g;
	INSERT INTO narrow VALUES (i, 1, 2, 'a row');
END LOOP; END $$;"""]),
    'tables': dict(
        what='many tables round-robin, TCP', goal=(3.0, None), others=True, tcp=True,
        sizes=dict(tables=2000, rounds=100), rows=('tables', 'rounds'),
        setup=MANY + """
CREATE PUBLICATION pub FOR ALL TABLES;
SELECT 'CREATE PROCEDURE insert_round(r int) LANGUAGE plpgsql AS $r$ BEGIN '
	|| string_agg(format('INSERT INTO t_%s VALUES (r, %s, r, ''a row'');', i, i), ' ') || ' END $r$'
FROM generate_series(1, @tables@) i \\gexec
""",
        load=['DO $$ BEGIN FOR r IN 1..@rounds@ LOOP CALL insert_round(r); COMMIT; END LOOP; END $$;']),
    'root3': dict(
        what='published through a root three levels up, TCP', goal=(3.0, None), tcp=True,
        sizes=dict(n=300000), setup="""
CREATE TABLE narrow (id bigint, a int, b int, t text) PARTITION BY RANGE (id);
CREATE TABLE middle (t text, id bigint, b int, a int) PARTITION BY RANGE (id);
CREATE TABLE low (b int, t text, a int, id bigint) PARTITION BY HASH (id);
ALTER TABLE narrow ATTACH PARTITION middle DEFAULT;
ALTER TABLE middle ATTACH PARTITION low DEFAULT;
SELECT format('CREATE TABLE leaf_%s (a int, t text, id bigint, b int);', i),
	format('ALTER TABLE low ATTACH PARTITION leaf_%s FOR VALUES WITH (MODULUS 4, REMAINDER %s)', i, i)
FROM generate_series(0, 3) i \\gexec
CREATE PUBLICATION pub FOR TABLE narrow WITH (publish_via_partition_root = true);
""", load=[NARROW_ROWS]),
    'list': dict(
        what='column list of 3 out of 200 columns, TCP', goal=(3.0, None), tcp=True,
        sizes=dict(n=80000), setup="""
SELECT 'CREATE TABLE broad (' || string_agg(format('c%s int', i), ', ') || ')'
FROM generate_series(1, 200) i \\gexec
CREATE PUBLICATION pub FOR TABLE broad (c1, c100, c199);
""", load=["""
SELECT 'INSERT INTO broad SELECT ' || string_agg(format('g + %s', i), ', ') || ' FROM generate_series(1, @n@) g'
FROM generate_series(1, 200) i \\gexec
"""]),
    'filter': dict(
        what='row filter that keeps half, TCP', goal=(2.5, None), tcp=True,
        sizes=dict(n=400000), setup="""
CREATE TABLE narrow (id bigint PRIMARY KEY, a int, b int, t text);
CREATE PUBLICATION pub FOR TABLE narrow WHERE (a >= 500) WITH (publish = 'insert');
""", load=[NARROW_ROWS]),
}

# What grows, and with what.  The shapes of one group are judged together:
#
#   cpu      CPU of each step after the first, of the last variant against the
#            first one: it must not depend on the number of cached tables
#   private  memory of its own after the first step and at the end: flat
#   peak     highest resident size: not above pgoutput's
#   latency  from the wish for a transaction of one row to its COMMIT: the same
GROWTH = {
    'latency': dict(
        what='a transaction of one row, from the wish to its COMMIT',
        judge='latency', variants=[dict(latency=1000)], plugins=['pgoutput', 'stream_pgoutput'],
        sizes=dict(), runs=5, setup=NARROW, load=[]),
    'aborts': dict(
        what='CPU of rolled-back savepoints, every change streamed, by cached tables',
        judge='cpu', steps=['abort'], per='aborts', variants=[dict(tables=20), dict(tables=20000)],
        sizes=dict(aborts=20000), since=16, runs=3, options=dict(streaming='on'),
        set=dict(debug_logical_replication_streaming='immediate'),
        setup=HOT, load=[TOUCH_MANY, """
DO $$ BEGIN
	INSERT INTO hot_0 VALUES (0, 'kept');
	FOR i IN 1..@aborts@ LOOP
		BEGIN
			INSERT INTO hot_0 VALUES (i, 'undone');
			RAISE EXCEPTION 'undo';
		EXCEPTION WHEN raise_exception THEN NULL;
		END;
	END LOOP;
END $$;"""]),
    'invalidations': dict(
        what='CPU of publication, column and schema changes, by cached tables',
        judge='cpu', steps=['publication change', 'column change', 'schema change'], per='changes',
        variants=[dict(tables=20), dict(tables=20000)],
        sizes=dict(changes=2000), runs=5, setup=HOT, load=[
            TOUCH_MANY,
            change_and_insert("format('ALTER PUBLICATION other %s TABLE hot_%s',"
                              " CASE WHEN i % 2 = 0 THEN 'DROP' ELSE 'ADD' END, (i - 1) / 2 % 20)"),
            change_and_insert("format('ALTER TABLE hot_%s ALTER t TYPE varchar(%s)', i % 20, 20 + i)"),
            change_and_insert("format('ALTER SCHEMA bystander_%s RENAME TO bystander_%s', i - 1, i)"),
        ]),
    'memory': dict(
        what='memory over cycles of DDL and a row',
        judge='private', variants=[dict(tables=1000)], sizes=dict(cycles=100),
        runs=1, setup=MANY + 'CREATE PUBLICATION pub FOR ALL TABLES;',
        load=[ddl_cycles('1', '@cycles@ / 5'), ddl_cycles('@cycles@ / 5 + 1', '@cycles@')]),
    'drops': dict(
        what='memory over tables created, touched, dropped',
        judge='private', variants=[dict(drops=50000)], sizes=dict(),
        runs=1, setup='CREATE PUBLICATION pub FOR ALL TABLES;',
        load=[drop_cycles('0', '@drops@ / 5'), drop_cycles('@drops@ / 5', '@drops@')]),
    'bigrow': dict(
        what='peak memory of one row with a large bytea',
        judge='peak', variants=[dict(mb=100), dict(mb=400)], sizes=dict(), runs=1,
        setup="""
CREATE TABLE big (id int, data bytea);
ALTER TABLE big ALTER data SET STORAGE EXTERNAL;
CREATE PUBLICATION pub FOR TABLE big;
""", load=["INSERT INTO big SELECT 1, convert_to(repeat('0123456789abcdef', @mb@ * 65536), 'SQL_ASCII');"]),
}
