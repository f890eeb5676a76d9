"""Check that core's subscriber, fed by the plugin, gets the publisher's tables.

Publisher and subscriber are two databases of one server.  Statements of session
`mirror` change tables on both, once the subscriber has applied all before.

A subscriber can fail by itself: the workers of a parallel one can wait for each
other without end.  So what fails is tried again with the server's own plugin.
"""
import itertools
import random

import psycopg2

import write
from compare import Result

SUBSCRIBER = 'soak_subscriber'
SLOT = 'soak_apply'
SECONDS = 60
TRIES_WITH_CORE = 3
TABLES = """SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'
AND relnamespace IN ('public'::regnamespace, 'other'::regnamespace) ORDER BY 1"""


class Different(Exception):
    """What the subscriber has is not what the publisher has."""


def subscribe(server, scenario, seed, plugin):
    rng = random.Random(f'{seed} apply')
    streaming = rng.choice(['on', 'parallel', 'parallel'] if server.version >= 16 else ['on'])
    two_phase = rng.choice(['true', 'false'])
    options = {'create_slot': 'false', 'slot_name': SLOT, 'copy_data': 'false', 'streaming': streaming,
               'binary': 'true' if scenario.binary else 'false', 'two_phase': two_phase}
    if server.version >= 16 and rng.random() < 0.5:
        server.query(f'ALTER DATABASE {write.DATABASE} SET debug_logical_replication_streaming = immediate')
    if server.version >= 16 and rng.random() < 0.2:
        server.query(f'ALTER DATABASE {SUBSCRIBER} SET debug_logical_replication_streaming = immediate')
    server.query(f"SELECT pg_create_logical_replication_slot('{SLOT}', '{plugin}', false, {two_phase})",
                 write.DATABASE)
    text = ', '.join(f'{name} = {value}' for name, value in options.items())
    server.query(f"CREATE SUBSCRIPTION soak CONNECTION '{server.conninfo(write.DATABASE)}' PUBLICATION pub "
                 f'WITH ({text})', SUBSCRIBER)
    return text


def wait_applied(server):
    (position,), = server.query("COMMENT ON DATABASE postgres IS 'flush'; SELECT pg_current_wal_flush_lsn()")
    if not server.wait_for(f"SELECT confirmed_flush_lsn >= '{position}' FROM pg_replication_slots "
                           f"WHERE slot_name = '{SLOT}'", seconds=SECONDS):
        waits = server.query("SELECT pid, backend_type, wait_event_type, wait_event, left(query, 60), pg_blocking_pids(pid), "
                             "(SELECT string_agg(concat_ws(' ', locktype, relation, page, tuple, transactionid, "
                             "classid, objid, mode), ', ') FROM pg_locks l WHERE l.pid = a.pid AND NOT granted) "
                             "FROM pg_stat_activity a WHERE datname IS NOT NULL ORDER BY pid")
        errors = [str(row) for row in waits]
        errors += [line for line in server.log.read_text(errors='replace').splitlines() if 'ERROR' in line]
        raise Different('\n'.join([f'the subscriber did not come to {position} in {SECONDS} s'] + errors[-20:]))


def content(server, database):
    """Of each table: name, number of rows, digest of all rows."""
    tables = [name for name, in server.query(TABLES, database)]
    query = ' UNION ALL '.join(
        f"SELECT '{name}', count(*), md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE \"C\"), '')) "
        f'FROM {name} t' for name in tables)
    return server.query(query, database)


def run_and_compare(server, scenario):
    """Let the scenario's WAL be applied; the number of rows that are equal."""
    def mirror(sql):
        wait_applied(server)
        publisher = server.connect(write.DATABASE)
        if write.execute(publisher, sql):
            server.query(sql, SUBSCRIBER)
        publisher.close()

    write.run(server, scenario, mirror)
    wait_applied(server)
    wanted = content(server, write.DATABASE)
    got = content(server, SUBSCRIBER)
    if wanted != got:
        lines = [f'{a} on the publisher, {b} on the subscriber' for a, b in itertools.zip_longest(wanted, got) if a != b]
        raise Different('\n'.join(['tables differ:'] + lines))
    return sum(count for _, count, _ in wanted)


def apply(server, scenario, seed, plugin):
    """What comes of it with a plugin."""
    crashes = server.crashes()
    write.clean_up(server, SUBSCRIBER, write.DATABASE)
    write.set_up(server, scenario, write.DATABASE)
    write.set_up(server, scenario, SUBSCRIBER, publisher=False)
    server.query(f'ALTER DATABASE {SUBSCRIBER} SET log_min_messages = error')
    result = Result(None, f'({subscribe(server, scenario, seed, plugin)})')
    try:
        result.rows = run_and_compare(server, scenario)
    except (Different, psycopg2.OperationalError) as error:
        result.kind = 'not applied'
        result.text += f'\n{error}'
    if server.crashes() > crashes:
        result.kind = 'crash'
        server.wait_alive()
        result.text += server.last_crash()
    write.clean_up(server, SUBSCRIBER, write.DATABASE)
    return result


def check(server, scenario, seed):
    """Apply, and if that fails, find out whether it does with pgoutput."""
    result = apply(server, scenario, seed, 'stream_pgoutput')
    for _ in range(TRIES_WITH_CORE if result.kind else 0):
        core = apply(server, scenario, seed, 'pgoutput')
        if core.kind == 'crash' or core.kind == result.kind:
            result.apart = f'{result.kind}; {core.kind} with pgoutput:\n{core.text}'
            result.kind = None
            break
    return result
