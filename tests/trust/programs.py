"""The programs of this folder: what their first lines say, how they are built, and one verdict per analysis."""
import dataclasses
import pathlib
import re
import shlex
import subprocess

ANALYSES = ["velodrome", "doublechecker", "marathon", "atomizer", "fasttrack"]
FRONTS = ["pass", "tsan"]
CLEAN, FOUND = 0, 66
TITLE = r"^WARNING: IsoSan: .*?\((.*)\)"  # (region f) or, of a race, (f, g)
BLAMED = dict.fromkeys(ANALYSES, TITLE)
BLAMED["marathon"] = r"^    (\S+) .*, begun at "  # the title names the set, the lines below it the units of work
TIMEOUT = 60
STEPS = pathlib.Path(__file__).resolve().parent.parent / "e2e"


@dataclasses.dataclass(frozen=True)
class Program:
    path: pathlib.Path
    finds: tuple  # analyses that must find the bug
    blames: str
    flags: str
    shuffles: bool  # threads of OpenMP cannot be scheduled one at a time

    @property
    def kind(self):
        return self.path.parent.name

    @property
    def name(self):
        return f"{self.kind}/{self.path.name}"


def programs(folder):
    return [read(path) for kind in ("correct", "buggy") for path in sorted((folder / kind).iterdir())]


def read(path):
    said = dict(re.findall(r"^// (finds|blames|flags|shuffles): (.*)$", path.read_text(), re.MULTILINE))
    finds = said.get("finds", "none").split()
    finds = () if finds == ["none"] else tuple(finds)
    if not set(finds) <= set(ANALYSES) or bool(finds) != ("blames" in said) or (path.parent.name == "buggy") != ("finds" in said):
        raise SystemExit(f"{path}: the lines 'finds' and 'blames' are not right")
    return Program(path, finds, said.get("blames", ""), said.get("flags", ""), said.get("shuffles") != "none")


@dataclasses.dataclass(frozen=True)
class Built:
    program: Program
    front: str
    path: pathlib.Path  # None: did not build, and needs not (flags)


class Builder:
    """Builds what is older than its source, the compilers or their plugins. The runtime is shared."""

    def __init__(self, tools, work, fronts):
        self.tools, self.work = tools, work
        work.mkdir(parents=True, exist_ok=True)
        self.newest = max(p.stat().st_mtime for p in [*tools.glob("isosan-c*"), *tools.parent.glob("lib/isosan_*.so"),
                                                      *STEPS.glob("steps.*"), pathlib.Path(__file__)])
        self.steps = work / "steps.o"
        subprocess.run(["cc", "-g", "-O1", "-c", STEPS / "steps.c", "-o", self.steps], check=True)
        self.headers = []
        if "pass" in fronts:
            clang = ["/usr/lib/llvm-19/bin/clang++", "-std=c++20", "-g", "-O1", "-pthread", "-x", "c++-header"]
            made = subprocess.run([*clang, pathlib.Path(__file__).parent / "headers.h", "-o", work / "headers.pch"])
            self.headers = ["-include-pch", work / "headers.pch"] if made.returncode == 0 else []

    def build(self, program, front):
        out = self.work / f"{program.kind}.{program.path.name}.{front}"
        if out.exists() and out.stat().st_mtime > max(self.newest, program.path.stat().st_mtime):
            return Built(program, front, out)
        command = [self.tools / "isosan-cc", "--front", front, "-g", "-O1", "-pthread", f"-I{STEPS}"]
        if program.path.suffix == ".cc":
            command[0] = self.tools / "isosan-c++"
            command += ["-std=c++20", *(self.headers if front == "pass" and not program.flags else [])]
        command += ["-Wno-tsan"] if front == "tsan" else []  # gcc warns of fences, which we model
        command += [*shlex.split(program.flags), program.path, self.steps, "-o", out]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0 and not program.flags:
            raise SystemExit(f"{shlex.join(map(str, command))}\n{built.stderr}")
        return Built(program, front, out if built.returncode == 0 else None)


@dataclasses.dataclass(frozen=True)
class Case:
    built: Built
    analysis: str


@dataclasses.dataclass
class Result:
    program: Program
    front: str
    analysis: str
    runs: int = 0
    plain_failed: bool = False
    failed: int = 0
    story: str = ""  # of the first failure


def run_case(case, tools, shuffles, more=""):
    program = case.built.program
    result = Result(program, case.built.front, case.analysis)
    seeds = range(1, shuffles + 1) if program.kind == "correct" and program.shuffles else []
    for seed in [None, *seeds]:
        command = [tools / "isosan", "run", "--analysis", case.analysis, *shlex.split(more)]
        command += ["--shuffle", str(seed)] if seed else []
        command += ["--", case.built.path]
        if wrong := judge(program, case.analysis, command):
            result.failed += 1
            result.plain_failed |= seed is None
            result.story = result.story or f"{wrong}: {shlex.join(map(str, command))}"
        result.runs += 1
    return result


def judge(program, analysis, command):
    """What is wrong with this run, or nothing."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"no end after {TIMEOUT} s"
    if run.returncode not in (CLEAN, FOUND):
        return f"exit status {run.returncode}"
    blamed = re.findall(BLAMED[analysis], run.stdout + run.stderr, re.MULTILINE)
    if program.kind == "correct":
        return f"blamed {'; '.join(blamed)}" if run.returncode == FOUND else ""
    if analysis in program.finds and not any(program.blames in re.split(r"[ ,]+", b) for b in blamed):
        return f"{program.blames} not blamed but {'; '.join(blamed) or 'nobody'}"
    return ""
