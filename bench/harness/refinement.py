"""Refined specifications of programs (isosan refine), made once per build of a program and kept in the build folder.

Model: a refinement runs at the smallest scale, where most interleavings are short, and at most LIMIT seconds: its file is good at any
time, so one that ran out of time counts as far as it came and is marked (`unfinished`).
"""
import os
import re
import signal
import subprocess

from harness import builds

REFINERS = {"velodrome": ["--analysis", "velodrome"], "single": ["--analysis", "doublechecker"], "multi": ["--multi"]}
LIMIT = 60


class Refined:
    def __init__(self, path, unfinished):
        self.path, self.unfinished = path, unfinished
        # Quoted names, in the order of exclusion.
        self.exclusions = re.findall(r"^  (?:# .*\n  )?([\"'].*[\"']),$", path.read_text(), re.M)


def run_limited(command, limit):
    """False: time was up; the command and what it started are gone."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, process_group=0)
    try:
        said = child.communicate(timeout=limit)[1].decode(errors="replace")
    except BaseException as why:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        if not isinstance(why, subprocess.TimeoutExpired):
            raise
        return False
    if child.returncode != 0:
        raise builds.BuildError(f"{' '.join(command)}: exit status {child.returncode}\n{said[-500:]}")
    return True


def refined(binary, arguments, how, trials, more=()):
    folder = builds.OUTPUT / "specs"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{binary.parent.name}.{binary.name}.{how}.{trials}.toml"  # tests/bugs has an elevator of its own
    unfinished = path.with_suffix(".unfinished")
    if not path.exists() or path.stat().st_mtime < binary.stat().st_mtime:
        fresh = path.with_suffix(".part")
        for old in (fresh, unfinished):
            old.unlink(missing_ok=True)
        command = [str(builds.ISOSAN), "refine", "-o", str(fresh), "--trials", str(trials), *REFINERS[how], *more, "--",
                   str(binary), *arguments]
        if not run_limited(command, LIMIT):
            unfinished.touch()
        fresh.rename(path)
    return Refined(path, unfinished.exists())


def specification(program, binary, which, trials):
    """What velodrome or single-run doublechecker has excluded is excluded (the intersection of what they leave): all of it (final),
    the first half, or nothing (all methods are atomic)."""
    both = []
    if which != "all":
        for how in ("velodrome", "single"):
            both += [name for name in refined(binary, ["1", "2"], how, trials).exclusions if name not in both]
    kept = both[:(len(both) + 1) // 2] if which == "half" else both
    path = builds.OUTPUT / "specs" / f"{program}.{which}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[not-atomic]\nfunctions = [" + ", ".join(kept) + "]\n")
    return path
