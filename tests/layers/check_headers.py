#!/usr/bin/env python3
"""Every header compiles alone.

Model: a header that is the first include of some .cc file is proven by the build itself. The others
are compiled here, each as a file of its own, through ccache where there is one.

Usage: check_headers.py ROOT FOLDER COMPILER [FLAG...]
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
LAUNCHER = [path] if (path := shutil.which("ccache")) else []


def proven_by_build(root):
    proven = set()
    for folder in ("src", "tests"):
        for path in (root / folder).rglob("*.cc"):
            first = INCLUDE.search(path.read_text())
            before = path.read_text()[:first.start()] if first else "#include <"
            if first and not re.search(r"^\s*#\s*include", before, re.MULTILINE):
                proven.add(first.group(1))
    return proven


def compile_alone(header, folder, command):
    file = folder / (header.as_posix().replace("/", "_") + ".cc")
    file.write_text(f'#include "{header.as_posix()}"\n')
    run = subprocess.run(LAUNCHER + command + ["-c", str(file), "-o", str(file.with_suffix(".o"))], capture_output=True, text=True)
    return header, run.returncode, run.stderr


def main():
    root, folder, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(CCACHE_BASEDIR=str(root), CCACHE_NOHASHDIR="1")  # a clone elsewhere finds what was compiled here
    proven = proven_by_build(root)
    headers = [path.relative_to(root / "src") for path in sorted((root / "src").rglob("*.h"))]
    headers = [path for path in headers if path.as_posix() not in proven]
    headers += [path.relative_to(root / "include") for path in sorted((root / "include").rglob("*.h"))]
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, status, complaint in pool.map(lambda header: compile_alone(header, folder, command), headers):
            if status != 0:
                print(f"{header} does not compile alone:\n{complaint}")
                wrong += 1
    print(f"{len(proven)} headers proven by the build, {len(headers)} compiled alone, {wrong} failed")
    return 1 if wrong else 0


sys.exit(main())
