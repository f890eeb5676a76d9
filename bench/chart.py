"""Draw the results as an SVG bar chart: rows/s against pgoutput's, by shape."""
from html import escape

WIDTH = 860
LEFT = 250
RIGHT = 70
TOP = 76
BAR = 13
GAP = 14
COLOURS = {'core': '#8a94a6', 'ours': '#2563eb', 'floor': '#d5dae3', 'wal2json': '#d97706', 'decoderbufs': '#7c3aed'}
STYLE = ('text{font:12px system-ui,sans-serif;fill:#1f2937}.small{font-size:10.5px;fill:#6b7280}'
         '.head{font-size:15px;font-weight:600}.ours{font-weight:600}')


def text(x, y, words, extra=''):
    return '<text x="%.1f" y="%.1f" %s>%s</text>' % (x, y, extra, escape(words))


def rect(x, y, width, height, colour):
    return '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>' % (x, y, width, height, colour)


def line(x1, y1, x2, y2, extra):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" %s/>' % (x1, y1, x2, y2, extra)


def draw(results, core, ours, floor):
    """The chart of the results as a string."""
    roles = {core: 'core', ours: 'ours', floor: 'floor'}
    labels = {floor: 'a plugin that does nothing'}
    shapes = results['shapes']
    plugins = []
    for shape in shapes.values():
        plugins += [p for p in shape['plugins'] if p not in plugins]
    top_ratio = max(f['rows_ratio'] for s in shapes.values() for f in s['plugins'].values())
    scale = (WIDTH - LEFT - RIGHT) / max(top_ratio, 1)

    def colour(plugin):
        return COLOURS[roles.get(plugin, plugin)]

    parts = [text(16, 26, 'Rows per second, as a multiple of pgoutput', 'class="head"'),
             text(16, 44, 'PostgreSQL %s, %d x %s, median of %d runs, %s' % (
                 results['postgresql'], results['machine']['cores'], results['machine']['cpu'],
                 results['runs'], results['date'][:10]), 'class="small"')]
    x = 16
    for plugin in plugins:
        parts += [rect(x, 54, 10, 10, colour(plugin)), text(x + 15, 63, labels.get(plugin, plugin), 'class="small"')]
        x += 36 + 6.2 * len(labels.get(plugin, plugin))
    parts.append(text(x, 63, '| goal', 'class="small"'))

    y = TOP + 8
    for name, shape in shapes.items():
        parts += [text(16, y + 11, name, 'class="ours"'), text(16, y + 25, shape['what'], 'class="small"')]
        goal_x = LEFT + shape['verdicts']['rows_ratio']['goal'] * scale
        for plugin, figures in shape['plugins'].items():
            ratio = figures['rows_ratio']
            parts += [rect(LEFT, y, ratio * scale, BAR - 2, colour(plugin)),
                      text(LEFT + ratio * scale + 5, y + 10, '%.2f x' % ratio,
                           'class="%s"' % ('ours' if plugin == ours else 'small'))]
            if plugin == ours:
                parts.append(line(goal_x, y - 2, goal_x, y + BAR, 'stroke="#111827" stroke-width="2"'))
            y += BAR
        y += GAP
    parts.insert(0, line(LEFT + scale, TOP, LEFT + scale, y - GAP / 2, 'stroke="#9ca3af" stroke-dasharray="3 3"'))
    return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">'
            '<style>%s</style><rect width="100%%" height="100%%" fill="#ffffff"/>\n%s\n</svg>\n'
            % (WIDTH, y + 6, WIDTH, y + 6, STYLE, '\n'.join(parts)))
