#!/usr/bin/env python3
"""Every reference in comments and docs leads somewhere.

Model: a reference is the name of a file of ours (`ownership/claim.cc`, transition.h), a link of a page ([text](page.md)) or a
rule of docs/internals/runtime.md ("rule 4"). A file name resolves if some file of the repository ends with it. Looked at are the comments of
src/ and include/, and the pages; not their fenced blocks, which show programs of users, nor their comments.

Usage: check_references.py ROOT
"""
import pathlib
import re
import subprocess
import sys

NAME = re.compile(r"(?<![\w./<-])((?:[\w-]+/)*[\w-]+\.(?:h|cc|py|pml|test|md))(?![\w/])")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
RULE = re.compile(r"\brules? (\d+)", re.IGNORECASE)
COMMENT = re.compile(r"//[^\n]*|/\*(?s:.*?)\*/")
FENCED = re.compile(r"^```.*?^```|<!--.*?-->", re.MULTILINE | re.DOTALL)
# Names of users' programs and files, which stand in examples.
EXAMPLES = {"example.h", "example.cc", "example.md", "example_test.cc", "_test.cc"}


def files_of(root):
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return [name for name in listed.stdout.splitlines() if (root / name).is_file()]
    return [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]


def comments_of(text):
    for match in COMMENT.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match.group(0)


def prose_of(text):
    yield 1, FENCED.sub(lambda block: "\n" * block.group(0).count("\n"), text)


def heads_of(page):
    """The anchors of a page, as GitHub and mkdocs make them of its headings."""
    heads = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def problem_of_link(page, target, head):
    if "://" in target:
        return None
    file = (page.parent / target).resolve() if target else page
    if not file.exists():
        return f"no such page: {target}"
    if head and head not in heads_of(file):
        return f"{target or page.name} has no heading '{head}'"
    return None


def problems(root):
    files = files_of(root)
    endings = set()
    for name in files:
        parts = name.split("/")
        endings.update("/".join(parts[i:]) for i in range(len(parts)))
    rules = set(re.findall(r"^\*\*Rule (\d+),", (root / "docs/internals/runtime.md").read_text(), re.MULTILINE))
    for name in files:
        source = name.startswith(("src/", "include/")) and name.endswith((".h", ".cc", ".S"))
        page = name.endswith(".md")
        if not source and not page:
            continue
        text = (root / name).read_text()
        for line, part in comments_of(text) if source else prose_of(text):
            if page:
                for link in LINK.finditer(part):
                    if problem := problem_of_link(root / name, link.group(1), link.group(2)):
                        yield f"{name}:{line + part.count(chr(10), 0, link.start())}: {problem}"
            for found in NAME.finditer(part):
                reference = found.group(1)
                if reference not in endings and reference.split("/")[-1] not in EXAMPLES:
                    yield f"{name}:{line + part.count(chr(10), 0, found.start())}: no such file: {reference}"
            for found in RULE.finditer(part):
                if found.group(1) not in rules:
                    yield f"{name}:{line + part.count(chr(10), 0, found.start())}: docs/internals/runtime.md has no rule {found.group(1)}"


def main():
    wrong = list(problems(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(wrong) if wrong else "every reference leads somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
