#!/usr/bin/env python3
"""Each acquire, release or fence of the runtime names its order, and docs/internals/runtime.md ("Memory orders") explains it.

Model: a line that asks for more than a relaxed order has a comment `order: NAME` on it, or on the next one where the statement goes
on. NAME is a row of the table. A row that no line names is wrong, too.

Usage: check_orders.py ROOT
"""
import pathlib
import re
import sys

ASKS = re.compile(r"memory_order_(acquire|release|acq_rel|seq_cst)")
NAMES = re.compile(r"order: ([a-z ]+?)(?:;|$)")


def rows_of(page):
    section = page.read_text().split("## Memory orders")[1].split("\n## ")[0]
    return {row for row in re.findall(r"^\| ([a-z ]+) \|", section, re.MULTILINE)} - {"order"}


def main():
    root = pathlib.Path(sys.argv[1])
    rows, used, wrong = rows_of(root / "docs/internals/runtime.md"), set(), []
    for path in sorted((root / "src/runtime").rglob("*")):
        if path.suffix not in (".h", ".cc"):
            continue
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            if not ASKS.search(line.split("//")[0]):
                continue
            named = NAMES.search(line) or NAMES.search(lines[number] if number < len(lines) else "")
            if not named or named.group(1) not in rows:
                wrong.append(f"{path.relative_to(root)}:{number}: names no order of docs/internals/runtime.md: {line.strip()}")
            else:
                used.add(named.group(1))
    wrong += [f"docs/internals/runtime.md: no line of the runtime names the order '{row}'" for row in sorted(rows - used)]
    print("\n".join(wrong) if wrong else f"{len(used)} orders, all named and explained")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
