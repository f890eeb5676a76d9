/*-------------------------------------------------------------------------
 *
 * proto_test.c
 *		Wire tests of stream_proto, without a server.  Prints TAP.
 *
 * The bytes are literal: what is compared is what the protocol's description
 * says, not what our reader makes of what our writer wrote.
 *
 *		proto_test					run
 *		proto_test --seeds DIR		write every literal message to a file of
 *									DIR, as a start for the fuzzer
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include <ctype.h>
#include <limits.h>

#include "lib/stringinfo.h"
#include "stream_proto.h"

#define MUTATIONS 400000

static const StreamReadMode plain = {false, false};
static const StreamReadMode stream = {true, false};
static const StreamReadMode parallel = {false, true};

/* ----------------------------------------------------------------
 *		TAP
 * ----------------------------------------------------------------
 */

static int	tests;
static int	failures;

static bool
ok(bool good, const char *group, const char *name)
{
	tests++;
	if (!good)
		failures++;
	printf("%sok %d - %s: %s\n", good ? "" : "not ", tests, group, name);
	return good;
}

static void
print_bytes(const char *label, const char *data, int len)
{
	printf("#   %s", label);
	for (int i = 0; i < len; i++)
		printf(" %02x", (unsigned char) data[i]);
	printf("\n");
}

static void
is_bytes(const StringInfoData *got, const StringInfoData *want,
		 const char *group, const char *name)
{
	bool		same = got->len == want->len &&
		memcmp(got->data, want->data, want->len) == 0;

	if (!ok(same, group, name))
	{
		print_bytes("got ", got->data, got->len);
		print_bytes("want", want->data, want->len);
	}
}

static void
is_text(const char *got, const char *want, const char *group,
		const char *name)
{
	if (!ok(strcmp(got, want) == 0, group, name))
		printf("#   got  %s\n#   want %s\n", got, want);
}

/* ----------------------------------------------------------------
 *		Bytes
 * ----------------------------------------------------------------
 */

/* "42 00ff" to two-digit bytes; blanks are for the eye. */
static StringInfoData
unhex(const char *hex)
{
	StringInfoData out;

	initStringInfo(&out);
	while (*hex != '\0')
	{
		unsigned int byte;

		if (isspace((unsigned char) *hex))
		{
			hex++;
			continue;
		}
		if (sscanf(hex, "%2x", &byte) != 1 || hex[1] == '\0')
		{
			fprintf(stderr, "bad hex in a test: %s\n", hex);
			exit(2);
		}
		appendStringInfoChar(&out, (char) byte);
		hex += 2;
	}
	return out;
}

/*
 * Read a copy that ends where its allocation ends, so that a sanitizer sees
 * any step outside.  The copy is returned for the caller to free, since the
 * message points into it.
 */
static char *
read_copy(StreamReader *in, const char *data, int len, StreamReadMode mode,
		  StreamMessage *msg, bool *good)
{
	char	   *copy = palloc(len > 0 ? len : 1);
	char	   *input = len > 0 ? copy : NULL;

	if (len > 0)
		memcpy(copy, data, len);
	*good = stream_proto_read(in, input, len, mode, msg);
	return copy;
}

static bool
is_refused(const char *data, int len, StreamReadMode mode)
{
	StreamReader in;
	StreamMessage msg;
	bool		good;

	stream_proto_reader_init(&in);
	free(read_copy(&in, data, len, mode, &msg, &good));
	if (!good)
		good = in.expected == NULL || in.error_offset < 0 ||
			in.error_offset > len;
	stream_proto_reader_free(&in);
	return !good;
}

/* ----------------------------------------------------------------
 *		What is done with every literal message
 * ----------------------------------------------------------------
 */

typedef struct Sample
{
	const char *name;
	StreamReadMode mode;
	StringInfoData bytes;
} Sample;

static Sample samples[100];
static int	nsamples;

static void
remember_sample(const char *name, StreamReadMode mode, StringInfoData bytes)
{
	if (nsamples == (int) lengthof(samples))
	{
		fprintf(stderr, "too many samples\n");
		exit(2);
	}
	samples[nsamples++] = (Sample) {name, mode, bytes};
}

static void
check_cuts(const char *group, const StringInfoData *bytes,
		   StreamReadMode mode)
{
	bool		good = true;
	StringInfoData longer;

	for (int len = 0; len < bytes->len; len++)
		good &= is_refused(bytes->data, len, mode);
	ok(good, group, "refused when cut at any byte");

	initStringInfo(&longer);
	appendBinaryStringInfo(&longer, bytes->data, bytes->len);
	appendStringInfoChar(&longer, '\0');
	ok(is_refused(longer.data, longer.len, mode), group,
	   "refused with a byte too many");
	free(longer.data);
}

/*
 * The message must give these bytes, and the bytes this line and themselves
 * again; every shorter or longer input must be refused.
 */
static void
wire(const char *name, StreamReadMode mode, const char *hex,
	 StreamMessage msg, const char *line)
{
	StringInfoData want = unhex(hex);
	StringInfoData got;
	StreamReader in;
	StreamMessage back;
	bool		good;
	char	   *copy;

	initStringInfo(&got);
	stream_proto_write(&got, &msg);
	is_bytes(&got, &want, name, "bytes written");

	stream_proto_reader_init(&in);
	copy = read_copy(&in, want.data, want.len, mode, &back, &good);
	if (!good)
		printf("#   expected %s at %d\n", in.expected, in.error_offset);
	if (ok(good, name, "read"))
	{
		resetStringInfo(&got);
		stream_proto_write(&got, &back);
		is_bytes(&got, &want, name, "written again");
		resetStringInfo(&got);
		stream_proto_describe(&back, &got);
		is_text(got.data, line, name, "described");
	}
	check_cuts(name, &want, mode);

	free(copy);
	free(got.data);
	stream_proto_reader_free(&in);
	remember_sample(name, mode, want);
}

/* These bytes must be refused, with this phrase and at this offset. */
static void
refuse(const char *name, StreamReadMode mode, const char *hex,
	   const char *error)
{
	StringInfoData bytes = unhex(hex);
	StringInfoData got;
	StreamReader in;
	StreamMessage msg;
	bool		good;
	char	   *copy;

	stream_proto_reader_init(&in);
	initStringInfo(&got);
	copy = read_copy(&in, bytes.data, bytes.len, mode, &msg, &good);
	if (!good)
		stream_proto_describe_error(&in, &got);
	is_text(got.data, error, "refused", name);
	free(copy);
	free(got.data);
	free(bytes.data);
	stream_proto_reader_free(&in);
}

/* A message of that type with these values in its member of the union. */
#define MSG(type_, member, ...) \
	((StreamMessage) {.type = STREAM_MSG_##type_, .u.member = {__VA_ARGS__}})

/* Count and array of a message's list. */
#define LIST(type, ...) \
	(int) lengthof(((type[]) {__VA_ARGS__})), (type[]) {__VA_ARGS__}
#define TUPLE(kind, ...) \
	{STREAM_TUPLE_##kind, LIST(StreamColumnValue, __VA_ARGS__)}
#define NO_TUPLE {0, 0, NULL}

#define NONE {STREAM_COLUMN_NULL, 0, NULL}
#define SAME {STREAM_COLUMN_UNCHANGED, 0, NULL}
#define TEXT(s) {STREAM_COLUMN_TEXT, (int) sizeof(s) - 1, s}
#define BYTES(s) {STREAM_COLUMN_BINARY, (int) sizeof(s) - 1, s}

/* ----------------------------------------------------------------
 *		The messages, with and without xid where there are both
 * ----------------------------------------------------------------
 */

static void
test_transactions(void)
{
	wire("BEGIN", plain,
		 "42 000000000152c3a0 0002c8b62bfc6ee5 000002e9",
		 MSG(BEGIN, begin, 0x152C3A0, INT64CONST(783634700988133), 745),
		 "BEGIN xid=745 final=0/152C3A0 time=2024-10-30T20:18:20.988133Z");
	wire("BEGIN, greatest values", plain,
		 "42 ffffffffffffffff 7fffffffffffffff ffffffff",
		 MSG(BEGIN, begin, UINT64_MAX, INT64_MAX, UINT32_MAX),
		 "BEGIN xid=4294967295 final=FFFFFFFF/FFFFFFFF"
		 " time=294277-01-09T04:00:54.775807Z");
	wire("BEGIN, least values", plain,
		 "42 0000000000000001 8000000000000000 00000001",
		 MSG(BEGIN, begin, 1, INT64_MIN, 1),
		 "BEGIN xid=1 final=0/1 time=-9223372036854775808");
	wire("BEGIN, a microsecond before 2000", plain,
		 "42 0000000000000001 ffffffffffffffff 00000001",
		 MSG(BEGIN, begin, 1, -1, 1),
		 "BEGIN xid=1 final=0/1 time=1999-12-31T23:59:59.999999Z");
	wire("BEGIN, on a leap day", plain,
		 "42 0000000000000001 0002b58cd3547dc1 00000001",
		 MSG(BEGIN, begin, 1, INT64CONST(762566399000001), 1),
		 "BEGIN xid=1 final=0/1 time=2024-02-29T23:59:59.000001Z");
	wire("BEGIN, after a leap day that was left out", plain,
		 "42 0000000000000001 fff4ce915caea000 00000001",
		 MSG(BEGIN, begin, 1, INT64CONST(-3150576000000000), 1),
		 "BEGIN xid=1 final=0/1 time=1900-03-01T00:00:00.000000Z");
	wire("COMMIT", plain,
		 "43 00 000000010152c3a0 000000010152c3d0 0000000000000000",
		 MSG(COMMIT, commit, INT64CONST(0x10152C3A0),
			 INT64CONST(0x10152C3D0), 0),
		 "COMMIT lsn=1/152C3A0 end=1/152C3D0"
		 " time=2000-01-01T00:00:00.000000Z");
	wire("ORIGIN", plain,
		 "4f 00000000000000ff 6e6f646531 00",
		 MSG(ORIGIN, origin, 0xff, "node1"),
		 "ORIGIN name='node1' lsn=0/FF");
	wire("ORIGIN, no LSN and no name", stream,
		 "4f 0000000000000000 00",
		 MSG(ORIGIN, origin, 0, ""),
		 "ORIGIN name='' lsn=0/0");
}

static void
test_messages(void)
{
	wire("MESSAGE, transactional", plain,
		 "4d 01 000000000152c3a0 7000 00000003 610062",
		 MSG(MESSAGE, message, 0, true, 0x152C3A0, "p", 3, "a\0b"),
		 "MESSAGE transactional=1 lsn=0/152C3A0 prefix='p' length=3"
		 " 'a\\x00b'");
	wire("MESSAGE, not transactional, all empty", plain,
		 "4d 00 0000000000000001 00 00000000",
		 MSG(MESSAGE, message, 0, false, 1, "", 0, NULL),
		 "MESSAGE transactional=0 lsn=0/1 prefix='' length=0 ''");
	wire("MESSAGE, in a stream", stream,
		 "4d 000002ea 01 0000000000000001 7071 00 00000002 275c",
		 MSG(MESSAGE, message, 746, true, 1, "pq", 2, "'\\"),
		 "MESSAGE xid=746 transactional=1 lsn=0/1 prefix='pq' length=2"
		 " '\\'\\\\'");
	wire("MESSAGE, on both sides of what is printed as it is", plain,
		 "4d 00 0000000000000001 00 00000004 1f207e7f",
		 MSG(MESSAGE, message, 0, false, 1, "", 4, "\x1f ~\x7f"),
		 "MESSAGE transactional=0 lsn=0/1 prefix='' length=4"
		 " '\\x1f ~\\x7f'");
	refuse("MESSAGE with a length of -1", plain,
		   "4d 00 0000000000000001 00 ffffffff",
		   "expected as many bytes as announced at byte 15 of 15");
	refuse("MESSAGE with a length of 2 GB", plain,
		   "4d 00 0000000000000001 00 7fffffff 00",
		   "expected as many bytes as announced at byte 15 of 16");
	refuse("MESSAGE with a flag nobody knows", plain,
		   "4d 02 0000000000000001 00 00000000",
		   "expected int8 flags 0 or 1 at byte 1 of 15");
	refuse("MESSAGE with xid 0 in a stream", stream,
		   "4d 00000000 01 0000000000000001 00 00000000",
		   "expected int32 xid of the change, not 0 at byte 1 of 19");
	refuse("MESSAGE whose prefix does not end", plain,
		   "4d 00 0000000000000001 7071",
		   "expected prefix, NUL-terminated at byte 10 of 12");
}

static void
test_schemas(void)
{
	wire("RELATION", plain,
		 "52 00004001 7075626c696300 7400 64 0002"
		 "01 696400 00000017 ffffffff"
		 "00 7600 00000413 0000000e",
		 MSG(RELATION, relation, 0, 16385, "public", "t", 'd',
			 LIST(StreamRelationColumn,
				  {STREAM_FLAG_KEY, "id", 23, -1}, {0, "v", 1043, 14})),
		 "RELATION rel=16385 schema='public' name='t' identity=d"
		 " (1:'id' type=23 typmod=-1 key, 2:'v' type=1043 typmod=14)");
	wire("RELATION, in a stream, of pg_catalog, without columns", stream,
		 "52 000002ea 00004001 00 7a00 66 0000",
		 MSG(RELATION, relation, 746, 16385, "", "z", 'f', 0, NULL),
		 "RELATION xid=746 rel=16385 schema='' name='z' identity=f ()");
	wire("RELATION, names that are not ASCII, a column without one", plain,
		 "52 ffffffff 730a00 c3a900 6e 0001 00 00 ffffffff 80000000",
		 MSG(RELATION, relation, 0, UINT32_MAX, "s\n", "\xc3\xa9", 'n',
			 LIST(StreamRelationColumn, {0, "", UINT32_MAX, INT32_MIN})),
		 "RELATION rel=4294967295 schema='s\\x0a' name='\\xc3\\xa9'"
		 " identity=n (1:'' type=4294967295 typmod=-2147483648)");
	wire("RELATION, identity by index", plain,
		 "52 00000001 00 00 69 0000",
		 MSG(RELATION, relation, 0, 1, "", "", 'i', 0, NULL),
		 "RELATION rel=1 schema='' name='' identity=i ()");
	wire("TYPE", plain,
		 "59 00004010 7300 6d6f6f6400",
		 MSG(TYPE, typedesc, 0, 16400, "s", "mood"),
		 "TYPE type=16400 schema='s' name='mood'");
	wire("TYPE, in a stream, of pg_catalog", stream,
		 "59 000002ea 00004010 00 696e743400",
		 MSG(TYPE, typedesc, 746, 16400, "", "int4"),
		 "TYPE xid=746 type=16400 schema='' name='int4'");
	refuse("RELATION with an identity nobody knows", plain,
		   "52 00000001 00 00 78 0000",
		   "expected replica identity d, n, f or i at byte 7 of 10");
	refuse("RELATION with identity NUL", plain,
		   "52 00000001 00 00 00 0000",
		   "expected replica identity d, n, f or i at byte 7 of 10");
	refuse("RELATION with -1 columns", plain,
		   "52 00000001 00 00 64 ffff",
		   "expected as many columns as announced at byte 10 of 10");
	refuse("RELATION with more columns than bytes", plain,
		   "52 00000001 00 00 64 7fff 00000000000000000000",
		   "expected as many columns as announced at byte 10 of 20");
	refuse("RELATION with a column flag nobody knows", plain,
		   "52 00000001 00 00 64 0001 02 00 00000017 ffffffff",
		   "expected int8 column flags 0 or 1 at byte 10 of 20");
	refuse("TYPE with oid 0", plain, "59 00000000 00 00",
		   "expected int32 oid of the type, not 0 at byte 1 of 7");
}

static void
test_rows(void)
{
	wire("INSERT, every kind of column", plain,
		 "49 00004001 4e 0005"
		 "74 00000001 31  74 00000003 616263  6e  75  62 00000002 00ff",
		 MSG(INSERT, row, 0, 16385, NO_TUPLE,
			 TUPLE(NEW, TEXT("1"), TEXT("abc"), NONE, SAME,
				   BYTES("\x00\xff"))),
		 "INSERT rel=16385"
		 " N(1:'1', 2:'abc', 3:null, 4:unchanged, 5:\\x00ff)");
	wire("INSERT, in a stream, without columns", stream,
		 "49 000002ea 00004001 4e 0000",
		 MSG(INSERT, row, 746, 16385, NO_TUPLE, {STREAM_TUPLE_NEW, 0, NULL}),
		 "INSERT xid=746 rel=16385 N()");
	wire("INSERT, empty values", plain,
		 "49 00004001 4e 0002 74 00000000 62 00000000",
		 MSG(INSERT, row, 0, 16385, NO_TUPLE,
			 TUPLE(NEW, TEXT(""), BYTES(""))),
		 "INSERT rel=16385 N(1:'', 2:\\x)");
	wire("UPDATE, new row only", plain,
		 "55 00004001 4e 0001 6e",
		 MSG(UPDATE, row, 0, 16385, NO_TUPLE, TUPLE(NEW, NONE)),
		 "UPDATE rel=16385 N(1:null)");
	wire("UPDATE, in a stream, with the old key", stream,
		 "55 000002ea 00004001 4b 0002 74 00000001 31 6e"
		 "4e 0002 74 00000001 32 75",
		 MSG(UPDATE, row, 746, 16385, TUPLE(KEY, TEXT("1"), NONE),
			 TUPLE(NEW, TEXT("2"), SAME)),
		 "UPDATE xid=746 rel=16385 K(1:'1', 2:null) N(1:'2', 2:unchanged)");
	wire("UPDATE, with the whole old row", plain,
		 "55 00004001 4f 0001 62 00000001 01 4e 0001 62 00000001 02",
		 MSG(UPDATE, row, 0, 16385, TUPLE(OLD, BYTES("\1")),
			 TUPLE(NEW, BYTES("\2"))),
		 "UPDATE rel=16385 O(1:\\x01) N(1:\\x02)");
	wire("UPDATE, without columns", plain,
		 "55 00004001 4f 0000 4e 0000",
		 MSG(UPDATE, row, 0, 16385, {STREAM_TUPLE_OLD, 0, NULL},
			 {STREAM_TUPLE_NEW, 0, NULL}),
		 "UPDATE rel=16385 O() N()");
	wire("DELETE, by key", plain,
		 "44 00004001 4b 0001 74 00000001 31",
		 MSG(DELETE, row, 0, 16385, TUPLE(KEY, TEXT("1")), NO_TUPLE),
		 "DELETE rel=16385 K(1:'1')");
	wire("DELETE, in a stream, of the whole old row", stream,
		 "44 000002ea 00004001 4f 0001 6e",
		 MSG(DELETE, row, 746, 16385, TUPLE(OLD, NONE), NO_TUPLE),
		 "DELETE xid=746 rel=16385 O(1:null)");
}

static void
test_bad_rows(void)
{
	refuse("INSERT with an old row", plain, "49 00004001 4f 0000",
		   "expected new tuple (N) at byte 5 of 8");
	refuse("UPDATE with no new row", plain, "55 00004001 4b 0000",
		   "expected new tuple (N) at byte 8 of 8");
	refuse("UPDATE with two old rows", plain, "55 00004001 4b 0000 4b 0000",
		   "expected new tuple (N) at byte 8 of 11");
	refuse("UPDATE with two new rows", plain, "55 00004001 4e 0000 4e 0000",
		   "expected end of the message at byte 8 of 11");
	refuse("DELETE with a new row", plain, "44 00004001 4e 0000",
		   "expected old tuple (K or O) at byte 5 of 8");
	refuse("row of relation 0", plain, "49 00000000 4e 0000",
		   "expected int32 oid of the relation, not 0 at byte 1 of 8");
	refuse("row of xid 0 in a stream", stream, "49 00000000 00004001 4e 0000",
		   "expected int32 xid of the change, not 0 at byte 1 of 12");
	refuse("row with -1 columns", plain, "49 00004001 4e ffff 6e",
		   "expected as many columns as announced at byte 8 of 9");
	refuse("row with -32768 columns", plain, "49 00004001 4e 8000 6e",
		   "expected as many columns as announced at byte 8 of 9");
	refuse("row with a column too few", plain, "49 00004001 4e 0002 6e",
		   "expected as many columns as announced at byte 8 of 9");
	refuse("row with a column too many", plain, "49 00004001 4e 0001 6e 6e",
		   "expected end of the message at byte 9 of 10");
	refuse("row with a kind nobody knows", plain, "49 00004001 4e 0001 78",
		   "expected column kind n, u, t or b at byte 8 of 9");
	refuse("row with kind NUL", plain, "49 00004001 4e 0001 00",
		   "expected column kind n, u, t or b at byte 8 of 9");
	refuse("value with a length of -1", plain,
		   "49 00004001 4e 0001 74 ffffffff",
		   "expected as many bytes as announced at byte 13 of 13");
	refuse("value with the least length", plain,
		   "49 00004001 4e 0001 74 80000000 00",
		   "expected as many bytes as announced at byte 13 of 14");
	refuse("value with a length of 2 GB", plain,
		   "49 00004001 4e 0001 62 7fffffff 00",
		   "expected as many bytes as announced at byte 13 of 14");
	refuse("value a byte too short", plain,
		   "49 00004001 4e 0001 74 00000002 31",
		   "expected as many bytes as announced at byte 13 of 14");
}

static void
test_truncates(void)
{
	wire("TRUNCATE", plain,
		 "54 00000002 00 00004001 00004002",
		 MSG(TRUNCATE, truncate, 0, 2, false, false, (Oid[]) {16385, 16386}),
		 "TRUNCATE cascade=0 restart_identity=0 (16385, 16386)");
	wire("TRUNCATE, cascade", plain,
		 "54 00000001 01 00004001",
		 MSG(TRUNCATE, truncate, 0, 1, true, false, (Oid[]) {16385}),
		 "TRUNCATE cascade=1 restart_identity=0 (16385)");
	wire("TRUNCATE, restart identity", plain,
		 "54 00000001 02 00004001",
		 MSG(TRUNCATE, truncate, 0, 1, false, true, (Oid[]) {16385}),
		 "TRUNCATE cascade=0 restart_identity=1 (16385)");
	wire("TRUNCATE, in a stream, both flags", stream,
		 "54 000002ea 00000001 03 00004001",
		 MSG(TRUNCATE, truncate, 746, 1, true, true, (Oid[]) {16385}),
		 "TRUNCATE xid=746 cascade=1 restart_identity=1 (16385)");
	wire("TRUNCATE, of nothing", plain,
		 "54 00000000 00",
		 MSG(TRUNCATE, truncate, 0, 0, false, false, NULL),
		 "TRUNCATE cascade=0 restart_identity=0 ()");
	refuse("TRUNCATE of -1 relations", plain, "54 ffffffff 00 00004001",
		   "expected as many relations as announced at byte 6 of 10");
	refuse("TRUNCATE of a count that overflows in bytes", plain,
		   "54 40000000 00 00004001",
		   "expected as many relations as announced at byte 6 of 10");
	refuse("TRUNCATE with a flag nobody knows", plain,
		   "54 00000001 04 00004001",
		   "expected int8 flags 0 to 3 at byte 5 of 10");
	refuse("TRUNCATE of relation 0", plain, "54 00000001 00 00000000",
		   "expected int32 oid of a relation, not 0 at byte 6 of 10");
}

static void
test_streams(void)
{
	wire("STREAM START, first", plain,
		 "53 000002e9 01",
		 MSG(STREAM_START, stream_start, 745, true),
		 "STREAM START xid=745 first=1");
	wire("STREAM START, later", parallel,
		 "53 ffffffff 00",
		 MSG(STREAM_START, stream_start, UINT32_MAX, false),
		 "STREAM START xid=4294967295 first=0");
	wire("STREAM STOP", stream,
		 "45", MSG(STREAM_STOP, stream_start, 0, false), "STREAM STOP");
	wire("STREAM COMMIT", plain,
		 "63 000002e9 00 0000000000000010 0000000000000020 0000000000000001",
		 MSG(STREAM_COMMIT, stream_commit, 745, 0x10, 0x20, 1),
		 "STREAM COMMIT xid=745 lsn=0/10 end=0/20"
		 " time=2000-01-01T00:00:00.000001Z");
	wire("STREAM ABORT", plain,
		 "41 000002e9 000002ea",
		 MSG(STREAM_ABORT, stream_abort, 745, 746, false, 0, 0),
		 "STREAM ABORT xid=745 subxid=746");
	wire("STREAM ABORT, parallel", parallel,
		 "41 000002e9 000002e9 0000000000000010 0000000000000001",
		 MSG(STREAM_ABORT, stream_abort, 745, 745, true, 0x10, 1),
		 "STREAM ABORT xid=745 subxid=745 lsn=0/10"
		 " time=2000-01-01T00:00:00.000001Z");
	refuse("STREAM START with first = 2", plain, "53 000002e9 02",
		   "expected int8 first, 0 or 1 at byte 5 of 6");
	refuse("STREAM START of xid 0", plain, "53 00000000 01",
		   "expected int32 xid, not 0 at byte 1 of 6");
	refuse("STREAM ABORT of the wrong mode, too long", plain,
		   "41 000002e9 000002e9 0000000000000010 0000000000000001",
		   "expected end of the message at byte 9 of 25");
	refuse("STREAM ABORT of the wrong mode, too short", parallel,
		   "41 000002e9 000002e9",
		   "expected int64 abort LSN at byte 9 of 9");
	refuse("STREAM COMMIT with flags", plain,
		   "63 000002e9 01 0000000000000010 0000000000000020"
		   "0000000000000001",
		   "expected int8 flags 0 at byte 5 of 30");
}

static void
test_prepares(void)
{
	wire("BEGIN PREPARE", plain,
		 "62 0000000000000010 0000000000000020 0000000000000001 000002e9"
		 "6700",
		 MSG(BEGIN_PREPARE, prepare, 0x10, 0x20, 1, 745, "g"),
		 "BEGIN PREPARE xid=745 gid='g' lsn=0/10 end=0/20"
		 " time=2000-01-01T00:00:00.000001Z");
	wire("PREPARE", plain,
		 "50 00 0000000000000010 0000000000000020 0000000000000001 000002e9"
		 "6700",
		 MSG(PREPARE, prepare, 0x10, 0x20, 1, 745, "g"),
		 "PREPARE xid=745 gid='g' lsn=0/10 end=0/20"
		 " time=2000-01-01T00:00:00.000001Z");
	wire("STREAM PREPARE, empty gid", plain,
		 "70 00 0000000000000010 0000000000000020 0000000000000001 000002e9"
		 "00",
		 MSG(STREAM_PREPARE, prepare, 0x10, 0x20, 1, 745, ""),
		 "STREAM PREPARE xid=745 gid='' lsn=0/10 end=0/20"
		 " time=2000-01-01T00:00:00.000001Z");
	wire("COMMIT PREPARED", plain,
		 "4b 00 0000000000000010 0000000000000020 0000000000000001 000002e9"
		 "6700",
		 MSG(COMMIT_PREPARED, commit_prepared, 0x10, 0x20, 1, 745, "g"),
		 "COMMIT PREPARED xid=745 gid='g' lsn=0/10 end=0/20"
		 " time=2000-01-01T00:00:00.000001Z");
	wire("ROLLBACK PREPARED", plain,
		 "72 00 0000000000000010 0000000000000020 0000000000000001"
		 "0000000000000002 000002e9 6700",
		 MSG(ROLLBACK_PREPARED, rollback_prepared, 0x10, 0x20, 1, 2, 745,
			 "g"),
		 "ROLLBACK PREPARED xid=745 gid='g' prepare_end=0/10 end=0/20"
		 " prepare_time=2000-01-01T00:00:00.000001Z"
		 " time=2000-01-01T00:00:00.000002Z");
	refuse("PREPARE with flags", plain,
		   "50 80 0000000000000010 0000000000000020 0000000000000001"
		   "000002e9 6700",
		   "expected int8 flags 0 at byte 1 of 32");
	refuse("STREAM PREPARE with flags", plain,
		   "70 01 0000000000000010 0000000000000020 0000000000000001"
		   "000002e9 6700",
		   "expected int8 flags 0 at byte 1 of 32");
	refuse("COMMIT PREPARED with flags", plain,
		   "4b 01 0000000000000010 0000000000000020 0000000000000001"
		   "000002e9 6700",
		   "expected int8 flags 0 at byte 1 of 32");
	refuse("ROLLBACK PREPARED with flags", plain,
		   "72 01 0000000000000010 0000000000000020 0000000000000001"
		   "0000000000000002 000002e9 6700",
		   "expected int8 flags 0 at byte 1 of 40");
	refuse("BEGIN PREPARE without LSN", plain,
		   "62 0000000000000000 0000000000000020 0000000000000001"
		   "000002e9 6700",
		   "expected int64 prepare LSN, not 0 at byte 1 of 31");
	refuse("COMMIT PREPARED without end LSN", plain,
		   "4b 00 0000000000000010 0000000000000000 0000000000000001"
		   "000002e9 6700",
		   "expected int64 end LSN, not 0 at byte 10 of 32");
	refuse("ROLLBACK PREPARED of xid 0", plain,
		   "72 00 0000000000000010 0000000000000020 0000000000000001"
		   "0000000000000002 00000000 6700",
		   "expected int32 xid, not 0 at byte 34 of 40");
}

static void
test_bad_bytes(void)
{
	bool		good = true;

	refuse("nothing at all", plain, "",
		   "expected message byte at byte 0 of 0");
	refuse("BEGIN without LSN", plain,
		   "42 0000000000000000 0000000000000000 00000001",
		   "expected int64 final LSN, not 0 at byte 1 of 21");
	refuse("COMMIT with flags", plain,
		   "43 01 0000000000000001 0000000000000001 0000000000000000",
		   "expected int8 flags 0 at byte 1 of 26");
	refuse("unknown message", plain, "5a 00000000",
		   "expected message byte of protocol 1 to 4 at byte 0 of 5");

	/* Only STREAM STOP is complete as a byte; 19 bytes are messages. */
	for (int byte = 0; byte < 256; byte++)
	{
		char		c = (char) byte;

		good &= is_refused(&c, 1, plain) == (byte != STREAM_MSG_STREAM_STOP);
		good &= (stream_proto_message_name(byte) != NULL) ==
			(byte != 0 && strchr("BCOMRYIUDTSEcAbPKrp", byte) != NULL);
	}
	ok(good, "any byte", "known or refused");
	ok(stream_proto_message_name('B' + 256) == NULL &&
	   stream_proto_message_name(-1) == NULL, "any byte", "no other numbers");
}

typedef struct Field
{
	const char *name;			/* of the sample */
	int			offset;
	int			size;
} Field;

/* What the server never sends as zero ... */
static const Field never_zero[] = {
	{"BEGIN", 1, 8},
	{"BEGIN", 17, 4},
	{"MESSAGE, in a stream", 1, 4},
	{"RELATION", 1, 4},
	{"RELATION", 21, 4},
	{"RELATION, in a stream, of pg_catalog, without columns", 1, 4},
	{"RELATION, in a stream, of pg_catalog, without columns", 5, 4},
	{"TYPE", 1, 4},
	{"TYPE, in a stream, of pg_catalog", 1, 4},
	{"TYPE, in a stream, of pg_catalog", 5, 4},
	{"INSERT, every kind of column", 1, 4},
	{"INSERT, in a stream, without columns", 1, 4},
	{"INSERT, in a stream, without columns", 5, 4},
	{"UPDATE, in a stream, with the old key", 1, 4},
	{"UPDATE, in a stream, with the old key", 5, 4},
	{"DELETE, in a stream, of the whole old row", 1, 4},
	{"DELETE, in a stream, of the whole old row", 5, 4},
	{"TRUNCATE, in a stream, both flags", 1, 4},
	{"TRUNCATE, in a stream, both flags", 10, 4},
	{"STREAM START, first", 1, 4},
	{"STREAM COMMIT", 1, 4},
	{"STREAM ABORT", 1, 4},
	{"STREAM ABORT", 5, 4},
	{"BEGIN PREPARE", 1, 8},
	{"BEGIN PREPARE", 9, 8},
	{"BEGIN PREPARE", 25, 4},
	{"PREPARE", 2, 8},
	{"PREPARE", 10, 8},
	{"PREPARE", 26, 4},
	{"STREAM PREPARE, empty gid", 2, 8},
	{"STREAM PREPARE, empty gid", 10, 8},
	{"STREAM PREPARE, empty gid", 26, 4},
	{"COMMIT PREPARED", 2, 8},
	{"COMMIT PREPARED", 10, 8},
	{"COMMIT PREPARED", 26, 4},
	{"ROLLBACK PREPARED", 2, 8},
	{"ROLLBACK PREPARED", 10, 8},
	{"ROLLBACK PREPARED", 34, 4},
};

/* ... and the LSNs and times that may be. */
static const Field may_be_zero[] = {
	{"BEGIN", 9, 8},
	{"COMMIT", 2, 8},
	{"COMMIT", 10, 8},
	{"COMMIT", 18, 8},
	{"STREAM COMMIT", 6, 8},
	{"STREAM COMMIT", 14, 8},
	{"STREAM COMMIT", 22, 8},
	{"STREAM ABORT, parallel", 9, 8},
	{"STREAM ABORT, parallel", 17, 8},
	{"BEGIN PREPARE", 17, 8},
	{"PREPARE", 18, 8},
	{"COMMIT PREPARED", 18, 8},
	{"ROLLBACK PREPARED", 18, 8},
	{"ROLLBACK PREPARED", 26, 8},
	{"MESSAGE, transactional", 2, 8},
};

/* Is the sample refused with zeros in place of a field? */
static bool
refused_with_zeros(const Field *field)
{
	for (int i = 0; i < nsamples; i++)
	{
		const Sample *s = &samples[i];

		if (strcmp(s->name, field->name) == 0)
		{
			char		copy[100];

			Assert(s->bytes.len <= (int) sizeof(copy) &&
				   field->offset + field->size <= s->bytes.len);
			memcpy(copy, s->bytes.data, s->bytes.len);
			memset(copy + field->offset, 0, field->size);
			return is_refused(copy, s->bytes.len, s->mode);
		}
	}
	fprintf(stderr, "no sample of this name: %s\n", field->name);
	exit(2);
}

static void
test_zeros(void)
{
	for (size_t i = 0; i < lengthof(never_zero); i++)
		ok(refused_with_zeros(&never_zero[i]), "zeros refused",
		   never_zero[i].name);
	for (size_t i = 0; i < lengthof(may_be_zero); i++)
		ok(!refused_with_zeros(&may_be_zero[i]), "zeros accepted",
		   may_be_zero[i].name);
}

/* ----------------------------------------------------------------
 *		Sizes
 * ----------------------------------------------------------------
 */

static void
test_column_limit(void)
{
	static StreamColumnValue columns[INT16_MAX];
	StreamMessage msg = MSG(UPDATE, row, 0, 1,
							{STREAM_TUPLE_OLD, INT16_MAX, columns},
							{STREAM_TUPLE_NEW, INT16_MAX, columns});
	StreamMessage back;
	StreamReader in;
	StringInfoData out;
	StringInfoData again;

	for (int i = 0; i < INT16_MAX; i++)
		columns[i].kind = i % 2 ? STREAM_COLUMN_NULL : STREAM_COLUMN_UNCHANGED;
	initStringInfo(&out);
	initStringInfo(&again);
	stream_proto_write(&out, &msg);
	ok(out.len == 1 + 4 + 2 * (3 + INT16_MAX), "32767 columns", "size");
	ok(memcmp(out.data + 5, "O\x7f\xffunun", 7) == 0, "32767 columns",
	   "count");

	stream_proto_reader_init(&in);
	ok(stream_proto_read(&in, out.data, out.len, plain, &back) &&
	   back.u.row.oldtuple.ncolumns == INT16_MAX &&
	   back.u.row.newtuple.ncolumns == INT16_MAX &&
	   back.u.row.newtuple.columns[1].kind == STREAM_COLUMN_NULL,
	   "32767 columns", "read, old and new row");
	stream_proto_write(&again, &back);
	is_bytes(&again, &out, "32767 columns", "written again");
	stream_proto_reader_free(&in);
	free(out.data);
	free(again.data);
}

/*
 * One more does not fit the int16: it means -32768, even where the bytes for
 * 32768 columns follow.
 */
static void
test_column_overflow(const char *name, const char *head,
					 const char *column)
{
	StringInfoData bytes = unhex(head);
	StringInfoData one = unhex(column);
	StreamReader in;
	StreamMessage msg;

	for (int i = 0; i <= INT16_MAX; i++)
		appendBinaryStringInfo(&bytes, one.data, one.len);
	stream_proto_reader_init(&in);
	ok(!stream_proto_read(&in, bytes.data, bytes.len, plain, &msg) &&
	   in.error_offset == (int) strlen(head) / 2, "32768 columns", name);
	stream_proto_reader_free(&in);
	free(bytes.data);
	free(one.data);
}

static void
test_large_value(void)
{
	const int	size = 5000000;
	char	   *data = palloc(size);
	StreamColumnValue column = {STREAM_COLUMN_TEXT, size, data};
	StreamMessage msg = MSG(INSERT, row, 0, 1, NO_TUPLE,
							{STREAM_TUPLE_NEW, 1, &column});
	StreamMessage back;
	StreamReader in;
	StringInfoData out;

	memset(data, 'x', size);
	initStringInfo(&out);
	stream_proto_write(&out, &msg);
	ok(out.len == 13 + size &&
	   memcmp(out.data + 8, "t\x00\x4c\x4b\x40xx", 7) == 0,
	   "5 MB value", "written");
	stream_proto_reader_init(&in);
	ok(stream_proto_read(&in, out.data, out.len, plain, &back) &&
	   back.u.row.newtuple.columns[0].length == size &&
	   back.u.row.newtuple.columns[0].data == out.data + 13,
	   "5 MB value", "read without a copy");
	stream_proto_reader_free(&in);
	free(out.data);
	free(data);
}

/* One reader for many messages: what failed before leaves nothing behind. */
static void
test_reader_reuse(void)
{
	StreamReader in;
	StreamMessage msg;
	bool		good = true;

	stream_proto_reader_init(&in);
	for (int i = 0; i < 3 * nsamples; i++)
	{
		const Sample *s = &samples[i % nsamples];

		good &= !stream_proto_read(&in, "Z", 1, s->mode, &msg);
		good &= in.expected != NULL;
		good &= stream_proto_read(&in, s->bytes.data, s->bytes.len, s->mode,
								  &msg);
		good &= in.expected == NULL;
	}
	ok(good, "reader", "used again after errors");
	stream_proto_reader_free(&in);
	ok(in.space == NULL, "reader", "freed");
}

/* ----------------------------------------------------------------
 *		Row primitives
 * ----------------------------------------------------------------
 */

/* A buffer with room for so little that the next thing must enlarge it. */
static StringInfoData
tight_buffer(int used)
{
	StringInfoData out;

	out.data = palloc(used + 1);
	out.maxlen = used + 1;
	out.len = used;
	out.cursor = 0;
	memset(out.data, '#', used);
	return out;
}

static void
append_row(StringInfo out, TransactionId xid)
{
	char		bytes[300];

	for (int i = 0; i < 300; i++)
		bytes[i] = (char) i;
	stream_proto_begin_row(out, STREAM_MSG_UPDATE, xid, 16385);
	stream_proto_begin_tuple(out, STREAM_TUPLE_KEY, 2);
	stream_proto_put_value(out, STREAM_COLUMN_TEXT, "1", 1);
	stream_proto_put_null(out);
	stream_proto_begin_tuple(out, STREAM_TUPLE_NEW, 4);
	stream_proto_put_value(out, STREAM_COLUMN_BINARY, bytes, 300);
	stream_proto_put_unchanged(out);
	stream_proto_put_value(out, STREAM_COLUMN_TEXT, "", 0);
	stream_proto_put_value(out, STREAM_COLUMN_TEXT, NULL, 0);
}

static void
test_row_primitives(void)
{
	char		counted[300];
	StringInfoData want;
	bool		good = true;

	for (int i = 0; i < 300; i++)
		counted[i] = (char) i;
	for (TransactionId xid = 0; xid < 2; xid++)
	{
		want = unhex(xid == 0 ? "55 00004001" : "55 00000001 00004001");
		{
			StringInfoData rest = unhex("4b 0002 74 00000001 31 6e"
										"4e 0004 62 0000012c");

			appendBinaryStringInfo(&want, rest.data, rest.len);
			appendBinaryStringInfo(&want, counted, 300);
			free(rest.data);
			rest = unhex("75 74 00000000 74 00000000");
			appendBinaryStringInfo(&want, rest.data, rest.len);
			free(rest.data);
		}
		/* from a buffer that ends anywhere, so that each call grows it */
		for (int used = 0; used < 40; used++)
		{
			StringInfoData out = tight_buffer(used);

			append_row(&out, xid);
			good &= out.len == used + want.len &&
				memcmp(out.data + used, want.data, want.len) == 0;
			for (int i = 0; i < used; i++)
				good &= out.data[i] == '#';
			free(out.data);
		}
		ok(good, "row primitives", xid == 0 ? "plain" : "in a stream");
		free(want.data);
	}
}

static void
test_integers(void)
{
	StringInfoData out = tight_buffer(0);
	StringInfoData want = unhex("ff 0102 fffe 01020304 fffffffe"
								"0102030405060708 fffffffffffffffe");

	stream_proto_put_int8(&out, 255);
	stream_proto_put_int16(&out, 0x0102);
	stream_proto_put_int16(&out, (uint16) -2);
	stream_proto_put_int32(&out, 0x01020304);
	stream_proto_put_int32(&out, (uint32) -2);
	stream_proto_put_int64(&out, INT64CONST(0x0102030405060708));
	stream_proto_put_int64(&out, (uint64) -2);
	stream_proto_put_bytes(&out, NULL, 0);
	is_bytes(&out, &want, "integers", "big-endian, in a buffer that grows");
	free(out.data);
	free(want.data);
}

/* ----------------------------------------------------------------
 *		Order
 * ----------------------------------------------------------------
 */

/*
 * Let a state see messages of these types ('s' stands for a STREAM START that
 * is not the first, 'm' for a MESSAGE that is not transactional).  Only the
 * last may break a rule, and must break this one.
 */
static void
order(const char *types, const char *broken)
{
	StreamProtoState state;
	const char *got = NULL;
	bool		early = false;

	stream_proto_state_init(&state, true);
	for (const char *t = types; *t != '\0'; t++)
	{
		StreamMessage msg;

		memset(&msg, 0, sizeof(msg));
		msg.type = (StreamMessageType) *t;
		if (*t == 's')
			msg.type = STREAM_MSG_STREAM_START;
		else if (*t == 'm')
			msg.type = STREAM_MSG_MESSAGE;
		else if (*t == STREAM_MSG_STREAM_START)
			msg.u.stream_start.first = true;
		else if (*t == STREAM_MSG_MESSAGE)
			msg.u.message.transactional = true;
		early |= got != NULL;
		got = stream_proto_track(&state, &msg);
	}
	if (early)
		got = "a rule broken before the last message";
	is_text(got ? got : "in order", broken ? broken : "in order", "order",
			types);
}

static void
test_order(void)
{
	const char *inside = "start or end of a transaction inside another"
		" or inside a stream block";
	const char *outside = "change or schema outside a transaction";
	const char *origin = "ORIGIN not right after BEGIN, BEGIN PREPARE"
		" or the first STREAM START";

	order("BYRIUDTMCBOIC", NULL);
	order("bOIPKbPrbIP", NULL);
	order("SORIEsIEAsEcSEp", NULL);
	order("SEBICsEmA", NULL);
	order("mBC", NULL);
	order("I", outside);
	order("BICR", outside);
	order("SIEY", outside);
	order("bPT", outside);
	order("M", "transactional MESSAGE outside a transaction");
	order("BB", inside);
	order("Bb", inside);
	order("BS", inside);
	order("SB", inside);
	order("SS", inside);
	order("SA", inside);
	order("Sc", inside);
	order("Sp", inside);
	order("BK", inside);
	order("br", inside);
	order("C", "COMMIT without BEGIN");
	order("bC", "COMMIT without BEGIN");
	order("BP", "PREPARE without BEGIN PREPARE");
	order("E", "STREAM STOP without STREAM START");
	order("BE", "STREAM STOP without STREAM START");
	order("O", origin);
	order("BIO", origin);
	order("BOO", origin);
	order("sO", origin);
	order("SEO", origin);
}

static void
test_stream_mode(void)
{
	StreamProtoState state;
	StreamMessage start = MSG(STREAM_START, stream_start, 1, true);
	StreamMessage stop = {.type = STREAM_MSG_STREAM_STOP};
	bool		good;

	stream_proto_state_init(&state, true);
	good = !state.mode.in_stream && state.mode.parallel;
	stream_proto_track(&state, &start);
	good &= state.mode.in_stream && state.mode.parallel;
	stream_proto_track(&state, &stop);
	good &= !state.mode.in_stream && state.mode.parallel;
	ok(good, "order", "mode for the reader follows the blocks");
}

/* ----------------------------------------------------------------
 *		Random bytes
 * ----------------------------------------------------------------
 */

static uint64 seed = INT64CONST(0x2545F4914F6CDD1D);

/* xorshift; below limit */
static uint32
random_below(uint32 limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32) (seed >> 32) % limit;
}

/* Numbers that lengths and counts go wrong at. */
static const uint32 edges[] = {
	0, 1, 2, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
	0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xffffffff
};

static void
mutate(StringInfo bytes)
{
	uint32		at = random_below((uint32) bytes->len);
	int			left = bytes->len - (int) at;

	switch (random_below(6))
	{
		case 0:
			bytes->data[at] = (char) random_below(256);
			break;
		case 1:
			bytes->data[at] ^= (char) (1 << random_below(8));
			break;
		case 2:
			if (left >= 4)
				stream_proto_store_int32(bytes->data + at,
										 edges[random_below(lengthof(edges))]);
			break;
		case 3:
			if (left >= 2)
				stream_proto_store_int16(bytes->data + at,
										 (uint16) edges[random_below(lengthof(edges))]);
			break;
		case 4:					/* cut, but leave a byte */
			bytes->len = (int) at + 1;
			break;
		case 5:					/* another message's tail */
			{
				const StringInfoData *tail =
					&samples[random_below((uint32) nsamples)].bytes;
				uint32		from = random_below((uint32) tail->len);

				bytes->len = (int) at + 1;
				appendBinaryStringInfo(bytes, tail->data + from,
									   tail->len - (int) from);
				break;
			}
	}
}

/*
 * Whatever the bytes: an error with a place inside the input, or a message
 * that gives the same bytes again and can be shown.
 */
static bool
survives(const StringInfoData *bytes, StreamReadMode mode, int *accepted)
{
	static StreamReader in;		/* lives on, as a client's would */
	StreamMessage msg;
	StringInfoData out;
	bool		good;
	char	   *copy = read_copy(&in, bytes->data, bytes->len, mode, &msg,
								 &good);

	if (good)
	{
		(*accepted)++;
		initStringInfo(&out);
		stream_proto_write(&out, &msg);
		good = out.len == bytes->len &&
			memcmp(out.data, bytes->data, out.len) == 0;
		resetStringInfo(&out);
		stream_proto_describe(&msg, &out);
		good &= out.len > 0 && strlen(out.data) == (size_t) out.len;
		free(out.data);
	}
	else
		good = in.expected != NULL && in.error_offset >= 0 &&
			in.error_offset <= bytes->len;
	free(copy);
	if (bytes->len % 16 == 0)
		stream_proto_reader_free(&in);
	return good;
}

static void
test_mutations(void)
{
	int			accepted = 0;
	int			broken = 0;
	StringInfoData bytes;

	initStringInfo(&bytes);
	for (int i = 0; i < MUTATIONS; i++)
	{
		const Sample *s = &samples[random_below((uint32) nsamples)];
		StreamReadMode mode = {random_below(2) == 1, random_below(2) == 1};

		resetStringInfo(&bytes);
		appendBinaryStringInfo(&bytes, s->bytes.data, s->bytes.len);
		for (uint32 n = random_below(4); n > 0; n--)
			mutate(&bytes);
		if (!survives(&bytes, mode, &accepted) && broken++ < 10)
			print_bytes("broken by", bytes.data, bytes.len);
		if ((i + 1) % 100000 == 0)
			printf("# %d of %d mutations, %d read as a message\n", i + 1,
				   MUTATIONS, accepted);
	}
	survives(&(StringInfoData) {bytes.data, 16, bytes.maxlen, 0}, plain,
			 &accepted);		/* frees the reader's space */
	ok(broken == 0, "mutations", "an error or the same message again");
	ok(accepted > MUTATIONS / 20 && accepted < MUTATIONS / 20 * 19,
	   "mutations", "of both outcomes enough");
	free(bytes.data);
}

/* ----------------------------------------------------------------
 *		Main
 * ----------------------------------------------------------------
 */

static void
write_seeds(const char *dir)
{
	for (int i = 0; i < nsamples; i++)
	{
		char		path[1000];
		FILE	   *file;
		int			mode = samples[i].mode.in_stream |
			samples[i].mode.parallel << 1;

		snprintf(path, sizeof(path), "%s/%02d", dir, i);
		file = fopen(path, "wb");
		if (file == NULL || fputc(mode, file) == EOF ||
			fwrite(samples[i].bytes.data, samples[i].bytes.len, 1, file) != 1 ||
			fclose(file) != 0)
		{
			perror(path);
			exit(2);
		}
	}
	printf("# %d messages written to %s\n", nsamples, dir);
}

int
main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	test_transactions();
	test_messages();
	test_schemas();
	test_rows();
	test_bad_rows();
	test_truncates();
	test_streams();
	test_prepares();
	test_bad_bytes();
	test_zeros();
	test_column_limit();
	test_column_overflow("refused in a row", "49000040014e8000", "6e");
	test_column_overflow("refused in a RELATION", "52000040010000648000",
						 "00000000001700000000");
	test_large_value();
	test_reader_reuse();
	test_row_primitives();
	test_integers();
	test_order();
	test_stream_mode();
	if (argc == 3 && strcmp(argv[1], "--seeds") == 0)
		write_seeds(argv[2]);
	else
		test_mutations();

	printf("1..%d\n", tests);
	if (failures > 0)
		printf("# %d of %d failed\n", failures, tests);
	for (int i = 0; i < nsamples; i++)
		free(samples[i].bytes.data);
	return failures > 0;
}
