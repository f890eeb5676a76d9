"""Check that core's subscriber, fed by the plugin, gets the publisher's tables.

Publisher and subscriber are two databases of one server.  Statements of session
`mirror` change tables on both, once the subscriber has applied all before.

A subscriber can fail by itself: the workers of a parallel one can wait for each
other without end.  So what fails is tried again with the server's own plugin.
"""
import random
import time

import psycopg2

import replica
import write
from compare import Result

SUBSCRIBER = 'soak_subscriber'
SLOT = 'soak_apply'
TRIES_WITH_CORE = 3


def subscribe(server, scenario, seed, plugin):
    rng = random.Random(f'{seed} apply')
    streaming = rng.choice(['on', 'parallel', 'parallel'] if server.version >= 16 else ['on'])
    two_phase = rng.choice(['true', 'false'])
    options = {'create_slot': 'false', 'slot_name': SLOT, 'copy_data': 'false', 'streaming': streaming,
               'binary': 'true' if scenario.binary else 'false', 'two_phase': two_phase}
    if server.version >= 16 and rng.random() < 0.5:
        server.query(f'ALTER DATABASE {write.DATABASE} SET debug_logical_replication_streaming = immediate')
    if server.version >= 16 and rng.random() < 0.2:
        server.query(f'ALTER DATABASE {SUBSCRIBER} SET debug_logical_replication_streaming = immediate')
    server.query(f"SELECT pg_create_logical_replication_slot('{SLOT}', '{plugin}', false, {two_phase})",
                 write.DATABASE)
    text = ', '.join(f'{name} = {value}' for name, value in options.items())
    server.query(f"CREATE SUBSCRIPTION soak CONNECTION '{server.conninfo(write.DATABASE)}' PUBLICATION pub "
                 f'WITH ({text})', SUBSCRIBER)
    return text


def run_and_compare(server, scenario):
    """Let the scenario's WAL be applied; the number of rows that are equal."""
    def mirror(sql):
        replica.wait_applied(server, SLOT)
        publisher = server.connect(write.DATABASE)
        if write.execute(publisher, sql):
            server.query(sql, SUBSCRIBER)
        publisher.close()

    write.run(server, scenario, mirror)
    replica.wait_applied(server, SLOT)
    return replica.compare((server, write.DATABASE), (server, SUBSCRIBER))


def apply(server, scenario, seed, plugin):
    """What comes of it with a plugin."""
    crashes = server.crashes()
    write.clean_up(server, SUBSCRIBER, write.DATABASE)
    write.set_up(server, scenario, write.DATABASE)
    write.set_up(server, scenario, SUBSCRIBER, publisher=False)
    server.query(f'ALTER DATABASE {SUBSCRIBER} SET log_min_messages = error')
    result = Result(None, f'({subscribe(server, scenario, seed, plugin)})')
    try:
        result.rows = run_and_compare(server, scenario)
    except (replica.Different, psycopg2.OperationalError) as error:
        result.kind = 'not applied'
        result.text += f'\n{error}'
        # A crash ends all connections some time before the server says so, and before it begins anew.
        time.sleep(1)
        server.wait_alive()
    if server.crashes() > crashes:
        result.kind = 'crash'
        server.wait_alive()
        result.text += server.last_crash()
    write.clean_up(server, SUBSCRIBER, write.DATABASE)
    return result


def check(server, scenario, seed):
    """Apply, and if that fails, find out whether it does with pgoutput."""
    result = apply(server, scenario, seed, 'stream_pgoutput')
    for _ in range(TRIES_WITH_CORE if result.kind else 0):
        core = apply(server, scenario, seed, 'pgoutput')
        if core.kind == 'crash' or core.kind == result.kind:
            result.apart = f'{result.kind}; {core.kind} with pgoutput:\n{core.text}'
            result.kind = None
            break
    return result
