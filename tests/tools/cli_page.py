#!/usr/bin/env python3
"""docs/reference/cli.md from the program's own help.

Usage: cli_page.py ISOSAN PAGE            fails if the page is not what the program says
       cli_page.py ISOSAN PAGE --write    writes it (./dev docs)
"""
import pathlib
import re
import subprocess
import sys

COMPILERS = {"cc", "c++"}
HEAD = """# The command line

Made from the program's help by `./dev docs`; a test fails when it is stale.

Exit status: 0 nothing found; 66 findings (`--exit-code N`); 2 bad command line, or input that cannot be read or is
damaged, with one line on stderr that says what and where. Findings in what stood before the damage are reported
first. 68: nothing of the program that was run is instrumented, nor of what it started. Else a program that was run keeps its own
status; a signal that ended it ends isosan, too. The summary names the signal, with findings or without.

SIGUSR1 to `isosan run` prints the findings and a summary so far, while the program runs on (analyses that work while it runs). The program
gets the signal only if it handles, blocks or ignores it: else it would end the program.

`isosan run` watches every instrumented process that the program starts, too ([runtime.md](../internals/runtime.md), "Children"). Findings or damage in
any of them count for its exit status; the processes themselves keep the statuses that they have without IsoSan. `record`, `hunt`, `replay`,
`refine`, and `run` with a schedule watch one process: the first that is instrumented.
"""


def help_of(program, path):
    run = subprocess.run([program, *path, "--help"], capture_output=True, text=True, check=True)
    if "--help-all" in run.stdout:
        run = subprocess.run([program, *path, "--help-all"], capture_output=True, text=True, check=True)
    return "\n".join(line.rstrip() for line in run.stdout.strip().splitlines())


def sections(program, path):
    text = help_of(program, path)
    yield f"\n## {' '.join(['isosan', *path])}\n\n```\n{text}\n```\n"
    listed = text.partition("Subcommands:\n")[2]
    for name in re.findall(r"^  ([a-z+]+) ", listed, re.MULTILINE):
        if name in COMPILERS:  # their --help is the compiler's
            continue
        yield from sections(program, [*path, name])


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2])
    text = HEAD + "".join(sections(program, []))
    if sys.argv[3:] == ["--write"]:
        page.write_text(text)
    elif page.read_text() != text:
        print(f"{page} does not say what {program} --help says: run ./dev docs")
        return 1
    return 0


sys.exit(main())
