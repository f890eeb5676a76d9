"""Writers for the faults: random transactions until told to pause.

A transaction that fails, for a lock or because the server has gone, is over;
what became of it does not matter, since the tables are compared and not the
writers' memory.  Nothing a writer does waits for long.
"""
import random
import threading
import time

import psycopg2

# `twin` has no key: a row that came twice would be seen.  `narrow` has rows
# that take more room in a spill file than in the WAL.
TABLES = """
CREATE TABLE keyed (id int PRIMARY KEY, body text, n int);
CREATE TABLE twin (id int, body text, n int);
ALTER TABLE twin REPLICA IDENTITY FULL;
CREATE TABLE parted (id int, body text, n int, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE parted_low PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (10000000);
CREATE TABLE parted_high PARTITION OF parted DEFAULT;
CREATE TABLE narrow (id int);
ALTER TABLE narrow REPLICA IDENTITY FULL;
CREATE TABLE changing (id int PRIMARY KEY, body text, n int);
"""
NAMES = ('keyed', 'keyed', 'twin', 'twin', 'parted', 'changing')
SETTINGS = "SET lock_timeout = '300ms'; SET log_min_messages = 'log'"
# A writer's ids begin at its number times this.
IDS = 10000000


class Writer(threading.Thread):
    """Works while `running` is set; `idle` tells that it has paused."""

    def __init__(self, server, database, number, rng):
        super().__init__(daemon=True)
        self.server = server
        self.database = database
        self.number = number
        self.rng = rng
        self.running = threading.Event()
        self.idle = threading.Event()
        self.ended = False
        self.connection = None
        self.next_id = number * IDS
        self.prepared = 0
        self.transactions = 0

    def run(self):
        while not self.ended:
            if not self.running.is_set():
                self.idle.set()
                self.running.wait(0.1)
                continue
            self.idle.clear()
            try:
                self.work()
            except psycopg2.Error:
                self.give_up()
        self.disconnect()

    def work(self):
        if self.connection is None:
            self.connection = self.server.connect(self.database)
            self.execute(SETTINGS)
            self.end_prepared()
        action = self.rng.choices((self.small, self.large, self.nested, self.two_phase, self.truncate, self.value),
                                  (30, 25, 20, 12, 3, 10))[0]
        action()
        self.transactions += 1
        time.sleep(self.rng.random() * 0.06)

    def give_up(self):
        try:
            self.connection.cursor().execute('ROLLBACK')
        except (psycopg2.Error, AttributeError):
            self.disconnect()
            time.sleep(0.1)

    def disconnect(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None

    def execute(self, sql):
        cursor = self.connection.cursor()
        cursor.execute(sql)
        return cursor.fetchall() if cursor.description else []

    def end_prepared(self):
        """Those that were left when the connection was lost."""
        for gid, in self.execute(f"SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'writer{self.number} %'"):
            self.execute(f"{self.rng.choice(('COMMIT', 'ROLLBACK'))} PREPARED '{gid}'")

    # -- what is written

    def pick(self):
        return self.rng.choice(NAMES)

    def rows(self, count, table=None):
        table = table or self.pick()
        first = self.next_id
        self.next_id += count
        return (f"INSERT INTO {table} (id, body, n) SELECT i, repeat(md5(i::text), {self.rng.randint(1, 4)}), "
                f'i % 7 FROM generate_series({first}, {first + count - 1}) i')

    def change(self, count):
        """Some of the writer's last rows; few, if each means a scan of the table
        on the subscriber."""
        table = self.pick()
        count = min(count, 20) if table == 'twin' else count
        where = f'id BETWEEN {max(self.next_id - count, self.number * IDS)} AND {self.next_id} AND n = {self.rng.randint(0, 6)}'
        return self.rng.choice((f"UPDATE {table} SET body = 'changed ' || id WHERE {where}",
                                f'UPDATE {table} SET n = n + 10 WHERE {where}',
                                f'DELETE FROM {table} WHERE {where}'))

    def statement(self, large):
        count = self.rng.randint(200, 1000) if large else self.rng.randint(1, 20)
        choice = self.rng.random()
        if choice < 0.1:
            return "SELECT pg_logical_emit_message(true, 'faults', 'message')"
        return self.rows(count) if choice < 0.7 else self.change(count)

    def body(self, large):
        for _ in range(self.rng.randint(1, 4)):
            self.execute(self.statement(large))

    def end(self):
        self.execute('COMMIT' if self.rng.random() < 0.8 else 'ROLLBACK')

    # -- transactions

    def small(self):
        self.execute('BEGIN')
        self.body(False)
        self.end()

    def large(self):
        self.execute('BEGIN')
        self.body(True)
        time.sleep(self.rng.random() * 0.05)
        self.body(self.rng.random() < 0.5)
        self.end()

    def nested(self):
        """Savepoints, released and rolled back, some within others."""
        open_ones = []
        self.execute('BEGIN')
        for i in range(self.rng.randint(3, 10)):
            self.execute(self.statement(self.rng.random() < 0.4))
            if open_ones and self.rng.random() < 0.6:
                at = self.rng.randrange(len(open_ones))
                self.execute(f"{self.rng.choice(('ROLLBACK TO', 'RELEASE'))} {open_ones[at]}")
                # A savepoint that was rolled back to is still there.
                del open_ones[at:]
            else:
                open_ones.append(f's{i}')
                self.execute(f'SAVEPOINT s{i}')
        self.end()

    def two_phase(self):
        self.prepared += 1
        gid = f'writer{self.number} {self.prepared} {self.transactions}'
        self.execute('BEGIN')
        self.body(self.rng.random() < 0.5)
        self.execute(f"PREPARE TRANSACTION '{gid}'")
        time.sleep(self.rng.random() * 0.1)
        if self.rng.random() < 0.5:
            self.execute('BEGIN')
            self.execute(self.rows(self.rng.randint(1, 500)))
            self.end()
        self.execute(f"{self.rng.choice(('COMMIT', 'COMMIT', 'ROLLBACK'))} PREPARED '{gid}'")

    def truncate(self):
        self.execute('BEGIN')
        self.execute(self.rows(10, 'keyed'))
        self.execute(f"TRUNCATE {self.rng.choice(('keyed', 'twin', 'parted', 'keyed, twin', 'narrow'))}")
        self.execute(self.rows(10, 'twin'))
        self.end()

    def value(self):
        """A value that is stored out of line, then a row of it changed elsewhere."""
        name = self.rng.choice(('keyed', 'twin'))
        first = self.next_id
        self.next_id += 1
        self.execute('BEGIN')
        self.execute(f"INSERT INTO {name} SELECT {first}, string_agg(md5(i::text), ''), 1 "
                     f'FROM generate_series(1, {self.rng.randint(100, 3000)}) i')
        self.execute(f'UPDATE {name} SET n = 2 WHERE id = {first}')
        self.end()


class Workload:
    """All writers of a database, and the changes of a table on both sides."""

    def __init__(self, publisher, subscriber, database, rng):
        self.publisher = publisher
        self.subscriber = subscriber
        self.database = database
        self.rng = rng
        self.columns = 0
        self.writers = [Writer(publisher, database, number, random.Random(rng.random())) for number in (1, 2)]
        for writer in self.writers:
            writer.start()

    def go(self):
        for writer in self.writers:
            writer.idle.clear()
            writer.running.set()

    def pause(self, seconds=60):
        """Stop writing, and end what is prepared."""
        for writer in self.writers:
            writer.running.clear()
        for writer in self.writers:
            if not writer.idle.wait(seconds):
                raise TimeoutError('a writer does not come to an end')
        for gid, in self.publisher.query("SELECT gid FROM pg_prepared_xacts WHERE gid LIKE 'writer%'", self.database):
            self.publisher.query(f"{self.rng.choice(('COMMIT', 'ROLLBACK'))} PREPARED '{gid}'", self.database)

    def stop(self):
        for writer in self.writers:
            writer.ended = True
        for writer in self.writers:
            writer.join(60)

    def change_table(self):
        """Add or drop a column on both sides; only while the writers pause and
        the subscriber has applied all.  The rows before and after it are still
        decoded together when a reader starts again."""
        if self.columns and self.rng.random() < 0.4:
            sql = f'ALTER TABLE changing DROP COLUMN c{self.columns}'
            self.columns -= 1
        else:
            self.columns += 1
            kind = self.rng.choice(('int', "text DEFAULT 'added'", 'numeric DEFAULT 1.5'))
            sql = f'ALTER TABLE changing ADD COLUMN c{self.columns} {kind}'
        self.publisher.query(sql, self.database)
        self.subscriber.query(sql, self.database)

    def transactions(self):
        return sum(writer.transactions for writer in self.writers)
