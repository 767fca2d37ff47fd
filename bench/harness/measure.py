"""One run of a program in a mode, and the medians of many. A run that fails is an error in the table, never left out."""
import dataclasses
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading

from harness import builds

FINDINGS = 66
TIMEOUT = 300


@dataclasses.dataclass(frozen=True)
class Mode:
    name: str
    variant: str
    prefix: tuple = ()  # the command that the program runs under; {scratch} is a folder that is emptied
    environment: dict = dataclasses.field(default_factory=dict)
    defines: tuple = ()


@dataclasses.dataclass
class Figures:
    cpu: float = 0.0     # seconds, all processes
    target: float = 0.0  # of it, the program's own
    peak: float = 0.0    # MiB, of the program
    analyser: float = 0.0  # MiB, of the analyser, up to the program's end
    error: str = ""


def isosan(*arguments):
    return (str(builds.ISOSAN), *arguments, "--")


def run_once(mode, binary, arguments):
    with tempfile.TemporaryDirectory(prefix="isosan-bench-") as scratch:
        report = os.path.join(scratch, "usage")
        prefix = [part.format(scratch=scratch) for part in mode.prefix]
        command = [*prefix, str(builds.build_usage()), report, str(binary), *arguments]
        with open(os.path.join(scratch, "output"), "w+", encoding="utf-8", errors="replace") as output:
            status, used = run_group(command, output, os.environ | mode.environment)
            output.seek(0)
            said = output.read()
        figures = judge(status, used, report, said)
        return figures if mode.prefix else dataclasses.replace(figures, analyser=0)


def run_group(command, output, environment):
    """Exit status and resource usage of the command and all it started; ends all of them after TIMEOUT seconds."""
    child = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=environment, process_group=0)
    killer = threading.Timer(TIMEOUT, os.killpg, (child.pid, signal.SIGKILL))
    killer.start()
    try:
        _, status, used = os.wait4(child.pid, 0)
    except BaseException:
        os.killpg(child.pid, signal.SIGKILL)
        raise
    finally:
        killer.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, used


def judge(status, used, report, said):
    try:
        with open(report, encoding="utf-8") as file:
            user, system, peak, code, parent = file.read().split()
    except (OSError, ValueError):
        return Figures(error=f"ended with {status}, no figures: {said[-300:].strip()}")
    figures = Figures(used.ru_utime + used.ru_stime, float(user) + float(system), int(peak) / 1024, int(parent) / 1024)
    if code != "0":
        figures.error = f"the program ended with {code}: {said[-300:].strip()}"
    elif " ok " not in said:
        figures.error = f"the program found its own result wrong: {said[-300:].strip()}"
    elif status not in (0, FINDINGS):
        figures.error = f"isosan ended with {status}: {said[-300:].strip()}"
    return figures


def medians(samples):
    for sample in samples:
        if sample.error:
            return sample
    return Figures(*(statistics.median(getattr(s, name) for s in samples) for name in ("cpu", "target", "peak", "analyser")))


def progress(text):
    if sys.stderr.isatty():
        print(f"\r{text:<60}\r", end="", file=sys.stderr, flush=True)


def measure_program(program, modes, runs, arguments):
    """Medians by mode name, runs interleaved."""
    samples = {mode.name: [] for mode in modes}
    binaries = {}
    for mode in modes:
        try:
            binaries[mode.name] = builds.build(program, mode.variant, mode.defines)
        except builds.BuildError as error:
            samples[mode.name].append(Figures(error=str(error)))
    for turn in range(runs):
        for mode in modes:
            if any(sample.error for sample in samples[mode.name]):
                continue
            progress(f"{program} {turn + 1}/{runs} {mode.name}")
            samples[mode.name].append(run_once(mode, binaries[mode.name], arguments))
    progress("")
    return {name: medians(kept) for name, kept in samples.items()}
