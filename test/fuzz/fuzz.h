/*-------------------------------------------------------------------------
 *
 * fuzz.h
 *		What every fuzz target provides.
 *
 * With -fsanitize=fuzzer a target is a libFuzzer program; with replay.c it
 * reads the files that are its arguments, once each.
 *
 *-------------------------------------------------------------------------
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "postgres.h"

#define MAX_INPUT 1000000

extern int	LLVMFuzzerTestOneInput(const uint8 *data, size_t size);

#endif							/* FUZZ_H */
