"""Rows near the limit of 1 GB, which the text form of bytea reaches at half of that."""
import json
import re
import subprocess

from publisher import CORE, OURS, progress
from wal import Load, sized

# The old value and the new one, both in full.
CHANGE = "UPDATE big SET a = '\\xff' || substr(a, 2) WHERE id = 2"
# After small rows of its transaction, which may still wait to be flushed, one of 20 kB less than 1 GB.
NEAR = ("BEGIN; INSERT INTO big (id, a) SELECT i, convert_to(repeat('x', 1000), 'SQL_ASCII') FROM generate_series(11, 30) i; "
        "INSERT INTO big (id, a) SELECT 3, convert_to(repeat('x', 536860800), 'SQL_ASCII'); COMMIT")
# A row with a value of so many MB in each of the columns; what else happens to
# it, its identity being all of it; options.
CASES = {
    '400 MB': dict(mb=400),
    '400 MB, binary': dict(mb=400, options=dict(binary='on')),
    '400 MB, streamed': dict(mb=400, options=dict(streaming='on')),
    '500 MB': dict(mb=500),
    '511 MB': dict(mb=511),
    '512 MB': dict(mb=512),
    '600 MB': dict(mb=600),
    '600 MB, binary': dict(mb=600, options=dict(binary='on')),
    '2 x 300 MB': dict(mb=300, columns='a, b'),
    'update of 200 MB': dict(mb=200, statement=CHANGE),
    'update of 300 MB': dict(mb=300, statement=CHANGE),
    '1 GB with others': dict(mb=1, statement=NEAR),
}
SETUP = """
CREATE TABLE big (id int, a bytea, b bytea);
ALTER TABLE big ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
ALTER TABLE big REPLICA IDENTITY FULL;
CREATE PUBLICATION pub FOR TABLE big;
"""
ALLOWED_KB = 4096


def check(publisher):
    problems = []
    for name, case in CASES.items():
        problems += ['%s: %s' % (name, problem) for problem in check_value(publisher, name, case)]
    return problems


def check_value(publisher, name, case):
    columns = case.get('columns', 'a')
    value = "convert_to(repeat('0123456789abcdef', @mb@ * 65536), 'SQL_ASCII')"
    shape = dict(
        sizes=dict(mb=case['mb']), setup=SETUP, options=case.get('options', {}), flags=['--check', '--rows'],
        load=["INSERT INTO big VALUES (1, 'before', NULL);",
              'INSERT INTO big (id, %s) SELECT 2, %s;' % (columns, ', '.join(value for _ in columns.split(','))),
              case.get('statement', '') + ';',
              "INSERT INTO big VALUES (4, 'after', NULL);"])
    with Load(publisher, 'values', shape, sized(shape)) as load:
        told = {}
        for plugin in (CORE, OURS):
            progress.show('%s: reading with %s' % (name, plugin))
            told[plugin] = read_as_far_as_it_goes(load, plugin)
            show(name, plugin, told[plugin])
        after = {plugin: read_beyond(load, plugin) for plugin in (CORE, OURS)}
    return judge(told, after)


def read_as_far_as_it_goes(load, plugin):
    """What was reported, and the error that ended it or ''."""
    done = subprocess.run([str(word) for word in load.command(plugin)] + load.lsns, capture_output=True, text=True)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    return reports, re.sub('stream_pgoutput|pgoutput', 'PLUGIN', done.stderr.strip())


def read_beyond(load, plugin):
    """Rows that come once the slot was advanced past the large one."""
    load.sql("SELECT pg_copy_logical_replication_slot('bench_source', 'beyond', false, '%s');"
             "SELECT pg_replication_slot_advance('beyond', '%s');" % (plugin, load.lsns[2]))
    try:
        return load.read(plugin, '--source', 'beyond')[-1]['rows']
    finally:
        load.sql("SELECT pg_drop_replication_slot('beyond');")


def show(name, plugin, told):
    reports, error = told
    last = reports[-1]
    progress.note('values, %-18s %-16s %d rows, %6.1f MB, peak %7.1f MB%s' % (
        name, plugin, last['rows'], last['bytes'] / 1e6, last['peak_kb'] / 1024, error and '; ' + error))


def judge(told, after):
    problems = []
    said = {plugin: ([{key: report[key] for key in ('lsn', 'messages', 'bytes', 'hash', 'rows')}
                      for report in reports], error) for plugin, (reports, error) in told.items()}
    if said[CORE] != said[OURS]:
        problems.append('pgoutput said %s, we %s' % (said[CORE], said[OURS]))
    peaks = {plugin: reports[-1]['peak_kb'] for plugin, (reports, _) in told.items()}
    if peaks[OURS] > peaks[CORE] + ALLOWED_KB:
        problems.append('peak %d kB, pgoutput %d kB' % (peaks[OURS], peaks[CORE]))
    if set(after.values()) != {1}:
        problems.append('after the large row came: %s' % after)
    return problems
