#!/usr/bin/env python3
"""The layers of src/, enforced from the table in docs/internals/layers.md.

Model: a row of the table ("| `trace` | `base` `event` |") says which folders a folder may include
beside itself; "`trace` and below" is that folder and all that its row allows. `analysis/*` stands for each
analysis folder by itself, and a folder below another may have a row of its own (`runtime/abi`). A file may include what its row allows, system and third-party
headers, and nothing else of ours. A folder of src/ without a row is an error, and so are two rows that
allow each other, directly or by way of others.

Usage: check_includes.py ROOT
"""
import fnmatch
import pathlib
import re
import sys

LAYERS = "docs/internals/layers.md"
ROW = re.compile(r"^\| `([a-z/*]+)` \|([^|]*)\|")
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def allowed_includes(architecture):
    table = {}
    for line in architecture.read_text().splitlines():
        row = ROW.match(line)
        if row:
            named = re.findall(r"`([a-z/*]+)`( and below)?", row.group(2))
            below = (table.get(name, set()) for name, and_below in named if and_below)
            table[row.group(1)] = {name for name, _ in named}.union(*below)
    return table


def folder_and_row(path, table):
    """The deepest folder of a path below src/ that the table knows, and its row; analysis/* knows each analysis."""
    parts = pathlib.PurePath(path).parts[:-1]
    for depth in range(len(parts), 0, -1):
        folder = "/".join(parts[:depth])
        for row in (folder, "/".join((*parts[:depth - 1], "*"))):
            if row in table:
                return folder, row
    return parts[0], None


def is_allowed(source, row, target, table):
    return source == target or any(fnmatch.fnmatchcase(target, allowed) for allowed in table[row])


def cycles(table):
    """Rows that lead back to themselves: (row, the row that allows it)."""
    def reachable(row, seen):
        for allowed in table.get(row, ()):
            for other in table:
                if other != row and other not in seen and (other == allowed or fnmatch.fnmatchcase(other, allowed)):
                    seen.add(other)
                    reachable(other, seen)
        return seen
    reach = {row: reachable(row, set()) for row in table}
    return sorted((a, b) for a in table for b in reach[a] if a < b and a in reach[b])


def problems(root):
    table = allowed_includes(root / LAYERS)
    if not table:
        yield f"{LAYERS}: no table of allowed includes"
        return
    for one, other in cycles(table):
        yield f"{LAYERS}: '{one}' and '{other}' may include each other"
    src = root / "src"
    ours = {path.name for path in src.iterdir() if path.is_dir()}
    for path in sorted(src.rglob("*")):
        if path.suffix not in (".h", ".cc", ".c", ".inc", ".S"):
            continue
        folder, row = folder_and_row(path.relative_to(src), table)
        if row is None:
            yield f"{path.relative_to(root)}: {LAYERS} has no row for the folder '{folder}'"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = INCLUDE.match(line)
            if not include:
                continue
            name = include.group(1)
            where = f"{path.relative_to(root)}:{number}"
            if ".." in name:
                yield f"{where}: {name}: include from src/, not by a relative path"
            elif name.split("/")[0] in ours:
                target, _ = folder_and_row(name, table)
                if not is_allowed(folder, row, target, table):
                    yield f"{where}: '{folder}' may not include '{target}' ({name})"


def main():
    wrong = list(problems(pathlib.Path(sys.argv[1])))
    print("\n".join(wrong) if wrong else "every include goes down")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
