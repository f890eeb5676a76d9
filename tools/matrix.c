/*
 * matrix.c
 *		The combinations of options with which a scenario is decoded.
 */
#include "matrix.h"

#define MAX_VALUES 5

static const struct
{
	const char *name;
	const char *value[MAX_VALUES];	/* NULL ends the list */
}			axes[NUM_AXES] = {
	[AXIS_MEMORY] = {"memory", {"small", "immediate"}},
	[AXIS_PROTO] = {"proto", {"1", "2", "3", "4"}},
	[AXIS_STREAMING] = {"streaming", {"off", "on", "parallel"}},
	[AXIS_TWO_PHASE] = {"two_phase", {"off", "on", "slot"}},
	[AXIS_ORIGIN] = {"origin", {"any", "none"}},
	[AXIS_BINARY] = {"binary", {"false", "true"}},
	[AXIS_MESSAGES] = {"messages", {"false", "true"}},
};

const char *
combination_value(const Combination *combination, AxisName axis)
{
	return axes[axis].value[combination->value[axis]];
}

bool
combination_has(const Combination *combination, AxisName axis,
				const char *value)
{
	return strcmp(combination_value(combination, axis), value) == 0;
}

/* Give the axis of "axis=value" that value; false if there is no such one. */
static bool
read_value(Combination *combination, const char *word)
{
	for (int i = 0; i < NUM_AXES; i++)
	{
		size_t		length = strlen(axes[i].name);

		if (strncmp(word, axes[i].name, length) != 0 || word[length] != '=')
			continue;
		for (int j = 0; axes[i].value[j] != NULL; j++)
			if (strcmp(word + length + 1, axes[i].value[j]) == 0)
			{
				combination->value[i] = j;
				return true;
			}
	}
	return false;
}

bool
combination_read(Combination *combination, const char *text)
{
	char	   *copy = format("%s", text);
	char	   *rest = copy;
	char	   *word;
	bool		known = true;

	memset(combination, 0, sizeof(*combination));
	while ((word = strtok_r(NULL, " ", &rest)) != NULL)
		known &= read_value(combination, word);
	free(copy);
	return known;
}

/*
 * A combination that variants of publications and settings take part in:
 * messages and origin have nothing to do with them.
 */
bool
combination_is_basic(const Combination *combination)
{
	return combination_has(combination, AXIS_ORIGIN, "any") &&
		combination_has(combination, AXIS_MESSAGES, "false");
}

/*
 * True if the server's own plugin accepts the combination.  two_phase=slot
 * leaves the option out on a slot that has the property: one representative
 * for each protocol and kind of streaming is enough.
 */
bool
combination_exists(const Combination *c, int version)
{
	int			proto = atoi(combination_value(c, AXIS_PROTO));

	if (version < 16 &&
		(proto > 3 || combination_has(c, AXIS_MEMORY, "immediate") ||
		 combination_has(c, AXIS_ORIGIN, "none")))
		return false;
	if (combination_has(c, AXIS_STREAMING, "on") && proto < 2)
		return false;
	if (combination_has(c, AXIS_STREAMING, "parallel") && proto < 4)
		return false;
	if (combination_has(c, AXIS_TWO_PHASE, "on") && proto < 3)
		return false;
	if (combination_has(c, AXIS_TWO_PHASE, "slot"))
		return combination_is_basic(c) &&
			combination_has(c, AXIS_BINARY, "false");
	return true;
}

bool
combination_wanted(const Combination *c, const Scenario *scenario)
{
	for (int i = 0; i < NUM_AXES; i++)
		if (!scenario_allows(scenario, axes[i].name, combination_value(c, i)))
			return false;
	return true;
}

/* Step to the next combination of all; false after the last one. */
bool
combination_next(Combination *c)
{
	for (int i = NUM_AXES - 1; i >= 0; i--)
	{
		if (axes[i].value[++c->value[i]] != NULL)
			return true;
		c->value[i] = 0;
	}
	return false;
}

char *
combination_label(const Combination *c)
{
	char	   *label = format("%s", "");

	for (int i = 0; i < NUM_AXES; i++)
	{
		char	   *longer = format("%s%s%s=%s", label, i ? " " : "",
									axes[i].name, combination_value(c, i));

		free(label);
		label = longer;
	}
	return label;
}

void
combination_options(const Combination *c, const char *publications,
					int version, OptionList *options)
{
	option_add(options, "proto_version", combination_value(c, AXIS_PROTO));
	option_add(options, "publication_names", publications);
	option_add(options, "binary", combination_value(c, AXIS_BINARY));
	option_add(options, "messages", combination_value(c, AXIS_MESSAGES));
	option_add(options, "streaming", combination_value(c, AXIS_STREAMING));
	if (combination_has(c, AXIS_TWO_PHASE, "on"))
		option_add(options, "two_phase", "on");
	if (version >= 16)
		option_add(options, "origin", combination_value(c, AXIS_ORIGIN));
}

/* A limit must name an axis: one that does not would limit nothing. */
void
matrix_check_limits(const Scenario *scenario)
{
	for (int i = 0; i < scenario->matrix.count; i++)
	{
		const char *limit = scenario->matrix.item[i];
		bool		known = false;

		for (int j = 0; j < NUM_AXES; j++)
			known |= strncmp(limit, axes[j].name, strlen(axes[j].name)) == 0 &&
				limit[strlen(axes[j].name)] == '=';
		if (!known)
			die("%s: \"%s\" limits no axis", scenario->path, limit);
	}
}
