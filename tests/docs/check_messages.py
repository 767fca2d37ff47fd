#!/usr/bin/env python3
"""Every message of the program has an example in the tests, and docs/reference/messages.md names none that it does not have.

Model: a message is what a call of one of CALLS is given: its literals, with `{}` for what stands between. It has an example if its longest piece of
fixed text stands in a file of tests/. messages_without_example.txt lists those that have none; the list only gets shorter.

Usage: check_messages.py ROOT            fails if a message without an example is not in the list
       check_messages.py ROOT --list     prints all messages by file, as a table
       check_messages.py ROOT --write    writes the list, if it gets no longer (./dev docs)
"""
import pathlib
import re
import sys

CALLS = re.compile(r"\b(?:UserError|InputError|LogDamage|die|warn|warn_if_safe|fail|fail_in_toml|refuse|damaged|ill_formed)\(|\bfmt::print\((?=stderr)"
                   r"|\bfmt::format\((?=\s*\"(?:IsoSan|isosan|SUMMARY|WARNING|ERROR))")
TEXT = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
HOLE = re.compile(r"\{[^}]*\}|\\n|'")
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
        message = "{}".join(TEXT.findall(arguments))
        if len(message.split()) >= 2:
            yield message


def piece_of(message):
    """The longest part that is the same in every example."""
    return max((piece.strip(" ,;:") for piece in HOLE.split(message)), key=len)


def not_said(root, sources):
    """Messages of the page that are not in the source."""
    texts = "\n".join(re.sub(r'"\s*\n\s*"', "", text) for text in sources)
    page = (root / "docs" / "reference" / "messages.md").read_text()
    for message in re.findall(r"^\| `([^`]*)` \|", page, re.MULTILINE):
        if not all(piece.strip() in texts for piece in message.split("...")):
            yield f"docs/reference/messages.md: the program does not say this: {message}"


def main():
    root, listed = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).with_name("messages_without_example.txt")
    sources = {path.relative_to(root).as_posix(): path.read_text() for path in (root / "src").rglob("*") if path.suffix in (".cc", ".h")}
    found = {(name, message) for name, text in sources.items() for message in messages_of(text)}
    if sys.argv[2:] == ["--list"]:
        print("\n".join(f"| `{name}` | {message} |" for name, message in sorted(found)))
        return 0
    examples = "\n".join(path.read_text(errors="replace") for path in (root / "tests").rglob("*")
                         if path.is_file() and path.parent.name != "docs" and path.stat().st_size < 1 << 20)
    examples = " ".join(examples.replace(r"{{\[\[", "[[").replace(r"\]\]}}", "]]").split())  # FileCheck's way to write [[
    missing = sorted({f"{name}: {message}" for name, message in found
                      if len(piece_of(message)) >= SHORTEST and " ".join(piece_of(message).split()) not in examples})
    allowed = listed.read_text().splitlines() if listed.exists() else missing
    new = [line for line in missing if line not in allowed]
    wrong = [f"no test shows this message: {line}" for line in new] + list(not_said(root, sources.values()))
    print("\n".join(wrong), end="\n" if wrong else "")
    if sys.argv[2:] == ["--write"] and not new:
        listed.write_text("".join(f"{line}\n" for line in missing))
    return 1 if wrong else 0


sys.exit(main())
