#!/usr/bin/env python3
"""Make a random scenario for tools/stream_diff: same arguments, same SQL.

usage: generate.py SEED VERSION [diff|live|apply]

Statements are right most of the time, not always: which tables exist, and who
holds a lock on them, is kept track of, but not what a row or a rolled back
transaction does to it.  The scenario is `tolerant`: what fails, fails.

Profiles: `diff` does everything; `live`, for readers that read meanwhile, leaves out what
clients are not told of at once (changes of publications, names of types and schemas), and
rolls back more; `apply`, for a subscriber, has plain data: every table has a key, and no
statement changes a table.
"""
import copy
import random
import sys

import values

SESSION_SETTINGS = "SET lock_timeout = '20ms'"
READER_SETTINGS = [
    "DateStyle = 'German, DMY'", "DateStyle = 'SQL, MDY'", "DateStyle = 'Postgres, DMY'", "DateStyle = 'ISO, YMD'",
    "TimeZone = 'America/St_Johns'", "TimeZone = 'UTC'", "TimeZone = 'Europe/Amsterdam'", "TimeZone = '-13:30'",
    "IntervalStyle = 'iso_8601'", "IntervalStyle = 'sql_standard'", "IntervalStyle = 'postgres_verbose'",
    "extra_float_digits = 0", "extra_float_digits = -5", "extra_float_digits = 3",
    "bytea_output = 'escape'", "client_encoding = 'UTF8'", "client_encoding = 'LATIN1'",
    "client_encoding = 'EUC_JP'", "client_encoding = 'SQL_ASCII'", "xmlbinary = 'hex'", "search_path = ''",
    "quote_all_identifiers = on",
]
DATABASES = ["ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C'"] * 6 + [
    "ENCODING 'UTF8' LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'", "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"]


class Table:
    def __init__(self, name):
        self.name = name
        self.columns = {}           # name: type; id first
        self.generated = set()      # of them, those that are not written
        self.partitioned = False
        self.leaves = []            # (parent, leaf, bound) that can be detached
        self.key = 'id'
        self.identity = 'd'
        self.users = set()          # open transactions that touched it
        self.owner = None           # open transaction that changed it


class Session:
    def __init__(self, name, number):
        self.name = name
        self.number = number
        self.holder = name          # of locks: this, or a prepared transaction
        self.transaction = False
        self.savepoints = []
        self.undo = []              # (table's key, copy or None)


class Generator:
    def __init__(self, seed, version, profile='diff'):
        self.rng = random.Random(f'{seed} {version} {profile}')
        self.version = version
        self.profile = profile
        self.setup = []
        self.steps = []             # (session or None, SQL or directive)
        self.tries = []
        self.tables = {}
        self.publications = []
        self.prepared = []
        self.serial = 0
        self.next_id = 1
        self.budget = 0
        self.binary = self.chance(0.3)
        self.has_origin = self.chance(0.4)
        self.allow_publication_ddl = profile == 'diff' and self.chance(0.5)
        # A share of the seeds has many rows in few statements.
        self.bulk = 10 if profile != 'apply' and self.chance(0.25) else 1
        self.database = self.rng.choice(DATABASES) if profile == 'diff' else DATABASES[0]
        self.comment = f'seed {seed}, version {version}, profile {profile}'

    # -- little helpers

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(sorted(items) if isinstance(items, (set, dict)) else items)

    def weighted(self, **weights):
        return self.rng.choices(list(weights), weights.values())[0]

    def number(self):
        self.serial += 1
        return self.serial

    def new_name(self, prefix):
        name = f'{prefix}{self.number()}'
        return f'"{prefix.title()} ""ä{self.serial}"' if self.chance(0.1) else name

    def emit(self, session, sql):
        self.steps.append((session.name, sql))

    def emit_risky(self, session, sql):
        """In a transaction, a failure must not be its end."""
        if session.transaction and self.chance(0.85):
            sql = f'DO $soak$ BEGIN EXECUTE $q$ {sql} $q$; EXCEPTION WHEN OTHERS THEN NULL; END $soak$'
        self.emit(session, sql)

    def random_type(self):
        if self.chance(0.3):
            return self.pick(values.COMMON)
        if self.chance(0.12 if self.bulk == 1 else 0.02):
            return 'long text'
        if self.chance(0.3) and not (self.profile == 'apply' and self.binary):
            return self.pick(values.CREATED)
        kind = self.pick(values.BOUNDARY)
        return 'text' if kind in values.NOT_RECEIVED and self.profile == 'apply' and self.binary else kind

    def declared(self, type_name):
        return 'text' if type_name == 'long text' else type_name

    def value(self, type_name, row, null=True):
        return values.expression(self.rng, type_name, row, self.version, null)

    # -- set-up

    def column_definitions(self, table, shuffled=False):
        definitions = []
        for column, kind in table.columns.items():
            text = f'{column} {self.declared(kind)}'
            if column in ('id', 'k'):
                text += ' NOT NULL'
            elif column in table.generated:
                how = 'VIRTUAL' if self.version >= 18 and column.startswith('v') else 'STORED'
                text += f' GENERATED ALWAYS AS ({self.generated_expression(column)}) {how}'
            definitions.append(text)
        if shuffled:
            self.rng.shuffle(definitions)
        return definitions

    def generated_expression(self, column):
        return 'id * 2' if column.startswith(('g', 'v')) else 'id'

    def add_columns(self, table):
        table.columns['id'] = 'int4'
        if table.partitioned:
            table.columns['k'] = 'int4'
        for _ in range(self.rng.choice((1, 2, 3, 5, 5, 8, 14))):
            table.columns[self.new_name('c')] = self.random_type()
        if not table.partitioned and self.chance(0.3):
            for prefix in ('g', 'v')[:self.rng.randint(1, 2)]:
                column = f'{prefix}{self.number()}'
                table.columns[column] = 'int4'
                table.generated.add(column)
        if self.chance(0.4):
            items = list(table.columns.items())
            self.rng.shuffle(items)
            table.columns = dict(items)

    def make_table(self, emit):
        table = Table(self.new_name(self.pick(['t', 't', 't', 'other.t'])) if self.profile != 'apply'
                      else f't{self.number()}')
        if table.name.startswith('"Other'):
            table.name = f'"T odd{self.serial}"'
        table.partitioned = self.chance(0.35)
        self.add_columns(table)
        if table.partitioned:
            self.make_partitioned(table, emit)
        else:
            self.make_plain(table, emit)
        self.set_identity(table, emit)
        self.tables[table.name] = table
        return table

    def make_plain(self, table, emit):
        definitions = self.column_definitions(table)
        if self.chance(0.3):
            definitions.insert(self.rng.randint(0, len(definitions)), 'junk text')
        table.key = 'id'
        if self.profile == 'apply' or self.chance(0.8):
            definitions.append('PRIMARY KEY (id)')
        else:
            table.key = None
        unlogged = 'UNLOGGED ' if self.profile == 'diff' and self.chance(0.03) else ''
        emit(f'CREATE {unlogged}TABLE {table.name} ({", ".join(definitions)})')
        if any(d == 'junk text' for d in definitions):
            emit(f'ALTER TABLE {table.name} DROP COLUMN junk')
        for column, kind in table.columns.items():
            if kind == 'long text' and self.chance(0.4):
                emit(f'ALTER TABLE {table.name} ALTER {column} SET STORAGE {self.pick(["external", "main", "extended"])}')

    def make_partitioned(self, table, emit):
        table.key = 'id, k'
        definitions = self.column_definitions(table) + ['PRIMARY KEY (id, k)']
        emit(f'CREATE TABLE {table.name} ({", ".join(definitions)}) PARTITION BY LIST (k)')
        for bound in ('FOR VALUES IN (0, 1)', 'FOR VALUES IN (2)', 'DEFAULT'):
            deep = self.chance(0.4)
            child = self.make_partition(table, table.name, bound, deep and 'RANGE (id)', emit)
            for sub in ('FOR VALUES FROM (MINVALUE) TO (1000)', 'FOR VALUES FROM (1000) TO (MAXVALUE)') if deep else ():
                deeper = self.chance(0.2)
                grandchild = self.make_partition(table, child, sub, deeper and 'HASH (id)', emit)
                for i in (0, 1) if deeper else ():
                    self.make_partition(table, grandchild, f'FOR VALUES WITH (MODULUS 2, REMAINDER {i})', None, emit)

    def make_partition(self, table, parent, bound, by, emit):
        name = f'p{self.number()}'
        by = f' PARTITION BY {by}' if by else ''
        if self.chance(0.5):
            emit(f'CREATE TABLE {name} PARTITION OF {parent} {bound}{by}')
        else:
            definitions = self.column_definitions(table, shuffled=True)
            definitions.insert(self.rng.randint(0, len(definitions)), 'junk int4')
            emit(f'CREATE TABLE {name} ({", ".join(definitions)}){by}')
            emit(f'ALTER TABLE {name} DROP COLUMN junk')
            emit(f'ALTER TABLE {parent} ATTACH PARTITION {name} {bound}')
        table.leaves.append((parent, name, bound))
        return name

    def set_identity(self, table, emit):
        kinds = {'d': 4, 'f': 3, 'i': 2, 'n': 0.3} if table.key else {'f': 3, 'i': 2, 'n': 1, 'd': 0.5}
        if self.profile == 'apply':
            kinds = {'d': 3, 'f': 2}
        table.identity = self.weighted(**kinds)
        names = [leaf for _, leaf, _ in table.leaves] + [table.name]
        if table.identity == 'i':
            for name in names:
                index = f'i{self.number()}'
                emit(f'CREATE UNIQUE INDEX {index} ON {name} ({table.key or "id"})')
                emit(f'ALTER TABLE {name} REPLICA IDENTITY USING INDEX {index}')
        elif table.identity != 'd' or self.chance(0.2):
            how = {'d': 'DEFAULT', 'f': 'FULL', 'n': 'NOTHING'}[table.identity]
            for name in names:
                emit(f'ALTER TABLE {name} REPLICA IDENTITY {how}')

    def filter(self, table):
        tests = ['id % 3 <> 1', 'id > 500', 'id < 700', 'id IN (1, 5, 9, 22) OR id > 90', 'id / 0 > 1 AND false', 'true']
        if table.identity == 'f':
            for column, kind in table.columns.items():
                if kind in values.BOUNDARY and column not in table.generated:
                    tests += [f'{column} IS NOT NULL', f'{column} IS NULL OR id > 300']
                if kind in ('int4', 'int8', 'int2', 'float8'):
                    tests += [f'{column} > 0', f'{column} < 10 OR {column} IS NULL']
                if kind == 'long text':
                    tests += [f"{column} < 'short 5'"] * 2
                if kind == 'bool':
                    tests.append(column)
        tests.remove('id / 0 > 1 AND false') if self.profile != 'diff' or self.chance(0.95) else None
        return self.pick(tests)

    def column_list(self, table):
        if table.identity == 'f':
            return ''
        wanted = [c for c in table.columns if c in (table.key or 'id').split(', ') or
                  (self.chance(0.6) and not c.startswith('v') and
                   (c not in table.generated or self.version >= 18))]
        self.rng.shuffle(wanted)
        return f' ({", ".join(wanted)})'

    def member(self, table, root=False):
        if table.partitioned and not root and self.chance(0.9):
            return table.name       # neither list nor filter is allowed
        text = table.name + (self.column_list(table) if self.chance(0.25) else '')
        return text + (f' WHERE ({self.filter(table)})' if self.chance(0.4) else '')

    def publication_options(self):
        options = []
        if self.chance(0.5):
            options.append(f'publish_via_partition_root = {self.pick(["true", "false"])}')
        if self.chance(0.2) and self.profile != 'apply':
            actions = self.rng.sample(['insert', 'update', 'delete', 'truncate'], self.rng.randint(1, 4))
            options.append(f"publish = '{', '.join(actions)}'")
        if self.version >= 18 and self.chance(0.3):
            options.append(f'publish_generated_columns = {self.pick(["stored", "none"])}')
        return f' WITH ({", ".join(options)})' if options else ''

    def publication_sql(self, name):
        kind = self.weighted(all=4, schema=1, tables=5)
        if self.profile == 'apply':
            return f'CREATE PUBLICATION {name} FOR ALL TABLES' + self.publication_options()
        chosen = [t for t in self.tables.values() if self.chance(0.7)]
        options = self.publication_options()
        if kind == 'all' or not chosen:
            target = 'FOR ALL TABLES'
        elif kind == 'schema':
            target = 'FOR TABLES IN SCHEMA public' + (', other' if self.chance(0.5) else '')
        else:
            target = 'FOR TABLE ' + ', '.join(self.member(t, 'root = true' in options) for t in chosen)
        return f'CREATE PUBLICATION {name} {target}{options}'

    def make_setup(self):
        self.setup = list(values.CREATED_TYPES)
        if self.has_origin:
            self.setup.append("SELECT pg_replication_origin_create('stream_diff soak')")
        for _ in range(self.rng.randint(1, 5)):
            self.make_table(self.setup.append)
        for name in ['pub', 'pub2', 'pub3'][:self.rng.randint(1, 3) if self.profile == 'diff' else 1]:
            self.setup.append(self.publication_sql(name))
            self.publications.append(name)

    # -- what the sessions do

    def change(self, session, table):
        """Remember a table as it was, before the session changes it."""
        if session.transaction:
            session.undo.append((table.name, copy.deepcopy(table)))
            table.owner = session.holder
        table.users.add(session.holder) if session.transaction else None

    def usable(self, session, exclusive=False):
        return [t for _, t in sorted(self.tables.items()) if t.owner in (None, session.holder) and
                not (exclusive and t.users - {session.holder})]

    def touch(self, session, table):
        if session.transaction:
            table.users.add(session.holder)

    def free_locks(self, holder):
        for table in self.tables.values():
            table.users.discard(holder)
            if table.owner == holder:
                table.owner = None

    def roll_back_model(self, session, length):
        while len(session.undo) > length:
            name, before = session.undo.pop()
            if before is None:
                self.tables.pop(name, None)
            else:
                before.owner = session.holder
                self.tables[name] = before

    def where(self, session, table):
        tests = [f'id % 4 = {session.number}']
        tests.append(self.pick([f'id % {self.rng.randint(2, 9)} = {self.rng.randint(0, 1)}',
                                f'id > {self.rng.randint(0, self.next_id)}',
                                f'id BETWEEN {self.rng.randint(0, self.next_id)} AND {self.next_id + 50}']))
        if self.chance(0.7):
            low = self.rng.randint(0, max(self.next_id * 4, 1))
            tests.append(f'id BETWEEN {low} AND {low + self.rng.choice((4, 30, 200, 1200))}')
        return ' AND '.join(tests)

    def dml(self, session):
        tables = self.usable(session)
        if not tables:
            return
        table = self.pick_table(tables)
        self.touch(session, table)
        kind = self.weighted(insert=6, update=4, delete=1.5)
        if table.identity == 'n' or (table.identity == 'd' and not table.key):
            kind = 'insert'
        getattr(self, kind)(session, table)

    def pick_table(self, tables):
        return self.rng.choice(tables)

    def insert(self, session, table):
        rows = self.rng.choice((1, 1, 2, 5, 20, 60, 150, 400)) * self.bulk
        columns = [c for c in table.columns if c not in table.generated]
        expressions = []
        for column in columns:
            if column == 'id':
                expressions.append(f'g * 4 + {session.number}')
            elif column == 'k':
                expressions.append(self.pick(['g % 4', '2', 'g % 2', '(g / 7) % 5']))
            else:
                expressions.append(self.value(table.columns[column], 'g'))
        conflict = self.pick([' ON CONFLICT DO NOTHING', '', '']) if table.key else ''
        start = self.next_id
        if conflict and self.chance(0.3):
            start = max(1, start - rows // 2)
        self.next_id = start + rows
        self.budget -= rows
        self.emit(session, f'INSERT INTO {table.name} ({", ".join(columns)}) SELECT {", ".join(expressions)} '
                           f'FROM generate_series({start}, {start + rows - 1}) g{conflict}')

    def update(self, session, table):
        choices = [c for c in table.columns if c not in table.generated and c != 'id']
        chosen = self.rng.sample(choices, min(len(choices), self.rng.choice((1, 1, 2, 9))))
        sets = [f'{c} = ' + (f'(id + {self.number()}) % 4' if c == 'k' else self.value(table.columns[c], 'id'))
                for c in chosen]
        if self.chance(0.12) and self.profile != 'apply':
            sets.append('id = id + 1000000')
        elif not sets or self.chance(0.05):
            sets = ['id = id']
        self.budget -= 50
        emit = self.emit_risky if self.chance(0.3) else self.emit
        emit(session, f'UPDATE {table.name} SET {", ".join(sets)} WHERE {self.where(session, table)}')

    def delete(self, session, table):
        self.budget -= 20
        emit = self.emit_risky if self.chance(0.3) else self.emit
        emit(session, f'DELETE FROM {table.name} WHERE {self.where(session, table)}')

    def truncate(self, session):
        tables = self.usable(session, exclusive=True)
        if not tables:
            return
        chosen = self.rng.sample(tables, self.rng.randint(1, min(2, len(tables))))
        for table in chosen:
            self.change(session, table)
        names = ', '.join(t.name for t in chosen)
        self.emit_risky(session, f'TRUNCATE {names}{self.pick(["", " CASCADE", " RESTART IDENTITY"])}')

    def message(self, session):
        transactional = self.pick(['true', 'false'])
        size = self.rng.choice((0, 1, 50, 3000))
        content = f"repeat('x', {size})" if self.chance(0.7) else "'\\x00ff00'::bytea"
        self.budget -= 1
        self.emit(session, f"SELECT pg_logical_emit_message({transactional}, 'prefix {self.number()} ä', {content})")

    def origin(self, session):
        if not session.transaction:
            return
        self.emit_risky(session, "SELECT pg_replication_origin_session_setup('stream_diff soak')")
        self.emit_risky(session, f"SELECT pg_replication_origin_xact_setup('0/{self.rng.randint(1, 2 ** 31):X}', "
                                 "'2020-02-29 12:00:00.123456+00')")

    # -- changes of tables

    def ddl(self, session):
        if self.profile == 'apply':
            return
        everything = self.profile == 'diff'
        kind = self.weighted(add_column=5, drop_column=3, rename_column=2, alter_type=3, rename_table=2, identity=4,
                             drop_table=1.5, create_table=2.5, detach=3, storage=1, index=1,
                             types=1.5 if everything else 0, schema=0.5 if everything else 0,
                             rewrite=1.5, temporary=1, comment=1,
                             publication=4 if self.allow_publication_ddl else 0)
        if kind in ('create_table', 'types', 'temporary', 'publication', 'schema'):
            getattr(self, 'ddl_' + kind)(session)
            return
        tables = self.usable(session, exclusive=True)
        if tables:
            table = self.pick_table(tables)
            self.change(session, table)
            getattr(self, 'ddl_' + kind)(session, table)

    def mirror(self):
        """A change of a table while no transaction is open, for both sides of a subscription."""
        session = Session('mirror', 0)
        table = self.pick_table(self.usable(session))
        kind = self.pick(['add_column', 'add_column', 'drop_column', 'rename_column', 'alter_type', 'rename_table',
                          'identity', 'storage', 'index'])
        getattr(self, 'ddl_' + kind)(session, table)

    def ddl_add_column(self, session, table):
        column = self.new_name('c')
        kind = self.random_type()
        default = self.pick(['', f' DEFAULT {self.value(kind, "1")}'] if kind != 'long text' else ['', " DEFAULT 'short'"])
        if 'CASE' in default or 'ARRAY' in default:
            default = ''
        self.emit_risky(session, f'ALTER TABLE {table.name} ADD {column} {self.declared(kind)}{default}')
        table.columns[column] = kind

    def plain_columns(self, table):
        return [c for c in table.columns if c not in ('id', 'k') and c not in table.generated]

    def ddl_drop_column(self, session, table):
        columns = self.plain_columns(table)
        if len(columns) > 1:
            column = self.pick(columns)
            self.emit_risky(session, f'ALTER TABLE {table.name} DROP COLUMN {column}' + self.pick(['', ' CASCADE']))
            del table.columns[column]

    def ddl_rename_column(self, session, table):
        columns = self.plain_columns(table)
        if columns:
            column = self.pick(columns)
            name = self.new_name('r')
            self.emit_risky(session, f'ALTER TABLE {table.name} RENAME {column} TO {name}')
            table.columns = {name if c == column else c: kind for c, kind in table.columns.items()}

    def ddl_alter_type(self, session, table):
        ways = {'int2': 'int4', 'int4': 'int8', 'int8': 'numeric', 'float4': 'float8', 'varchar(20)': 'text',
                'date': 'timestamp', 'json': 'jsonb', 'uuid': 'text', 'bool': 'text', 'text': 'varchar(20)'}
        columns = [c for c in self.plain_columns(table) if table.columns[c] in ways]
        if columns:
            column = self.pick(columns)
            kind = ways[table.columns[column]]
            self.emit_risky(session, f'ALTER TABLE {table.name} ALTER {column} TYPE {kind} USING {column}::{kind}')
            table.columns[column] = kind

    def ddl_rename_table(self, session, table):
        name = f't{self.number()}'
        self.emit_risky(session, f'ALTER TABLE {table.name} RENAME TO {name}')
        schema = table.name.split('.')[0] + '.' if table.name.startswith('other.') else ''
        self.tables.pop(table.name, None)
        table.name = schema + name
        self.tables[table.name] = table
        if session.transaction:
            session.undo.append((table.name, None))

    def ddl_identity(self, session, table):
        self.set_identity(table, lambda sql: self.emit_risky(session, sql))

    def ddl_drop_table(self, session, table):
        if len(self.tables) > 1:
            self.emit_risky(session, f'DROP TABLE {table.name}{self.pick(["", " CASCADE"])}')
            del self.tables[table.name]

    def ddl_create_table(self, session):
        if len(self.tables) < 8:
            table = self.make_table(lambda sql: self.emit(session, sql))
            if session.transaction:
                session.undo.append((table.name, None))
                table.owner = session.holder
                table.users.add(session.holder)
            if self.allow_publication_ddl and self.chance(0.5):
                self.emit_risky(session, f'ALTER PUBLICATION {self.pick(self.publications)} ADD TABLE {self.member(table)}')

    def ddl_detach(self, session, table):
        if not table.leaves:
            return self.ddl_add_column(session, table)
        parent, leaf, bound = self.pick(table.leaves)
        self.emit_risky(session, f'ALTER TABLE {parent} DETACH PARTITION {leaf}')
        if self.chance(0.7):
            self.emit_risky(session, f'INSERT INTO {leaf} (id, k) SELECT -g, {2 if "2" in bound else 0} FROM generate_series(1, 5) g')
            self.emit_risky(session, f'DELETE FROM {leaf} WHERE id < 0')
        if self.chance(0.8):
            self.emit_risky(session, f'ALTER TABLE {parent} ATTACH PARTITION {leaf} {bound}')
        return None

    def ddl_storage(self, session, table):
        columns = [c for c in self.plain_columns(table) if table.columns[c] == 'long text']
        if columns:
            how = self.pick(['external', 'extended', 'main'])
            self.emit_risky(session, f'ALTER TABLE {table.name} ALTER {self.pick(columns)} SET STORAGE {how}')

    def ddl_index(self, session, table):
        self.emit_risky(session, f'CREATE INDEX ON {table.name} (id)')

    def ddl_rewrite(self, session, table):
        if not session.transaction and self.chance(0.5):
            self.emit(session, f'VACUUM FULL {table.name}')
        else:
            self.emit_risky(session, f'ALTER TABLE {table.name} SET {self.pick(["UNLOGGED", "LOGGED"])}')
            self.emit_risky(session, f'ALTER TABLE {table.name} SET LOGGED')

    def ddl_comment(self, session, table):
        self.emit_risky(session, f"COMMENT ON TABLE {table.name} IS 'comment {self.number()}'")

    def ddl_types(self, session):
        self.emit_risky(session, self.pick([
            f"ALTER TYPE mood ADD VALUE 'm{self.number()}'", f'ALTER TYPE pair ADD ATTRIBUTE a{self.number()} int4',
            "ALTER TYPE mood RENAME VALUE 'happy' TO 'glad'", "ALTER TYPE mood RENAME VALUE 'glad' TO 'happy'",
            'ALTER DOMAIN posint RENAME TO posint2', 'ALTER DOMAIN posint2 RENAME TO posint',
            'ALTER TYPE other."Odd Name" SET SCHEMA public', 'ALTER TYPE "Odd Name" SET SCHEMA other']))

    def ddl_schema(self, session):
        if any(t.users - {session.holder} for t in self.tables.values()):
            return
        self.emit_risky(session, 'ALTER SCHEMA other RENAME TO another')
        self.dml(session)
        self.emit_risky(session, 'ALTER SCHEMA another RENAME TO other')

    def ddl_temporary(self, session):
        name = f'temp{self.number()}'
        self.emit_risky(session, f'CREATE TEMP TABLE {name} (id int4) ON COMMIT DROP')
        if session.transaction:
            self.emit_risky(session, f'INSERT INTO {name} VALUES (1)')
            if self.chance(0.8):
                self.emit_risky(session, f'DROP TABLE {name}')

    def ddl_publication(self, session):
        publication = self.pick(self.publications)
        table = self.pick_table(self.usable(session) or list(self.tables.values()))
        option = self.publication_options().replace(' WITH ', ' SET ') or ' SET (publish_via_partition_root = true)'
        self.emit_risky(session, self.pick([
            f'ALTER PUBLICATION {publication} ADD TABLE {self.member(table)}',
            f'ALTER PUBLICATION {publication} DROP TABLE {table.name}',
            f'ALTER PUBLICATION {publication} SET TABLE {self.member(table)}',
            f'ALTER PUBLICATION {publication}{option}', f'ALTER PUBLICATION {publication}{option}',
            f'ALTER PUBLICATION {publication} ADD TABLES IN SCHEMA other',
            f'ALTER PUBLICATION {publication} DROP TABLES IN SCHEMA other']))
        if self.chance(0.1):
            self.emit_risky(session, f'DROP PUBLICATION {publication}')
            self.emit_risky(session, self.publication_sql(publication))

    # -- transactions

    def begin(self, session):
        session.transaction = True
        session.holder = session.name
        session.savepoints = []
        session.undo = []
        self.emit(session, 'BEGIN')
        if self.has_origin and self.chance(0.15):
            self.origin(session)

    def end(self, session, how):
        if how == 'rollback':
            self.roll_back_model(session, 0)
            self.emit(session, 'ROLLBACK')
        elif how == 'prepare':
            gid = f'gid {self.number()}'
            for table in self.tables.values():
                if session.holder in table.users:
                    table.users.add(gid)
                if table.owner == session.holder:
                    table.owner = gid
            self.prepared.append((gid, session.undo))
            self.emit(session, f"PREPARE TRANSACTION '{gid}'")
        else:
            self.emit(session, 'COMMIT')
        self.free_locks(session.name)
        session.transaction = False

    def finish_prepared(self, session):
        gid, undo = self.prepared.pop(self.rng.randrange(len(self.prepared)))
        if self.chance(0.7):
            self.emit(session, f"COMMIT PREPARED '{gid}'")
        else:
            self.emit(session, f"ROLLBACK PREPARED '{gid}'")
            session.undo = undo
            self.roll_back_model(session, 0)
        self.free_locks(gid)
        # What the rolled back model restored belongs to nobody.
        for table in self.tables.values():
            if table.owner == session.holder and not session.transaction:
                table.owner = None

    def savepoint(self, session):
        name = f's{self.rng.randint(1, 3)}'
        session.savepoints.append((name, len(session.undo)))
        self.emit(session, f'SAVEPOINT {name}')

    def to_savepoint(self, session, command):
        if not session.savepoints:
            return
        at = self.rng.randrange(len(session.savepoints))
        name = session.savepoints[at][0]
        # The name means the innermost of that name.
        at = max(i for i, (n, _) in enumerate(session.savepoints) if n == name)
        if command == 'ROLLBACK TO':
            self.roll_back_model(session, session.savepoints[at][1])
            del session.savepoints[at + 1:]
        else:
            del session.savepoints[at:]
        self.emit(session, f'{command} {name}')

    def act(self, session):
        if session.transaction:
            more = 2.5 if self.profile == 'live' else 1
            what = self.weighted(dml=60, savepoint=10, back=6 * more, release=3, ddl=10, message=3, truncate=1.5,
                                 commit=8, rollback=2.5 * more, prepare=3, pause=2)
        else:
            what = self.weighted(begin=40, dml=15, ddl=6, message=2, truncate=0.5,
                                 finish=25 if self.prepared else 0, confirm=0.3 if self.profile == 'diff' else 0)
        if what in ('commit', 'rollback', 'prepare'):
            self.end(session, what)
        elif what == 'back':
            self.to_savepoint(session, 'ROLLBACK TO')
        elif what == 'release':
            self.to_savepoint(session, 'RELEASE')
        elif what == 'finish':
            self.finish_prepared(session)
        elif what == 'confirm':
            self.steps.append((None, '--@ confirm'))
        elif what != 'pause':
            getattr(self, what)(session)

    def make_run(self):
        self.budget = self.rng.choice((600, 1500, 3000, 6000)) * (4 if self.bulk > 1 or self.profile == 'live' else 1)
        sessions = [Session(f's{i}', i) for i in range(self.rng.randint(3 if self.profile == 'live' else 1, 4))]
        for session in sessions:
            self.emit(session, SESSION_SETTINGS)
        session = sessions[0]
        for _ in range(400):
            if self.budget < 0:
                break
            if self.chance(0.3):
                session = self.rng.choice(sessions)
            if self.profile == 'apply' and not self.prepared and self.chance(0.1) and \
                    not any(s.transaction for s in sessions):
                self.mirror()
            self.act(session)
        for session in sessions:
            if session.transaction and (self.profile != 'diff' or self.chance(0.9)):
                self.end(session, 'commit')
        while self.prepared and (self.profile != 'diff' or self.chance(0.8)):
            self.finish_prepared(next(s for s in sessions if not s.transaction or self.end(s, 'commit') is None))
        self.steps.append((sessions[0].name, 'INSERT INTO the_end VALUES (1)'))
        self.setup.insert(0, 'CREATE TABLE the_end (id int4)')

    def random_combination(self):
        while True:
            memory = self.pick(['small', 'immediate'] if self.version >= 16 else ['small'])
            proto = self.rng.randint(1, 4 if self.version >= 16 else 3)
            streaming = self.pick(['off', 'on', 'on'] if proto < 4 else ['off', 'on', 'parallel', 'parallel'])
            two_phase = self.pick(['off', 'on'])
            if (streaming != 'off' and proto < 2) or (two_phase == 'on' and proto < 3):
                continue
            origin = self.pick(['any', 'any', 'none'] if self.version >= 16 else ['any'])
            axes = {'memory': memory, 'proto': proto, 'streaming': streaming, 'two_phase': two_phase,
                    'origin': origin, 'binary': self.pick(['false', 'true']), 'messages': self.pick(['false', 'true'])}
            return axes

    def make_tries(self, count=14):
        for _ in range(count):
            axes = ' '.join(f'{axis}={value}' for axis, value in self.random_combination().items())
            some = self.rng.sample(self.publications, self.rng.randint(1, len(self.publications)))
            settings = '; SET '.join(self.rng.sample(READER_SETTINGS, self.rng.choice((0, 0, 1, 2, 3))))
            self.tries.append(f'{axes}|{",".join(some)}|{settings}')

    def make(self):
        self.make_setup()
        self.make_run()
        self.make_tries()
        scenario = Scenario(self.comment, self.database, self.setup, self.steps, self.tries)
        scenario.binary = self.binary
        return scenario


class Scenario:
    """What a seed made; part of it, when a failure is shrunk."""

    def __init__(self, comment, database, setup, steps, tries):
        self.comment = comment
        self.database = database
        self.setup = setup
        self.steps = steps
        self.tries = tries

    def text(self):
        lines = [f'-- {self.comment}', '--@ tolerant', f'--@ database {self.database}']
        lines += [f'--@ try {one}' for one in self.tries]
        lines += [f'{sql};' for sql in self.setup]
        lines += ['', '--@ run']
        current = None
        for session, sql in self.steps:
            if session not in (None, current):
                lines.append(f'--@ session {session}')
                current = session
            lines.append(sql if session is None else f'{sql};')
        return '\n'.join(lines) + '\n'


def generate(seed, version, profile='diff'):
    return Generator(seed, version, profile).make()


if __name__ == '__main__':
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.stdout.write(generate(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]).text())
