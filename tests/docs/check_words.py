#!/usr/bin/env python3
"""Words that our style replaces by plain ones are counted; the counts in word_counts.txt only go down.

Looked at are the pages, and the comments and texts of the sources. Fenced blocks are not: they show output.

Usage: check_words.py ROOT            fails if there are more of a word than the file says
       check_words.py ROOT --write    writes what there is, if it is not more (./dev docs)
"""
import collections
import pathlib
import re
import subprocess
import sys

INSTEAD = {
    "tell, tells, told, untold": "log, report, say",
    "withheld": "buffered",
    "lone, alone, company, harmless": "quiet, clear, dropped, only",
    "rests, roaming, borrowed": "may_skip_log, unbounded_walk, noescape",
}
WORDS = {word.strip(): instead for words, instead in INSTEAD.items() for word in words.split(",")}
PATTERN = re.compile(r"\b(" + "|".join(WORDS) + r")\b", re.IGNORECASE)
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


def area_of(name):
    if name.endswith(".md"):
        return "pages"
    if name.startswith(("src/", "include/")) and name.endswith((".h", ".cc", ".S", ".js")):
        return "sources"
    return None


def counts_of(root):
    counts = collections.Counter()
    for name in subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines():
        area = area_of(name)
        if not area or not (root / name).is_file():
            continue
        text = (root / name).read_text()
        text = FENCED.sub("", text) if area == "pages" else "\n".join(COMMENT_OR_TEXT.findall(text))
        counts.update((area, word.lower()) for word in PATTERN.findall(text))
    return counts


def read(path):
    return {(area, word): int(count) for area, word, count in map(str.split, path.read_text().splitlines())}


def main():
    root, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(__file__).with_name("word_counts.txt")
    counts, allowed = counts_of(root), read(path) if path.exists() else None
    more = [key for key, count in counts.items() if allowed is not None and count > allowed.get(key, 0)]
    for area, word in more:
        print(f"{area}: '{word}' {counts[area, word]} times, {allowed.get((area, word), 0)} before; say {WORDS[word]}")
    if not more and sys.argv[2:] == ["--write"]:
        path.write_text("".join(f"{area} {word} {count}\n" for (area, word), count in sorted(counts.items())))
    return 1 if more else 0


sys.exit(main())
