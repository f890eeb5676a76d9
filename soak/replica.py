"""Wait for core's subscriber, and compare its tables with the publisher's."""
import itertools

SECONDS = 60
TABLES = """SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'
AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'other')) ORDER BY 1"""


class Different(Exception):
    """What the subscriber has is not what the publisher has."""


def wait_applied(publisher, slot, seconds=SECONDS):
    """Until the subscriber on this slot has flushed all that was written."""
    (position,), = publisher.query("COMMENT ON DATABASE postgres IS 'flush'; SELECT pg_current_wal_flush_lsn()")
    if not publisher.wait_for(f"SELECT confirmed_flush_lsn >= '{position}' FROM pg_replication_slots "
                              f"WHERE slot_name = '{slot}'", seconds=seconds):
        waits = publisher.query(
            "SELECT pid, backend_type, wait_event_type, wait_event, left(query, 60), pg_blocking_pids(pid), "
            "(SELECT string_agg(concat_ws(' ', locktype, relation, page, tuple, transactionid, "
            "classid, objid, mode), ', ') FROM pg_locks l WHERE l.pid = a.pid AND NOT granted) "
            "FROM pg_stat_activity a WHERE datname IS NOT NULL ORDER BY pid")
        errors = [str(row) for row in waits]
        errors += [line for line in publisher.log.read_text(errors='replace').splitlines() if 'ERROR' in line]
        raise Different('\n'.join([f'the subscriber did not come to {position} in {seconds} s'] + errors[-20:]))


def content(server, database):
    """Of each table: name, number of rows, digest of all rows."""
    tables = [name for name, in server.query(TABLES, database)]
    query = ' UNION ALL '.join(
        f"SELECT '{name}', count(*), md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text COLLATE \"C\"), '')) "
        f'FROM {name} t' for name in tables)
    return server.query(query + ' ORDER BY 1', database)


def compare(publisher, subscriber):
    """Compare all tables of two (server, database); how many rows are equal."""
    wanted = content(*publisher)
    got = content(*subscriber)
    if wanted != got:
        lines = [f'{a} on the publisher, {b} on the subscriber' for a, b in itertools.zip_longest(wanted, got) if a != b]
        raise Different('\n'.join(['tables differ:'] + lines))
    return sum(count for _, count, _ in wanted)
