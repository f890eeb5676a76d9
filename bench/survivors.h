/*
 * survivors.h
 *		Count the rows of messages in pgoutput's format, and take back those of
 *		streamed transactions and subtransactions that were rolled back.
 *
 * A streamed transaction that is prepared counts as committed.
 */
#ifndef SURVIVORS_H
#define SURVIVORS_H

#include <stdint.h>

/* So many bytes of a message are looked at. */
#define SURVIVORS_HEAD	9

/* Inserts, updates and deletes so far. */
extern uint64_t surviving_rows;

/* The first bytes of the next message, at most SURVIVORS_HEAD. */
extern void count_survivors(const char *message);

#endif							/* SURVIVORS_H */
