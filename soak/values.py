"""Types and values: literals of all built-in types, and random ones.

Every value is an SQL expression.  A column gets one of a small set of values by
the row's number, so that a statement makes many different rows cheaply.
"""

# Type: values at the boundaries of what it takes.  No quote needs doubling.
BOUNDARY = {
    'bool': ['true', 'false'],
    'int2': ['-32768', '32767', '0', '-1', '10', '100', '9999'],
    'int4': ['-2147483648', '2147483647', '0', '-1', '9', '10', '99999', '1000000000'],
    'int8': ['-9223372036854775808', '9223372036854775807', '0', '-1', '4294967296', '99999999'],
    'float4': ['NaN', 'Infinity', '-Infinity', '-0', '1e-45', '3.4028235e38', '0.1', '1e15', '1e-5',
               '123456.7'],
    'float8': ['NaN', 'Infinity', '-Infinity', '-0', '5e-324', '1.7976931348623157e308', '0.1', '1e15',
               '1e16', '1e-4', '1e-5', '3.141592653589793'],
    'numeric': ['NaN', 'Infinity', '-Infinity', '0', '0.000', '1e-300', '1e300', '-12345678901234567890.0123456789',
                '10000', '9999.9999', '0.0001'],
    'numeric(10,3)': ['0', '-9999999.999', '0.001', 'NaN', '1.5'],
    'numeric(5,-2)': ['0', '-9999900', '100'],
    'money': ['0', '-92233720368547758.08', '92233720368547758.07', '1.99'],
    'text': ['', ' ', 'plain', 'ä€😀', 'back\\slash', 'new\nline\ttab', '\\N', '"quoted", {a}', 'x' * 130],
    'varchar(20)': ['', 'twenty characters xx', 'ü'],
    'char(10)': ['', 'a', 'ten chars.', 'é'],
    '"char"': ['', 'a', '\\101', '\\377'],
    'name': ['', 'a name', 'n' * 63],
    'bytea': ['\\x', '\\x00', '\\x00ff5c27', '\\x' + '5c' * 70],
    'date': ['4713-01-01 BC', '5874897-12-31', 'infinity', '-infinity', '2000-01-01', '1999-12-31', '0001-01-01',
             '0001-12-31 BC', '2024-02-29', '10000-01-01'],
    'time': ['00:00', '24:00', '23:59:59.999999', '12:34:56.7', '00:00:00.000001'],
    'time(2)': ['00:00', '23:59:59.99'],
    'timetz': ['00:00+15:59', '24:00-15:59', '12:34:56.789-03:30:17'],
    'timestamp': ['4713-01-01 BC', '294276-12-31 23:59:59.999999', 'infinity', '-infinity', '2000-01-01',
                  '1999-12-31 23:59:59.999999', '2024-02-29 12:00:00.5', '0044-03-15 00:00 BC'],
    'timestamp(3)': ['2000-01-01 00:00:00.123', 'infinity'],
    'timestamptz': ['4713-01-02 00:00+00 BC', '294276-12-31 00:00+00', 'infinity', '-infinity',
                    '2000-01-01 00:00+00', '1883-11-18 17:00+00', '2024-03-31 01:30:00+00',
                    '1937-06-30 22:40:27.9+00', '1999-12-31 23:59:59.999999+00'],
    'interval': ['0', '1 mon -1 day +00:00:01', '-178000000 years', '178000000 years', '00:00:00.000001',
                 '-1 year -2 mons +3 days -04:05:06.789', '1 day'],
    'uuid': ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
             '01234567-89ab-cdef-0123-456789abcdef'],
    'json': ['null', '{}', '{"a" : [1, 2.50, "ä"] }', '[]', '"text"', '  1e5'],
    'jsonb': ['null', '{}', '{"b": 1, "a": {"c": [true, null]}}', '[]', '"ä"', '1.000'],
    'xml': ['<a/>', 'text', '<a b="c">&lt;</a>'],
    'inet': ['0.0.0.0/0', '255.255.255.255', '::1', '10.1.2.3/8', 'fe80::1/64'],
    'cidr': ['10.0.0.0/8', '::/0', '192.168.1.0/24'],
    'macaddr': ['00:00:00:00:00:00', 'ff:ff:ff:ff:ff:ff'],
    'macaddr8': ['08:00:2b:01:02:03:04:05'],
    'point': ['(0,-0)', '(1e300,-1e-300)', '(Infinity,NaN)'],
    'line': ['{1,-1,0}'],
    'lseg': ['[(0,0),(1.5,2)]'],
    'box': ['(1,1),(0,0)'],
    'path': ['[(0,0),(1,1)]', '((0,0),(1,1),(2,0.1))'],
    'polygon': ['((0,0),(1,1),(2,0))'],
    'circle': ['<(0,0),1.25>'],
    'bit(5)': ['00000', '10110'],
    'varbit': ['', '1', '101010101010101'],
    'bit varying(9)': ['', '111111111'],
    'tsvector': ['', 'a:1A fat:2,4B cat', "''quoted''"],
    'tsquery': ['', 'fat & (rat | !cat:AB*)', 'a <-> b'],
    'oid': ['0', '4294967295', '16384'],
    'regclass': ['0', 'pg_class', '999999'],
    'regtype': ['int4', 'text[]', '999999'],
    'regproc': ['0', 'pg_catalog.now'],
    'regnamespace': ['pg_catalog', '999999'],
    'xid': ['0', '4294967295'],
    'xid8': ['0', '18446744073709551615'],
    'cid': ['0', '4294967295'],
    'tid': ['(0,1)', '(4294967295,65535)'],
    'pg_lsn': ['0/0', 'FFFFFFFF/FFFFFFFF', '16/B374D848'],
    'int4range': ['empty', '[1,10)', '(,)', '[-2147483648,2147483647)'],
    'int8range': ['empty', '[1,10]', '(,5)'],
    'numrange': ['empty', '[0.1,1.50)', '(,NaN]'],
    'tsrange': ['empty', '[2000-01-01,2001-01-01 00:00:01)', '(,infinity]'],
    'tstzrange': ['empty', '[2000-01-01 00:00+00,)'],
    'daterange': ['empty', '[2000-01-01,infinity)', '(,2024-02-29)'],
    'int4multirange': ['{}', '{[1,3),[5,8)}'],
    'nummultirange': ['{}', '{(,0.5],[1.0,2.5)}'],
    'datemultirange': ['{}', '{[2000-01-01,2000-02-01)}'],
    'int2vector': ['', '1 2 -3'],
    'oidvector': ['', '1 4294967295'],
    'jsonpath': ['$', '$.a[*] ? (@ > 1)'],
    'txid_snapshot': ['10:20:10,14,15'],
    'pg_snapshot': ['10:20:10,14,15'],
    'aclitem': ['postgres=r/postgres'],
    'refcursor': ['', 'a cursor'],
    'int4[]': ['{}', '{1,NULL,-3}', '[0:1]={5,6}', '{{1,2},{3,4}}'],
    'text[]': ['{}', '{"",NULL,"NULL","a,b","q\\"q"," s "}', '{{a,b},{c,d}}'],
    'float8[]': ['{NaN,0.1,-0}', '{}'],
    'numeric[]': ['{1.10,NULL,NaN}'],
    'bool[]': ['{t,f,NULL}'],
    'bytea[]': ['{"\\\\x00ff",NULL}'],
    'timestamptz[]': ['{"2000-01-01 00:00+00",infinity}'],
    'date[]': ['{2000-01-01,NULL}'],
    'interval[]': ['{"1 day -00:00:01"}'],
    'jsonb[]': ['{"{\\"a\\": 1}",null}'],
    'box[]': ['{(1,1),(0,0);(2,2),(1,1)}'],
    'varchar(20)[]': ['{a,b}'],
    'uuid[]': ['{00000000-0000-0000-0000-000000000000}'],
    'int4range[]': ['{"[1,5)",empty}'],
}

# Types that set-up makes in schema public, in this order.
CREATED_TYPES = [
    "CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s \"ä\"', 'happy')",
    "CREATE DOMAIN posint AS int4 CHECK (VALUE >= 0)",
    "CREATE DOMAIN names AS text[]",
    "CREATE DOMAIN moods AS mood",
    "CREATE TYPE pair AS (a int4, b text)",
    "CREATE TYPE nested AS (p pair, m mood, d posint, n numeric[])",
    "CREATE DOMAIN pairs AS pair",
    "CREATE TYPE textrange AS RANGE (subtype = text, collation = \"C\")",
    "CREATE SCHEMA other",
    "CREATE TYPE other.\"Odd Name\" AS ENUM ('x', 'y')",
    "CREATE DOMAIN other.stamp AS timestamptz(3) NOT NULL DEFAULT '2000-01-01 00:00+00'",
]
CREATED = {
    'mood': ['sad', "it''s \"ä\"", 'happy'],
    'posint': ['0', '2147483647'],
    'names': ['{}', '{a,NULL}'],
    'moods': ['ok'],
    'pair': ['(1,one)', '(,)', '(-5,"a,\\"b\\"")'],
    'nested': ['("(1,x)",sad,7,"{1.5,2}")', '(,,,)'],
    'pairs': ['(2,two)'],
    'textrange': ['empty', '[a,b)', '(,)'],
    'textmultirange': ['{}', '{[a,b),[c,d)}'],
    'other."Odd Name"': ['x', 'y'],
    'mood[]': ['{sad,NULL,ok}', '{}'],
    'posint[]': ['{1,2}'],
    'pair[]': ['{"(1,x)","(,)"}'],
    'nested[]': ['{"(\\"(1,x)\\",sad,7,)"}'],
    'textrange[]': ['{"[a,b)"}'],
}

# The server sends these in binary, but takes no empty one back.
NOT_RECEIVED = ['int2vector', 'oidvector']

COMMON = ['int4', 'int8', 'text', 'bool', 'timestamptz', 'numeric', 'float8', 'uuid', 'date', 'bytea', 'jsonb',
          'varchar(20)', 'int2']
SETTABLE_VERSION = {'interval': (17, ['infinity', '-infinity'])}


def random_literal(rng, type_name):
    """A random value of some types, else one of the boundary values."""
    kind = type_name.split('(')[0]
    if kind == 'int2':
        return str(rng.randint(-32768, 32767))
    if kind in ('int4', 'posint'):
        return str(rng.randint(0, 2 ** rng.randint(1, 31) - 1))
    if kind == 'int8':
        return str(rng.choice((-1, 1)) * rng.randint(0, 2 ** rng.randint(1, 63) - 1))
    if kind in ('float4', 'float8'):
        return repr(rng.uniform(-1, 1) * 10 ** rng.randint(-20, 20))
    if type_name == 'numeric':
        digits = ''.join(rng.choice('0123456789') for _ in range(rng.randint(1, 30)))
        return f'{rng.choice(("", "-"))}{digits}e{rng.randint(-40, 40)}'
    if type_name == 'text':
        letters = 'ab cdä\\"\'{},\n\t€'
        return ''.join(rng.choice(letters) for _ in range(rng.randint(0, 200))).replace("'", "''")
    if kind == 'bytea':
        return '\\x' + ''.join(f'{rng.randrange(256):02x}' for _ in range(rng.randint(0, 100)))
    if kind == 'date':
        return f'{rng.randint(1, 9999):04}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}'
    if kind in ('timestamp', 'timestamptz'):
        text = random_literal(rng, 'date') + ' ' + random_literal(rng, 'time')
        return text + ('+00' if kind == 'timestamptz' else '')
    if kind == 'time':
        second = rng.choice(('00', '59.9', f'{rng.uniform(0, 59):09.6f}'))
        return f'{rng.randint(0, 23):02}:{rng.randint(0, 59):02}:{second}'
    if kind == 'interval':
        return (f'{rng.randint(-99, 99)} mons {rng.randint(-99, 99)} days '
                f'{rng.randint(-9 ** 9, 9 ** 9)} seconds')
    if kind == 'uuid':
        return f'{rng.getrandbits(128):032x}'
    return rng.choice(literals(type_name))


def literals(type_name, version=15):
    values = BOUNDARY.get(type_name) or CREATED[type_name]
    since, more = SETTABLE_VERSION.get(type_name, (99, []))
    return values + more if version >= since else values


def expression(rng, type_name, row, version, null=True):
    """An expression of the type, whose value depends on the integer `row`."""
    if type_name == 'long text':
        return long_text(rng, row)
    pool = [f"'{value}'" for value in literals(type_name, version)]
    pool += [f"'{random_literal(rng, type_name)}'" for _ in range(4)]
    if null:
        pool += ['NULL'] * rng.choice((0, 1, 1, 2))
    rng.shuffle(pool)
    pool = pool[:rng.randint(2, 9)]
    if len(set(pool)) == 1 or rng.random() < 0.1:
        return f'{pool[0]}::{type_name}'
    if type_name.endswith('[]') or type_name in ('names', 'int2vector', 'oidvector'):
        # An array of arrays would be one array.
        branches = ' '.join(f'WHEN {i} THEN {value}::{type_name}' for i, value in enumerate(pool))
        return f'CASE {row} % {len(pool)} {branches} END'
    values = ', '.join(f'{value}::{type_name}' for value in pool)
    return f'(ARRAY[{values}])[1 + {row} % {len(pool)}]'


def long_text(rng, row):
    """Text that is sometimes stored out of line, compressed or not."""
    every = rng.choice((3, 7, 20))
    if rng.random() < 0.3:
        value = f"repeat('long ' || {row}, {rng.randint(500, 30000)})"
    else:
        value = (f"(SELECT string_agg(md5({row} || ' ' || i), '') "
                 f"FROM generate_series(1, {rng.randint(70, 400)}) i)")
    return f"CASE WHEN {row} % {every} = 0 THEN {value} ELSE 'short ' || {row} END"
