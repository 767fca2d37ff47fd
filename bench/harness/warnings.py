"""What an analysis says of a program: the regions it blames, and its statistics; and how fast it reads a generated trace."""
import json
import os
import statistics
import subprocess
import tempfile

from harness import builds

TIMEOUT = 120


def report(binary, arguments, *options):
    """(findings, statistics of each analysis) of one run under isosan; (None, why) if there was none."""
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
        path = os.path.join(scratch, "report.json")
        command = [str(builds.ISOSAN), "run", "--json", path, *options, "--", str(binary), *arguments]
        done = subprocess.run(["timeout", "-s", "TERM", str(TIMEOUT), *command], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            return read(path)
        except (OSError, ValueError):
            return None, f"exit status {done.returncode}: {done.stdout[-300:].strip()}"


def read(path):
    """(findings, statistics of each analysis) of a report."""
    with open(path, encoding="utf-8") as file:
        said = json.load(file)
    return said["findings"], said["stats"]["analyses"]


def blamed(findings):
    """The regions that were found wanting, each once."""
    return sorted({finding["region"] for finding in findings})


def events_per_second(make_trace, runs, *options):
    """Millions of events that `isosan check` reads and decides in a second of user time; `make_trace(path)` makes the trace. Each
    access of a counted loop is an event, as in `isosan trace stat`."""
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
        trace, usage = (os.path.join(scratch, name) for name in ("run.trace", "usage"))
        make_trace(trace)
        times = []
        for _ in range(runs):
            subprocess.run(["/usr/bin/time", "-q", "-f", "%U", "-o", usage, str(builds.ISOSAN), "check", *options, trace],
                           check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(usage, encoding="utf-8") as file:
                times.append(float(file.read().split()[-1]))
        stat = subprocess.run([str(builds.ISOSAN), "trace", "stat", trace], check=True, capture_output=True, text=True).stdout
        events = int(stat.split("events:", 1)[1].split()[0])
        return events / statistics.median(times) / 1e6


def generated(events=10_000_000):
    """8 threads, 992 variables, 16 locks, no findings."""
    return lambda path: subprocess.run([str(builds.ISOSAN), "trace", "generate", "--events", str(events), "-o", path], check=True,
                                       stdout=subprocess.DEVNULL)


def recorded(program, scale, threads, defines=(), *options):
    return lambda path: subprocess.run([str(builds.ISOSAN), "record", *options, "-o", path, "--",
                                        str(builds.build(program, "pass", defines)), str(scale), str(threads)], check=True,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
