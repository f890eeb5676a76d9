"""Run a scenario's statements with psycopg2, for checks that read meanwhile."""
import random
import threading
import time

import psycopg2

DATABASE = 'soak_publisher'
LEFT_OUT = ('CREATE PUBLICATION', 'SELECT pg_replication_origin')


def clean_up(server, *databases):
    """Remove the databases and all that would hold them."""
    for database in databases:
        if not server.query(f"SELECT 1 FROM pg_database WHERE datname = '{database}'"):
            continue
        for (name,) in server.query(f"SELECT subname FROM pg_subscription s JOIN pg_database d ON d.oid = subdbid "
                                    f"WHERE datname = '{database}'"):
            for sql in (f'ALTER SUBSCRIPTION {name} DISABLE', f'ALTER SUBSCRIPTION {name} SET (slot_name = NONE)',
                        f'DROP SUBSCRIPTION {name}'):
                server.query(sql, database)
        for (gid,) in server.query(f"SELECT gid FROM pg_prepared_xacts WHERE database = '{database}'"):
            server.query(f"ROLLBACK PREPARED '{gid}'", database)
        server.query("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots "
                     f"WHERE database = '{database}' AND active")
        if not server.wait_for("SELECT count(*) = 0 FROM pg_replication_slots "
                               f"WHERE database = '{database}' AND active"):
            raise RuntimeError('a walsender does not end')
        server.query(f"SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots "
                     f"WHERE database = '{database}'")
        server.query(f'DROP DATABASE {database} WITH (FORCE)')
    server.query('SELECT pg_replication_origin_drop(roname) FROM pg_replication_origin')


def set_up(server, scenario, database, publisher=True):
    """Make the database and all that the scenario wants in it before it runs."""
    server.query(f'CREATE DATABASE {database} TEMPLATE template0 {scenario.database}')
    connection = server.connect(database)
    try:
        for sql in scenario.setup:
            if publisher or not sql.startswith(LEFT_OUT):
                execute(connection, sql)
    finally:
        connection.close()


def execute(connection, sql):
    """Whether a statement succeeded; one that ends the connection raises."""
    try:
        connection.cursor().execute(sql)
        return True
    except psycopg2.Error:
        if connection.closed:
            raise
        return False


def run(server, scenario, special=None):
    """Run the steps, each in its session; `special` gets those of session mirror."""
    sessions = {}
    try:
        for name, sql in scenario.steps:
            if name is None:
                continue
            if name == 'mirror':
                special(sql)
                continue
            if name not in sessions:
                sessions[name] = server.connect(DATABASE)
            execute(sessions[name], sql)
    finally:
        for connection in sessions.values():
            connection.close()


class Pace:
    """Lets every session go on by itself, but not more than some steps before the slowest."""

    def __init__(self, count, rng):
        self.undone = set(range(count))
        self.window = rng.choice((3, 10, 40))
        self.seconds = rng.choice((0.0001, 0.005, 0.015, 0.03))    # between steps, on average
        self.change = threading.Condition()

    def wait_for(self, number):
        time.sleep(random.expovariate(1 / self.seconds))
        with self.change:
            self.change.wait_for(lambda: number <= min(self.undone) + self.window)

    def done(self, number):
        with self.change:
            self.undone.discard(number)
            self.change.notify_all()


class Session(threading.Thread):
    """Runs its steps (number, SQL) while others run theirs."""

    def __init__(self, server, pace, steps):
        super().__init__(daemon=True)
        self.connection = server.connect(DATABASE)
        self.pace = pace
        self.steps = steps
        self.failed = 0

    def run(self):
        try:
            for number, sql in self.steps:
                self.pace.wait_for(number)
                self.failed += not execute(self.connection, sql)
                self.pace.done(number)
            # So that it does not happen some time after the end of the connection.
            execute(self.connection, 'ROLLBACK')
        finally:
            # If the connection was lost, the others must not wait.
            for number, _ in self.steps:
                self.pace.done(number)
            self.connection.close()


def run_at_once(server, scenario, rng):
    """Run the steps, all sessions at the same time; numbers of statements failed, and of all."""
    steps = {}
    pace = Pace(len(scenario.steps), rng)
    for number, (name, sql) in enumerate(scenario.steps):
        steps.setdefault(name, []).append((number, sql))
    sessions = [Session(server, pace, mine) for mine in steps.values()]
    for session in sessions:
        session.start()
    for session in sessions:
        session.join()
    return sum(session.failed for session in sessions), len(scenario.steps)
