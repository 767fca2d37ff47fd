"""A night of a campaign, simulated: workers that do one task after the other, and fail.

Model: a worker draws the length of a task from lengths that were measured, scaled to a mean. A task costs its overhead and its length. A worker
fails at a constant rate; what it had done of its task is lost, the task is done again by somebody, and the worker is away for a while. What is
not done at the end of the night is lost, too.
"""
import dataclasses
import random


@dataclasses.dataclass
class Night:
    """Seconds of all workers together."""
    work: float = 0
    overhead: float = 0
    failures: float = 0  # work that was lost, and workers that were away
    cut: float = 0       # tasks that were running at the end
    tasks: int = 0

    def share(self, seconds):
        return 100 * seconds / (self.work + self.overhead + self.failures + self.cut)


def simulate(workers, seconds, lengths, mean, overhead, failures_per_hour=0.01, away=600, seed=1):
    chance, night = random.Random(seed), Night()
    scale = mean * len(lengths) / sum(lengths)
    for _ in range(workers):
        now, fails = 0.0, chance.expovariate(failures_per_hour / 3600)
        while now < seconds:
            length = scale * chance.choice(lengths)
            end = now + overhead + length
            if min(end, fails) > seconds:
                night.cut += seconds - now
                now = seconds
            elif fails < end:
                back = min(seconds, fails + away)
                night.failures += back - now
                now, fails = back, back + chance.expovariate(failures_per_hour / 3600)
            else:
                night.work += length
                night.overhead += overhead
                night.tasks += 1
                now = end
    return night
