"""Wait for core's subscriber, and compare its tables with the publisher's."""
import itertools

SECONDS = 30
TABLES = """SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'
AND relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'other')) ORDER BY 1"""


class Different(Exception):
    """What the subscriber has is not what the publisher has."""


def how_far(publisher, slot):
    """A number that grows as the subscriber on this slot comes on."""
    ((distance,),) = publisher.query(
        "SELECT confirmed_flush_lsn - '0/0' + coalesce((SELECT greatest(sent_lsn, write_lsn, flush_lsn) - '0/0' "
        f"FROM pg_stat_replication WHERE pid = active_pid), 0) FROM pg_replication_slots WHERE slot_name = '{slot}'")
    return distance


def explain_stall(publisher):
    """Who waits for what, and the last errors."""
    waits = publisher.query(
        "SELECT pid, backend_type, wait_event_type, wait_event, left(query, 60), pg_blocking_pids(pid), "
        "(SELECT string_agg(concat_ws(' ', locktype, relation, page, tuple, transactionid, "
        "classid, objid, mode), ', ') FROM pg_locks l WHERE l.pid = a.pid AND NOT granted) "
        "FROM pg_stat_activity a WHERE datname IS NOT NULL ORDER BY pid")
    errors = [line for line in publisher.log.read_text(errors='replace').splitlines() if 'ERROR' in line]
    return '\n'.join(([str(row) for row in waits] + errors)[-20:])


def wait_applied(publisher, slot, seconds=SECONDS):
    """Until the subscriber on this slot has flushed all that was written, or comes no further for so long."""
    (position,), = publisher.query("COMMENT ON DATABASE postgres IS 'flush'; SELECT pg_current_wal_flush_lsn()")
    best = -1
    while best < (now := how_far(publisher, slot)):
        # One that fails and begins again is sent the same again, which does not count.
        best = now
        if publisher.wait_for(f"SELECT confirmed_flush_lsn >= '{position}' FROM pg_replication_slots "
                              f"WHERE slot_name = '{slot}'", seconds=seconds):
            return
    raise Different(f'the subscriber did not come nearer to {position} in {seconds} s\n{explain_stall(publisher)}')


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
