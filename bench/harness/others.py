"""Programs that are not ours, small enough to be recorded with every access: from Debian's sources (tests/real/sources.py).

Their libraries are built without IsoSan: only the program's own accesses are events.
"""
import pathlib
import shutil
import subprocess
import sys

from harness import builds

sys.path.insert(0, str(builds.ROOT / "tests" / "real"))
import sources  # noqa: E402

FOLDER = builds.BUILD / "bench" / "others"
BZIP2 = ["blocksort", "huffman", "crctable", "randtable", "compress", "decompress", "bzlib"]
LARGE_FILES = ["-D_FILE_OFFSET_BITS=64", "-D_LARGEFILE64_SOURCE=1", "-D_GNU_SOURCE=1"]


def pbzip2():
    """Compresses 650 KB in blocks of 100 KB with three threads: (binary, arguments)."""
    at = sources.Sources(builds.BUILD / "real" / "sources", lambda text: print(f"==> {text}", file=sys.stderr, flush=True))
    program, library = (pathlib.Path(at.tree(package)[0]) for package in ("pbzip2", "bzip2"))
    objects = [builds.compile_to(FOLDER / f"{name}.o", [builds.CLANG.replace("clang++", "clang"), "-O2", "-w", *LARGE_FILES, "-c", str(library / f"{name}.c")],
                                 [library / f"{name}.c"]) for name in BZIP2]
    way = builds.VARIANTS["pass"]
    inputs = sorted(program.glob("*.cpp"))
    binary = builds.compile_to(FOLDER / "pbzip2", [*way.command, "-w", "-Wno-reserved-user-defined-literal", *LARGE_FILES, f"-I{library}",
                                                   *map(str, inputs), *map(str, objects)], [*inputs, *objects, *way.parts], way.environment)
    text = FOLDER / "input"
    text.write_bytes(3 * b"".join(path.read_bytes() for path in sorted(library.glob("*.c"))))
    return binary, ("-k", "-f", "-p3", "-b1", str(text))


PROGRAMS = {"pbzip2": pbzip2}


def built(name):
    """(binary, arguments), or a RuntimeError that says why there is none."""
    if not shutil.which("apt-get"):
        raise RuntimeError("no apt-get to fetch its sources")
    try:
        return PROGRAMS[name]()
    except (sources.Unavailable, builds.BuildError, subprocess.CalledProcessError) as why:
        raise RuntimeError(str(why).strip().splitlines()[-1]) from why
