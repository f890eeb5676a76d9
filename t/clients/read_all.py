#!/usr/bin/python3
"""Read a slot with psycopg2, which neither knows the plugin nor parses it.

usage: read_all.py CONNINFO

Standard input has one request a line, in JSON: the slot, its options, and how
many messages to wait for.  For each one, a line goes out that has of each message
the position in its header and its bytes in hexadecimal, or an error.  Nothing is
confirmed, so a slot can be read again and again.
"""
import json
import select
import sys
import time

import psycopg2
import psycopg2.extras

TIMEOUT = 60
QUIET = 0.05


def wait_until_free(cursor, slot):
    """The server process that had the slot may take a while to let go of it."""
    for _ in range(TIMEOUT * 100):
        cursor.execute('SELECT active FROM pg_replication_slots WHERE slot_name = %s', (slot,))
        if not cursor.fetchone()[0]:
            return
        time.sleep(0.01)


def read_slot(conninfo, slot, options, count):
    """All messages, and whatever still comes within a moment after them."""
    connection = psycopg2.connect(
        conninfo,
        connection_factory=psycopg2.extras.LogicalReplicationConnection)
    messages = []
    try:
        cursor = connection.cursor()
        cursor.start_replication(slot_name=slot, options=options, decode=False)
        while True:
            message = cursor.read_message()
            if message is not None:
                messages.append(f'{message.data_start}:{message.payload.hex()}')
                continue
            wait = QUIET if len(messages) >= count else TIMEOUT
            if not select.select([cursor], [], [], wait)[0]:
                return messages
    finally:
        connection.close()


def main():
    watcher = psycopg2.connect(sys.argv[1])
    watcher.autocommit = True
    cursor = watcher.cursor()
    for line in sys.stdin:
        slot, options, count = json.loads(line)
        wait_until_free(cursor, slot)
        try:
            print(*read_slot(sys.argv[1], slot, options, count), flush=True)
        except psycopg2.Error as error:
            print('ERROR', json.dumps(str(error)), flush=True)


main()
