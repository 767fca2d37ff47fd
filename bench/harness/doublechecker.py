"""Runs of doublechecker by their JSON reports."""
import json
import os
import subprocess

from harness import builds

FIRST_RUNS = 10  # before a second run, as in the paper
LIMIT = 300


def report(folder, options, command):
    """The report of one run; what the program says of itself does not matter."""
    path = os.path.join(folder, "report.json")
    if os.path.exists(path):
        os.remove(path)
    done = subprocess.run([str(builds.ISOSAN), "run", "--analysis", "doublechecker", *options, "--json", path, "--", *command],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False)
    if not os.path.exists(path):
        raise SystemExit(f"{' '.join(map(str, done.args))}: exit status {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}")
    with open(path, encoding="utf-8") as text:
        return json.load(text)


def blamed(of):
    return {finding["region"] for finding in of["findings"]}
