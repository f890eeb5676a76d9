"""The faults.  Each is called while the writers write, and leaves the servers
running; whether it really happened is what it returns.

Memory is limited by RLIMIT_DATA and not RLIMIT_AS, under which a stack that
cannot grow ends the process by a signal, whatever the plugin does.
"""
import os
import pathlib
import resource
import signal
import threading
import time

import psycopg2

import pair as pairs
from pair import DATABASE, NAME, Limit
from replica import Different
from sql_reader import SqlReader
from server import wait

KINDS = {}
SPILL_FAILS = 'could not write to data file for XID'


class Fault:
    """What a kind works with."""

    def __init__(self, pair, writers, rng):
        self.pair = pair
        self.publisher = pair.publisher
        self.subscriber = pair.subscriber
        self.proxy = pair.proxy
        self.writers = writers
        self.rng = rng

    def await_moment(self):
        """Some bytes of some stream have gone to the subscriber."""
        self.proxy.plan('nothing', self.rng.randint(1, 200000))
        self.proxy.wait(2)
        time.sleep(self.rng.random() * 0.02)

    def call_on_walsender(self, function):
        self.await_moment()
        return self.publisher.query(f'SELECT {function}({self.pair.walsender()})')[0][0]

    def kill(self, server, pid):
        """The hard way; the server begins anew.  False if the process had ended."""
        restarts = 'all server processes terminated; reinitializing'
        before = server.logged(restarts)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            return False
        if not wait(lambda: server.logged(restarts) > before, 30) or not server.wait_alive():
            raise Different('the server does not begin anew')
        return True

    def restart(self, server):
        server.stop_at_once()
        time.sleep(self.rng.random() * 0.5)
        server.start()

    def ends(self, pid, seconds):
        """Whether a process of the publisher ends by itself."""
        return wait(lambda: not os.path.exists(f'/proc/{pid}'), seconds)

    def cut(self, kind, seconds=0):
        self.proxy.plan(kind, self.rng.randint(1, 300000), seconds)
        return self.proxy.wait(10)

    def write(self, *statements):
        """One transaction, in spite of what else happens."""
        connection = self.publisher.connect(DATABASE)
        connection.cursor().execute(f"BEGIN; {'; '.join(statements)}; COMMIT")
        connection.close()

    def write_value(self):
        """Several megabytes in one value."""
        self.write("INSERT INTO keyed SELECT coalesce(min(id), 0) - 1, (SELECT string_agg(md5(i::text), '') "
                   'FROM generate_series(1, 150000) i) FROM keyed', 'DELETE FROM keyed WHERE id < 0')

    def is_told(self, text, before, seconds=10):
        """Whether the subscriber logs an error that the walsender told it once
        more than before; a process that may write no large file may not write to
        its own log."""
        return wait(lambda: self.subscriber.logged(text) > before, seconds)


def kind(applies=lambda pair: True):
    """Makes a function one of the KINDS, for pairs to which it applies."""
    def add(function):
        function.applies = applies
        KINDS[function.__name__] = function
        return function
    return add


def spills(pair):
    """Large transactions go to files, not to the subscriber."""
    return pair.streaming == 'off'


# -- processes that die

@kind()
def walsender_killed(fault):
    fault.await_moment()
    return fault.kill(fault.publisher, fault.pair.walsender())


@kind()
def backend_killed(fault):
    fault.await_moment()
    pids = [pid for pid, in fault.publisher.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() ORDER BY pid')]
    return fault.kill(fault.publisher, fault.rng.choice(pids))


@kind()
def apply_killed(fault):
    fault.await_moment()
    pids = fault.subscriber.query("SELECT pid FROM pg_stat_activity WHERE backend_type LIKE 'logical replication%worker' "
                                  'ORDER BY pid')
    return bool(pids) and fault.kill(fault.subscriber, fault.rng.choice(pids)[0])


@kind()
def publisher_restarted(fault):
    fault.await_moment()
    fault.restart(fault.publisher)
    return True


@kind()
def subscriber_restarted(fault):
    fault.await_moment()
    fault.restart(fault.subscriber)
    return True


@kind()
def prepared_restarted(fault):
    """Between PREPARE and COMMIT PREPARED."""
    count = fault.rng.choice((3, 3000))
    fault.write(f"INSERT INTO twin SELECT -i, 'prepared' FROM generate_series(1, {count}) i", "PREPARE TRANSACTION 'fault'")
    fault.await_moment()
    if fault.rng.random() < 0.5:
        fault.kill(fault.publisher, fault.pair.walsender())
    else:
        fault.restart(fault.rng.choice((fault.publisher, fault.subscriber)))
    fault.publisher.query(f"{fault.rng.choice(('COMMIT', 'COMMIT', 'ROLLBACK'))} PREPARED 'fault'", DATABASE)
    return True


@kind()
def terminated(fault):
    return fault.call_on_walsender('pg_terminate_backend')


@kind()
def cancelled(fault):
    return fault.call_on_walsender('pg_cancel_backend')


# -- connections that break

@kind()
def connection_closed(fault):
    return fault.cut('close')


@kind()
def connection_reset(fault):
    return fault.cut('reset')


@kind()
def connection_silent(fault):
    pid = fault.pair.walsender()
    if not fault.cut('silence'):
        return False
    if not fault.ends(pid, 6 * pairs.TIMEOUT):
        raise Different('the walsender does not notice that nobody listens')
    return True


@kind()
def connection_stalled(fault):
    return fault.cut('stall', fault.rng.uniform(0.2, 1.5 * pairs.TIMEOUT))


# -- what runs out

@kind(spills)
def disk_full(fault):
    """The files into which a transaction is about to spill lead to /dev/full."""
    directory = fault.publisher.data / 'pg_replslot' / NAME
    before = fault.subscriber.logged('No space left on device')
    connection = fault.publisher.connect(DATABASE)
    cursor = connection.cursor()
    cursor.execute("BEGIN; SELECT pg_current_xact_id()::text, pg_current_wal_insert_lsn() - '0/0'")
    (xid, position), = cursor.fetchall()
    links = []
    for segment in range(int(position) // pairs.SEGMENT, int(position) // pairs.SEGMENT + 16):
        start = segment * pairs.SEGMENT
        links.append(pathlib.Path(directory, f'xid-{xid}-lsn-{start >> 32:X}-{start & 0xffffffff:X}.spill'))
    for link in links:
        link.symlink_to('/dev/full')
    cursor.execute('INSERT INTO narrow SELECT generate_series(1, 5000); COMMIT')
    connection.close()
    full = fault.is_told('No space left on device', before)
    for link in links:
        link.unlink(missing_ok=True)
    return full


@kind(spills)
def file_too_large(fault):
    before = fault.subscriber.logged(SPILL_FAILS)
    with Limit(fault.pair.walsender(), resource.RLIMIT_FSIZE, pairs.SEGMENT):
        fault.write('INSERT INTO narrow SELECT generate_series(1, 40000)')
        return fault.is_told(SPILL_FAILS, before)


@kind()
def out_of_memory(fault):
    before = fault.subscriber.logged('out of memory')
    pid = fault.pair.walsender()
    with Limit(pid, resource.RLIMIT_DATA, pairs.data_size(pid) + fault.rng.randint(0, 1000000)):
        fault.write_value()
        return fault.is_told('out of memory', before)


# -- slots that go

def fall_behind(fault):
    """Slots that do not move now are lost at the end of this."""
    fault.publisher.query("ALTER SYSTEM SET max_slot_wal_keep_size = '2MB'")
    fault.publisher.query('SELECT pg_reload_conf()')
    connection = fault.publisher.connect(DATABASE)
    cursor = connection.cursor()
    for _ in range(8):
        cursor.execute("SELECT pg_logical_emit_message(false, 'faults', 'next'); SELECT pg_switch_wal()")
    # It waits until who reads the slot has ended.
    cursor.execute('SET statement_timeout = 0; CHECKPOINT')
    connection.close()


def stop_falling_behind(fault):
    fault.publisher.query('ALTER SYSTEM RESET max_slot_wal_keep_size')
    fault.publisher.query('SELECT pg_reload_conf()')


def is_lost(fault, slot):
    return fault.publisher.query(f"SELECT wal_status = 'lost' FROM pg_replication_slots WHERE slot_name = '{slot}'")[0][0]


def subscribe_again(fault):
    fault.writers.pause()
    fault.proxy.resume()
    fault.pair.subscribe_again()


@kind()
def slot_invalidated(fault):
    """Its walsender waits for a subscriber that does not read."""
    fault.cut('stall', 60)
    for _ in range(2):
        fault.write_value()
    behind = threading.Thread(target=fall_behind, args=(fault,))
    behind.start()
    behind.join(5)
    fault.proxy.resume()
    behind.join(60)
    if behind.is_alive():
        raise Different('the checkpoint that makes the slot invalid does not end')
    stop_falling_behind(fault)
    if not is_lost(fault, NAME):
        return False
    subscribe_again(fault)
    return True


@kind()
def slot_dropped(fault):
    """Who drops it waits for the reader to end."""
    def drop():
        connection = fault.publisher.connect_walsender(DATABASE)
        connection.cursor().execute(f'DROP_REPLICATION_SLOT {NAME} WAIT')
        connection.close()

    fault.await_moment()
    fault.pair.walsender()
    try:
        fault.publisher.query(f"SELECT pg_drop_replication_slot('{NAME}')", DATABASE)
        raise Different('a slot that is read can be dropped')
    except psycopg2.errors.ObjectInUse:
        pass
    dropper = threading.Thread(target=drop)
    dropper.start()
    for _ in range(300):
        fault.publisher.query('SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active')
        dropper.join(0.1)
        if not dropper.is_alive():
            break
    if fault.publisher.query('SELECT 1 FROM pg_replication_slots'):
        raise Different('the slot is not dropped')
    subscribe_again(fault)
    return True


# -- calls of an SQL session, which lives on

@kind()
def sql_cancelled(fault):
    def attempt(reader):
        pid = reader.connection.info.backend_pid
        timer = threading.Timer(reader.moment(), lambda: fault.publisher.query(f'SELECT pg_cancel_backend({pid})'))
        timer.start()
        try:
            return reader.fails_with('canceling statement due to user request')
        finally:
            timer.join()
            reader.drain()
    return SqlReader(fault).must_recover(attempt)


@kind()
def sql_timed_out(fault):
    def attempt(reader):
        reader.execute(f'SET statement_timeout = {max(1, int(reader.moment() * 1000))}')
        try:
            return reader.fails_with('canceling statement due to statement timeout')
        finally:
            reader.insist('RESET statement_timeout')
    return SqlReader(fault).must_recover(attempt)


@kind()
def sql_out_of_memory(fault):
    def attempt(reader):
        pid = reader.connection.info.backend_pid
        with Limit(pid, resource.RLIMIT_DATA, pairs.data_size(pid) + fault.rng.randint(0, 1000000)):
            return reader.fails_with('out of memory')
    return SqlReader(fault).must_recover(attempt)


@kind()
def sql_file_too_large(fault):
    def attempt(reader):
        with Limit(reader.connection.info.backend_pid, resource.RLIMIT_FSIZE, pairs.SEGMENT):
            return reader.fails_with('could not write to')
    return SqlReader(fault, streaming='off').must_recover(attempt)


@kind()
def sql_terminated(fault):
    def attempt(reader):
        pid = reader.connection.info.backend_pid
        timer = threading.Timer(reader.moment(), lambda: fault.publisher.query(f'SELECT pg_terminate_backend({pid})'))
        timer.start()
        try:
            return reader.is_ended()
        finally:
            timer.join()
            # Ended after the call, it does not know yet.
            reader.connect()
    return SqlReader(fault).must_recover(attempt)


@kind()
def sql_slot_dropped(fault):
    """While it is read it cannot be; then it is, and a new one is read."""
    def attempt(reader):
        errors = []

        def drop():
            try:
                fault.publisher.query(f"SELECT pg_drop_replication_slot('{reader.slot}')", DATABASE)
            except psycopg2.errors.ObjectInUse as error:
                errors.append(error)

        timer = threading.Timer(reader.moment(), drop)
        timer.start()
        try:
            reader.fails_with('does not exist')
        finally:
            timer.join()
        if errors:
            drop()
        gone = reader.fails_with('does not exist')
        reader.copy_slot()
        return gone and bool(errors)
    return SqlReader(fault).must_recover(attempt)


@kind()
def sql_slot_invalidated(fault):
    """The reader is ended, and may not come back to this slot."""
    def attempt(reader):
        timer = threading.Timer(reader.moment() / 4, fall_behind, (fault,))
        timer.start()
        try:
            ended = reader.is_ended()
        finally:
            timer.join()
        stop_falling_behind(fault)
        # Words differ between versions.
        lost = ended and is_lost(fault, reader.slot) and reader.fails_with('slot')
        # The slot it was copied from has gone the same way.
        reader.drop()
        if is_lost(fault, NAME):
            subscribe_again(fault)
        reader.begin()
        return lost
    return SqlReader(fault).must_recover(attempt)
