"""The programs and the ways to compile them. A binary is made again when a source or a compiler's part is newer."""
import os
import pathlib
import subprocess
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = ROOT / "bench" / "programs"
BUILD = pathlib.Path(os.environ.get("ISOSAN_BUILD", ROOT / "build"))
OUTPUT = BUILD / "bench"
ISOSAN = BUILD / "bin" / "isosan"
# IsoSan is tuned on the first group. The second is only measured: no optimisation is chosen by its figures.
FOLDERS = {"tuned": SOURCES, "held-out": SOURCES / "held-out"}
GROUPS = {name: sorted(path.stem for path in folder.glob("*.cc")) for name, folder in FOLDERS.items()}
PROGRAMS = [program for members in GROUPS.values() for program in members]
# The scale of each program at --scale 1: 0.15 to 0.3 s natively, so that starting up does not count.
SCALES = {
    "cache": 3, "crypt": 8, "elevator": 10, "hashmap": 2, "hedc": 12, "lockfree": 10, "lufact": 10, "matrixmult": 6,
    "moldyn": 3, "montecarlo": 6, "philo": 4, "pool": 20, "queuejg": 10, "queuemm": 60, "quicksort": 2, "raytracer": 5, "series": 3,
    "sor": 5, "sparse": 12, "treemap": 3, "tsp": 4,
    "bank16": 10, "batches": 40, "columns": 40, "deeptree": 25, "fft": 45, "forkjoin": 10, "longone": 20, "msqueue": 10, "nbody": 60,
    "phases8": 20, "readmostly": 8, "shapes": 30, "stack": 10, "words": 14,
}

CLANG = os.environ.get("ISOSAN_BENCH_CLANG", "clang++-19")
GCC = os.environ.get("ISOSAN_BENCH_GCC", "g++")
COMMON = ["-std=c++20", "-O2", "-g", "-pthread"]
NO_VECTORS = ["-fno-vectorize", "-fno-slp-vectorize"]  # else ThreadSanitizer does not see the vector accesses
OUR_PARTS = [BUILD / "lib" / "isosan_pass.so", BUILD / "bin" / "isosan-c++"]


@dataclass(frozen=True)
class Variant:
    command: list  # compiler and flags
    environment: dict = field(default_factory=dict)
    parts: list = field(default_factory=list)  # a binary older than one of these is made again


ISOSAN_CXX = str(BUILD / "bin" / "isosan-c++")
VARIANTS = {
    "native": Variant([CLANG, *COMMON]),
    "tsan-clang": Variant([CLANG, *COMMON, "-fsanitize=thread", *NO_VECTORS]),
    "tsan-gcc": Variant([GCC, *COMMON, "-fsanitize=thread", "-Wno-tsan"]),
    "pass": Variant([ISOSAN_CXX, "--front", "pass", *COMMON], {"ISOSAN_CXX": CLANG}, OUR_PARTS),
    "fields": Variant([ISOSAN_CXX, "--front", "pass", "--arrays", "off", *COMMON], {"ISOSAN_CXX": CLANG}, OUR_PARTS),
    "abi": Variant([ISOSAN_CXX, "--front", "tsan", *COMMON, "-Wno-tsan"], {"ISOSAN_CXX": GCC}, OUR_PARTS[1:]),
}


class BuildError(Exception):
    pass


def newest(paths):
    return max((path.stat().st_mtime for path in paths), default=0)


def compile_to(output, command, inputs, environment=None):
    if output.exists() and output.stat().st_mtime > newest(inputs):
        return output
    output.parent.mkdir(parents=True, exist_ok=True)
    fresh = output.with_suffix(f".{os.getpid()}")
    done = subprocess.run([*command, "-o", str(fresh)], env=os.environ | (environment or {}), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
    fresh.replace(output)
    return output


def groups_of(programs):
    """(name, programs) of each group that has any of them."""
    chosen = ((name, [p for p in members if p in programs]) for name, members in GROUPS.items())
    return [(name, members) for name, members in chosen if members]


def source_of(program):
    return next(FOLDERS[name] / f"{program}.cc" for name, members in GROUPS.items() if program in members)


def build(program, variant, defines=()):
    """The binary of a program, with -DNAME for each of `defines`."""
    source = source_of(program)
    way = VARIANTS[variant]
    name = "-".join([program, *defines])
    return compile_to(OUTPUT / variant / name, [*way.command, *(f"-D{d}" for d in defines), str(source)],
                      [source, *SOURCES.glob("*.h"), *way.parts], way.environment)


def build_usage():
    source = ROOT / "bench" / "harness" / "usage.c"
    return compile_to(OUTPUT / "usage", ["cc", "-O2", str(source)], [source])
