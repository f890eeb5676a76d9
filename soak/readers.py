"""Read a slot again and again, over walsenders and SQL, while others write."""
import select
import threading
import time

import psycopg2
import psycopg2.extras

import write
from wire import Client, Malformed

PAUSE = (0.02, 0.3)     # seconds in which the walsender has to wait for us
SILENCE = 120           # seconds without a byte that are too many


def to_lsn(text):
    high, low = text.split('/')
    return int(high, 16) << 32 | int(low, 16)


def to_text(lsn):
    return f'{lsn >> 32:X}/{lsn & 0xFFFFFFFF:X}'


class Source:
    """A slot, and how it is read."""

    def __init__(self, server, slot, options, settings):
        self.server = server
        self.slot = slot
        self.options = options      # of the plugin
        self.settings = settings    # of the session

    def connect(self, **arguments):
        return self.server.connect(write.DATABASE, options=self.settings, **arguments)

    def start_walsender(self, position=0):
        """A connection and a cursor that streams."""
        connection = psycopg2.connect(self.server.conninfo(write.DATABASE), options=self.settings,
                                      connection_factory=psycopg2.extras.LogicalReplicationConnection)
        cursor = connection.cursor()
        options = ', '.join(f"\"{name}\" '{value}'" for name, value in self.options.items())
        cursor.start_replication_expert(f'START_REPLICATION SLOT "{self.slot}" LOGICAL {to_text(position)} ({options})',
                                        decode=False)
        return connection, cursor

    def call(self, connection, how, changes=None):
        """Rows (lsn, xid, data) of pg_logical_slot_peek or _get_binary_changes."""
        options = [word for option in self.options.items() for word in option]
        cursor = connection.cursor()
        cursor.execute(f'SELECT lsn, xid::text, data FROM pg_logical_slot_{how}_binary_changes(%s, NULL, %s, '
                       'VARIADIC %s)', (self.slot, changes, options))
        return [(to_lsn(lsn), xid, bytes(data)) for lsn, xid, data in cursor]

    def confirmed(self):
        """Where the slot starts, once nobody reads it any more."""
        if not self.server.wait_for(f"SELECT NOT active FROM pg_replication_slots WHERE slot_name = '{self.slot}'"):
            raise RuntimeError(f'slot {self.slot} stays in use')
        ((text,),) = self.server.query('SELECT confirmed_flush_lsn FROM pg_replication_slots '
                                       f"WHERE slot_name = '{self.slot}'")
        return to_lsn(text)

    def frames(self, target):
        """All that a walsender sends up to the target: (start, end, data); nothing is confirmed."""
        connection, cursor = self.start_walsender()
        try:
            for message in stream(cursor, lambda: target):
                if message:
                    yield message.data_start, message.wal_end, message.payload
        finally:
            connection.close()


def stream(cursor, target):
    """Messages, and None now and then, until the walsender has come to the target, if there is one.

    Only a keepalive says so: other messages of the same record may follow one that is behind the target.
    """
    heard = time.monotonic()
    last_message = None
    while True:
        message = cursor.read_message()
        if message:
            heard = time.monotonic()
            last_message = cursor.io_timestamp
            yield message
            continue
        if target() and (cursor.wal_end or 0) >= target() and cursor.io_timestamp != last_message:
            return
        if time.monotonic() - heard > SILENCE:
            raise RuntimeError(f'no byte from the walsender in {SILENCE} s')
        if not select.select([cursor], [], [], 0.05)[0]:
            cursor.send_feedback(reply=True)
        yield None


class Session:
    """What was read between one connection and its end."""

    def __init__(self, how, start, client):
        self.how = how
        self.start = start          # nothing that ended before it is to be sent
        self.client = client
        self.events = []
        self.messages = 0
        self.whole = False          # read up to the end?

    def take(self, data):
        self.messages += 1
        event = self.client.feed(data)
        if event:
            self.events.append(event)
        return event


class Reader(threading.Thread):
    """Reads a slot in sessions until it has all, confirming what it likes."""

    def __init__(self, source, rng, new_client):
        super().__init__(daemon=True)
        self.source = source
        self.rng = rng
        self.new_client = new_client
        self.target = None          # set once nothing more is written
        self.more = rng.randint(0, 4)   # sessions, after that, before the last one
        self.sessions = []
        self.ends = []              # of events seen, where a client can go on
        self.error = None           # that ended it

    def run(self):
        try:
            while not (self.sessions and self.sessions[-1].whole):
                self.read_once()
        except (psycopg2.Error, Malformed, RuntimeError) as error:
            self.error = error

    def read_once(self):
        last = self.target is not None and self.more == 0
        self.more -= self.target is not None
        how = self.rng.choices(('walsender', 'get', 'peek', 'advance'), (10, 4, 1, 0 if last else 1))[0]
        if last and how == 'peek':
            how = 'get'
        start = self.source.confirmed()
        if how == 'advance':
            self.advance(start)
        elif how == 'walsender':
            position = self.rng.choice([0, start, self.some_end(start)])
            self.read_walsender(self.begin(how, max(start, position)), position, last)
        else:
            self.read_sql(self.begin(how, start), last)

    def begin(self, how, start):
        self.sessions.append(Session(how, start, self.new_client()))
        return self.sessions[-1]

    def some_end(self, start):
        """A position from which a client might go on: not before `start`, nothing lost."""
        later = [end for end in self.ends if end >= start]
        return self.rng.choice(later) if later else start

    def advance(self, start):
        end = self.some_end(start)
        if end > start:
            self.source.server.query(f"SELECT pg_replication_slot_advance('{self.source.slot}', '{to_text(end)}')",
                                     write.DATABASE)

    def take(self, session, data):
        event = session.take(data)
        if event and event.kind != 'message' and event.end > max(self.ends[-1:], default=0):
            self.ends.append(event.end)
        return event

    def read_sql(self, session, last):
        connection = self.source.connect()
        try:
            changes = None if last else self.rng.choice((1, 10, 100, 1000, None))
            for _, _, data in self.source.call(connection, session.how, changes):
                self.take(session, data)
            session.whole = last
        finally:
            connection.close()
        if not last:
            time.sleep(self.rng.uniform(0, 0.3))

    def read_walsender(self, session, position, last):
        limit = float('inf') if last else self.rng.choice((5, 50, 500, 5000, float('inf')))
        seconds = float('inf') if last else self.rng.choice((0.1, 0.5, 2))
        slow = 0 if last else self.rng.choice((0, 0.002, 0.02))
        begun = time.monotonic()
        connection, cursor = self.source.start_walsender(position)
        try:
            for message in stream(cursor, lambda: self.target):
                if message:
                    event = self.take(session, message.payload)
                    self.answer(cursor, event, slow)
                if session.messages >= limit or time.monotonic() - begun > seconds:
                    return
            session.whole = True
        finally:
            connection.close()

    def answer(self, cursor, event, slow):
        """Confirm something, or let the walsender wait."""
        if event and self.ends and self.rng.random() < 0.2:
            end = self.rng.choice(self.ends[-5:])
            cursor.send_feedback(write_lsn=self.ends[-1], flush_lsn=end, force=True)
        if self.rng.random() < slow:
            time.sleep(self.rng.uniform(*PAUSE))
