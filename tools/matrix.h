/*
 * matrix.h
 *		The combinations of options with which a scenario is decoded.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "decode.h"

typedef enum AxisName
{
	AXIS_MEMORY,				/* changes least often: it needs a SET */
	AXIS_PROTO,
	AXIS_STREAMING,
	AXIS_TWO_PHASE,
	AXIS_ORIGIN,
	AXIS_BINARY,
	AXIS_MESSAGES,
	NUM_AXES
} AxisName;

/* One value of each axis, as an index. */
typedef struct Combination
{
	int			value[NUM_AXES];
} Combination;

extern const char *combination_value(const Combination *combination,
									 AxisName axis);
extern bool combination_has(const Combination *combination, AxisName axis,
							const char *value);

/* Read "axis=value ..."; an axis left out has its first value. */
extern bool combination_read(Combination *combination, const char *text);

/* Is it one that variants of publications and settings take part in? */
extern bool combination_is_basic(const Combination *combination);

/* Does the server's own plugin accept it? */
extern bool combination_exists(const Combination *combination, int version);

/* Do the scenario's limits let it take part? */
extern bool combination_wanted(const Combination *combination,
							   const Scenario *scenario);

/* Step to the next combination of all; false after the last one. */
extern bool combination_next(Combination *combination);

/* "memory=small proto=1 ...", a new string. */
extern char *combination_label(const Combination *combination);

/* Add its options to a list. */
extern void combination_options(const Combination *combination,
								const char *publications, int version,
								OptionList *options);

/* End the program if the scenario limits what is no axis. */
extern void matrix_check_limits(const Scenario *scenario);

#endif							/* MATRIX_H */
