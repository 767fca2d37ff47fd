"""The table of `./dev bench marathon-shapes`."""
import argparse
import concurrent.futures
import os
import tempfile
from dataclasses import dataclass

from harness import builds
from harness.marathon_table import SIZES, Row, Seen, counted, is_new, line, look

FOLDER = builds.SOURCES / "units"
SPLIT_NOT_AT_WAIT = "--no-split-at-wait"


@dataclass(frozen=True)
class Shape:
    program: str
    paper: str  # its name there
    threads: tuple  # a run with each number
    has_error: bool = True


SHAPES = [
    Shape("sun_accounts", "SunsAccount", tuple(range(2, 10))),
    Shape("bubble_sort", "BubbleSort 2", (20,)),
    Shape("critical", "Critical", (2,)),
    Shape("double_checked_locking", "DCL", (20,)),
    Shape("shop", "Shop", (7,)),
    Shape("piper", "Piper", (40,), has_error=False),
]


class ShapeRow(Row):
    def __init__(self, shape, buggy, fixed):
        super().__init__(shape.program, buggy, fixed)
        self.shape = shape

    def false(self):
        return self.fixed.cycles if self.shape.has_error else self.buggy.cycles | self.fixed.cycles


def binary(program, fixed):
    source = FOLDER / f"{program}.cc"
    way = builds.VARIANTS["pass"]
    flags = ["-DFIXED"] if fixed else []
    return builds.compile_to(builds.OUTPUT / "pass" / "-".join(["units", program, *(["FIXED"] if fixed else [])]),
                             [*way.command, *flags, str(source)], [source, *FOLDER.glob("*.h"), *way.parts], way.environment)


def observed(shape, fixed, shuffled, *options):
    seen = Seen()
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
        for threads in shape.threads:
            for seed in range(shuffled):
                look(seen, binary(shape.program, fixed), scratch, "--shuffle", str(seed), *options, arguments=[str(threads)])
    return seen


def print_row(row):
    source = FOLDER / f"{row.program}.cc"
    cycles = row.buggy.cycles | row.fixed.cycles
    line([row.program, sum(1 for _ in open(source, encoding="utf-8")), *[counted(cycles, n) for n in SIZES],
          f"{len(row.false())}/{len(cycles)}", sum(map(is_new, row.true())), "-" if not row.shape.has_error else "found" if row.true() else "no",
          "", "", row.buggy.graph, f"{sum(row.buggy.depths) / len(row.buggy.depths):.1f}", row.buggy.threads])


def main(arguments, what):
    parser = argparse.ArgumentParser(prog="./dev bench marathon-shapes", description=what)
    parser.add_argument("--shuffled", type=int, default=20, help="runs of each version for each number of threads (default 20)")
    parser.add_argument("--programs", type=lambda text: text.split(","), default=[shape.program for shape in SHAPES], help="default: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="versions looked at side by side (default: processors)")
    options = parser.parse_args(arguments)
    shapes = [shape for shape in SHAPES if shape.program in options.programs]
    waits = next((shape for shape in shapes if not shape.has_error), None)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        both = [[pool.submit(observed, shape, fixed, options.shuffled) for fixed in (False, True)] for shape in shapes]
        unsplit = waits and pool.submit(observed, waits, False, options.shuffled, SPLIT_NOT_AT_WAIT)
        line(["Program", "LOC", *[str(n) if n < 9 else "9+" for n in SIZES], "FP", "new", "error", "", "", "|CG|", "stack", "thr"])
        rows = [ShapeRow(shape, *(version.result() for version in versions)) for shape, versions in zip(shapes, both)]
        for row in rows:
            print_row(row)
    print("\nin the paper: " + ", ".join(f"{shape.program} is {shape.paper}" for shape in shapes))
    if waits:
        split = next(row for row in rows if row.shape is waits).buggy.cycles
        print(f"{waits.program}, false alarms: {len(unsplit.result().cycles)} where a unit goes on over a wait ({SPLIT_NOT_AT_WAIT}), "
              f"{len(split)} where a wait ends it (the paper: 75 and 0)")
    return 0

