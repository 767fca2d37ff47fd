"""The table after Table 1 of the Marathon paper: `./dev bench marathon --bugs`.

Each program of tests/bugs is run --runs times with noise and different seeds, as it is and with -DFIXED. A cycle is unique by
its set, its size and its sequence of units. A false positive is a cycle that the fixed version has, too: what REASONS says of
it is a judgement by hand. SF: processor time against native, online (mem) and of the recorded run (disk).
"""
import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

from harness import builds
from harness.measure import isosan, run_group

BUGS = builds.ROOT / "tests" / "bugs"
NOISE = "0.3"
TIMEOUT = 20
SIZES = range(2, 10)

REASONS = {}


def binary(program, variant, fixed, more=()):
    source = BUGS / f"{program}.cc"
    way = builds.VARIANTS[variant]
    name = "-".join(["bug", program, *(["FIXED"] if fixed else []), *(flag.removeprefix("-D") for flag in more)])
    return builds.compile_to(builds.OUTPUT / variant / name,
                             [*way.command, *(["-DFIXED"] if fixed else []), *more, str(source)],
                             [source, *BUGS.glob("*.h"), *way.parts], way.environment)


def timed(command):
    """Seconds of processor time; None: it did not end."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        status, used = run_group(["timeout", "-s", "KILL", str(TIMEOUT), *command], nowhere, os.environ)
    return None if status in (137, -9) else used.ru_utime + used.ru_stime


def cycle_of(finding):
    """(set, size, units in the order of the cycle, from the smallest name on)"""
    way = finding["message"].split(": ", 1)[1].split(", by the order")[0]
    units = re.findall(r"(?:^| before )(.+?) \(thread \d+\)", way)[:-1]
    turns = [tuple(units[i:] + units[:i]) for i in range(len(units))]
    return finding["region"], len(units), min(turns)


def observed(program, fixed, runs):
    """Unique cycles of all runs; the largest graph, stack depths, threads."""
    cycles, graph, depths, threads = set(), 0, [], 0
    path = binary(program, "pass", fixed)
    for seed in range(runs):
        with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
            report = os.path.join(scratch, "report.json")
            command = [*isosan("run", "--analysis", "marathon", "--noise", f"{NOISE},{seed}", "--json", report), str(path)]
            subprocess.run(["timeout", "-s", "TERM", str(TIMEOUT), *command], stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
            try:
                with open(report, encoding="utf-8") as file:
                    said = json.load(file)
            except (OSError, ValueError):
                continue  # it hangs: that is its bug
        cycles |= {cycle_of(finding) for finding in said["findings"]}
        stats = said["stats"]["analyses"]["marathon"]
        graph = max(graph, stats["largest_graph"])
        depths.append(stats["stack_depth_x100"] / 100)
        threads = max(threads, stats["threads"])
    return cycles, graph, statistics.mean(depths) if depths else 0, threads


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
    widths = [23, 4, *[3] * 8, 7, 7, 7, 5, 6, 4]
    print(" ".join(f"{c:<{w}}" if i == 0 else f"{c:>{w}}" for i, (c, w) in enumerate(zip(cells, widths))), flush=True)


def main(arguments):
    parser = argparse.ArgumentParser(prog="./dev bench marathon --bugs")
    known = sorted(path.stem for path in BUGS.glob("*.cc"))
    parser.add_argument("--programs", type=lambda text: text.split(","), default=known)
    parser.add_argument("--runs", type=int, default=20, help="runs with noise of each version (default 20)")
    parser.add_argument("--timed", type=int, default=3, help="medians of N runs for the slowdowns (default 3)")
    options = parser.parse_args(arguments)
    line(["Program", "LOC", *[str(n) if n < 9 else "9+" for n in SIZES], "FP", "SF mem", "SF disk", "|CG|", "stack", "thr"])
    total, false, silent, judged = 0, 0, [], []
    for program in options.programs:
        buggy, graph, depth, threads = observed(program, False, options.runs)
        fixed, _, _, _ = observed(program, True, options.runs)
        benign = buggy & fixed | fixed
        cycles = buggy | fixed
        total, false = total + len(cycles), false + len(benign)
        if not buggy - benign:
            silent.append(program)
        judged += [(program, cycle) for cycle in sorted(benign)]
        factor = lambda value: "-" if value is None else f"{value:.1f}"  # noqa: E731
        line([program, sum(1 for _ in open(BUGS / f"{program}.cc", encoding="utf-8")),
              *[sum(1 for c in cycles if min(c[1], 9) == n) for n in SIZES], f"{len(benign)}/{len(cycles)}",
              factor(slowdown(program, isosan("run", "--analysis", "marathon"), options.timed)),
              factor(slowdown(program, isosan("record", "-o", "{scratch}/trace"), options.timed)),
              graph, f"{depth:.1f}", threads])
    print(f"\nfalse positives {false} of {total} ({100 * false / max(total, 1):.1f} %)")
    for program, (subject, size, units) in judged:
        print(f"  {program}: {subject}, {size} units: {' > '.join(units)}: {REASONS.get(program, 'not judged yet')}")
    if silent:
        print(f"nothing that the fix removes: {', '.join(silent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
