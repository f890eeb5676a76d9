"""A publisher and a subscriber of their own, with a proxy between them."""
import os
import random
import resource

import replica
import workload
from proxy import Proxy
from server import Server

DATABASE = 'faults'
# Of the slot and of the subscription.
NAME = 'faults'
# WAL in small segments: a slot is soon too far behind, and no WAL file is
# larger than the limit that is set for spill files.
SEGMENT = 1024 * 1024
TIMEOUT = 5
CONF = f"""
listen_addresses = '127.0.0.1'
wal_sender_timeout = {TIMEOUT}s
wal_receiver_timeout = {TIMEOUT}s
min_wal_size = 32MB
max_wal_size = 64MB
log_min_messages = warning
log_line_prefix = '%m %b %p '
restart_after_crash = on
"""
DROP_IN = '$libdir/stream_pgoutput:$libdir'


class Pair:
    """Servers live as long as this; new() makes databases with other options."""

    def __init__(self, version, plugin):
        self.version = version
        self.plugin = plugin
        self.publisher = Server(version, CONF, (f'--wal-segsize={SEGMENT // 1024 // 1024}',))
        self.subscriber = Server(version, CONF)
        self.proxy = Proxy(self.publisher.port)
        self.streaming = 'off'
        self.two_phase = False
        self.binary = False
        self.route = 'slot'
        self.settings = {}

    def stop(self):
        self.publisher.stop()
        self.subscriber.stop()

    def crashes(self):
        """Processes that died, but not of a kill -9."""
        return self.publisher.crashes(killed=9) + self.subscriber.crashes(killed=9)

    # -- what is tried

    def choose(self, rng):
        self.streaming = rng.choice(('off', 'on', 'on') if self.version < 16 else ('off', 'on', 'parallel'))
        self.two_phase = rng.random() < 0.5
        self.binary = rng.random() < 0.3
        ours = self.plugin != 'pgoutput'
        self.route = rng.choice(('slot', 'drop-in')) if ours else 'slot'
        self.settings = {}
        if ours:
            self.settings['stream_pgoutput.flush_size'] = rng.choice(('0', '64kB', '64MB'))
            self.settings['stream_pgoutput.skip_empty_streams'] = rng.choice(('on', 'off'))
        if self.route == 'drop-in':
            self.settings['dynamic_library_path'] = DROP_IN
        if self.version >= 16 and self.streaming != 'off' and rng.random() < 0.15:
            self.settings['debug_logical_replication_streaming'] = 'immediate'

    def __str__(self):
        options = [f'streaming {self.streaming}', f'two_phase {self.two_phase}', f'binary {self.binary}',
                   f'route {self.route}']
        options += [f'{name} = {value}' for name, value in self.settings.items() if name != 'dynamic_library_path']
        return ', '.join(options)

    def new(self, rng):
        """Both sides from the beginning, with tables that are empty."""
        self.remove()
        self.choose(rng)
        for server in (self.publisher, self.subscriber):
            server.query(f'CREATE DATABASE {DATABASE}')
            server.query(workload.TABLES, DATABASE)
        for name, value in self.settings.items():
            self.publisher.query(f"ALTER DATABASE {DATABASE} SET {name} = '{value}'")
        self.publisher.query('CREATE PUBLICATION pub FOR ALL TABLES WITH (publish_via_partition_root = '
                             f'{rng.random() < 0.5})', DATABASE)
        self.subscribe(copy_data=False)
        return workload.Workload(self.publisher, self.subscriber, DATABASE, random.Random(rng.random()))

    def subscribe(self, copy_data):
        plugin = self.plugin if self.route == 'slot' else 'pgoutput'
        # A subscription that copies turns two-phase on when it is done.
        two_phase = self.two_phase and not copy_data
        self.publisher.query(f"SELECT pg_create_logical_replication_slot('{NAME}', '{plugin}', false, {two_phase})",
                             DATABASE)
        options = {'create_slot': False, 'copy_data': copy_data, 'streaming': f"'{self.streaming}'",
                   'two_phase': self.two_phase, 'binary': self.binary}
        text = ', '.join(f'{name} = {value}' for name, value in options.items())
        self.subscriber.query(f"CREATE SUBSCRIPTION {NAME} CONNECTION 'host=127.0.0.1 port={self.proxy.port} "
                              f"user=postgres dbname={DATABASE}' PUBLICATION pub WITH ({text})", DATABASE)
        if not self.subscriber.wait_for("SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel", DATABASE, 60):
            raise replica.Different('tables of the subscription do not get ready')

    def subscribe_again(self):
        """After the slot is lost: all tables are copied.  Nobody may write."""
        self.unsubscribe()
        tables = [name for name, in self.subscriber.query(replica.TABLES, DATABASE)]
        self.subscriber.query(f"TRUNCATE {', '.join(tables)}", DATABASE)
        self.subscribe(copy_data=True)

    def unsubscribe(self):
        for sql in (f'ALTER SUBSCRIPTION {NAME} DISABLE', f'ALTER SUBSCRIPTION {NAME} SET (slot_name = NONE)',
                    f'DROP SUBSCRIPTION {NAME}'):
            self.subscriber.query(sql, DATABASE)
        for server in (self.subscriber, self.publisher):
            for gid, in server.query('SELECT gid FROM pg_prepared_xacts WHERE database = current_database()', DATABASE):
                server.query(f"ROLLBACK PREPARED '{gid}'", DATABASE)
        self.drop_slots()

    def drop_slots(self):
        """Whatever reads them."""
        self.publisher.query('SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active')
        if not self.publisher.wait_for('SELECT count(*) = 0 FROM pg_replication_slots WHERE active', seconds=30):
            raise replica.Different('a walsender does not end')
        self.publisher.query('SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots')

    def remove(self):
        if self.subscriber.query(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):
            if self.subscriber.query('SELECT 1 FROM pg_subscription'):
                self.unsubscribe()
            self.subscriber.query(f'DROP DATABASE {DATABASE} WITH (FORCE)')
        if self.publisher.query(f"SELECT 1 FROM pg_database WHERE datname = '{DATABASE}'"):
            self.drop_slots()
            self.publisher.query(f'DROP DATABASE {DATABASE} WITH (FORCE)')

    # -- who runs

    def walsender(self, seconds=30):
        """Process id of the subscription's walsender; there is one, sooner or later."""
        if not self.publisher.wait_for(f"SELECT count(active_pid) = 1 FROM pg_replication_slots WHERE slot_name = '{NAME}'",
                                       seconds=seconds):
            raise replica.Different('the subscriber does not come back')
        (pid,), = self.publisher.query(f"SELECT active_pid FROM pg_replication_slots WHERE slot_name = '{NAME}'")
        return pid or self.walsender(seconds)

    def check_library(self):
        """The walsender runs the library that is to be tested."""
        maps = ''
        while not maps:
            try:
                with open(f'/proc/{self.walsender()}/maps', encoding='utf-8') as file:
                    maps = file.read()
            except OSError:
                pass
        if ('/stream_pgoutput.so' in maps) == (self.plugin == 'pgoutput'):
            raise replica.Different('the walsender runs another plugin')

    # -- after a fault

    def settle(self, seconds=90):
        """All is well again: the subscriber has what the publisher has."""
        self.proxy.resume()
        for server in (self.publisher, self.subscriber):
            if not server.wait_alive():
                raise replica.Different('a server does not come back')
        replica.wait_applied(self.publisher, NAME, seconds)
        return replica.compare((self.publisher, DATABASE), (self.subscriber, DATABASE))


def data_size(pid):
    """Bytes of a process's own writable memory, as RLIMIT_DATA counts them."""
    with open(f'/proc/{pid}/status', encoding='utf-8') as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith('VmData:'))


class Limit:
    """A resource limit of another process, while the block runs."""

    def __init__(self, pid, which, size):
        self.pid = pid
        self.which = which
        self.size = size

    def __enter__(self):
        self.set(self.size)
        return self

    def __exit__(self, *exception):
        if os.path.exists(f'/proc/{self.pid}'):
            try:
                self.set(resource.RLIM_INFINITY)
            except ProcessLookupError:
                pass

    def set(self, soft):
        _, hard = resource.prlimit(self.pid, self.which)
        resource.prlimit(self.pid, self.which, (soft, hard))
