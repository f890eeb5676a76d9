/*
 * survivors.c
 *		Count the rows of messages in pgoutput's format, and take back those of
 *		streamed transactions and subtransactions that were rolled back.
 */
#include "survivors.h"

#include <stdlib.h>
#include <string.h>

#include "connection.h"

/* The rows of a transaction or subtransaction that is still being streamed. */
typedef struct Part
{
	uint32_t	xid;			/* 0 = free */
	uint32_t	top;
	uint64_t	rows;
} Part;

uint64_t	surviving_rows = 0;

static uint32_t streaming = 0;	/* the transaction of this block, or 0 */
static int	open_transactions = 0;

/* An open-addressing hash table, of a size that is a power of two. */
static Part *parts = NULL;
static size_t nparts = 0;
static size_t used = 0;

static Part *
find_slot(uint32_t xid)
{
	size_t		at = (xid * UINT32_C(2654435769)) & (nparts - 1);

	while (parts[at].xid != 0 && parts[at].xid != xid)
		at = (at + 1) & (nparts - 1);
	return &parts[at];
}

static void
grow(void)
{
	Part	   *old = parts;
	size_t		nold = nparts;

	nparts = nold == 0 ? 1024 : nold * 2;
	parts = calloc(nparts, sizeof(Part));
	if (parts == NULL)
		die("out of memory");
	for (size_t i = 0; i < nold; i++)
	{
		if (old[i].xid != 0)
			*find_slot(old[i].xid) = old[i];
	}
	free(old);
}

static Part *
find_part(uint32_t xid)
{
	Part	   *part = nparts == 0 ? NULL : find_slot(xid);

	return part == NULL || part->xid == 0 ? NULL : part;
}

static Part *
add_part(uint32_t xid, uint32_t top)
{
	Part	   *part = find_part(xid);

	if (part != NULL)
		return part;
	if (used * 2 >= nparts)
		grow();
	used++;
	part = find_slot(xid);
	part->xid = xid;
	part->top = top;
	return part;
}

static void
count_row(const char *message)
{
	surviving_rows++;
	if (streaming != 0)
		add_part(get32(message + 1), streaming)->rows++;
}

/* Once none is open, nothing need be remembered. */
static void
end_transaction(void)
{
	if (--open_transactions > 0)
		return;
	if (used > 0)
		memset(parts, 0, nparts * sizeof(Part));
	used = 0;
}

/*
 * A subtransaction or all of the transaction.  pgoutput may tell of some that
 * it never announced.
 */
static void
take_back(uint32_t top, uint32_t xid)
{
	Part	   *part = find_part(xid);

	if (part == NULL)
		return;
	if (xid != top)
	{
		surviving_rows -= part->rows;
		part->rows = 0;
		return;
	}
	for (size_t i = 0; i < nparts; i++)
	{
		if (parts[i].top == top)
		{
			surviving_rows -= parts[i].rows;
			parts[i].rows = 0;
		}
	}
	end_transaction();
}

void
count_survivors(const char *message)
{
	switch (message[0])
	{
		case 'I':
		case 'U':
		case 'D':
			count_row(message);
			break;
		case 'S':
			streaming = get32(message + 1);
			if (message[5] != 0)
			{
				add_part(streaming, streaming);
				open_transactions++;
			}
			break;
		case 'E':
			streaming = 0;
			break;
		case 'A':
			take_back(get32(message + 1), get32(message + 5));
			break;
		case 'c':
		case 'p':
			end_transaction();
			break;
	}
}
