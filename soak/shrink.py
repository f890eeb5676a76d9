"""Make a failing scenario small: leave out whatever the failure does not need."""
import compare
from generate import Scenario


def without(items, start, count):
    return items[:start] + items[start + count:]


class Shrinker:
    """`fails` says whether a scenario still fails; it is asked `limit` times at most."""

    def __init__(self, fails, limit, progress):
        self.fails = fails
        self.left = limit
        self.progress = progress

    def still_fails(self, scenario):
        self.left -= 1
        self.progress(scenario, self.left)
        return self.fails(scenario)

    def shrink_part(self, scenario, part):
        """Leave out halves, quarters ... and at last single items of a list."""
        size = max(1, len(getattr(scenario, part)) // 2)
        while self.left > 0:
            start = 0
            removed = False
            while start < len(getattr(scenario, part)) and self.left > 0:
                items = without(getattr(scenario, part), start, size)
                smaller = Scenario(scenario.comment, scenario.database, scenario.setup, scenario.steps, scenario.tries)
                setattr(smaller, part, items)
                # The tool wants something to run and to try.
                if items and self.still_fails(smaller):
                    scenario = smaller
                    removed = True
                else:
                    start += size
            if size == 1 and not removed:
                break
            size = max(1, size // 2)
        return scenario

    def shrink(self, scenario):
        before = None
        while self.left > 0 and before != scenario.text():
            before = scenario.text()
            for part in ('tries', 'steps', 'setup'):
                scenario = self.shrink_part(scenario, part)
        return scenario


def shrink_comparison(server, scenario, path, kind, limit, progress):
    """The smallest scenario found for which the tool shows the same kind of failure."""
    def fails(candidate):
        return compare.check(server, candidate, path).kind == kind

    return Shrinker(fails, limit, progress).shrink(scenario)
