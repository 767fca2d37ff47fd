#!/usr/bin/env python3
"""Every message of the program has an example in the tests, and docs/reference/messages.md names none that it does not have.

Model: a message is what a call of one of CALLS is given: its literals, the first of which is the format. It has an example if the longest piece of
fixed text in its format stands in a file of tests/.

Usage: check_messages.py ROOT            fails if a message has no example
       check_messages.py ROOT --list     prints all messages by file, as a table
"""
import pathlib
import re
import sys

CALLS = re.compile(r"\b(?:UserError|InputError|LogDamage|die|warn|warn_if_safe|fail|fail_in_toml|refuse|damaged|ill_formed)\(|\bfmt::print\((?=stderr)"
                   r"|\bfmt::format\((?=\s*\"(?:IsoSan|isosan|SUMMARY|WARNING|ERROR))")
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
HOLE = re.compile(r"\{[^}]*\}|\\[nr]|'")
SHORTEST = 10


def closing(text, start):
    """The end of the call whose arguments begin at `start`."""
    depth, at = 1, start
    while depth and at < len(text):
        literal = TEXT.match(text, at)
        if literal:
            at = literal.end()
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def messages_of(source):
    text = re.sub(r"^\s*//.*$", "", source, flags=re.MULTILINE)
    for call in CALLS.finditer(text):
        arguments = text[call.end():closing(text, call.end())]
        arguments = re.sub(r'"\s*\n\s*"', "", arguments)  # one literal on several lines
        literals = [literal.replace(r'\"', '"') for literal in TEXT.findall(arguments)]
        if len(" ".join(literals).split()) >= 2:
            yield tuple(literals)


def piece_of(literals):
    """The longest part of the format, or of what is put into it if the format says little."""
    for text in (literals[0], "{}".join(literals)):
        piece = max((piece.strip(" ,;:") for piece in HOLE.split(text)), key=len)
        if len(piece) >= SHORTEST:
            return piece
    return ""


def not_said(root, sources):
    """Messages of the page that are not in the source."""
    texts = "\n".join(re.sub(r'"\s*\n\s*"', "", text) for text in sources)
    page = (root / "docs" / "reference" / "messages.md").read_text()
    for message in re.findall(r"^\| `([^`]*)` \|", page, re.MULTILINE):
        if not all(piece.strip() in texts for piece in message.split("...")):
            yield f"docs/reference/messages.md: the program does not say this: {message}"


def main():
    root = pathlib.Path(sys.argv[1])
    sources = {path.relative_to(root).as_posix(): path.read_text() for path in (root / "src").rglob("*") if path.suffix in (".cc", ".h")}
    found = {(name, message) for name, text in sources.items() for message in messages_of(text)}
    if sys.argv[2:] == ["--list"]:
        print("\n".join(f"| `{name}` | {'{}'.join(literals)} |" for name, literals in sorted(found)))
        return 0
    examples = "\n".join(path.read_text(errors="replace") for path in (root / "tests").rglob("*")
                         if path.is_file() and path.parent.name != "docs" and path.stat().st_size < 1 << 20)
    examples = " ".join(examples.replace(r"{{\[\[", "[[").replace(r"\]\]}}", "]]").split())  # FileCheck's way to write [[
    examples = re.sub(r'" "', "", examples)  # one literal on several lines
    missing = sorted({f"{name}: {'{}'.join(literals)}" for name, literals in found
                      if piece_of(literals) and " ".join(piece_of(literals).split()) not in examples})
    wrong = [f"no test shows this message: {line}" for line in missing] + list(not_said(root, sources.values()))
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


sys.exit(main())
