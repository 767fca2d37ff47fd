#!/usr/bin/env python3
"""`./dev bench NAME --save ...`: what a benchmark prints also becomes bench/results/NAME.md, below when, at which commit and where. One that fails leaves the page.

Usage: save.py NAME COMMAND...
"""
import datetime
import os
import pathlib
import platform
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def commit(root=ROOT):
    said = subprocess.run(["git", "-C", str(root), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(": ")[2]
    return platform.machine()


def page(name, arguments, output):
    return (f"# ./dev bench {name}\n\n"
            f"`./dev bench {' '.join([name, *arguments])}`\n\n"
            f"{datetime.date.today()}, commit {commit()}, {platform.machine()}, {os.cpu_count()} cores ({processor()}).\n\n"
            f"```text\n{output.rstrip()}\n```\n")


def main():
    name, command = sys.argv[1], sys.argv[2:]
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as benchmark:
        for line in benchmark.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if benchmark.returncode != 0:
        return benchmark.returncode
    folder = ROOT / "bench" / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(page(name, command[1:], "".join(lines)), encoding="utf-8")
    return benchmark.returncode


if __name__ == "__main__":
    sys.exit(main())
