/*-------------------------------------------------------------------------
 *
 * stream_tuple.c
 *		Prepared columns: from rows to column kinds and bytes.
 *
 * What a column needs of the catalogs is looked up once, at its first value,
 * which is also when pgoutput would meet a type that it cannot send.  A
 * change of pg_type or pg_proc makes the owner throw the columns away.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "stream_compat.h"
#include "stream_tuple.h"

#include "catalog/pg_type.h"
#include "utils/syscache.h"

/*
 * Choose how the column is written.  Binary if that was asked for and the
 * type can do it, column by column.
 */
static void
prepare_column(StreamColumn *column, bool binary, MemoryContext context)
{
	HeapTuple	tuple;
	Form_pg_type type;
	Oid			function;

	tuple = SearchSysCache1(TYPEOID, ObjectIdGetDatum(column->typid));
	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for type %u", column->typid);
	type = (Form_pg_type) GETSTRUCT(tuple);
	binary = binary && OidIsValid(type->typsend);
	function = binary ? type->typsend : type->typoutput;
	ReleaseSysCache(tuple);

	fmgr_info_cxt(function, &column->function, context);
	column->write = stream_value_get_writer(function, binary);
}

StreamColumns *
stream_tuple_make_columns(int max_columns, bool binary)
{
	StreamColumns *columns = palloc0(offsetof(StreamColumns, columns) +
									 max_columns * sizeof(StreamColumn));

	columns->context = CurrentMemoryContext;
	columns->binary = binary;
	return columns;
}

void
stream_tuple_add_column(StreamColumns *columns, int attnum, Oid typid,
						int16 typlen)
{
	StreamColumn *column = &columns->columns[columns->ncolumns++];

	column->attnum = attnum;
	column->typid = typid;
	column->typlen = typlen;
	columns->natts = Max(columns->natts, attnum);
}

void
stream_tuple_write(StringInfo out, StreamColumns *columns,
				   StreamTupleKind kind, const StreamRow *row)
{
	stream_proto_begin_tuple(out, kind, columns->ncolumns);

	for (int i = 0; i < columns->ncolumns; i++)
	{
		StreamColumn *column = &columns->columns[i];
		int			att = column->attnum - 1;

		if (att < 0 || row->isnull[att])
			stream_proto_put_null(out);
		else if (column->typlen == -1 &&
				 VARATT_IS_EXTERNAL_ONDISK(DatumGetPointer(row->values[att])))
		{
			/* Not changed, and perhaps gone: must not be looked at. */
			stream_proto_put_unchanged(out);
		}
		else
		{
			if (unlikely(column->write == NULL))
				prepare_column(column, columns->binary, columns->context);
			column->write(out, &column->function, row->values[att]);
		}
	}
}
