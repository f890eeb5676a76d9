"""A session that reads a slot through SQL, and what pgoutput says of the same WAL."""
import time

import psycopg2

from pair import DATABASE
from replica import Different

CORE = 'sql_core'
# The server's pgoutput sends aborts of transactions that it never announced.
DIGEST = """WITH m AS MATERIALIZED (SELECT * FROM pg_logical_slot_peek_binary_changes('{slot}', '{until}', NULL, {options})
  WITH ORDINALITY)
SELECT count(*), md5(string_agg(concat_ws(' ', lsn, xid, encode(data, 'hex')), ',' ORDER BY ordinality)) FROM m
WHERE get_byte(data, 0) <> ascii('A') OR substr(data, 2, 4) IN (SELECT substr(data, 2, 4) FROM m WHERE get_byte(data, 0) = ascii('S'))"""
ATTEMPTS = 10


class SqlReader:
    """Has WAL of its own to read, which the writers have written for it."""

    slot = 'sql_reader'

    def __init__(self, fault, streaming=None):
        self.fault = fault
        rng = fault.rng
        version = fault.pair.version
        streaming = streaming or rng.choice(('off', 'on') if version < 16 else ('off', 'on', 'parallel'))
        values = {'proto_version': 3 if version < 16 else 4, 'publication_names': 'pub', 'streaming': streaming,
                  'binary': rng.choice(('on', 'off')), 'messages': rng.choice(('on', 'off'))}
        self.options = ', '.join(f"'{name}', '{value}'" for name, value in values.items())
        self.connection = None
        self.begin()

    def begin(self):
        """Slots from here on, and WAL for them."""
        writers = self.fault.writers
        writers.pause()
        self.query(f"SELECT pg_create_logical_replication_slot('{CORE}', 'pgoutput')")
        self.copy_slot()
        writers.go()
        time.sleep(self.fault.rng.uniform(0.5, 1.5))
        self.fault.write_value()
        self.fault.write('INSERT INTO narrow SELECT generate_series(1, 40000)')
        writers.pause()
        (self.until,), = self.query('SELECT pg_current_wal_flush_lsn()')
        self.connect()
        start = time.monotonic()
        self.wanted = self.core_digest()
        self.seconds = time.monotonic() - start

    def query(self, sql):
        return self.fault.publisher.query(sql, DATABASE)

    def copy_slot(self):
        self.query(f"SELECT pg_copy_logical_replication_slot('{CORE}', '{self.slot}', false, '{self.fault.pair.plugin}')")

    def drop(self):
        self.query(f"SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name IN ('{CORE}', '{self.slot}')")

    def connect(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = self.fault.publisher.connect(DATABASE, options='-c stream_pgoutput.skip_empty_streams=off')

    def execute(self, sql):
        cursor = self.connection.cursor()
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else []

    def insist(self, sql):
        """Execute it even if it is cancelled, as by a timeout that it is to end."""
        while True:
            try:
                return self.execute(sql)
            except psycopg2.errors.QueryCanceled:
                pass

    def drain(self):
        """Let a cancel that came late hit something else."""
        try:
            self.execute('SELECT pg_sleep(0.05)')
        except psycopg2.errors.QueryCanceled:
            pass

    def digest(self, slot):
        return DIGEST.format(slot=slot, until=self.until, options=self.options)

    def core_digest(self):
        """By a session that knows no other pgoutput than the server's."""
        connection = self.fault.publisher.connect(DATABASE, options='-c dynamic_library_path=$libdir')
        cursor = connection.cursor()
        cursor.execute(self.digest(CORE))
        digest = cursor.fetchall()
        connection.close()
        return digest

    def moment(self):
        """Some seconds, after which a call is in its middle."""
        return self.fault.rng.random() * self.seconds * 0.8

    def fails_with(self, text):
        """Whether the call fails so; another error is raised."""
        try:
            self.execute(self.digest(self.slot))
            return False
        except psycopg2.Error as error:
            if text not in str(error):
                raise
            return True

    def is_ended(self):
        """Whether the session ends in the middle of the call."""
        try:
            self.execute(self.digest(self.slot))
            return False
        except psycopg2.Error:
            if not self.connection.closed:
                raise
            self.connect()
            return True

    def must_recover(self, attempt):
        """Try until the fault has hit a call; the call after it must be right."""
        for _ in range(ATTEMPTS):
            hit = attempt(self)
            got = self.execute(self.digest(self.slot))
            if got != self.wanted:
                raise Different(f'the session gives {got}, pgoutput {self.wanted}: {self.digest(self.slot)}')
            if hit:
                break
        self.connection.close()
        self.drop()
        return hit
