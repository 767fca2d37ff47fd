"""The real programs of tests/real, built in three ways and measured: `./dev bench real`.

A recipe (tests/real/programs/NAME.py) says how a program is built and what it does; a mode's variant is one of the toolchains below.
"""
import contextlib
import dataclasses
import importlib
import shutil
import sys

from harness import builds
from harness.measure import Figures, medians, progress
from harness.watch import Watch

sys.path.insert(0, str(builds.ROOT / "tests" / "real"))
import runner  # noqa: E402
import sources  # noqa: E402

FOLDER = builds.BUILD / "real"
LIMIT = 900  # seconds of one command
TSAN_FLAGS = ["-fsanitize=thread", *builds.NO_VECTORS]


def wrapper(name, compiler, flags):
    """A compiler that always has these flags, linking included."""
    path = FOLDER / "tsan" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {compiler} {" ".join(flags)} "$@"\n')
    path.chmod(0o755)
    return str(path)


def toolchains():
    native, ours = runner.toolchains(builds.BUILD / "bin", "pass")
    tsan = dataclasses.replace(native, name="tsan-clang", cc=wrapper("clang", native.cc, TSAN_FLAGS),
                               cxx=wrapper("clang++", native.cxx, TSAN_FLAGS))
    return {"native": native, "tsan": tsan, "pass": ours}


class Runner(runner.Runner):
    """Runs the commands of a recipe in a mode."""

    def __init__(self, toolchain, folder, mode):
        super().__init__(toolchain, folder, ())
        self.mode = mode
        self.figures = Figures()

    def _observed(self, command, options):
        prefix = [part.format(scratch=self.folder) for part in self.mode.prefix]
        return [*prefix, *options, "--", *command] if prefix else command

    def _read_report(self, line):
        return None

    @contextlib.contextmanager
    def _started(self, command, limit, environment, stdin=b"", options=()):
        with super()._started(command, LIMIT, (environment or {}) | self.mode.environment, stdin, options) as process:
            with Watch(process.pid) as watch:
                yield process
        self._count(process.usage, watch)

    def _count(self, usage, watch):
        cpu = usage.ru_utime + usage.ru_stime
        program, analyser = (watch.child, watch.parent) if self.mode.prefix else (watch.parent, None)
        self.figures.cpu += cpu
        self.figures.target += program.cpu if analyser and program else cpu
        self.figures.peak = max(self.figures.peak, program.peak if program else 0)
        self.figures.analyser = max(self.figures.analyser, analyser.peak if analyser else 0)


class Program:
    def __init__(self, name, say):
        self.name, self.say = name, say
        self.recipe = importlib.import_module(f"programs.{name}")
        self.sources = sources.Sources(FOLDER / "sources", say)
        self.chains = toolchains()
        self.answer = None

    def folder(self, variant):
        return FOLDER / "bench" / f"{self.name}-{variant}"

    def build(self, variant):
        """Unless that was done before, with the same compiler and pass."""
        chain, folder = self.chains[variant], self.folder(variant)
        done = folder / "built"
        if done.exists() and done.read_text() == chain.version:
            return
        self.say(f"{self.name}: building with {chain.name}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.recipe.build(runner.Build(chain, self.sources, folder, for_load=True))
        done.write_text(chain.version)

    def run(self, mode):
        """Figures of one run; the answers must be those of the first one."""
        at_work = Runner(self.chains[mode.variant], self.folder(mode.variant), mode)
        try:
            answer = getattr(self.recipe, "load", self.recipe.work)(at_work)
        except (runner.Failure, AssertionError, OSError) as failure:
            return Figures(error=f"{type(failure).__name__}: {failure}")
        self.answer = self.answer or answer
        return at_work.figures if answer == self.answer else Figures(error="answers otherwise than natively")


class NotMeasured(Exception):
    """No sources, or they do not build even natively."""


def build_errors(program, variants):
    """variant -> why it does not build."""
    try:
        for package in program.recipe.SOURCES:
            program.sources.tree(package)
    except sources.Unavailable as why:
        lines = [line for line in str(why).splitlines() if line.startswith("E:")]
        raise NotMeasured(lines[0] if lines else str(why)) from why
    errors = {}
    for variant in variants:
        try:
            program.build(variant)
        except runner.Failure as failure:
            if variant == "native":
                raise NotMeasured(failure) from failure
            errors[variant] = str(failure)
    return errors


def measure(program, modes, runs):
    """Medians by mode name, runs interleaved."""
    errors = build_errors(program, dict.fromkeys(mode.variant for mode in modes))  # native is the first
    samples = {mode.name: [Figures(error=errors[mode.variant])] if mode.variant in errors else [] for mode in modes}
    for turn in range(runs):
        for mode in modes:
            if not any(sample.error for sample in samples[mode.name]):
                progress(f"{program.name} {turn + 1}/{runs} {mode.name}")
                samples[mode.name].append(program.run(mode))
    progress("")
    return {name: medians(kept) for name, kept in samples.items()}
