"""`--save`: what a benchmark prints also goes to bench/results/NAME.txt, below a line of when, at which commit and where."""
import datetime
import os
import platform
import subprocess
import sys

from harness import builds

FOLDER = builds.ROOT / "bench" / "results"


class Both:
    def __init__(self, *streams):
        self.streams = streams

    def write(self, text):
        for stream in self.streams:
            stream.write(text)

    def flush(self):
        for stream in self.streams:
            stream.flush()


def commit():
    said = subprocess.run(["git", "-C", str(builds.ROOT), "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "unknown"


def save(name, folder=FOLDER):
    """From here on, for the rest of the process."""
    folder.mkdir(parents=True, exist_ok=True)
    sys.stdout = Both(sys.stdout, open(folder / f"{name}.txt", "w", encoding="utf-8"))
    print(f"{datetime.date.today()}, commit {commit()}, {platform.machine()}, {os.cpu_count()} cores: "
          f"./dev bench {name} {' '.join(sys.argv[1:])}")
