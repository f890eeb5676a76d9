"""A throw-away publisher, and what every program that uses one needs."""
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
OURS = 'stream_pgoutput'
CORE = 'pgoutput'
FLOOR = 'bench_floor'
OTHERS = {'wal2json': {'format-version': '2'}, 'decoderbufs': {}}
# Where tools/bench puts plugins that only the benchmark uses.
EXTRA_LIBRARIES = pathlib.Path('/usr/local/lib/stream_pgoutput_bench')

CONF = """
wal_level = logical
fsync = off
autovacuum = off
max_replication_slots = 10
max_wal_senders = 10
max_locks_per_transaction = 256
shared_buffers = 512MB
max_wal_size = 16GB
checkpoint_timeout = 1h
bgwriter_delay = 10s
jit = off
listen_addresses = '127.0.0.1'
"""


class Failure(Exception):
    pass


class Progress:
    """One line that is overwritten on a terminal, a line each elsewhere."""

    def __init__(self):
        self.start = time.monotonic()
        self.tty = sys.stdout.isatty()

    def show(self, text):
        line = '[%4d s] %s' % (time.monotonic() - self.start, text)
        if self.tty:
            print('\r\033[K' + line[:shutil.get_terminal_size().columns - 1], end='', flush=True)
        else:
            print(line, flush=True)

    def note(self, text):
        """A line that stays."""
        self.clear()
        print(text, flush=True)

    def clear(self):
        if self.tty:
            print('\r\033[K', end='', flush=True)


progress = Progress()


def run_command(*command, **kwargs):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **kwargs)
    if done.returncode != 0:
        raise Failure('%s failed: %s' % (command[0], (done.stderr or done.stdout).strip()))
    return done.stdout


class Publisher:
    """A server below the directory given; settings come on top of CONF."""

    def __init__(self, directory, settings=''):
        self.settings = settings
        self.dir = pathlib.Path(directory)
        self.data = self.dir / 'data'
        self.port = free_port()
        self.plugins = [CORE, OURS, FLOOR] + [p for p in OTHERS if library_path(p)]

    def keep_library(self):
        """A copy of the plugin of its own, whatever is installed during the run."""
        installed = library_path(OURS)
        if installed is None:
            raise Failure('%s is not installed' % OURS)
        libraries = self.dir / 'lib'
        libraries.mkdir()
        shutil.copy(installed, libraries)
        return libraries

    def start(self):
        progress.show('starting a publisher')
        libraries = [self.keep_library(), HERE / 'floor', EXTRA_LIBRARIES]
        run_command('initdb', '-D', self.data, '-U', 'postgres', '-A', 'trust', '-N', '--no-instructions',
                    '-E', 'UTF8', '--locale=C')
        with open(self.data / 'postgresql.conf', 'a') as conf:
            conf.write(CONF + self.settings)
            conf.write("unix_socket_directories = '%s'\n" % self.dir)
            conf.write('port = %d\n' % self.port)
            conf.write("dynamic_library_path = '%s:$libdir'\n" % ':'.join(map(str, libraries)))
            if 'output_plugin_libraries' in run_command('postgres', '--describe-config'):
                conf.write("output_plugin_libraries = '%s'\n" % ', '.join(self.plugins))
            conf.write(os.environ.get('CONF', '') + '\n')
        run_command('pg_ctl', '-D', self.data, '-l', self.dir / 'log', '-w', 'start')
        self.version = self.sql('postgres', 'SHOW server_version').strip()
        self.major = int(self.sql('postgres', 'SHOW server_version_num')) // 10000

    def stop(self):
        if (self.data / 'postmaster.pid').exists():
            subprocess.run(['pg_ctl', '-D', self.data, '-m', 'immediate', '-w', 'stop'],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def sql(self, database, text):
        return run_command('psql', '-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', self.dir,
                           '-p', str(self.port), '-U', 'postgres', '-d', database, '-f', '-', input=text)


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def library_path(name):
    """Where the library is, or None."""
    libdir = run_command(os.environ.get('PG_CONFIG', 'pg_config'), '--pkglibdir').strip()
    paths = [pathlib.Path(directory) / (name + '.so') for directory in (libdir, EXTRA_LIBRARIES)]
    return next((path for path in paths if path.exists()), None)
