"""The table after Table 1 of the Marathon paper: `./dev bench marathon --bugs`.

Each program of tests/bugs, as it is and with -DFIXED, runs --shuffled times with the threads in turn by chance (another seed each) and
--noisy times as the threads come, with noise; as it is also along the schedule in which `isosan hunt` makes it fail. -DGO_ON: it goes on
where it finds something wrong. A cycle is unique by its set and its sequence of units. The known error is found if a cycle that the fixed
version does not have names a function with the error (tests/bugs/suite.py). A false positive is a cycle of the fixed version, or of a
program without an error: why there is one, and why an error is no violation, is a judgement by hand (FALSE, NO_VIOLATION). SF: processor
time against native, online (mem) and of the recorded run (disk). New: true cycles of three units and more, which a search for pairs of
units, as the paper's former technique, does not find.
"""
import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field

from harness import builds
from harness.measure import isosan, run_group

BUGS = builds.ROOT / "tests" / "bugs"
sys.path.insert(0, str(BUGS))
import suite  # noqa: E402

NOISE = "0.3"
TIMEOUT = 10
SIZES = range(2, 10)
VERDICTS = (0, 66)  # of isosan: an end of its own

FALSE = {  # why there is a false positive, by program
    "cache_invalidation": "the unit is coarser than what is meant: put() looks again at the version that read_store() saw",
    "closed_for_a_moment": "maintain() is meant to be seen half done: who comes then finds the shop closed",
    "early_reply": "ask() is meant to be seen half done: the reply that it goes on to wait for comes in between, and the wait, which would end the unit, is not needed",
    "elevator": "the unit is coarser than what is meant: claim() looks again at what called() saw",
    "matrix_multiply": "the unit is coarser than what is meant: take() looks again at what any() saw",
    "tsp": "the unit is coarser than what is meant: the first look at the best tour only saves work, it is compared again before it is replaced",
}
ATOMICS_ONLY = "all that is shared is std::atomic, which belongs to no set"
SERIAL_BEHIND_THE_WAIT = "the wait ends a unit: what {} does behind it is serial by itself, wrong only for who believes what was true before"
NO_VIOLATION = {  # why an error is no violation of atomic-set serializability, by program
    "aba_free_list": ATOMICS_ONLY,
    "atomic_check_then_act": ATOMICS_ONLY,
    "borrowed_slot": ATOMICS_ONLY,
    "bounded_buffer": SERIAL_BEHIND_THE_WAIT.format("get()"),
    "closed_for_a_moment": "the cycle is found, but it is the one that the fixed version has, too",
    "critical": ATOMICS_ONLY,
    "double_checked_locking": "the pointer that is looked at is std::atomic, which belongs to no set; the rest of instance() is serial",
    "early_reply": "receive() comes before all that ask() does to the client, and ask() waits for ever: what goes through a pipe is no access",
    "lock_order": "a deadlock: transfers are serial, or never end",
    "lost_notify": "pass() looks once and waits for ever: a notification is no access",
    "mixed_frames": "what goes through a pipe is no access",
    "raytracer_checksum": "render() is a loop that only the thread's entry calls: the thread's body, which is no unit",
    "recycled_message": ATOMICS_ONLY,
    "reference_count": ATOMICS_ONLY,
    "session_reuse": "in no run was the session closed between the look and the use",
    "stolen_wakeup": SERIAL_BEHIND_THE_WAIT.format("take()"),
    "treiber_stack": ATOMICS_ONLY,
    "two_ledgers": "each ledger is a set of its own, and move() is serial on each of them",
    "wrong_waiter": "a deadlock: put() and take() are serial, or wait for ever",
}


@dataclass
class Seen:
    """What the runs of one version showed."""
    cycles: set = field(default_factory=set)
    failures: int = 0  # runs in which the program went wrong
    graph: int = 0
    depths: list = field(default_factory=list)
    threads: int = 0


@dataclass
class Row:
    program: str
    buggy: Seen
    fixed: Seen

    def false(self):
        return self.buggy.cycles | self.fixed.cycles if self.program in suite.HARMLESS else self.fixed.cycles

    def true(self):
        return self.buggy.cycles - self.false()

    def found(self):
        """The error is; None: there is none."""
        errors = suite.ERRORS.get(self.program)
        return None if errors is None else any(errors & set(units) for _, units in self.true())


def binary(program, variant, fixed, more=()):
    source = BUGS / f"{program}.cc"
    way = builds.VARIANTS[variant]
    name = "-".join(["bug", program, *(["FIXED"] if fixed else []), *(flag.removeprefix("-D") for flag in more)])
    return builds.compile_to(builds.OUTPUT / variant / name,
                             [*way.command, *(["-DFIXED"] if fixed else []), *more, str(source)],
                             [source, *BUGS.glob("*.h"), *way.parts], way.environment)


def quietly(command):
    """The exit status; a command that does not end is ended, and what it runs with it."""
    return subprocess.run(["timeout", "-s", "TERM", "-k", "5", str(TIMEOUT), *command], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode


def cycle_of(finding):
    """(set, units in the order of the cycle, from the smallest name on)"""
    inducing = {finding["steps"][end]["transaction"] for edge in finding["edges"] for end in (edge["from"], edge["to"])}
    units = [finding["transactions"][i].get("region") or "one access" for i in sorted(inducing)]
    return finding["region"], min(tuple(units[i:] + units[:i]) for i in range(len(units)))


def look(seen, path, scratch, *order, arguments=()):
    report = os.path.join(scratch, "report.json")
    status = quietly([*isosan("run", "--analysis", "marathon", *order, "--json", report), str(path), *arguments])
    try:
        with open(report, encoding="utf-8") as file:
            said = json.load(file)
        os.remove(report)
    except (OSError, ValueError) as problem:
        raise SystemExit(f"{path} {' '.join(order)}: exit status {status}, no report: {problem}") from problem
    seen.failures += status not in VERDICTS
    seen.cycles |= {cycle_of(finding) for finding in said["findings"]}
    stats = said["stats"]["analyses"]["marathon"]
    seen.graph = max(seen.graph, stats["largest_graph"])
    seen.depths.append(stats["stack_depth_x100"] / 100)
    seen.threads = max(seen.threads, stats["threads"])


def counted(cycles, size):
    return sum(1 for _, units in cycles if min(len(units), 9) == size)


def is_new(cycle):
    """A search for pairs of units does not find it."""
    return len(cycle[1]) > 2


def failing_schedule(path, scratch):
    quietly([*isosan("hunt", "--budget", "30s", "-o", scratch), str(path)])
    schedule = os.path.join(scratch, f"{path.name}.1.schedule")
    return schedule if os.path.exists(schedule) else None


def observed(program, fixed, options):
    seen = Seen()
    path = binary(program, "pass", fixed, ["-DGO_ON"])
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
        for seed in range(options.shuffled):
            look(seen, path, scratch, "--shuffle", str(seed))
        for seed in range(options.noisy):
            look(seen, path, scratch, "--noise", f"{NOISE},{seed}")
        if not fixed and program in suite.ERRORS:
            schedule = failing_schedule(path, scratch)
            if schedule:
                look(seen, path, scratch, "--schedule", schedule)
    return seen


def timed(command):
    """Seconds of processor time; None: it did not end."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        status, used = run_group(["timeout", "-s", "KILL", str(TIMEOUT), *command], nowhere, os.environ)
    return None if status in (137, -9) else used.ru_utime + used.ru_stime


def slowdown(program, prefix, runs):
    """The fixed version is timed: it always ends."""
    native = [timed([str(binary(program, "native", True))]) for _ in range(runs)]
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
        command = [part.format(scratch=scratch) for part in prefix]
        ours = [timed([*command, str(binary(program, "pass", True))]) for _ in range(runs)]
    if None in native or None in ours:
        return None
    return statistics.median(ours) / max(statistics.median(native), 1e-4)


def line(cells):
    widths = [23, 4, *[3] * 8, 7, 4, 6, 7, 7, 5, 6, 4]
    print(" ".join(f"{c:<{w}}" if i == 0 else f"{c:>{w}}" for i, (c, w) in enumerate(zip(cells, widths))), flush=True)


def print_row(row, options):
    cycles = row.buggy.cycles | row.fixed.cycles
    factor = lambda value: "-" if value is None else f"{value:.1f}"  # noqa: E731
    line([row.program, sum(1 for _ in open(BUGS / f"{row.program}.cc", encoding="utf-8")),
          *[counted(cycles, n) for n in SIZES], f"{len(row.false())}/{len(cycles)}", sum(map(is_new, row.true())),
          {None: "-", True: "found", False: "no"}[row.found()],
          factor(slowdown(row.program, isosan("run", "--analysis", "marathon"), options.timed)),
          factor(slowdown(row.program, isosan("record", "-o", "{scratch}/trace"), options.timed)),
          row.buggy.graph, f"{statistics.mean(row.buggy.depths):.1f}", row.buggy.threads])


def false_positives(rows):
    total = sum(len(row.buggy.cycles | row.fixed.cycles) for row in rows)
    false = sum(len(row.false()) for row in rows)
    return f"{false} of {total} ({100 * false / max(total, 1):.1f} %)"


def print_judgements(rows):
    print(f"\nfalse positives {false_positives(rows)}; over the programs that have an error, in both versions: "
          f"{false_positives([row for row in rows if row.found() is not None])} (bar: 4 %)")
    for row in rows:
        for subject, units in sorted(row.false()):
            where = "fixed" if (subject, units) in row.fixed.cycles else "no error"
            print(f"  {row.program} ({where}): {subject}, {len(units)} units: {' > '.join(units)}: {FALSE.get(row.program, 'not judged yet')}")
    with_error = [row for row in rows if row.found() is not None]
    print(f"known errors found {sum(row.found() for row in with_error)} of {len(with_error)}")
    for row in with_error:
        if not row.found():
            print(f"  {row.program} (failed in {row.buggy.failures} runs): {NO_VIOLATION.get(row.program, 'not judged yet')}")
    for row in rows:
        if row.fixed.failures:
            print(f"  {row.program}: the fixed version failed in {row.fixed.failures} runs")


def main(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench marathon --bugs", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--programs", type=lambda text: text.split(","), default=suite.names(), help="of tests/bugs (default: all)")
    parser.add_argument("--shuffled", type=int, default=30, help="runs of each version with the threads in turn by chance (default 30)")
    parser.add_argument("--noisy", type=int, default=5, help="runs of each version as the threads come, with noise (default 5)")
    parser.add_argument("--timed", type=int, default=3, help="medians of N runs for the slowdowns (default 3)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="versions looked at side by side; nothing is then timed (default: processors)")
    options = parser.parse_args(arguments)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        both = {program: [pool.submit(observed, program, fixed, options) for fixed in (False, True)] for program in options.programs}
        rows = [Row(program, *(version.result() for version in both[program])) for program in options.programs]
    line(["Program", "LOC", *[str(n) if n < 9 else "9+" for n in SIZES], "FP", "new", "error", "SF mem", "SF disk", "|CG|", "stack", "thr"])
    for row in rows:
        print_row(row, options)
    print_judgements(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
