"""Names as long as they may be, in servers of several encodings and clients that convert."""
import re
import subprocess

from publisher import HERE, progress, run_command

TREE = HERE.parent


def check(publisher):
    """The scenarios of the tests, in the server that has seen all the rest."""
    tools = TREE / 'tools'
    run_command('make', '-s', '-C', tools, 'stream_diff')
    scenarios = sorted((TREE / 't' / 'scenarios').glob('encoding_longest_*.sql'))
    progress.show('names: comparing %d scenarios' % len(scenarios))
    done = subprocess.run([tools / 'stream_diff', '--connect',
                           'host=%s port=%d user=postgres dbname=postgres' % (publisher.dir, publisher.port),
                           *scenarios], capture_output=True, text=True, errors='replace')
    lines = (done.stdout + done.stderr).splitlines()
    for line in lines:
        if line.startswith('# PostgreSQL'):
            progress.note('names: ' + line[2:])
    if done.returncode == 0:
        return []
    return [line for line in lines if re.match('not ok', line)] or ['\n'.join(lines[-10:])]
