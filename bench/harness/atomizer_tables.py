"""The tables of the Atomizer paper's evaluation on our programs (`./dev bench atomizer`, docs/analyses/atomizer.md).

Model: a subject is one run of a program, recorded once with every access and checked under every set of options, so that all
columns speak of the same run. The programs of tests/bugs run in rounds (their bug.h), as they are and fixed. A warning is a function
blamed. In a bug program as it is, the functions of suite.ERRORS are true errors; every other warning is a false alarm, those of fixed programs too.
Programs of others (harness/others.py) are not judged.
"""
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from harness import builds, others, warnings
from harness.marathon_table import BUGS, binary

sys.path.insert(0, str(BUGS))
import suite  # noqa: E402

PAPERS = ["reentrant", "thread-local-locks", "thread-local-locks2", "protected-locks", "write-protected"]
OURS = ["lone-thread", "lone-regions", "split-at-barrier", "ordered-handover", "quiet-threads", "split-at-join", "second-looks",
        "split-at-fork", "innermost", "back-offs", "seen-handover", "late-windows", "late-accesses", "atomic-idioms"]
REFINEMENTS = PAPERS + OURS
LADDER = {"basic": ["--atomizer-without", "all"]}
LADDER |= {f"+{name}": ["--atomizer-without", ",".join(REFINEMENTS[i + 1:])] for i, name in enumerate(REFINEMENTS[:-1])}
LADDER |= {f"+{REFINEMENTS[-1]}": []}
BY_DEFAULT = f"+{REFINEMENTS[-1]}"
WITH_THE_PAPERS = f"+{PAPERS[-1]}"
OPT_IN = "opt-in: split-at-wait"  # not on by default: a wait is a release and an acquire, and a window unless one is told otherwise
LADDER |= {OPT_IN: ["--split-at-wait"]}
HEURISTICS = ("export+synch", "synch")
COUNTED = [f"{heuristic}: {what}" for heuristic in HEURISTICS for what in ("warnings", "errors")]
RECORDING_LIMIT, CHECK_LIMIT = 60, 120  # seconds

# What a warning is about, by the message and the two operations; the first that holds.
KINDS = [
    ("waits for a condition", lambda said, operations: "waits, which" in said),
    ("starts and joins threads", lambda said, operations: operations & {"fork", "join"}),
    ("waits at a barrier", lambda said, operations: operations & {"barrier-arrive", "barrier-depart"}),
    ("works on atomics without a lock", lambda said, operations: any(o.startswith("atomic") for o in operations)),
    ("has two critical sections", lambda said, operations: operations <= {"acquire", "release"}),
    ("accesses what has no common lock", lambda said, operations: operations),
]
HARMLESS = "violates atomicity without an error (tests/bugs)"

# Judged by hand: why a known error is not found, or is seen in the fixed version, too.
WHY = {
    "aba_free_list": "what is read between the look at the head and its exchange is not looked at again, and reduction does not see what the tag is for",
    "bounded_buffer": "`if` for `while`: what is wrong is what the wait is taken to mean; each hold of the lock is reducible",
    "lock_order": "a deadlock: each transfer by itself is atomic",
    "lost_notify": "the wait of the fixed version is annotated",
}


@dataclass(frozen=True)
class Subject:
    name: str
    group: str  # programs, bugs, fixed, others
    path: object
    arguments: tuple = ()
    errors: frozenset = frozenset()


@dataclass
class Seen:
    blamed: dict = field(default_factory=dict)  # step of the ladder or heuristic -> functions
    kinds: dict = field(default_factory=dict)   # function -> what its warning is about
    columns: dict = field(default_factory=dict)


def subjects(programs, bugs, threads, not_ours=()):
    for program in programs:
        yield Subject(program, "programs", builds.build(program, "pass"), ("1", str(threads)))
    if "raytracer" in programs:  # the error that the paper found in it
        yield Subject("raytracer, race", "programs", builds.build("raytracer", "pass", ["RAYTRACER_CHECKSUM_RACE"]), ("1", str(threads)),
                      frozenset({"Checksum::add"}))
    for program in bugs:
        errors = frozenset(suite.ERRORS.get(program, ()))
        yield Subject(program, "bugs", binary(program, "pass", False, [suite.ROUNDS]), errors=errors)
        yield Subject(program, "fixed", binary(program, "pass", True, [suite.ROUNDS]))
    for program in not_ours:
        try:
            path, work = others.built(program)
        except RuntimeError as why:
            print(f"{program} (others): left out, {why}")
        else:
            yield Subject(program, "others", path, work)


def kind_of(finding):
    roles = {step.get("role"): step["operation"] for step in finding["steps"]}
    operations = {roles.get(role) for role in ("region commits at", "violation at")} - {None}
    return next((number for number, (_, holds) in enumerate(KINDS) if holds(finding["message"], operations)), len(KINDS) - 1)


class Recording:
    """One run of a subject, to be checked as often as needed. RuntimeError: what went wrong."""

    def __init__(self, subject, folder):
        self.folder, self.trace = folder, os.path.join(folder, "trace")
        try:
            done = subprocess.run(["timeout", "-s", "TERM", str(RECORDING_LIMIT), str(builds.ISOSAN), "record", "--full", "-o", self.trace,
                                   "--", str(subject.path), *subject.arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True, check=False, timeout=2 * RECORDING_LIMIT)
        except subprocess.TimeoutExpired as late:
            raise RuntimeError(f"its recording did not end in {RECORDING_LIMIT} s") from late
        if done.returncode != 0:
            raise RuntimeError(f"its recording ended with {done.returncode}: {done.stderr[-200:].strip()}")

    def check(self, options):
        """(findings, statistics)"""
        with tempfile.TemporaryDirectory(dir=self.folder) as scratch:
            report = os.path.join(scratch, "report.json")
            try:
                subprocess.run([str(builds.ISOSAN), "check", "--analysis", "atomizer", "--json", report, *options, self.trace],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=CHECK_LIMIT)
                findings, stats = warnings.read(report)
            except subprocess.TimeoutExpired as late:
                raise RuntimeError(f"its check did not end in {CHECK_LIMIT} s") from late
            except OSError as none:
                raise RuntimeError(f"its check made no report: {none}") from none
        return findings, stats["atomizer"]


def look_at(subject, pool):
    ways = {step: ["--regions", "export+synch", *flags] for step, flags in LADDER.items()}
    ways |= {heuristic: ["--regions", heuristic] for heuristic in HEURISTICS}
    del ways["export+synch"]  # the ladder's last step
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as folder:
        recording = Recording(subject, folder)
        said = dict(zip(ways, pool.map(recording.check, ways.values())))
    said["export+synch"] = said[BY_DEFAULT]
    seen = Seen(columns=said["export+synch"][1])
    seen.blamed = {way: set(warnings.blamed(findings)) for way, (findings, _) in said.items()}
    for finding in said["export+synch"][0]:
        seen.kinds.setdefault(finding["region"], set()).add(kind_of(finding))
    return seen


class Tables:
    def __init__(self):
        self.seen = {}      # Subject -> Seen
        self.left_out = {}  # Subject -> why

    def fill(self, all_subjects):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for subject in all_subjects:
                try:
                    self.seen[subject] = look_at(subject, pool)
                except RuntimeError as why:
                    self.left_out[subject] = why

    def of(self, *groups):
        return {subject: seen for subject, seen in self.seen.items() if subject.group in groups}

    def fixed(self, subject):
        return next((seen for other, seen in self.of("fixed").items() if other.name == subject.name), None)

    # ---- Fig. 18 ----

    def print_ladder(self):
        """Shares of basic's warnings, and of its false alarms, that are removed by default, and of the warnings with what is opt-in."""
        print("Fig. 18: functions blamed as refinements are added (--regions export+synch; ours from lone-thread on; the last is opt-in)\n")
        row("program", *LADDER)
        row(*["---"] * (len(LADDER) + 1))
        for subject, seen in self.of("programs", "others").items():
            row(subject.name, *(len(seen.blamed[step]) for step in LADDER))
        groups = {"bench/programs": ("programs",), "tests/bugs": ("bugs",), "tests/bugs, fixed": ("fixed",),
                  "all of ours": ("programs", "bugs", "fixed"), "of others": ("others",)}
        for name, chosen in groups.items():
            row(f"**{name}**", *(sum(len(seen.blamed[step]) for seen in self.of(*chosen).values()) for step in LADDER))
        ours = self.of("programs", "bugs", "fixed")
        false = [sum(len(seen.blamed[step] - true_errors(subject, seen)) for subject, seen in ours.items()) for step in LADDER]
        row("**of ours false alarms**", *false)
        print("\nFig. 18 in three columns: the paper had 341 and 97\n")
        row("programs", "basic", "with the paper's five", "with ours, too")
        row(*["---"] * 4)
        for name, chosen in groups.items():
            row(name, *(sum(len(seen.blamed[step]) for seen in self.of(*chosen).values()) for step in ("basic", WITH_THE_PAPERS, BY_DEFAULT)))
        everything = [sum(len(seen.blamed[step]) for seen in ours.values()) for step in LADDER]
        by_default = list(LADDER).index(BY_DEFAULT)
        return removed(everything, by_default), removed(false, by_default), removed(everything, -1)

    # ---- Fig. 17 ----

    def print_warnings(self):
        print("\nFig. 17, bench/programs and programs of others (not judged): functions blamed, and lock scopes by the function that takes the lock; "
              "true errors among them; what the false alarms (export+synch) are about\n")
        row("program", *COUNTED, "false alarms")
        row(*["---"] * 6)
        for subject, seen in self.of("programs").items():
            row(subject.name, *counts({subject: seen}), false_alarms(subject, seen))
        row("**total**", *counts(self.of("programs")), "")
        for subject, seen in self.of("others").items():
            row(subject.name, *counts({subject: seen}), false_alarms(subject, seen))

    def print_errors(self):
        """(known errors, found, found and gone in the fixed version), with export+synch"""
        print("\nFig. 17, tests/bugs: the same, and the warnings of the fixed version, all false alarms\n")
        row("program", *COUNTED, *(f"fixed: {heuristic}" for heuristic in HEURISTICS), "the error", "false alarms")
        row(*["---"] * 9)
        for subject, seen in self.of("bugs").items():
            fixed = self.fixed(subject)
            alarms = [false_alarms(subject, seen)]
            if fixed and fixed.blamed["export+synch"]:
                alarms.append(f"fixed: {false_alarms(subject, fixed, True)}")
            row(subject.name, *counts({subject: seen}), *(len(fixed.blamed[h]) if fixed else "-" for h in HEURISTICS),
                f"{verdict(subject, seen, fixed)}{': ' + WHY[subject.name] if subject.name in WHY else ''}",
                "; ".join(alarm for alarm in alarms if alarm))
        row("**total**", *counts(self.of("bugs")), *(sum(len(seen.blamed[h]) for seen in self.of("fixed").values()) for h in HEURISTICS), "", "")
        verdicts = [verdict(subject, seen, self.fixed(subject)) for subject, seen in self.seen.items() if subject.errors]
        return len(verdicts), sum(v.startswith("found") for v in verdicts), verdicts.count("found")

    # ---- Fig. 16 ----

    def print_columns(self, slow):
        print("\nFig. 16: --regions export+synch; slowdown of isosan run --analysis atomizer and of ThreadSanitizer, processor time\n")
        row("program", "threads", "locks", "most held", "lock set pairs", "races not reported", "functions exercised", "without a warning",
            "slowdown", "tsan")
        row(*["---"] * 10)
        for subject, seen in self.of("programs", "bugs").items():
            s = seen.columns
            factors = (f"{x:.1f}" if x else "-" for x in slow.get(subject.name, (None, None)))
            exercised = s["regions_exercised"]
            row(subject.name, s["threads"], s["locks"], s["most_locks_held"], s["lock_set_pairs"], s["racy_sites_not_reported"], exercised,
                exercised - s["regions_warned"], *(factors if subject.group == "programs" else "--"))
        print()
        for name, chosen in {"bench/programs": ["programs"], "tests/bugs": ["bugs"], "tests/bugs, fixed": ["fixed"]}.items():
            columns = [seen.columns for seen in self.of(*chosen).values()]
            exercised = sum(c["regions_exercised"] for c in columns)
            clean = exercised - sum(c["regions_warned"] for c in columns)
            races = sum(c["racy_sites_not_reported"] for c in columns)
            print(f"{name}: {100 * clean / max(exercised, 1):.0f} % of {exercised} exercised functions without a warning; "
                  f"{races} places with a race that is not reported")


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def removed(counts, step):
    return 100 * (1 - counts[step] / counts[0]) if counts[0] else 0.0


def true_errors(subject, seen):
    """A warning for nothing but a wait is none."""
    return subject.errors & seen.blamed[OPT_IN]


def counts(chosen):
    cells = []
    for heuristic in HEURISTICS:
        cells.append(sum(len(seen.blamed[heuristic]) for seen in chosen.values()))
        cells.append(sum(len(seen.blamed[heuristic] & true_errors(subject, seen)) for subject, seen in chosen.items()))
    return cells


def false_alarms(subject, seen, fixed=False):
    alarms = {}
    for function in sorted(seen.blamed["export+synch"] - (set() if fixed else true_errors(subject, seen))):
        kind = HARMLESS if subject.group == "bugs" and subject.name in suite.HARMLESS else KINDS[min(seen.kinds[function])][0]
        alarms.setdefault(kind, []).append(f"`{function}`")
    return "; ".join(f"{', '.join(functions)}: {kind}" for kind, functions in alarms.items())


def verdict(subject, seen, fixed):
    if not subject.errors:
        return "-"
    if not seen.blamed["export+synch"] & subject.errors:
        return "not found"
    if not seen.blamed[OPT_IN] & subject.errors:
        return "not found, warned of for its wait"
    if fixed is None or not fixed.blamed["export+synch"] & subject.errors:
        return "found"
    apart = seen.blamed[OPT_IN] & subject.errors and not fixed.blamed[OPT_IN] & subject.errors
    return "found, told apart by `--split-at-wait`" if apart else "found, and warned of in the fixed version"
