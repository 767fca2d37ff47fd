"""How a real program is built and run: natively and observed, with the same commands.

A recipe (programs/NAME.py) has a docstring that says what is run, and

  SOURCES        Debian source packages; the first names the version
  FRONTS         ("pass",), or with "tsan"
  build(b)       builds in b.folder from b.tree(package); b.cc and b.cxx are the compilers, b.flags theirs; b.for_load: only what load() needs
  work(r)        runs the program through r.run() or r.serve(), returns what it answered
  load(r)        the same for the benchmark (./dev bench real), where work() is too short or too long: 0.1 to 0.5 s natively

The law: work() returns the same natively and observed, and every process ends with the same status.
"""
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time


class Failure(Exception):
    """The program did not build, did not end in time, or ended otherwise than it should."""


@dataclasses.dataclass
class Toolchain:
    name: str
    cc: str
    cxx: str
    environment: dict
    version: str
    isosan: str = ""  # empty: native

    @property
    def observed(self):
        return self.isosan != ""


def toolchains(bin_folder, front):
    """The compiler beneath alone, and with IsoSan."""
    cc, cxx = ("clang-19", "clang++-19") if front == "pass" else ("gcc", "g++")
    version = subprocess.run([cc, "--version"], check=True, capture_output=True, text=True).stdout
    plugin = (bin_folder.parent / "lib" / "isosan_pass.so").read_bytes()
    return (Toolchain(f"native-{cc}", cc, cxx, {}, version),
            Toolchain(f"isosan-{front}", f"{bin_folder}/isosan-cc", f"{bin_folder}/isosan-c++",
                      {"ISOSAN_FRONT": front}, version + hashlib.sha256(plugin).hexdigest(), f"{bin_folder}/isosan"))


class Build:
    flags = "-O2 -g"

    def __init__(self, toolchain, sources, folder, for_load=False):
        self.toolchain = toolchain
        self.sources = sources
        self.for_load = for_load
        self.folder = folder
        self.cc = toolchain.cc
        self.cxx = toolchain.cxx
        self.log = folder / "build.log"

    def tree(self, package):
        """A copy of the package's sources to build in."""
        original, _ = self.sources.tree(package)
        copy = self.folder / package
        if not copy.exists():
            shutil.copytree(original, copy, symlinks=True)
        return copy

    def command(self, *arguments, cwd, **environment):
        with open(self.log, "a") as log:
            print("$", *arguments, file=log, flush=True)
            # Programs that the build runs (configure's probes, generators) are nobody's workload.
            done = subprocess.run(["nice", *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL,
                                  stdout=log, stderr=log,
                                  env=os.environ | self.toolchain.environment | environment)
        if done.returncode != 0:
            raise Failure(f"does not build, see {self.log}")

    def make(self, *arguments, cwd, **environment):
        self.command("make", "-j2", *arguments, cwd=cwd, **environment)


@dataclasses.dataclass
class Cost:
    cpu: float = 0.0  # seconds, program and analyser together
    peak: int = 0     # KiB, of the larger process
    findings: int = 0
    events: int = 0

    def add(self, usage, report):
        self.cpu += usage.ru_utime + usage.ru_stime
        self.peak = max(self.peak, usage.ru_maxrss)
        if report is not None:
            self.findings += len(report["findings"])
            self.events += report["stats"]["events"]


class Runner:
    """Runs commands in the build folder; each has a time limit and its cost is counted."""

    def __init__(self, toolchain, folder, options):
        self.toolchain = toolchain
        self.folder = folder
        self.options = options
        self.cost = Cost()
        self.commands = 0

    def run(self, *command, limit=120, status=0, stdin=b"", environment=None, options=()):
        """stdout of the command, which must end with this status; options are isosan's."""
        with self._started(command, limit, environment, stdin, options) as process:
            out = process.stdout.read()
        self._settle(process, command, status)
        return out

    @contextlib.contextmanager
    def serve(self, *command, address, limit=120, status=0, stop=signal.SIGTERM, environment=None):
        """The command runs while the body does, once it accepts connections; `stop` ends it (None: the body did)."""
        with self._started(command, limit, environment) as process:
            drain = threading.Thread(target=process.stdout.read)
            drain.start()
            self._await(process, address, command)
            yield process
            if stop is not None:
                process.send_signal(stop)
            drain.join()
        self._settle(process, command, status)

    @contextlib.contextmanager
    def _started(self, command, limit, environment, stdin=b"", options=()):
        command = [str(part) for part in command]
        self.commands += 1
        self.report = self.folder / f"report{self.commands}.json"
        self.text = self.folder / f"report{self.commands}.txt"
        for old in (self.report, self.text):
            old.unlink(missing_ok=True)
        with open(self.text, "wb") as text:
            process = subprocess.Popen(self._observed(command, options), cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=text, start_new_session=True, env=os.environ | (environment or {}))
        process.timed_out = False

        def give_up():
            process.timed_out = True
            os.killpg(process.pid, signal.SIGKILL)

        timer = threading.Timer(limit, give_up)
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(stdin)
                process.stdin.close()
            yield process
            _, process.wait_status, process.usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(process.wait_status)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
        finally:
            timer.cancel()

    def _observed(self, command, options):
        """What is started to run the command."""
        if not self.toolchain.observed:
            return command
        return [self.toolchain.isosan, "run", *self.options, *options, "--exit-code", "0", "--json", str(self.report), "--", *command]

    def _settle(self, process, command, status):
        line = " ".join(map(str, command))
        if process.timed_out:
            raise Failure(f"not done in time: {line}")
        if process.returncode != status:
            raise Failure(f"ended with status {process.returncode}, not {status}: {line} (see {self.text})")
        self.cost.add(process.usage, self._read_report(line))

    def _read_report(self, line):
        if not self.toolchain.observed:
            return None
        if not self.report.exists():
            raise Failure(f"no report: {line} (see {self.text})")
        return json.loads(self.report.read_text())

    @staticmethod
    def _await(process, address, command):
        while True:
            with contextlib.suppress(ConnectionRefusedError, FileNotFoundError):
                connect(address).close()
                return
            if process.timed_out or process.poll() is not None:
                raise Failure(f"does not accept connections: {' '.join(map(str, command))}")
            time.sleep(0.02)


def text_of(folder, size):
    """So many bytes of the sources in the folder, something to compress."""
    text = b""
    for path in sorted(folder.rglob("*.[ch]")):
        if len(text) < size and path.is_file():
            text += path.read_bytes()
    return text[:size]


def connect(address):
    kind = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    connection = socket.socket(kind)
    connection.connect(address)
    return connection
