"""Write WAL once, and read it with one plugin after the other."""
import json
import os
import re

from publisher import CORE, HERE, OTHERS, OURS, Failure, progress, run_command

SMOKE = os.environ.get('SMOKE', '') not in ('', '0')
SMOKE_DIVISOR = 200


def shrink(name, size):
    if not SMOKE:
        return size
    return max({'mb': 1}.get(name, 20), size // SMOKE_DIVISOR // 20 * 20)


def sized(shape, variant=None):
    sizes = dict(shape['sizes'], **(variant or {}))
    return {name: shrink(name, size) for name, size in sizes.items()}


def fill_in(text, sizes):
    return re.sub(r'@(\w+)@', lambda match: str(sizes[match.group(1)]), text)


class Load:
    """A shape's WAL, in a database of its own; use with `with`."""

    def __init__(self, publisher, name, shape, sizes):
        self.publisher = publisher
        self.name = name
        self.shape = shape
        self.sizes = sizes
        self.lsns = []

    def __enter__(self):
        progress.show('%s: making tables' % self.name)
        self.clear()
        self.publisher.sql('postgres', 'CREATE DATABASE bench')
        self.sql(self.shape['setup'])
        self.publisher.sql('postgres', 'CHECKPOINT')
        self.sql("SELECT pg_create_logical_replication_slot('bench_source', 'pgoutput');")
        for number, step in enumerate(self.shape['load'], 1):
            progress.show('%s: writing WAL, step %d of %d' % (self.name, number, len(self.shape['load'])))
            self.sql(step)
            self.lsns.append(self.mark())
        return self

    def mark(self):
        """End a step with a message, and return where that begins."""
        lsn = self.sql('SELECT pg_current_wal_insert_lsn();').strip()
        self.sql("SELECT pg_logical_emit_message(true, 'bench', 'marker');")
        return lsn

    def __exit__(self, *_):
        self.clear()

    def clear(self):
        self.publisher.sql('postgres', """
SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'bench_source';
DROP DATABASE IF EXISTS bench""")

    def sql(self, text):
        return self.publisher.sql('bench', fill_in(text, self.sizes))

    def options(self, plugin):
        if plugin in OTHERS:
            return OTHERS[plugin]
        major = self.publisher.major
        options = dict(self.shape.get('options', {}), publication_names='pub',
                       proto_version='4' if major >= 16 else '3')
        if options.get('streaming') == 'parallel' and major < 16:
            options['streaming'] = 'on'
        return options

    def command(self, plugin):
        """The reader's, but for the LSNs."""
        publisher = self.publisher
        command = [HERE / 'reader', '--port', str(publisher.port), '--dbname', 'bench', '--plugin', plugin]
        if not self.shape.get('tcp'):
            command += ['--host', publisher.dir]
        if self.shape.get('sql'):
            command.append('--sql')
        if 'latency' in self.sizes:
            command += ['--latency', str(self.sizes['latency'])]
        if SMOKE:
            command.append('--check')
        command += self.shape.get('flags', [])
        for name, value in self.shape.get('set', {}).items():
            command += ['--set', '%s=%s' % (name, value)]
        for name, value in self.options(plugin).items():
            command += ['--option', '%s=%s' % (name, value)]
        return command

    def read(self, plugin, *more):
        """Read all of it once: a report for each step, or one of a latency."""
        command = self.command(plugin) + list(more)
        return [json.loads(line) for line in run_command(*command, *self.lsns).splitlines()]

    def read_all(self, plugins, runs):
        """Interleaved runs: {plugin: [[report of each step] of each run]}."""
        reports = {plugin: [] for plugin in plugins}
        for number in range(runs):
            progress.show('%s: run %d of %d' % (self.name, number + 1, runs))
            turn = number % len(plugins)
            for plugin in plugins[turn:] + plugins[:turn]:
                self.read_into(reports, plugin)
        check_same(self.name, reports)
        return reports

    def read_into(self, reports, plugin):
        """What is not ours to mend is left out if it fails."""
        try:
            if plugin in reports:
                reports[plugin].append(self.read(plugin))
        except Failure as failure:
            if plugin not in OTHERS:
                raise
            progress.note('%s: left out: %s' % (self.name, failure))
            del reports[plugin]


def check_same(name, reports):
    """Both plugins, and all runs of them, must have said the same."""
    said = {}
    for plugin in (CORE, OURS):
        for run in reports[plugin]:
            what = {key: run[-1].get(key) for key in ('messages', 'bytes', 'kinds', 'hash')}
            said.setdefault(json.dumps(what, sort_keys=True), []).append(plugin)
    if len(said) > 1:
        raise Failure('%s: output differs:\n%s' % (name, '\n'.join(
            '    %s: %s' % (', '.join(plugins), what) for what, plugins in said.items())))
    if reports[OURS][0][-1]['messages'] == 0:
        raise Failure('%s: nothing was sent' % name)
