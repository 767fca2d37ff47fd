#!/usr/bin/env python3
"""The files that docs/internals/adding-an-analysis.md shows compile, as a reader would copy them.

Usage: check_skeleton.py ROOT COMPILER [FLAG...]
"""
import pathlib
import subprocess
import sys
import tempfile

from pages import blocks_of


def main():
    root, compiler = pathlib.Path(sys.argv[1]), sys.argv[2:]
    page = root / "docs" / "internals" / "adding-an-analysis.md"
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        files = {mark.removeprefix("file "): block.text for block in blocks_of(page.name, page.read_text())
                 for mark in block.marks if mark.startswith("file ")}
        for name, text in files.items():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_text(text)
        sources = [copy / name for name in files if name.endswith(".cc")]
        includes = [f"-I{path}" for path in (copy / "src", root / "src", root / "include", root / "tests")]
        return subprocess.run([*compiler, "-fsyntax-only", *includes, *sources], check=False).returncode if sources else 1


sys.exit(main())
