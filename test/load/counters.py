"""Compare the plugin's statistics with what the readers got."""

# Of pg_stat_stream_pgoutput, and the kinds of messages that they count.
KINDS = {
    'inserts': 'I', 'updates': 'U', 'deletes': 'D', 'truncates': 'T', 'logical_messages': 'M',
    'relations': 'R', 'types': 'Y', 'commits': 'C', 'stream_commits': 'c', 'stream_blocks': 'S',
    'stream_aborts + stream_subxact_aborts': 'A',
}
# What the connection adds to a message: CopyData's head and XLogData's.
FRAME = 5 + 25
ROWS = 'inserts + updates + deletes'
HELD = 'held_unpublished + held_action + held_filter'

QUERY = """
SELECT json_object_agg(slot_name, json_build_object(%s)) FROM pg_stat_stream_pgoutput
	JOIN (SELECT slot_name, sum({rows}) AS table_rows, sum(held_back) AS table_held
		FROM pg_stat_stream_pgoutput_tables GROUP BY slot_name) AS tables USING (slot_name)
""".format(rows=ROWS) % ', '.join("'%s', %s" % (name, name) for name in (
    *KINDS, 'messages', 'encoded_bytes', 'sent_bytes', ROWS, HELD, 'table_rows', 'table_held'))


def wrong(counted, report, written):
    """What does not add up of a slot, given its reader's report.

    written: the rows of all transactions that were decoded, if it is known.
    """
    kinds = report['kinds']
    right = {name: kinds.get(letter, 0) for name, letter in KINDS.items()}
    right['messages'] = report['messages']
    right['encoded_bytes'] = report['bytes']
    right['sent_bytes'] = report['bytes'] + FRAME * report['messages']
    right['table_rows'] = counted[ROWS]
    right['table_held'] = counted[HELD]
    if written is not None:
        right[HELD] = written - counted[ROWS]
    return ['%s: %d counted, %d are right' % (name, counted[name], number)
            for name, number in right.items() if counted[name] != number]
