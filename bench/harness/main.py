"""What every benchmark's command line has, and the loop over the programs."""
import argparse
import sys

from harness import builds, measure, table


def take_option(name, default):
    """An option of our own, before the harness reads the others."""
    for i, argument in enumerate(sys.argv):
        if argument == name:
            value = sys.argv[i + 1] if default is not None else True
            del sys.argv[i:i + (2 if default is not None else 1)]
            return value
    return default


def scaled(program, scale):
    return max(1, round(scale * builds.SCALES.get(program, 1)))


def parse(name, description, modes, runs=3, scale=1):
    parser = argparse.ArgumentParser(prog=f"./dev bench {name}", description=description)
    split = lambda text: text.split(",")  # noqa: E731
    names = [mode.name for mode in modes]
    parser.add_argument("--programs", type=split, default=builds.PROGRAMS,
                        help=f"programs, or groups of them: {', '.join(builds.GROUPS)} (default: all)")
    parser.add_argument("--modes", type=split, default=names, help=f"of {', '.join(names)}; native is always there")
    parser.add_argument("--runs", type=int, default=runs, help=f"medians of N runs (default {runs})")
    parser.add_argument("--scale", type=float, default=scale,
                        help=f"multiplies the work (default {scale:g}; 1: 0.15 to 0.3 s each natively)")
    parser.add_argument("--threads", type=int, default=2, help="threads of each program (default 2)")
    arguments = parser.parse_args()
    arguments.programs = [p for name in arguments.programs for p in builds.GROUPS.get(name, [name])]
    for given, known, what in ((arguments.programs, builds.PROGRAMS, "program"), (arguments.modes, names, "mode")):
        if unknown := [g for g in given if g not in known]:
            parser.error(f"no {what} '{unknown[0]}'; there are: {', '.join(known)}")
    if min(arguments.runs, arguments.threads) < 1 or arguments.scale <= 0:
        parser.error("--runs and --threads are at least 1, --scale is more than 0")
    return arguments


def fill(result, programs, row_of):
    """Measures the programs, group by group; each group has its means below it."""
    for group, members in builds.groups_of(programs):
        print(f"-- {group}")
        for program in members:
            result.add(program, row_of(program))
        result.summary(members)


def run(arguments, modes):
    """Measures and prints; returns the table. The first mode is what the others are compared with."""
    chosen = [mode for mode in modes if mode is modes[0] or mode.name in arguments.modes]
    result = table.Table(chosen, modes[0].name)
    print(f"processor time of all processes as a multiple of {modes[0].name} (user + system, medians of "
          f"{arguments.runs} interleaved runs, scale {arguments.scale:g}, {arguments.threads} threads)")
    result.header(modes[0].name)

    def row_of(program):
        work = [str(scaled(program, arguments.scale)), str(arguments.threads)]
        return measure.measure_program(program, chosen, arguments.runs, work)

    fill(result, arguments.programs, row_of)
    return result


def finish(result):
    """The exit status of a benchmark."""
    result.peaks()
    result.peaks("analyser", "analyser")
    sys.exit(1 if result.errors() else 0)
