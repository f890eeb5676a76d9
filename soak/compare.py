"""Check a scenario with tools/stream_diff: both plugins on the same WAL."""
import pathlib
import re
import subprocess

TOOLS = pathlib.Path(__file__).resolve().parent.parent / 'tools'
# Longer than any of the tool's own limits.
TIMEOUT = 900


def build():
    subprocess.run(['make', '-s', '-C', TOOLS, 'stream_diff'], check=True)


class Result:
    """What a check has shown; `kind` tells failures apart, None is none."""

    def __init__(self, kind, text, messages=0, statements=(0, 0), combinations=0):
        self.kind = kind
        self.text = text
        self.messages = messages
        self.statements = statements    # failed, all
        self.combinations = combinations
        self.rows = 0
        self.sessions = 0               # that read while others wrote
        self.dropped = 0                # changes that they were sent before the abort
        self.apart = None               # what core's own plugin does wrong as well


def failing_tries(text):
    """The combinations under which the tool has shown a difference."""
    return re.findall(r'^# \S+ over (?:sql|walsender), (.*)$', text, re.M)


def check(server, scenario, path):
    """Run the scenario through the tool, from a file that is left there."""
    path.write_text(scenario.text(), encoding='utf-8')
    return check_file(server, path)


def check_file(server, path):
    crashes = server.crashes()
    # Sessions have a shorter limit of their own, unless it was left out to make the scenario small.
    connect = server.conninfo() + " options='-c lock_timeout=5s'"
    try:
        done = subprocess.run([TOOLS / 'stream_diff', '--connect', connect, path], capture_output=True,
                              timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return Result('hang', f'stream_diff did not end in {TIMEOUT} s')
    text = done.stdout.decode(errors='replace') + done.stderr.decode(errors='replace')
    totals = re.search(r'(\d+) combinations, (\d+) messages compared', text)
    statements = re.search(r'(\d+) of (\d+) statements failed', text)
    kind = {0: None, 1: 'difference'}.get(done.returncode, 'could not compare')
    if server.crashes() > crashes:
        kind = 'crash'
        server.wait_alive()
    return Result(kind, text, int(totals[2]) if totals else 0,
                  tuple(map(int, statements.groups())) if statements else (0, 0),
                  int(totals[1]) if totals else 0)
