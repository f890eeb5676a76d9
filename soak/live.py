"""Check what clients get that read while the scenario's sessions write.

Where a transaction in progress is cut into blocks, and where its abort is noticed,
depends on the moment.  What survives does not: of each session that read a slot,
the finished transactions must be the first of those that the same WAL gives when it
is decoded again in quiet, from the position where the session began.  And in quiet
both plugins must give the same bytes; but for streamed transactions of which a part
was rolled back, since the abort is noticed in the first look into the catalogs
after it, and what has to be looked up depends on what the server's caches hold.
Of those, what survives must be the same.
"""
import itertools
import os
import random
import time

import psycopg2

import readers
import write
from compare import Result
from wire import Client, Malformed

PLUGINS = {'pgoutput': 'a', 'stream_pgoutput': 'b'}
SECONDS = 300


class Different(Exception):
    """Something is not as it must be."""


def choose(scenario, version, rng):
    """Options of the plugin, and settings of the reading session."""
    streaming = rng.choice(['on', 'parallel'] if version >= 16 else ['on'])
    options = {'proto_version': '4' if version >= 16 else '3', 'publication_names': 'pub', 'streaming': streaming,
               'binary': rng.choice(['true', 'false']), 'messages': rng.choice(['true', 'false'])}
    if rng.random() < 0.5:
        options['two_phase'] = 'on'
    if version >= 16:
        options['origin'] = rng.choice(['any', 'any', 'none'])
    immediate = version >= 16 and rng.random() < 0.4
    return options, '-c debug_logical_replication_streaming=immediate' if immediate else ''


def make_sources(server, options, settings):
    """Of each plugin a slot to be read meanwhile, and one to be read in the end, all with one start."""
    first = None
    sources = {}
    for plugin, letter in PLUGINS.items():
        for use in ('live', 'quiet'):
            slot = f'soak_{letter}_{use}'
            if first is None:
                first = slot
                server.query(f"SELECT pg_create_logical_replication_slot('{slot}', '{plugin}')", write.DATABASE)
            else:
                server.query(f"SELECT pg_copy_logical_replication_slot('{first}', '{slot}', false, '{plugin}')",
                             write.DATABASE)
            sources[plugin, use] = readers.Source(server, slot, options, settings)
    # The first call gives two_phase to a slot; it cannot be copied.
    for source in sources.values():
        connection = source.connect()
        source.call(connection, 'peek')
        connection.close()
    return sources


# -- in quiet

def without_unannounced_aborts(messages):
    """The one departure from pgoutput's bytes that is always on; data comes last in a message."""
    announced = set()
    kept = []
    for message in messages:
        data = message[-1]
        if data[:1] == b'S':
            announced.add(data[1:5])
        if data[:1] != b'A' or data[1:5] in announced:
            kept.append(message)
    return kept


def without_rolled_back(messages):
    """Leave out streamed transactions that were rolled back, in whole or in part."""
    rolled_back = {message[-1][1:5] for message in messages if message[-1][:1] == b'A'}
    block = None
    kept = []
    for message in messages:
        data = message[-1]
        kind = data[:1]
        if kind == b'S':
            block = data[1:5]
        top = block or (data[1:5] if kind in (b'A', b'c') else None)
        if kind == b'E':
            block = None
        if top not in rolled_back:
            kept.append(message)
    return kept


class Quiet:
    """A decoding that nothing disturbs: messages, their events, and how it failed, if it did."""

    def __init__(self, source, target, read, parallel):
        self.messages = []
        self.error = None
        try:
            for message in read(source, target):
                self.messages.append(message)
        except psycopg2.Error as error:
            self.error = what(error)
        self.messages = without_unannounced_aborts(self.messages)
        client = Client(parallel)
        self.events = [event for event in (client.feed(message[-1]) for message in self.messages) if event]
        self.rolled_back = {event.facts[0] for event in self.events if event.kind == 'rollback prepared'}


def what(error):
    """An error without its context, which names the slot."""
    return str(error).splitlines()[0]


def survivors(quiet):
    """All that a client would keep."""
    return [(event.kind, event.end, event.facts, event.changes, event.origin)
            for event in quiet.events if not event.is_empty()]


def read_sql(source, target):
    connection = source.connect()
    try:
        return source.call(connection, 'peek')
    finally:
        connection.close()


def read_walsender(source, target):
    return source.frames(target)


def compare_quiet(sources, target, read, parallel):
    """A quiet decoding, on which both plugins must agree."""
    core, ours = [Quiet(sources[plugin, 'quiet'], target, read, parallel) for plugin in PLUGINS]
    both = [without_rolled_back(quiet.messages) for quiet in (core, ours)]
    for number, (a, b) in enumerate(itertools.zip_longest(*both)):
        if a != b:
            raise Different(f'in quiet, message {number} differs:\n- {str(a)[:500]}\n+ {str(b)[:500]}')
    for a, b in itertools.zip_longest(survivors(core), survivors(ours)):
        if a != b:
            raise Different(f'in quiet, what survives differs:\n- {str(a)[:500]}\n+ {str(b)[:500]}')
    if core.error != ours.error:
        raise Different(f'in quiet, errors differ:\n- {core.error}\n+ {ours.error}')
    return core


# -- live sessions against it

def tell(event):
    return 'nothing' if event is None else str(event)


def first_change(got, wanted):
    for number, (a, b) in enumerate(itertools.zip_longest(got.changes, wanted.changes)):
        if a != b:
            return f'change {number}: got {str(a)[:400]}\nwanted {str(b)[:400]}'
    return 'origins differ'


def compare_event(got, wanted, rolled_back):
    """Raise Different if they are not the same thing."""
    if wanted is None or (got.kind, got.facts) != (wanted.kind, wanted.facts):
        raise Different(f'got {tell(got)}, wanted {tell(wanted)}')
    # How much is sent of what will be rolled back depends on the moment.
    if got.kind == 'prepare' and got.facts[3] in rolled_back:
        return
    # Of what is streamed the origin may not be known yet.
    same_origin = got.streamed or wanted.streamed or got.origin == wanted.origin
    if got.changes != wanted.changes or not same_origin:
        raise Different(f'{got} differs, wanted {wanted}\n{first_change(got, wanted)}')


def compare_session(session, quiet):
    wanted = [event for event in quiet.events if event.end > session.start and not event.is_empty()]
    got = [event for event in session.events if not event.is_empty()]
    # If decoding fails, it need not fail at the same place again.
    if quiet.error:
        got = got[:len(wanted)]
    for a, b in itertools.zip_longest(got, wanted[:len(got)]):
        compare_event(a, b, quiet.rolled_back)
    if session.whole and len(got) < len(wanted):
        raise Different(f'{len(wanted) - len(got)} are missing at the end, the first is {tell(wanted[len(got)])}')


def compare_reader(reader, quiet):
    """What is wrong with what a reader got, or None."""
    for number, session in enumerate(reader.sessions):
        try:
            compare_session(session, quiet)
        except Different as error:
            return (f'slot {reader.source.slot}, session {number} ({session.how}) of {len(reader.sessions)}, from '
                    f'{readers.to_text(session.start)}:\n{error}')
    if reader.error and not (quiet.error and what(reader.error) == quiet.error):
        return f'slot {reader.source.slot}:\n{reader.error!r}'
    return None


def finding(wrong):
    """Without the session in which it was found."""
    return wrong and wrong.partition('\n')[2]


def spoil(reader, how):
    """Falsify what the last session got, to prove that it would be noticed."""
    events = reader.sessions[-1].events
    number, event = next((n, e) for n, e in enumerate(events) if len(e.changes) > 1)
    if how == 'lose':
        del events[number]
    elif how == 'twice':
        events.insert(number, event)
    elif how == 'row':
        del event.changes[-1]
    elif how == 'order':
        event.changes.reverse()
    elif how == 'relation':
        kind, _, body = event.changes[0]
        event.changes[0] = (kind, b'other', body)
    elif how == 'end':
        del events[-1]
    else:
        raise ValueError(f'SPOIL: no such kind: {how}')


# -- the check

def start_readers(sources, options, seed):
    started = {}
    for plugin in PLUGINS:
        def new_client(core=plugin == 'pgoutput'):
            return Client(options['streaming'] == 'parallel', unannounced_aborts=core)

        reader = readers.Reader(sources[plugin, 'live'], random.Random(f'{seed} {plugin}'), new_client)
        reader.start()
        started[plugin] = reader
    return started


def wait_for(started, target):
    deadline = time.monotonic() + SECONDS
    for reader in started.values():
        reader.target = target
    for reader in started.values():
        reader.join(max(0, deadline - time.monotonic()))
        if reader.is_alive():
            raise Different(f'the reader of slot {reader.source.slot} did not end in {SECONDS} s')


def run_and_compare(server, scenario, seed, options, settings, result):
    sources = make_sources(server, options, settings)
    started = start_readers(sources, options, seed)
    result.statements = write.run_at_once(server, scenario, random.Random(f'{seed} pace'))
    ((position,),) = server.query("COMMENT ON DATABASE postgres IS 'flush'; SELECT pg_current_wal_flush_lsn()")
    target = readers.to_lsn(position)
    wait_for(started, target)
    parallel = options['streaming'] == 'parallel'
    quiet = [compare_quiet(sources, target, read, parallel) for read in (read_sql, read_walsender)]
    ours = started['stream_pgoutput']
    if os.environ.get('SPOIL'):
        spoil(ours, os.environ['SPOIL'])
    # A walsender has sent something even if it fails in the end.
    wrong = {plugin: compare_reader(reader, quiet[1]) for plugin, reader in started.items()}
    result.messages = sum(len(q.messages) for q in quiet) + sum(session.messages for session in ours.sessions)
    result.failed = quiet[1].error
    result.sessions = len(ours.sessions)
    result.dropped = sum(session.client.dropped for session in ours.sessions)
    if wrong['stream_pgoutput'] and finding(wrong['stream_pgoutput']) != finding(wrong['pgoutput']):
        raise Different(f'{wrong["stream_pgoutput"]}\npgoutput: {wrong["pgoutput"]}')
    result.apart = wrong['pgoutput']


def check(server, scenario, seed):
    """Let two readers read while the scenario is written, and compare."""
    crashes = server.crashes()
    options, settings = choose(scenario, server.version, random.Random(f'{seed} live'))
    result = Result(None, f'({options} {settings})')
    write.clean_up(server, write.DATABASE)
    write.set_up(server, scenario, write.DATABASE)
    try:
        run_and_compare(server, scenario, seed, options, settings, result)
    except (Different, Malformed) as error:
        result.kind = 'difference'
        result.text += f'\n{error}'
    finally:
        write.clean_up(server, write.DATABASE)
    if server.crashes() > crashes:
        result.kind = 'crash'
    return result
