"""Read a load with pgoutput and with us, and say how they compare."""
from publisher import CORE, OURS, progress
from wal import Load, sized

# What the reports of both plugins must agree in.
SAME = ('messages', 'bytes', 'kinds', 'hash', 'rows')


def read_both(publisher, name, shape):
    """Write the shape's load and read it: the reports by plugin, and problems.

    The shape's query `expect` tells how many rows must come.
    """
    shape = dict(shape, flags=['--check', '--rows'])
    with Load(publisher, name, shape, sized(shape)) as load:
        expected = int(load.sql(shape['expect']))
        reports = {}
        for plugin in (CORE, OURS):
            progress.show('%s: reading with %s' % (name, plugin))
            reports[plugin] = load.read(plugin)
    show(name, reports)
    return reports, differences(reports) + missing(reports, expected)


def show(name, reports):
    for plugin, steps in reports.items():
        last = steps[-1]
        progress.note('%-22s %-16s %9d rows %7.1f MB %8.2f s, CPU %7.2f s; walsender: private %s MB, peak %.1f MB' % (
            name, plugin, last['rows'], last['bytes'] / 1e6, last['wall'], last['cpu'],
            ', '.join('%.1f' % (step['private_kb'] / 1024) for step in steps), last['peak_kb'] / 1024))


def differences(reports):
    said = [{key: steps[-1][key] for key in SAME} for steps in (reports[CORE], reports[OURS])]
    return [] if said[0] == said[1] else ['output differs: pgoutput %s, ours %s' % tuple(said)]


def missing(reports, expected):
    return ['%d rows were sent, %d had survived' % (steps[-1]['rows'], expected)
            for steps in reports.values() if steps[-1]['rows'] != expected]


def above(reports, key, allowed_kb):
    """A problem if ours takes more memory than pgoutput and what is allowed."""
    core, ours = (reports[plugin][-1][key] for plugin in (CORE, OURS))
    return [] if ours <= core + allowed_kb else ['%s: %d, but pgoutput only %d' % (key, ours, core)]
