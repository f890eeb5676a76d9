"""Twenty walsenders with mixed options on one publisher, while pgbench writes.

Writing goes in rounds.  After each of them every reader must come to its end,
and must have been sent as many rows as were written, and the statistics must
say what it got; and from the second quarter of the rounds on, the memory of
our walsenders may not grow by more than pgoutput's.
"""
import json
import os
import re
import subprocess
import time

import counters
from publisher import CORE, HERE, OURS, Failure, progress
from wal import SMOKE

ROUND_SECONDS = 2 if SMOKE else 10
MINUTES = 0.2 if SMOKE else float(os.environ.get('MINUTES') or 5)
RATE = 60           # transactions a second, all kinds together
CLIENTS = 4
PATIENCE = 300      # seconds in which no reader comes any further
ALLOWED_KB = 1024

# ledger says what a transaction has written, itself included.
SETUP = """
CREATE EXTENSION stream_pgoutput;
CREATE TABLE account (id int PRIMARY KEY, balance int, note text);
INSERT INTO account SELECT g, 0, 'account ' || g FROM generate_series(1, 1000) g;
CREATE TABLE history (id bigserial PRIMARY KEY, account int, change numeric, at timestamptz DEFAULT now(), note text);
CREATE TYPE mood AS ENUM ('sad', 'happy');
CREATE TABLE event (id bigserial, part int, data jsonb, m mood, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
SELECT format('CREATE TABLE event_%s PARTITION OF event FOR VALUES IN (%s)', i, i) FROM generate_series(0, 7) i \\gexec
ALTER TABLE event_0 REPLICA IDENTITY FULL;
CREATE TABLE ledger (id bigserial PRIMARY KEY, inserted int, updated int, deleted int);
CREATE PUBLICATION everything FOR ALL TABLES;
CREATE PUBLICATION rooted FOR TABLE event WITH (publish_via_partition_root = true);
CREATE PUBLICATION inserts FOR ALL TABLES WITH (publish = 'insert');
CREATE PUBLICATION filtered FOR TABLE history (id, note) WHERE (id % 2 = 0), account, ledger WITH (publish = 'insert');
CREATE PUBLICATION bystander;

CREATE PROCEDURE small() LANGUAGE plpgsql AS $$
DECLARE
	chosen int := 1 + floor(random() * 1000);
	gone int;
BEGIN
	UPDATE account SET balance = balance + 1 WHERE id = chosen;
	INSERT INTO history (account, change, note) VALUES (chosen, random() * 1000, 'a small one');
	INSERT INTO event (part, data, m) VALUES (random() * 7, '{"a": [1, 2, null]}', 'sad');
	DELETE FROM history WHERE id IN (SELECT id FROM history ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED);
	GET DIAGNOSTICS gone = ROW_COUNT;
	INSERT INTO ledger (inserted, updated, deleted) VALUES (3, 1, gone);
END $$;

-- Large enough to be streamed or spilled, with a part that is rolled back.
CREATE PROCEDURE large() LANGUAGE plpgsql AS $$
DECLARE
	gone int;
BEGIN
	INSERT INTO event (part, data, m) SELECT g % 8, jsonb_build_object('n', g), 'happy' FROM generate_series(1, 2000) g;
	BEGIN
		INSERT INTO history (account, note) SELECT g, 'undone' FROM generate_series(1, 1000) g;
		INSERT INTO event (part) SELECT g % 8 FROM generate_series(1, 1000) g;
		RAISE EXCEPTION 'undo';
	EXCEPTION WHEN raise_exception THEN NULL;
	END;
	DELETE FROM event WHERE (id, part) IN (SELECT id, part FROM event ORDER BY id LIMIT 2000 FOR UPDATE SKIP LOCKED);
	GET DIAGNOSTICS gone = ROW_COUNT;
	INSERT INTO ledger (inserted, updated, deleted) VALUES (2001, 0, gone);
END $$;

-- What makes plugins look at the catalogs again.
CREATE PROCEDURE ddl() LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_advisory_xact_lock(1);
	EXECUTE format('ALTER TABLE %s SET (fillfactor = %s)',
		(ARRAY['account', 'history', 'event_1', 'event_2'])[1 + floor(random() * 4)], 90 + floor(random() * 10));
	IF EXISTS (SELECT FROM pg_publication_tables WHERE pubname = 'bystander') THEN
		ALTER PUBLICATION bystander DROP TABLE account;
	ELSE
		ALTER PUBLICATION bystander ADD TABLE account;
	END IF;
	INSERT INTO ledger (inserted, updated, deleted) VALUES (1, 0, 0);
END $$;
"""
SCRIPTS = {'small': 50, 'large': 1, 'ddl': 1}

EVERYTHING = 'everything'
# Which rows a reader of only these gets; of others pgoutput's readers tell.
WRITTEN = {
    EVERYTHING: 'SELECT sum(inserted + updated + deleted) FROM ledger',
    'inserts': 'SELECT sum(inserted) FROM ledger',
}

# Publications, options, settings of the session.  Those of ALSO_CORE are also
# read with pgoutput.
PLAIN = dict(proto_version='1')
STREAMED = dict(proto_version='2', streaming='on')
PARALLEL = dict(proto_version='4', streaming='parallel')
SMALL = dict(logical_decoding_work_mem='64kB')
MIXED = [
    (EVERYTHING, PLAIN, SMALL),
    (EVERYTHING, dict(PLAIN, binary='on'), {}),
    (EVERYTHING, dict(PLAIN, proto_version='3', messages='on'), {}),
    ('inserts', PLAIN, SMALL),
    (EVERYTHING, STREAMED, SMALL),
    (EVERYTHING, dict(STREAMED, binary='on'), SMALL),
    (EVERYTHING, dict(STREAMED, proto_version='3', messages='on'), {}),
    ('inserts', STREAMED, SMALL),
    (EVERYTHING, PARALLEL, SMALL),
    (EVERYTHING, dict(PARALLEL, binary='on'), SMALL),
    (EVERYTHING, dict(PARALLEL, origin='none'), {}),
    ('everything,inserts', PARALLEL, SMALL),
    ('filtered', PLAIN, SMALL),
    ('filtered', dict(PARALLEL, binary='on'), SMALL),
    ('rooted,inserts', STREAMED, SMALL),
    ('everything,rooted', PARALLEL, SMALL),
]
ALSO_CORE = (0, 4, 12, 14)


class Reader:
    """A client of its own, which tells every second how far it is."""

    def __init__(self, publisher, plugin, publications, options, settings, number):
        self.plugin = plugin
        self.publications = publications
        self.options = options_for(publisher, options)
        self.path = publisher.dir / ('reader_%d' % number)
        self.lag = 0
        self.warm = None
        command = [HERE / 'reader', '--port', str(publisher.port), '--dbname', 'load', '--plugin', plugin,
                   '--host', publisher.dir, '--follow', '--rows', '--option', 'publication_names=' + publications]
        for name, value in self.options.items():
            command += ['--option', '%s=%s' % (name, value)]
        for name, value in settings.items():
            command += ['--set', '%s=%s' % (name, value)]
        with open(self.path, 'w') as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)

    def report(self):
        """The last one, or None."""
        text = self.path.read_text()
        if self.process.poll() is not None:
            raise Failure('the reader of %s ended: %s' % (self.name(), text.splitlines()[-1:]))
        lines = text[:text.rfind('\n') + 1].splitlines()
        return json.loads(lines[-1]) if lines else None

    def name(self):
        return '%s %s (%s)' % (self.plugin, self.publications,
                               ' '.join('%s=%s' % option for option in self.options.items()))

    def slot(self):
        return 'bench_%d' % self.report()['pid']

    def stop(self):
        self.process.terminate()
        self.process.wait()


def options_for(publisher, options):
    """15 knows neither version 4, nor parallel streaming, nor origin."""
    if publisher.major >= 16:
        return options
    known = {name: value for name, value in options.items() if name != 'origin'}
    if known['proto_version'] == '4':
        known['proto_version'] = '3'
    if known.get('streaming') == 'parallel':
        known['streaming'] = 'on'
    return known


def as_number(lsn):
    high, low = lsn.split('/')
    return int(high, 16) << 32 | int(low, 16)


class Walsenders:
    def __init__(self, publisher):
        self.publisher = publisher
        self.readers = []

    def sql(self, text):
        return self.publisher.sql('load', text)

    def start_readers(self):
        wanted = [(OURS, *case) for case in MIXED] + [(CORE, *MIXED[number]) for number in ALSO_CORE]
        for number, case in enumerate(wanted):
            self.readers.append(Reader(self.publisher, *case, number))
        self.wait_for('all readers to begin', lambda: all(reader.report() for reader in self.readers))

    def wait_for(self, what, done):
        """Until it is so, or nobody comes any further."""
        seen, since = None, time.monotonic()
        while not done():
            now = [reader.report() and reader.report()['lsn'] for reader in self.readers]
            if now != seen:
                seen, since = now, time.monotonic()
            if time.monotonic() - since > PATIENCE:
                raise Failure('waited in vain for ' + what)
            self.note_lag()
            time.sleep(0.5)

    def note_lag(self):
        """The most that each has been behind."""
        lags = dict(line.split('|') for line in self.sql(
            'SELECT pid, pg_current_wal_lsn() - sent_lsn FROM pg_stat_replication '
            'WHERE sent_lsn IS NOT NULL').splitlines())
        for reader in self.readers:
            report = reader.report()
            if report:
                reader.lag = max(reader.lag, int(lags.get(str(report['pid']), 0)))

    def write(self):
        """One round of pgbench, and how many transactions that were."""
        command = ['pgbench', '-n', '-h', self.publisher.dir, '-p', str(self.publisher.port), '-U', 'postgres',
                   '-c', str(CLIENTS), '-T', str(ROUND_SECONDS), '--rate', str(RATE), '--max-tries', '10', 'load']
        for name, weight in SCRIPTS.items():
            path = self.publisher.dir / (name + '.pgbench')
            path.write_text('CALL %s();\n' % name)
            command += ['-f', '%s@%d' % (path, weight)]
        writer = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while writer.poll() is None:
            self.note_lag()
            time.sleep(1)
        text = writer.stdout.read()
        done = re.search(r'number of transactions actually processed: (\d+)', text)
        if writer.returncode != 0 or not done:
            raise Failure('pgbench failed: ' + text[-500:])
        return int(done[1])

    def catch_up(self):
        lsn = as_number(self.sql('SELECT pg_current_wal_insert_lsn()').strip())
        self.sql("SELECT pg_logical_emit_message(true, 'load', 'end of a round')")
        self.wait_for('readers to catch up',
                      lambda: all(as_number(reader.report()['lsn']) >= lsn for reader in self.readers))

    def wrong_rows(self):
        """Readers that got other rows than were written, or than pgoutput's reader of the same."""
        right = {name: int(self.sql(query)) for name, query in WRITTEN.items()}
        for reader in self.readers:
            if reader.plugin == CORE:
                right.setdefault(reader.publications, reader.report()['rows'])
        right['everything,inserts'] = right['everything,rooted'] = right[EVERYTHING]
        return ['%s got %d rows, not %d' % (reader.name(), reader.report()['rows'], right[reader.publications])
                for reader in self.readers if reader.report()['rows'] != right[reader.publications]]

    def wrong_counters(self):
        """What the statistics say that readers of ours did not get."""
        counted = json.loads(self.sql(counters.QUERY))
        written = int(self.sql(WRITTEN[EVERYTHING]))
        return ['%s: %s' % (reader.name(), problem)
                for reader in self.readers if reader.plugin == OURS
                for problem in counters.wrong(counted[reader.slot()], reader.report(),
                                              None if 'streaming' in reader.options else written)]

    def settled(self, problems_now):
        """Its problems, once there are none or those that there are stay.

        The message that ends the round may still be on its way to some.
        """
        deadline = time.monotonic() + 10
        while (problems := problems_now()) and time.monotonic() < deadline:
            time.sleep(0.5)
        return problems

    def run(self):
        rounds = max(4, int(MINUTES * 60 / ROUND_SECONDS))
        transactions = 0
        for number in range(1, rounds + 1):
            transactions += self.write()
            self.catch_up()
            progress.show('walsenders: round %d of %d: %d transactions, %d rows, lag up to %.1f MB' % (
                number, rounds, transactions, int(self.sql(WRITTEN[EVERYTHING])),
                max(reader.lag for reader in self.readers) / 1e6))
            wrong = self.wrong_rows() + self.settled(self.wrong_counters)
            if wrong:
                return wrong
            if number == max(1, rounds // 4):
                for reader in self.readers:
                    reader.warm = reader.report()
        return self.grown()

    def grown(self):
        growth = {reader: reader.report()['private_kb'] - reader.warm['private_kb'] for reader in self.readers}
        allowed = max(kb for reader, kb in growth.items() if reader.plugin == CORE) + ALLOWED_KB
        return ['%s grew by %d kB, pgoutput by %d' % (reader.name(), kb, allowed - ALLOWED_KB)
                for reader, kb in growth.items() if kb > allowed]

    def show(self):
        form = '%-16s %-19s %-47s %9s %9s %18s %18s %9s %7s'
        progress.note(form % ('plugin', 'publications', 'options', 'rows', 'MB', 'private MB', 'resident MB', 'peak MB',
                              'lag MB'))
        for reader in self.readers:
            last, warm = reader.report(), reader.warm or reader.report()
            progress.note(form % (
                reader.plugin, reader.publications, ' '.join('%s=%s' % option for option in reader.options.items()),
                last['rows'], '%.1f' % (last['bytes'] / 1e6),
                *('%.2f -> %.2f' % (warm[key] / 1024, last[key] / 1024) for key in ('private_kb', 'resident_kb')),
                '%.2f' % (last['peak_kb'] / 1024), '%.1f' % (reader.lag / 1e6)))

    def stop(self):
        for reader in self.readers:
            reader.stop()


def set_autovacuum(publisher, value):
    """Off elsewhere: its invalidations come at any time, and change what is sent."""
    publisher.sql('postgres', 'ALTER SYSTEM SET autovacuum = %s;\nSELECT pg_reload_conf();' % value)


def check(publisher):
    set_autovacuum(publisher, 'on')
    publisher.sql('postgres', 'CREATE DATABASE load')
    publisher.sql('load', SETUP)
    walsenders = Walsenders(publisher)
    try:
        walsenders.start_readers()
        problems = walsenders.run()
        walsenders.show()
        return problems
    finally:
        walsenders.stop()
        set_autovacuum(publisher, 'off')
        drop(publisher)


def drop(publisher):
    """Once the walsenders have seen that their clients are gone."""
    for _ in range(100):
        if publisher.sql('postgres', "SELECT count(*) FROM pg_replication_slots").strip() == '0':
            publisher.sql('postgres', 'DROP DATABASE load')
            return
        time.sleep(0.1)
    raise Failure('walsenders do not end')
