"""A throw-away server, and a few ways to talk to it."""
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import time

import psycopg2
import psycopg2.extras

CONF = """
wal_level = logical
fsync = off
autovacuum = off
max_prepared_transactions = 40
max_replication_slots = 20
max_wal_senders = 20
max_worker_processes = 20
max_logical_replication_workers = 12
max_sync_workers_per_subscription = 2
max_locks_per_transaction = 256
max_connections = 60
shared_buffers = 128MB
max_wal_size = 1GB
checkpoint_timeout = 1h
logical_decoding_work_mem = 64kB
wal_retrieve_retry_interval = 100ms
wal_writer_delay = 10ms
wal_sender_timeout = 5min
log_statement = none
log_replication_commands = off
log_min_messages = log
log_min_error_statement = panic
jit = off
listen_addresses = ''
"""


def wait(condition, seconds):
    """Whether a condition came to be true in time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Server:
    """Lives in a directory of its own until stop() or the end of the program.

    `conf` is added to its configuration, `initdb` to the arguments of initdb.
    """

    def __init__(self, version, conf='', initdb=()):
        self.version = version
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix='soak', dir=os.environ.get('TESTDATADIR')))
        self.data = self.directory / 'data'
        self.log = self.directory / 'server.log'
        # A socket's path must be short.
        self.sockets = tempfile.mkdtemp(prefix='soak')
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            self.port = probe.getsockname()[1]
        subprocess.run(['initdb', '--auth=trust', '--no-sync', '-D', self.data, '-U', 'postgres', '--locale=C',
                        '--encoding=UTF8', *initdb], check=True, stdout=subprocess.DEVNULL)
        known = subprocess.run(['postgres', '--describe-config'], check=True, capture_output=True, text=True).stdout
        conf = CONF + conf + f"unix_socket_directories = '{self.sockets}'\nport = {self.port}\n"
        if 'output_plugin_libraries' in known:
            conf += "output_plugin_libraries = 'pgoutput, test_decoding, stream_pgoutput'\n"
        with open(self.data / 'postgresql.conf', 'a', encoding='utf-8') as file:
            file.write(conf)
        self.start()

    def ctl(self, action, *arguments):
        subprocess.run(['pg_ctl', '-w', '-D', self.data, *arguments, action], check=True, stdout=subprocess.DEVNULL)

    def start(self):
        self.ctl('start', '-l', str(self.log))

    def stop_at_once(self):
        """Without a checkpoint: the next start begins with recovery."""
        self.ctl('stop', '-m', 'immediate')

    def stop(self):
        self.stop_at_once()
        subprocess.run(['rm', '-rf', self.directory, self.sockets], check=True)

    def conninfo(self, database='postgres'):
        return f'host={self.sockets} port={self.port} user=postgres dbname={database}'

    def connect(self, database='postgres', **arguments):
        connection = psycopg2.connect(self.conninfo(database), **arguments)
        connection.autocommit = True
        return connection

    def connect_walsender(self, database):
        """For replication commands."""
        return psycopg2.connect(self.conninfo(database),
                                connection_factory=psycopg2.extras.LogicalReplicationConnection)

    def query(self, sql, database='postgres'):
        """Rows of a query in a connection of its own."""
        connection = self.connect(database)
        try:
            cursor = connection.cursor()
            cursor.execute(sql)
            return cursor.fetchall() if cursor.description else []
        finally:
            connection.close()

    def wait_for(self, sql, database='postgres', seconds=120):
        """Whether a query came to be true in time."""
        connection = self.connect(database)
        cursor = connection.cursor()
        try:
            for _ in range(seconds * 50):
                cursor.execute(sql)
                if cursor.fetchone()[0]:
                    return True
                time.sleep(0.02)
            return False
        finally:
            connection.close()

    def wait_alive(self):
        """After a crash; false if the server does not come back."""
        for _ in range(300):
            try:
                self.connect().close()
                return True
            except psycopg2.OperationalError:
                time.sleep(0.1)
        return False

    def logged(self, text):
        """How many times the server's log has the text."""
        return self.log.read_text(errors='replace').count(text)

    def last_crash(self):
        """What the server has said of it."""
        lines = [line for line in self.log.read_text(errors='replace').splitlines()
                 if 'was terminated by signal' in line or 'TRAP:' in line]
        return '\n'.join([''] + lines[-1:])

    def crashes(self, killed=0):
        """How many times a process was ended by a signal, other than the one
        given, failed an assertion or panicked."""
        text = self.log.read_text(errors='replace')
        signals = re.findall(r'was terminated by signal (\d+)', text)
        return sum(int(signal) != killed for signal in signals) + text.count('TRAP:') + text.count('PANIC:')
