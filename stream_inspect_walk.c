/*-------------------------------------------------------------------------
 *
 * stream_inspect_walk.c
 *		The state of a sequence of messages; see stream_inspect_walk.h.
 *
 * What a message says is stream_proto_read's business and in which order
 * messages come is stream_proto_track's.  Here is what needs memory: whose
 * the message is, and whether its relations are known.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_inspect_walk.h"

#define MIN_SLOTS 8

/* ----------------------------------------------------------------
 *		Map: open addressing with steps of one, never more than half full
 * ----------------------------------------------------------------
 */

/* Where an id would best be. */
static uint32
find_home(const StreamIdMap *map, uint32 id)
{
	id ^= id >> 16;
	id *= 0x85ebca6b;
	id ^= id >> 13;
	id *= 0xc2b2ae35;
	id ^= id >> 16;
	return id & (map->nslots - 1);
}

/* The id's slot, or the free one where it would go. */
static StreamIdSlot *
find_slot(const StreamIdMap *map, uint32 id)
{
	uint32		i = find_home(map, id);

	while (map->slots[i].id != 0 && map->slots[i].id != id)
		i = (i + 1) & (map->nslots - 1);
	return &map->slots[i];
}

static void
grow_map(StreamIdMap *map)
{
	StreamIdMap old = *map;

	map->nslots = old.nslots > 0 ? old.nslots * 2 : MIN_SLOTS;
	map->slots = palloc(map->nslots * sizeof(StreamIdSlot));
	memset(map->slots, 0, map->nslots * sizeof(StreamIdSlot));
	for (uint32 i = 0; i < old.nslots; i++)
	{
		if (old.slots[i].id != 0)
			*find_slot(map, old.slots[i].id) = old.slots[i];
	}
	if (old.slots != NULL)
		pfree(old.slots);
}

void *
stream_inspect_map_get(const StreamIdMap *map, uint32 id)
{
	StreamIdSlot *slot = map->nslots > 0 ? find_slot(map, id) : NULL;

	return slot != NULL && slot->id != 0 ? slot->value : NULL;
}

void
stream_inspect_map_put(StreamIdMap *map, uint32 id, void *value)
{
	StreamIdSlot *slot;

	Assert(id != 0);
	if (map->used >= map->nslots / 2)
		grow_map(map);
	slot = find_slot(map, id);
	if (slot->id == 0)
		map->used++;
	slot->id = id;
	slot->value = value;
}

/*
 * The ids behind the one that goes, up to the next free slot, move up unless
 * that would put them before their home.
 */
void
stream_inspect_map_delete(StreamIdMap *map, uint32 id)
{
	StreamIdSlot *gap = map->nslots > 0 ? find_slot(map, id) : NULL;
	uint32		mask = map->nslots - 1;
	uint32		hole;

	if (gap == NULL || gap->id == 0)
		return;
	hole = (uint32) (gap - map->slots);
	for (uint32 i = (hole + 1) & mask; map->slots[i].id != 0; i = (i + 1) & mask)
	{
		uint32		home = find_home(map, map->slots[i].id);

		if (((i - home) & mask) >= ((i - hole) & mask))
		{
			map->slots[hole] = map->slots[i];
			hole = i;
		}
	}
	map->slots[hole].id = 0;
	map->slots[hole].value = NULL;
	map->used--;
}

void
stream_inspect_map_free(StreamIdMap *map, bool values_too)
{
	for (uint32 i = 0; values_too && i < map->nslots; i++)
	{
		if (map->slots[i].id != 0)
			pfree(map->slots[i].value);
	}
	if (map->slots != NULL)
		pfree(map->slots);
	memset(map, 0, sizeof(*map));
}

/* ----------------------------------------------------------------
 *		Relations and types
 * ----------------------------------------------------------------
 */

/* Append a string to what is at *end, and return the copy. */
static const char *
copy_string(char **end, const char *s)
{
	char	   *copy = *end;
	size_t		size = strlen(s) + 1;

	memcpy(copy, s, size);
	*end += size;
	return copy;
}

/* A copy in one chunk: the columns, then all strings. */
static void
copy_description(StreamRelationDesc *to, const StreamRelationDesc *from)
{
	size_t		size = from->ncolumns * sizeof(StreamRelationColumn);
	size_t		nstrings = strlen(from->nspname) + strlen(from->relname) + 2;
	StreamRelationColumn *columns;
	char	   *end;

	for (int i = 0; i < from->ncolumns; i++)
		nstrings += strlen(from->columns[i].name) + 1;
	columns = palloc(size + nstrings);
	end = (char *) columns + size;

	*to = *from;
	to->nspname = copy_string(&end, from->nspname);
	to->relname = copy_string(&end, from->relname);
	for (int i = 0; i < from->ncolumns; i++)
	{
		columns[i] = from->columns[i];
		columns[i].name = copy_string(&end, from->columns[i].name);
	}
	to->columns = columns;
}

static StreamInspectRelation *
remember_relation(StreamWalk *walk, const StreamRelationDesc *desc)
{
	StreamInspectRelation *relation =
		stream_inspect_map_get(&walk->relations, desc->relid);

	if (relation == NULL)
	{
		relation = palloc(sizeof(*relation));
		memset(relation, 0, sizeof(*relation));
		copy_description(&relation->desc, desc);
		stream_inspect_map_put(&walk->relations, desc->relid, relation);
	}
	else
	{
		pfree((void *) (uintptr_t) relation->desc.columns);
		copy_description(&relation->desc, desc);
	}
	return relation;
}

static void
remember_type(StreamWalk *walk, const StreamTypeDesc *desc)
{
	size_t		size = strlen(desc->nspname) + strlen(desc->typname) + 2;
	StreamInspectType *type = palloc(sizeof(*type) + size);
	void	   *old = stream_inspect_map_get(&walk->types, desc->typid);
	char	   *end = type->typname;

	copy_string(&end, desc->typname);
	type->nspname = copy_string(&end, desc->nspname);
	stream_inspect_map_put(&walk->types, desc->typid, type);
	if (old != NULL)
		pfree(old);
}

/* ----------------------------------------------------------------
 *		What is wrong
 * ----------------------------------------------------------------
 */

static bool
refuse(StreamWalk *walk, int offset, const char *what)
{
	walk->error_offset = offset;
	snprintf(walk->error, sizeof(walk->error), "%s", what);
	return false;
}

static bool
refuse_relation(StreamWalk *walk, int offset, Oid relid)
{
	walk->error_offset = offset;
	snprintf(walk->error, sizeof(walk->error),
			 "no RELATION before that describes relation %u", relid);
	return false;
}

/* Bytes of a tuple, its kind included. */
static int
tuple_length(const StreamTuple *tuple)
{
	int			length = tuple->kind != 0 ? 1 + 2 : 0;

	for (int i = 0; i < tuple->ncolumns; i++)
		length += tuple->columns[i].data != NULL ?
			1 + 4 + tuple->columns[i].length : 1;
	return length;
}

static bool
check_tuple(StreamWalk *walk, const StreamTuple *tuple, int offset)
{
	int			ncolumns = walk->relation->desc.ncolumns;

	if (tuple->kind == 0 || tuple->ncolumns == ncolumns)
		return true;
	walk->error_offset = offset + 1;
	snprintf(walk->error, sizeof(walk->error),
			 "%d columns in the row, but %d in its RELATION",
			 tuple->ncolumns, ncolumns);
	return false;
}

/* Where the field after [xid] is.  To be asked before the state moves on. */
static int
body_offset(const StreamWalk *walk)
{
	return walk->state.mode.in_stream ? 1 + 4 : 1;
}

static bool
check_row(StreamWalk *walk, const StreamMsgRow *row, int offset)
{
	int			old_length;

	walk->relation = stream_inspect_map_get(&walk->relations, row->relid);
	if (walk->relation == NULL)
		return refuse_relation(walk, offset, row->relid);
	offset += 4;
	if (!check_tuple(walk, &row->oldtuple, offset))
		return false;
	if (row->newtuple.ncolumns == walk->relation->desc.ncolumns)
		return true;
	old_length = tuple_length(&row->oldtuple);
	return check_tuple(walk, &row->newtuple, offset + old_length);
}

static bool
check_truncate(StreamWalk *walk, const StreamMsgTruncate *msg, int offset)
{
	for (int i = 0; i < msg->nrelids; i++)
	{
		if (stream_inspect_map_get(&walk->relations, msg->relids[i]) == NULL)
			return refuse_relation(walk, offset + 4 + 1 + 4 * i,
								   msg->relids[i]);
	}
	return true;
}

/* ----------------------------------------------------------------
 *		Whose message it is
 * ----------------------------------------------------------------
 */

/* What is inside a transaction or block; [xid] is 0 outside of blocks. */
static void
note_inner(StreamWalk *walk, TransactionId xid)
{
	walk->xid = walk->open_xid;
	walk->subxid = xid != walk->open_xid ? xid : 0;
}

/* Sets xid and subxid; state has not moved on yet. */
static void
note_transaction(StreamWalk *walk)
{
	const StreamMessage *msg = &walk->msg;

	walk->subxid = 0;
	switch (msg->type)
	{
		case STREAM_MSG_BEGIN:
			walk->xid = walk->open_xid = msg->u.begin.xid;
			break;
		case STREAM_MSG_BEGIN_PREPARE:
			walk->xid = walk->open_xid = msg->u.prepare.xid;
			break;
		case STREAM_MSG_STREAM_START:
			walk->xid = walk->open_xid = msg->u.stream_start.xid;
			break;
		case STREAM_MSG_COMMIT:
		case STREAM_MSG_STREAM_STOP:
			walk->xid = walk->open_xid;
			walk->open_xid = 0;
			break;
		case STREAM_MSG_PREPARE:
			walk->xid = msg->u.prepare.xid;
			walk->open_xid = 0;
			break;
		case STREAM_MSG_STREAM_PREPARE:
			walk->xid = msg->u.prepare.xid;
			break;
		case STREAM_MSG_STREAM_COMMIT:
			walk->xid = msg->u.stream_commit.xid;
			break;
		case STREAM_MSG_STREAM_ABORT:
			walk->xid = msg->u.stream_abort.xid;
			if (msg->u.stream_abort.subxid != walk->xid)
				walk->subxid = msg->u.stream_abort.subxid;
			break;
		case STREAM_MSG_COMMIT_PREPARED:
			walk->xid = msg->u.commit_prepared.xid;
			break;
		case STREAM_MSG_ROLLBACK_PREPARED:
			walk->xid = msg->u.rollback_prepared.xid;
			break;
		case STREAM_MSG_ORIGIN:
			note_inner(walk, 0);
			break;
		case STREAM_MSG_MESSAGE:
			note_inner(walk, msg->u.message.xid);
			break;
		case STREAM_MSG_RELATION:
			note_inner(walk, msg->u.relation.xid);
			break;
		case STREAM_MSG_TYPE:
			note_inner(walk, msg->u.typedesc.xid);
			break;
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
			note_inner(walk, msg->u.row.xid);
			break;
		case STREAM_MSG_TRUNCATE:
			note_inner(walk, msg->u.truncate.xid);
			break;
	}
}

/* ----------------------------------------------------------------
 *		The walk
 * ----------------------------------------------------------------
 */

void
stream_inspect_init_walk(StreamWalk *walk, StreamInspectStreaming streaming)
{
	memset(walk, 0, sizeof(*walk));
	walk->streaming = streaming;
	stream_proto_reader_init(&walk->reader);
	stream_proto_state_init(&walk->state,
							streaming == STREAM_INSPECT_PARALLEL);
}

void
stream_inspect_free_walk(StreamWalk *walk)
{
	for (uint32 i = 0; i < walk->relations.nslots; i++)
	{
		StreamInspectRelation *relation = walk->relations.slots[i].value;

		if (walk->relations.slots[i].id != 0)
			pfree((void *) (uintptr_t) relation->desc.columns);
	}
	stream_inspect_map_free(&walk->relations, true);
	stream_inspect_map_free(&walk->types, true);
	stream_proto_reader_free(&walk->reader);
}

/* Does what is in the message fit what went before?  Remember what is new. */
static bool
check_content(StreamWalk *walk, int offset)
{
	const StreamMessage *msg = &walk->msg;

	walk->relation = NULL;
	switch (msg->type)
	{
		case STREAM_MSG_RELATION:
			walk->relation = remember_relation(walk, &msg->u.relation);
			return true;
		case STREAM_MSG_TYPE:
			remember_type(walk, &msg->u.typedesc);
			return true;
		case STREAM_MSG_INSERT:
		case STREAM_MSG_UPDATE:
		case STREAM_MSG_DELETE:
			return check_row(walk, &msg->u.row, offset);
		case STREAM_MSG_TRUNCATE:
			return check_truncate(walk, &msg->u.truncate, offset);
		case STREAM_MSG_PREPARE:
			return walk->open_xid == msg->u.prepare.xid ? true :
				refuse(walk, 0, "PREPARE of another xid than its BEGIN PREPARE");
		default:
			return true;
	}
}

bool
stream_inspect_walk(StreamWalk *walk, const char *data, int len)
{
	StreamReader *reader = &walk->reader;
	int			offset = body_offset(walk);
	const char *broken;

	walk->number++;
	walk->wants_streaming = false;
	if (!stream_proto_read(reader, data, len, walk->state.mode, &walk->msg))
	{
		walk->error_offset = reader->error_offset;
		snprintf(walk->error, sizeof(walk->error), "expected %s",
				 reader->expected);
		return false;
	}
	if (walk->msg.type == STREAM_MSG_STREAM_START &&
		walk->streaming == STREAM_INSPECT_OFF)
	{
		walk->wants_streaming = true;
		return refuse(walk, 0, "STREAM START, though streaming is off");
	}
	broken = stream_proto_track(&walk->state, &walk->msg);
	if (broken != NULL)
		return refuse(walk, 0, broken);
	if (!check_content(walk, offset))
		return false;
	note_transaction(walk);
	return true;
}
