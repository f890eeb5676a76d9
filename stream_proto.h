/*-------------------------------------------------------------------------
 *
 * stream_proto.h
 *		Every byte on the wire of pgoutput protocol 1 to 4: writers and
 *		readers in pairs.
 *
 * This room knows message layouts and nothing else: no catalogs, no state
 * between messages, no server beyond a byte buffer.  It compiles alone
 * against the shims in test/standalone, so that the same code serves the
 * plugin, the SQL inspection, the unit tests, the fuzzer and the tools.
 *
 * Three files: stream_proto.c writes, stream_proto_read.c reads and checks the
 * order, stream_proto_describe.c shows messages to people.
 *
 * This header is the manual.  The layouts are in the comments of the message
 * structs, in wire order; doc/protocol.md has the rules of order between
 * messages.  All integers are big-endian; "string" is NUL-terminated, in the
 * client's encoding; an LSN is an int64; a time is an int64 that counts
 * microseconds since 2000-01-01 00:00 UTC.
 *
 * "[xid]" is an int32 that is on the wire only inside a stream block
 * (between STREAM START and STREAM STOP) and names the subtransaction that
 * made the change.  In the structs it is a field "xid" that is zero when it
 * is absent: writers leave out a zero xid, readers look for one only when
 * StreamReadMode.in_stream says so, and refuse a zero there.
 *
 * XLogRecPtr is written as uint64 and TimestampTz as int64 below, because
 * their headers are not ours to include; the types are the same.
 *
 *-------------------------------------------------------------------------
 */
#ifndef STREAM_PROTO_H
#define STREAM_PROTO_H

#include "postgres.h"

#include "lib/stringinfo.h"

/* ----------------------------------------------------------------
 *		Codes on the wire
 * ----------------------------------------------------------------
 */

/* First byte of every message. */
typedef enum StreamMessageType
{
	/* any protocol version */
	STREAM_MSG_BEGIN = 'B',
	STREAM_MSG_COMMIT = 'C',
	STREAM_MSG_ORIGIN = 'O',
	STREAM_MSG_MESSAGE = 'M',
	STREAM_MSG_RELATION = 'R',
	STREAM_MSG_TYPE = 'Y',
	STREAM_MSG_INSERT = 'I',
	STREAM_MSG_UPDATE = 'U',
	STREAM_MSG_DELETE = 'D',
	STREAM_MSG_TRUNCATE = 'T',
	/* protocol 2 */
	STREAM_MSG_STREAM_START = 'S',
	STREAM_MSG_STREAM_STOP = 'E',
	STREAM_MSG_STREAM_COMMIT = 'c',
	STREAM_MSG_STREAM_ABORT = 'A',
	/* protocol 3 */
	STREAM_MSG_BEGIN_PREPARE = 'b',
	STREAM_MSG_PREPARE = 'P',
	STREAM_MSG_COMMIT_PREPARED = 'K',
	STREAM_MSG_ROLLBACK_PREPARED = 'r',
	STREAM_MSG_STREAM_PREPARE = 'p',
} StreamMessageType;

/* Byte before a tuple in a row message. */
typedef enum StreamTupleKind
{
	STREAM_TUPLE_NEW = 'N',		/* the new row */
	STREAM_TUPLE_KEY = 'K',		/* old row, replica identity columns only */
	STREAM_TUPLE_OLD = 'O',		/* whole old row (replica identity full) */
} StreamTupleKind;

/* Byte before a column in a tuple. */
typedef enum StreamColumnKind
{
	STREAM_COLUMN_NULL = 'n',
	STREAM_COLUMN_UNCHANGED = 'u',	/* TOASTed on disk and not changed */
	STREAM_COLUMN_TEXT = 't',	/* int32 length, output function's text */
	STREAM_COLUMN_BINARY = 'b', /* int32 length, send function's bytes */
} StreamColumnKind;

#define STREAM_FLAG_TRANSACTIONAL	0x01	/* MESSAGE */
#define STREAM_FLAG_CASCADE			0x01	/* TRUNCATE */
#define STREAM_FLAG_RESTART			0x02	/* TRUNCATE: restart identity */
#define STREAM_FLAG_KEY				0x01	/* column of a RELATION */

/* ----------------------------------------------------------------
 *		One struct per message.  Fields stand in wire order, the message
 *		byte left out; "flags 0" is a byte that is on the wire and always 0.
 *
 *		Pointers are the caller's.  In a message that was read, strings and
 *		values point into the input, arrays into the reader's space.
 * ----------------------------------------------------------------
 */

/* 'B' */
typedef struct StreamMsgBegin
{
	uint64		final_lsn;		/* start of the commit record; never 0 */
	int64		commit_time;
	TransactionId xid;
} StreamMsgBegin;

/* 'C': flags 0, then */
typedef struct StreamMsgCommit
{
	uint64		commit_lsn;
	uint64		end_lsn;		/* end of the commit record */
	int64		commit_time;
} StreamMsgCommit;

/* 'O': inside a first stream block the LSN is always 0 */
typedef struct StreamMsgOrigin
{
	uint64		lsn;			/* commit LSN at the origin */
	const char *name;
} StreamMsgOrigin;

/* 'M': [xid], int8 flags (bit 0 = transactional), ... */
typedef struct StreamMsgMessage
{
	TransactionId xid;
	bool		transactional;
	uint64		lsn;
	const char *prefix;
	int			length;			/* int32 on the wire */
	const char *content;		/* length bytes, not converted, any value */
} StreamMsgMessage;

/* Column of a RELATION. */
typedef struct StreamRelationColumn
{
	uint8		flags;			/* 0 or STREAM_FLAG_KEY */
	const char *name;
	Oid			typid;
	int32		typmod;
} StreamRelationColumn;

/*
 * 'R': [xid], ...  The caller passes an empty nspname for pg_catalog.
 * ncolumns is an int16 on the wire.
 */
typedef struct StreamRelationDesc
{
	TransactionId xid;
	Oid			relid;
	const char *nspname;
	const char *relname;
	char		replident;		/* 'd', 'n', 'f' or 'i' */
	int			ncolumns;
	const StreamRelationColumn *columns;
} StreamRelationDesc;

/*
 * 'Y': [xid], ...  typid is the column's type, the names are those of its
 * base type when it is a domain; empty nspname for pg_catalog.
 */
typedef struct StreamTypeDesc
{
	TransactionId xid;
	Oid			typid;
	const char *nspname;
	const char *typname;
} StreamTypeDesc;

/* Column of a tuple; data and length count for 't' and 'b' only. */
typedef struct StreamColumnValue
{
	char		kind;			/* StreamColumnKind */
	int			length;
	const char *data;			/* not NUL-terminated */
} StreamColumnValue;

/* Tuple kind, int16 ncolumns, columns.  kind 0 = no such tuple in the row. */
typedef struct StreamTuple
{
	char		kind;			/* StreamTupleKind, or 0 */
	int			ncolumns;
	const StreamColumnValue *columns;
} StreamTuple;

/*
 * 'I', 'U', 'D': [xid], int32 relid, then
 *		INSERT	new tuple (N)
 *		UPDATE	old tuple (K or O) or nothing, new tuple (N)
 *		DELETE	old tuple (K or O)
 */
typedef struct StreamMsgRow
{
	TransactionId xid;
	Oid			relid;
	StreamTuple oldtuple;
	StreamTuple newtuple;
} StreamMsgRow;

/* 'T': [xid], int32 count, int8 flags, int32 each */
typedef struct StreamMsgTruncate
{
	TransactionId xid;
	int			nrelids;
	bool		cascade;
	bool		restart_identity;
	const Oid  *relids;
} StreamMsgTruncate;

/* 'S': int32 xid, int8 first.  STREAM STOP has no fields and no struct. */
typedef struct StreamMsgStreamStart
{
	TransactionId xid;			/* top transaction */
	bool		first;			/* the transaction's first block */
} StreamMsgStreamStart;

/* 'c': int32 xid, flags 0, then */
typedef struct StreamMsgStreamCommit
{
	TransactionId xid;
	uint64		commit_lsn;
	uint64		end_lsn;
	int64		commit_time;
} StreamMsgStreamCommit;

/*
 * 'A': int32 xid, int32 subxid, and only when streaming is "parallel" (16
 * and later, protocol 4): int64 LSN, int64 time.
 */
typedef struct StreamMsgStreamAbort
{
	TransactionId xid;			/* top transaction */
	TransactionId subxid;		/* what is rolled back; = xid for all of it */
	bool		has_info;		/* are the next two on the wire? */
	uint64		abort_lsn;
	int64		abort_time;
} StreamMsgStreamAbort;

/*
 * 'b' without flags; 'P' and 'p' with flags 0 first; then LSN, LSN, time, xid
 * and the gid.
 */
typedef struct StreamMsgPrepare
{
	uint64		prepare_lsn;
	uint64		end_lsn;		/* end of the prepare record */
	int64		prepare_time;
	TransactionId xid;
	const char *gid;
} StreamMsgPrepare;

/* 'K': flags 0, then */
typedef struct StreamMsgCommitPrepared
{
	uint64		commit_lsn;
	uint64		end_lsn;
	int64		commit_time;
	TransactionId xid;
	const char *gid;
} StreamMsgCommitPrepared;

/* 'r': flags 0, then */
typedef struct StreamMsgRollbackPrepared
{
	uint64		prepare_end_lsn;
	uint64		rollback_end_lsn;
	int64		prepare_time;
	int64		rollback_time;
	TransactionId xid;
	const char *gid;
} StreamMsgRollbackPrepared;

/* Any message: the type says which member of the union counts. */
typedef struct StreamMessage
{
	StreamMessageType type;
	union
	{
		StreamMsgBegin begin;
		StreamMsgCommit commit;
		StreamMsgOrigin origin;
		StreamMsgMessage message;
		StreamRelationDesc relation;
		StreamTypeDesc typedesc;
		StreamMsgRow row;		/* INSERT, UPDATE, DELETE */
		StreamMsgTruncate truncate;
		StreamMsgStreamStart stream_start;
		StreamMsgStreamCommit stream_commit;
		StreamMsgStreamAbort stream_abort;
		StreamMsgPrepare prepare;	/* BEGIN PREPARE, PREPARE, STREAM PREPARE */
		StreamMsgCommitPrepared commit_prepared;
		StreamMsgRollbackPrepared rollback_prepared;
	}			u;
} StreamMessage;

/* "STREAM START" for 'S', and so on; NULL for a byte that is no message. */
extern const char *stream_proto_message_name(int type);

/* ----------------------------------------------------------------
 *		Writers.  Each appends one whole message.  Names and gids are given
 *		in the server's encoding and converted to the client's.  They raise
 *		nothing of their own: only running out of buffer (1 GB) or an
 *		impossible conversion raises, as enlargeStringInfo and
 *		pg_server_to_client do.
 * ----------------------------------------------------------------
 */
extern void stream_proto_write_begin(StringInfo out,
									 const StreamMsgBegin *msg);
extern void stream_proto_write_commit(StringInfo out,
									  const StreamMsgCommit *msg);
extern void stream_proto_write_origin(StringInfo out,
									  const StreamMsgOrigin *msg);
extern void stream_proto_write_message(StringInfo out,
									   const StreamMsgMessage *msg);
extern void stream_proto_write_relation(StringInfo out,
										const StreamRelationDesc *msg);
extern void stream_proto_write_type(StringInfo out,
									const StreamTypeDesc *msg);
extern void stream_proto_write_insert(StringInfo out,
									  const StreamMsgRow *msg);
extern void stream_proto_write_update(StringInfo out,
									  const StreamMsgRow *msg);
extern void stream_proto_write_delete(StringInfo out,
									  const StreamMsgRow *msg);
extern void stream_proto_write_truncate(StringInfo out,
										const StreamMsgTruncate *msg);
extern void stream_proto_write_stream_start(StringInfo out,
											const StreamMsgStreamStart *msg);
extern void stream_proto_write_stream_stop(StringInfo out);
extern void stream_proto_write_stream_commit(StringInfo out,
											 const StreamMsgStreamCommit *msg);
extern void stream_proto_write_stream_abort(StringInfo out,
											const StreamMsgStreamAbort *msg);
extern void stream_proto_write_begin_prepare(StringInfo out,
											 const StreamMsgPrepare *msg);
extern void stream_proto_write_prepare(StringInfo out,
									   const StreamMsgPrepare *msg);
extern void stream_proto_write_commit_prepared(StringInfo out,
											   const StreamMsgCommitPrepared *msg);
extern void stream_proto_write_rollback_prepared(StringInfo out,
												 const StreamMsgRollbackPrepared *msg);
extern void stream_proto_write_stream_prepare(StringInfo out,
											  const StreamMsgPrepare *msg);

/* Any message, by its type. */
extern void stream_proto_write(StringInfo out, const StreamMessage *msg);

/* ----------------------------------------------------------------
 *		Row messages piece by piece, for an encoder that writes values
 *		straight into the buffer:
 *
 *			stream_proto_begin_row(out, STREAM_MSG_INSERT, xid, relid);
 *			stream_proto_begin_tuple(out, STREAM_TUPLE_NEW, 2);
 *			stream_proto_put_null(out);
 *			stream_proto_put_value(out, STREAM_COLUMN_TEXT, "abc", 3);
 *
 *		The caller vouches for the grammar (kinds that fit the message, as
 *		many columns as announced).  Room is made once per call; the byte
 *		behind the buffer's end is not kept NUL.
 * ----------------------------------------------------------------
 */

static inline uint16
stream_proto_swap16(uint16 v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap16(v) : v;
}

static inline uint32
stream_proto_swap32(uint32 v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap32(v) : v;
}

static inline uint64
stream_proto_swap64(uint64 v)
{
	return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
}

/* Store at p, which need not be aligned; returns the byte after. */
static inline char *
stream_proto_store_int8(char *p, uint8 v)
{
	*p = (char) v;
	return p + 1;
}

static inline char *
stream_proto_store_int16(char *p, uint16 v)
{
	v = stream_proto_swap16(v);
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

static inline char *
stream_proto_store_int32(char *p, uint32 v)
{
	v = stream_proto_swap32(v);
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

static inline char *
stream_proto_store_int64(char *p, uint64 v)
{
	v = stream_proto_swap64(v);
	memcpy(p, &v, sizeof(v));
	return p + sizeof(v);
}

/*
 * Make room for n more bytes and return where they go.  The caller stores at
 * most n bytes there and calls stream_proto_finish with the byte after the
 * last one, with nothing appended in between.
 */
static inline char *
stream_proto_reserve(StringInfo out, int n)
{
	if (unlikely(n >= out->maxlen - out->len))
		enlargeStringInfo(out, n);
	return out->data + out->len;
}

static inline void
stream_proto_finish(StringInfo out, const char *end)
{
	out->len = (int) (end - out->data);
	Assert(out->len <= out->maxlen);
}

static inline void
stream_proto_put_int8(StringInfo out, uint8 v)
{
	stream_proto_finish(out,
						stream_proto_store_int8(stream_proto_reserve(out, 1), v));
}

static inline void
stream_proto_put_int16(StringInfo out, uint16 v)
{
	stream_proto_finish(out,
						stream_proto_store_int16(stream_proto_reserve(out, 2), v));
}

static inline void
stream_proto_put_int32(StringInfo out, uint32 v)
{
	stream_proto_finish(out,
						stream_proto_store_int32(stream_proto_reserve(out, 4), v));
}

static inline void
stream_proto_put_int64(StringInfo out, uint64 v)
{
	stream_proto_finish(out,
						stream_proto_store_int64(stream_proto_reserve(out, 8), v));
}

/* length >= 0; data may be NULL when it is 0 */
static inline void
stream_proto_put_bytes(StringInfo out, const char *data, int length)
{
	char	   *p = stream_proto_reserve(out, length);

	if (length > 0)
		memcpy(p, data, length);
	stream_proto_finish(out, p + length);
}

/* Message byte and, unless zero, the xid: 1 or 5 bytes. */
static inline char *
stream_proto_store_head(char *p, StreamMessageType type, TransactionId xid)
{
	p = stream_proto_store_int8(p, (uint8) type);
	if (xid != 0)
		p = stream_proto_store_int32(p, xid);
	return p;
}

/* Head of INSERT, UPDATE and DELETE: byte, [xid], relid. */
static inline void
stream_proto_begin_row(StringInfo out, StreamMessageType type,
					   TransactionId xid, Oid relid)
{
	char	   *p = stream_proto_reserve(out, 9);

	p = stream_proto_store_head(p, type, xid);
	stream_proto_finish(out, stream_proto_store_int32(p, relid));
}

/* Tuple kind and int16 column count; that many columns must follow. */
static inline void
stream_proto_begin_tuple(StringInfo out, StreamTupleKind kind, int ncolumns)
{
	char	   *p = stream_proto_reserve(out, 3);

	p = stream_proto_store_int8(p, (uint8) kind);
	stream_proto_finish(out, stream_proto_store_int16(p, (uint16) ncolumns));
}

/* A column without a value. */
static inline void
stream_proto_put_null(StringInfo out)
{
	stream_proto_put_int8(out, STREAM_COLUMN_NULL);
}

static inline void
stream_proto_put_unchanged(StringInfo out)
{
	stream_proto_put_int8(out, STREAM_COLUMN_UNCHANGED);
}

/* A column whose bytes are at hand (text already in the client's encoding). */
static inline void
stream_proto_put_value(StringInfo out, StreamColumnKind kind,
					   const char *data, int length)
{
	char	   *p = stream_proto_reserve(out, 5 + length);

	p = stream_proto_store_int8(p, (uint8) kind);
	p = stream_proto_store_int32(p, (uint32) length);
	if (length > 0)
		memcpy(p, data, length);
	stream_proto_finish(out, p + length);
}

/* ----------------------------------------------------------------
 *		Readers
 *
 *		They trust nothing: any bytes give either a message or an error, and
 *		never a read outside the input.  A count is checked against the bytes
 *		that are left before space is taken for it.  What cannot be on the
 *		wire is refused: unknown codes and flag bits, zero xids, zero LSNs
 *		where the server's own subscriber refuses them, negative lengths,
 *		trailing bytes.  So whatever is read writes back to the same bytes.
 *
 *			StreamReader reader;
 *			StreamProtoState state;
 *			StreamMessage msg;
 *
 *			stream_proto_reader_init(&reader);
 *			stream_proto_state_init(&state, parallel);
 *			for each copy-data payload
 *			{
 *				if (!stream_proto_read(&reader, data, len, state.mode, &msg))
 *					... reader.error_offset, reader.expected ...
 *				broken = stream_proto_track(&state, &msg);
 *				...
 *			}
 *			stream_proto_reader_free(&reader);
 * ----------------------------------------------------------------
 */

/* What the bytes themselves do not tell. */
typedef struct StreamReadMode
{
	bool		in_stream;		/* inside a stream block: [xid] is there */
	bool		parallel;		/* STREAM ABORT has LSN and time */
} StreamReadMode;

/*
 * The reader lives as long as its owner likes.  Arrays of a message (columns,
 * relids) lie in its space, which is palloc'd in the context that is current
 * when it has to grow, and are good until the next stream_proto_read.
 */
typedef struct StreamReader
{
	const char *data;			/* one whole message, message byte included */
	int			len;
	int			cursor;
	StreamReadMode mode;
	const char *expected;		/* NULL while all is well, else a static
								 * phrase such as "int64 final LSN" ... */
	int			error_offset;	/* ... that was expected at this byte */
	void	   *space;
	size_t		space_size;
} StreamReader;

extern void stream_proto_reader_init(StreamReader *in);
extern void stream_proto_reader_free(StreamReader *in);

/*
 * Read one message, which must fill data[0..len) exactly.  Returns false on
 * anything else, with in->expected and in->error_offset set and *msg
 * undefined.  The input must outlive the message.
 */
extern bool stream_proto_read(StreamReader *in, const char *data, int len,
							  StreamReadMode mode, StreamMessage *msg);

/*
 * Append "expected int64 final LSN at byte 1 of 5" for the failed read.
 */
extern void stream_proto_describe_error(const StreamReader *in, StringInfo out);

/*
 * The pairs of the writers: each reads what follows the message byte, and
 * leaves in->expected set if it could not.  stream_proto_read is what most
 * callers want.
 */
extern void stream_proto_read_begin(StreamReader *in, StreamMsgBegin *msg);
extern void stream_proto_read_commit(StreamReader *in, StreamMsgCommit *msg);
extern void stream_proto_read_origin(StreamReader *in, StreamMsgOrigin *msg);
extern void stream_proto_read_message(StreamReader *in, StreamMsgMessage *msg);
extern void stream_proto_read_relation(StreamReader *in,
									   StreamRelationDesc *msg);
extern void stream_proto_read_type(StreamReader *in, StreamTypeDesc *msg);
extern void stream_proto_read_insert(StreamReader *in, StreamMsgRow *msg);
extern void stream_proto_read_update(StreamReader *in, StreamMsgRow *msg);
extern void stream_proto_read_delete(StreamReader *in, StreamMsgRow *msg);
extern void stream_proto_read_truncate(StreamReader *in,
									   StreamMsgTruncate *msg);
extern void stream_proto_read_stream_start(StreamReader *in,
										   StreamMsgStreamStart *msg);
extern void stream_proto_read_stream_commit(StreamReader *in,
											StreamMsgStreamCommit *msg);
extern void stream_proto_read_stream_abort(StreamReader *in,
										   StreamMsgStreamAbort *msg);
extern void stream_proto_read_begin_prepare(StreamReader *in,
											StreamMsgPrepare *msg);
extern void stream_proto_read_prepare(StreamReader *in, StreamMsgPrepare *msg);
extern void stream_proto_read_commit_prepared(StreamReader *in,
											  StreamMsgCommitPrepared *msg);
extern void stream_proto_read_rollback_prepared(StreamReader *in,
												StreamMsgRollbackPrepared *msg);
extern void stream_proto_read_stream_prepare(StreamReader *in,
											 StreamMsgPrepare *msg);

/* ----------------------------------------------------------------
 *		Order
 * ----------------------------------------------------------------
 */

/* Where in the sequence of messages a connection stands. */
typedef struct StreamProtoState
{
	StreamReadMode mode;		/* for the next stream_proto_read */
	char		open;			/* 0, or the message that opened what we are
								 * in: 'B', 'b' or 'S' */
	bool		origin_allowed; /* may ORIGIN come next? */
} StreamProtoState;

/* State of a fresh connection. */
extern void stream_proto_state_init(StreamProtoState *state, bool parallel);

/*
 * Move on by one message that was read.  Returns NULL, or a static sentence
 * naming the rule of order that the message breaks (doc/protocol.md); the
 * state has moved on all the same, so that a tool can go on reading.
 */
extern const char *stream_proto_track(StreamProtoState *state,
									  const StreamMessage *msg);

/* ----------------------------------------------------------------
 *		For people
 * ----------------------------------------------------------------
 */

/*
 * Append one line (no newline) that shows every field of the message:
 *
 *		INSERT rel=16385 N(1:'1', 2:'abc', 3:null, 4:unchanged, 5:\x00ff)
 *		STREAM START xid=745 first=1
 *
 * Text is quoted, with quotes, backslashes and bytes outside 0x20..0x7e
 * escaped; binary values are in hex; LSNs are X/X, times UTC.  Messages with
 * different bytes have different lines.
 */
extern void stream_proto_describe(const StreamMessage *msg, StringInfo out);

#endif							/* STREAM_PROTO_H */
