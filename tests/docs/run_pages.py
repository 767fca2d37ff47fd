#!/usr/bin/env python3
"""Runs every command of the pages named, in their order and in one shell, and compares what it prints (pages.py).

The shell begins in a folder that has `examples` and `build` as a checkout has them, with isosan in the PATH. What a page builds is there for the next one.

Usage: run_pages.py short|long ROOT BUILD FOLDER PAGE...
"""
import os
import pathlib
import shutil
import subprocess
import sys

from pages import LANGUAGES, blocks_of, commands_of, first_difference, pattern_of


def script_of(commands, results):
    lines = []
    for number, command in enumerate(commands):
        lines.append(f"{{ {command.text}\n}} > {results}/{number}.out 2>&1 < /dev/null; echo $? > {results}/{number}.status")
    return "\n".join(lines) + "\n"


def wanted(page, mode, known_tests):
    """Commands to run, and problems as text."""
    for block in page:
        if block.language not in LANGUAGES:
            yield f"{block.page}:{block.line}: a block of none of the languages {', '.join(sorted(LANGUAGES))}"
        elsewhere = [mark.removeprefix("run by: ") for mark in block.marks if mark.startswith("run by: ")]
        for test in " ".join(elsewhere).split():
            if test not in known_tests:
                yield f"{block.page}:{block.line}: ctest has no test {test}"
        if not elsewhere and (mode == "long" or "long" not in block.marks):
            yield from commands_of(block)


def shown(text, most=60):
    lines = text.splitlines()
    return "\n".join(lines if len(lines) <= most else [*lines[: most // 2], "[...]", *lines[-most // 2 :]])


def problem_of(command, results, number):
    status = int((results / f"{number}.status").read_text())
    actual = (results / f"{number}.out").read_text()
    where = f"{command.page}:{command.line}: $ {command.text}"
    if status != command.status:
        return f"{where}\nexit status {status}, the page says {command.status}:\n{shown(actual)}"
    if command.output and not pattern_of(command.output).fullmatch(actual):
        count = first_difference(command.output, actual)
        line = command.output[count] if count < len(command.output) else "(no more lines)"
        return f"{where}\nthe page has next: {line}\nthe output is:\n{shown(actual)}"
    return None


def tests_of(build):
    listed = subprocess.run(["ctest", "--test-dir", build, "-N"], capture_output=True, text=True, check=True).stdout
    return {line.split(": ", 1)[1].strip() for line in listed.splitlines() if " #" in line and ": " in line}


def main():
    mode, root, build, folder, *pages = sys.argv[1:]
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "results").mkdir(parents=True)
    (folder / "examples").symlink_to(pathlib.Path(root) / "examples")
    (folder / "build").symlink_to(build)
    tests, commands, problems = tests_of(build), [], []
    for page in pages:
        text = (pathlib.Path(root) / page).read_text()
        for item in wanted(blocks_of(page, text), mode, tests):
            (problems if isinstance(item, str) else commands).append(item)
    results = folder / "results"
    environment = os.environ | {"PATH": f"{build}/bin:{os.environ['PATH']}"}
    subprocess.run(["bash"], input=script_of(commands, results), text=True, cwd=folder, env=environment, check=False)
    problems += filter(None, (problem_of(command, results, number) for number, command in enumerate(commands)))
    print("\n\n".join(problems) if problems else f"{len(commands)} commands do what the pages say")
    return 1 if problems or not commands else 0


sys.exit(main())
