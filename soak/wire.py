"""Put the messages of a session together: what would its client have applied?

Written from the protocol alone, apart from the plugin's own readers.  The bytes of
a row are taken as they are: what is asked here is which rows of which tables
survive, under which description of the table, and in what order.
"""
import struct

FIRST_USER_OID = 16384
IN_BLOCK = b'RYIUDTM'


class Malformed(Exception):
    """What no client could make sense of."""


class Event:
    """Something that is done: a transaction with its changes, or what stands alone."""

    def __init__(self, kind, end, facts, changes=(), streamed=False, origin=None):
        self.kind = kind            # commit, prepare, commit prepared, rollback prepared, message
        self.end = end              # position after it
        self.facts = facts          # fields that no way of sending changes
        self.changes = list(changes)
        self.streamed = streamed
        self.origin = origin

    def is_empty(self):
        """A transaction that is sent if it is streamed, and else not."""
        return self.kind == 'commit' and not self.changes

    def __str__(self):
        return f'{self.kind} {self.facts} with {len(self.changes)} changes{" (streamed)" if self.streamed else ""}'


def fields(layout, data, at, final=True):
    layout = struct.Struct('>' + layout)
    if final and len(data) != at + layout.size:
        raise Malformed(f'{data[:1]} has {len(data)} bytes')
    return layout.unpack_from(data, at)


def string(data, at):
    end = data.index(b'\0', at)
    return data[at:end], end + 1


def column_types(rest):
    """Type oids of a RELATION's columns, from what follows its own oid."""
    _, at = string(rest, 0)
    _, at = string(rest, at)
    _, count = struct.unpack_from('>bh', rest, at)
    at += 3
    types = []
    for _ in range(count):
        _, at = string(rest, at + 1)
        types.append(struct.unpack_from('>I', rest, at)[0])
        at += 8
    if at != len(rest):
        raise Malformed('RELATION has bytes at its end')
    return types


class Transaction:
    """An open one: messages in the order in which they came."""

    def __init__(self, xid, facts=None):
        self.xid = xid
        self.facts = facts          # of BEGIN or BEGIN PREPARE
        self.origin = None
        self.messages = []          # (xid of the subtransaction, type, body)


class Client:
    """Takes messages, gives an Event for each that ends something."""

    def __init__(self, parallel, unannounced_aborts=False):
        self.parallel = parallel
        self.unannounced_aborts = unannounced_aborts    # are they forgiven?
        self.prepared = set()           # xids that were streamed
        self.plain = None           # between BEGIN and COMMIT, BEGIN PREPARE and PREPARE
        self.streamed = {}          # by xid
        self.block = None           # between STREAM START and STREAM STOP
        self.relations = {}
        self.types = set()
        self.dropped = 0            # changes that came before their abort

    def feed(self, data):
        kind = data[:1]
        if self.block is not None and kind not in IN_BLOCK + b'EO':
            raise Malformed(f'{kind} inside a stream block')
        if kind in IN_BLOCK:
            return self.take_change(kind, data)
        if kind not in self.others:
            raise Malformed(f'no such message: {data[:20]}')
        return self.others[kind](self, data)

    # -- changes

    def take_change(self, kind, data):
        if self.block is not None:
            (xid,) = fields('I', data, 1, final=False)
            self.block.messages.append((xid, kind, data[5:]))
        elif kind == b'M' and not data[1] & 1:
            (_, lsn) = fields('bq', data, 1, final=False)
            return Event('message', lsn, (data,))
        elif self.plain is None:
            raise Malformed(f'{kind} outside a transaction')
        else:
            self.plain.messages.append((None, kind, data[1:]))
        return None

    def replay(self, transaction):
        """The changes that survive, each with its table's description."""
        changes = []
        for _, kind, body in transaction.messages:
            if kind == b'M':
                changes.append((kind, None, body))
            elif kind == b'T':
                count, _ = fields('IB', body, 0, final=False)
                oids = fields(f'{count}I', body, 5)
                changes.append((kind, tuple(self.relation(oid) for oid in oids), body))
            else:
                (oid,) = fields('I', body, 0, final=False)
                if kind == b'Y':
                    self.types.add(oid)
                elif kind == b'R':
                    self.describe(oid, body)
                else:
                    changes.append((kind, self.relation(oid), body))
        return changes

    def describe(self, oid, body):
        for type_oid in column_types(body[4:]):
            if type_oid >= FIRST_USER_OID and type_oid not in self.types:
                raise Malformed(f'RELATION {oid} has a column of type {type_oid}, which no TYPE has named')
        self.relations[oid] = body

    def relation(self, oid):
        if oid not in self.relations:
            raise Malformed(f'a change of table {oid} came before its RELATION')
        return self.relations[oid]

    # -- transactions that are sent whole

    def open_plain(self, xid, facts):
        if self.plain is not None:
            raise Malformed('BEGIN inside a transaction')
        self.plain = Transaction(xid, facts)

    def close_plain(self, kind, facts, end, known):
        transaction, self.plain = self.plain, None
        if transaction is None:
            raise Malformed(f'the {kind} of nothing')
        if transaction.facts != known:
            raise Malformed(f'begun as {transaction.facts}, ended as {known}')
        return Event(kind, end, facts, self.replay(transaction), origin=transaction.origin)

    def begin(self, data):
        final, time, xid = fields('qqI', data, 1)
        self.open_plain(xid, (final, time))

    def commit(self, data):
        _, commit, end, time = fields('bqqq', data, 1)
        xid = self.plain and self.plain.xid
        return self.close_plain('commit', (xid, commit, end, time), end, (commit, time))

    def begin_prepare(self, data):
        prepare, end, time, xid = fields('qqqI', data, 1, final=False)
        self.open_plain(xid, (prepare, end, time, xid, data[29:]))

    def prepare(self, data):
        _, *facts = fields('bqqqI', data, 1, final=False)
        facts = (*facts, data[30:])
        return self.close_plain('prepare', facts, facts[1], facts)

    def set_origin(self, data):
        transaction = self.block or self.plain
        if transaction is None or transaction.messages or transaction.origin:
            raise Malformed('ORIGIN is not the first of a transaction')
        transaction.origin = data[1:]

    # -- what becomes of a prepared transaction

    def commit_prepared(self, data):
        _, commit, end, time, xid = fields('bqqqI', data, 1, final=False)
        return Event('commit prepared', end, (xid, commit, end, time, data[30:]))

    def rollback_prepared(self, data):
        _, _, end, _, _, xid = fields('bqqqqI', data, 1, final=False)
        return Event('rollback prepared', end, (xid, data[2:]))

    # -- transactions that are sent in blocks

    def stream_start(self, data):
        xid, first = fields('Ib', data, 1)
        if self.plain is not None:
            raise Malformed('STREAM START inside a transaction')
        if first == (xid in self.streamed):
            raise Malformed(f'first is {first} for transaction {xid}, known are {sorted(self.streamed)}')
        self.block = self.streamed.setdefault(xid, Transaction(xid))

    def stream_stop(self, data):
        if self.block is None or len(data) != 1:
            raise Malformed('STREAM STOP outside a block')
        self.block = None

    def close_streamed(self, kind, xid, facts, end):
        transaction = self.streamed.pop(xid, None)
        if transaction is None:
            raise Malformed(f'the streamed {kind} of {xid}, which was not announced')
        return Event(kind, end, facts, self.replay(transaction), True, transaction.origin)

    def stream_commit(self, data):
        xid, _, commit, end, time = fields('Ibqqq', data, 1)
        return self.close_streamed('commit', xid, (xid, commit, end, time), end)

    def stream_prepare(self, data):
        _, *facts = fields('bqqqI', data, 1, final=False)
        self.prepared.add(facts[3])
        return self.close_streamed('prepare', facts[3], (*facts, data[30:]), facts[1])

    def stream_abort(self, data):
        xid, aborted = fields('IIqq' if self.parallel else 'II', data, 1)[:2]
        if xid not in self.streamed:
            # A ROLLBACK PREPARED that origin = none filters comes as this.
            if xid not in self.prepared and not self.unannounced_aborts:
                raise Malformed(f'STREAM ABORT of {xid}, which was not announced')
            return
        transaction = self.streamed[xid]
        kept = [] if aborted == xid else [m for m in transaction.messages if m[0] != aborted]
        self.dropped += sum(m[1] not in b'RY' for m in transaction.messages) - sum(m[1] not in b'RY' for m in kept)
        transaction.messages = kept
        if aborted == xid:
            del self.streamed[xid]

    others = {b'B': begin, b'C': commit, b'b': begin_prepare, b'P': prepare, b'O': set_origin, b'K': commit_prepared,
              b'r': rollback_prepared, b'S': stream_start, b'E': stream_stop, b'c': stream_commit,
              b'p': stream_prepare, b'A': stream_abort}
