#!/usr/bin/env python3
"""Every header compiles alone.

Model: a header that is the first include of some .cc file is proven by the build itself. The others
are compiled here, each as a file of its own.

Usage: check_headers.py ROOT COMPILER [FLAG...]
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def proven_by_build(root):
    proven = set()
    for folder in ("src", "tests"):
        for path in (root / folder).rglob("*.cc"):
            first = INCLUDE.search(path.read_text())
            before = path.read_text()[:first.start()] if first else "#include <"
            if first and not re.search(r"^\s*#\s*include", before, re.MULTILINE):
                proven.add(first.group(1))
    return proven


def compile_alone(header, command):
    run = subprocess.run(command + ["-fsyntax-only", "-x", "c++", "-include", str(header), "/dev/null"],
                         capture_output=True, text=True)
    return header, run.returncode, run.stderr


def main():
    root, command = pathlib.Path(sys.argv[1]), sys.argv[2:]
    proven = proven_by_build(root)
    headers = [path for path in sorted((root / "src").rglob("*.h"))
               if path.relative_to(root / "src").as_posix() not in proven]
    headers += sorted((root / "include").rglob("*.h"))
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header, status, complaint in pool.map(lambda header: compile_alone(header, command), headers):
            if status != 0:
                print(f"{header} does not compile alone:\n{complaint}")
                wrong += 1
    print(f"{len(proven)} headers proven by the build, {len(headers)} compiled alone, {wrong} failed")
    return 1 if wrong else 0


sys.exit(main())
