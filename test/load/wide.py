"""Many tables, and tables of as many columns as there may be."""
from reading import above, read_both

ALLOWED_KB = 4096

# @tables@ tables, and as many partitions of roots with 500 each.
TABLES = """
DO $$ BEGIN
	FOR i IN 0..@tables@ - 1 LOOP
		EXECUTE format('CREATE TABLE t_%s (id bigint, a int, t varchar(20))', i);
		IF i % 500 = 0 THEN
			EXECUTE format('CREATE TABLE root_%s (id bigint, a int, t varchar(20)) PARTITION BY LIST (id)', i / 500);
		END IF;
		EXECUTE format('CREATE TABLE part_%s PARTITION OF root_%s FOR VALUES IN (%s)', i, i / 500, i);
		IF i % 250 = 0 THEN COMMIT; END IF;
	END LOOP;
END $$;
"""
TOUCH = """
DO $$ BEGIN
	FOR i IN 0..@tables@ - 1 LOOP
		EXECUTE format('INSERT INTO t_%s VALUES (%s, 1, ''touched'')', i, i);
		EXECUTE format('INSERT INTO root_%s VALUES (%s, 1, ''touched'')', i / 500, i);
		IF i % 250 = 0 THEN COMMIT; END IF;
	END LOOP;
END $$;
"""
PUBLICATIONS = {
    'tables': 'CREATE PUBLICATION pub FOR ALL TABLES;',
    'tables via root': 'CREATE PUBLICATION pub FOR ALL TABLES WITH (publish_via_partition_root = true);',
}


def check_tables(publisher):
    problems = []
    for name, publication in PUBLICATIONS.items():
        reports, found = read_both(publisher, name, dict(
            sizes=dict(tables=10000), setup=TABLES + publication, load=[TOUCH] * 3,
            expect='SELECT @tables@ * 2 * 3'))
        problems += found + grown(reports)
    return problems


def grown(reports):
    """A problem if the second and third time took more memory than with pgoutput."""
    core, ours = (reports[plugin][-1]['private_kb'] - reports[plugin][0]['private_kb']
                  for plugin in ('pgoutput', 'stream_pgoutput'))
    return [] if ours <= core + 1024 else ['grew by %d kB after the first round, pgoutput by %d kB' % (ours, core)]


COLUMNS = """
SELECT 'CREATE TABLE broad (' || string_agg(format('%s %s', rpad('column_' || i || '_', 63, 'x'),
	(ARRAY['int', 'smallint', 'bool'])[i % 3 + 1]), ', ') || ')'
FROM generate_series(1, 1600) i \\gexec
ALTER TABLE broad REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE broad;
"""
# A value of its kind in each column.
INSERT = """
SELECT 'INSERT INTO broad SELECT ' || string_agg((ARRAY['g + ' || i, i || ' + g % 7', 'g % 2 = 0'])[i % 3 + 1], ', ')
	|| ' FROM generate_series(1, @n@) g'
FROM generate_series(1, 1600) i \\gexec
"""
UPDATE = 'UPDATE broad SET %s = 7;' % 'column_1599_'.ljust(63, 'x')


def check_columns(publisher):
    problems = []
    for name, options in ('columns', {}), ('columns, binary', {'binary': 'on'}):
        reports, found = read_both(publisher, name, dict(
            sizes=dict(n=10000), setup=COLUMNS, load=[INSERT, UPDATE, 'DELETE FROM broad;'],
            expect='SELECT 3 * @n@', options=options))
        problems += found + above(reports, 'peak_kb', ALLOWED_KB)
    return problems
