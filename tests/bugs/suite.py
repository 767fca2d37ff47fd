"""The programs of this folder: how they are built and hunted. For check (tests) and bench/hunt.

Law: what hunt says is read from its JSON and its exit status, never from prose.
"""
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
HARMLESS = ("elevator", "matrix_multiply", "tsp")  # they violate atomicity, and nothing is wrong with them
FLAGS = ["-std=c++20", "-g", "-O1", "-pthread"]
FOUND = 66


def names():
    return sorted(file[:-3] for file in os.listdir(HERE) if file.endswith(".cc"))


class Tools:
    """The programs of one build of IsoSan, and a folder for what they make."""

    def __init__(self, binaries, folder):
        self.isosan = os.path.join(binaries, "isosan")
        self.compiler = os.path.join(binaries, "isosan-c++")
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def build(self, name, fixed, more=()):
        target = os.path.join(self.folder, name + (".fixed" if fixed else ""))
        version = ["-DFIXED"] if fixed else []
        subprocess.run([self.compiler, "--front", "pass", *FLAGS, *version, *more, os.path.join(HERE, name + ".cc"), "-o", target], check=True)
        return target

    def hunt(self, program, *options):
        """(exit status, the report as JSON)"""
        report = program + ".json"
        command = [self.isosan, "hunt", *options, "-o", self.folder, "--json", report, "--", program]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode not in (0, FOUND):
            raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
        with open(report) as text:
            return done.returncode, json.load(text)

    def replay(self, schedule, program):
        return subprocess.run([self.isosan, "replay", "--timeout", "10", schedule, "--", program], cwd=self.folder, capture_output=True,
                              check=False).returncode


def counts(report):
    """The columns of Penelope's Table 1, and hunt's own."""
    return report["stats"]["analyses"]["hunt"]
