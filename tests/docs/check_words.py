#!/usr/bin/env python3
"""Words that our style replaces by plain ones are counted, and paragraphs that are too long; the counts in word_counts.txt only go down.

Looked at are the pages, and the comments and texts of the sources. Fenced blocks are not: they show output. A page says what is, not when it was
found out: a date stands in docs/notes, in bench/results and in the changelog only.

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
LONG = "long-paragraph"
MOST_WORDS = 120
WORDS = {LONG: f"it in paragraphs of at most {MOST_WORDS} words"} | {word.strip(): instead for words, instead in INSTEAD.items() for word in words.split(",")}
PATTERN = re.compile(r"\b(" + "|".join(word for word in WORDS if word != LONG) + r")\b", re.IGNORECASE)
DATE = re.compile(r"\b20\d\d-\d\d-\d\d\b(?!-)")
DATED = ("docs/notes/", "bench/results/", "CHANGELOG.md")
PARAGRAPH = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*|]|\d+\.) )|\n(?=\|)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)


def area_of(name):
    if name.endswith(".md"):
        return "pages"
    if name.startswith(("src/", "include/")) and name.endswith((".h", ".cc", ".S", ".js")):
        return "sources"
    return None


def texts_of(root):
    """Each page, and each source's comments and texts: (area, name, text)."""
    for name in subprocess.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True, check=True).stdout.splitlines():
        area = area_of(name)
        if area and (root / name).is_file():
            text = (root / name).read_text()
            yield area, name, FENCED.sub("", text) if area == "pages" else "\n".join(COMMENT_OR_TEXT.findall(text))


def counts_of(texts):
    counts = collections.Counter()
    for area, _, text in texts:
        counts.update((area, word.lower()) for word in PATTERN.findall(text))
        if area == "pages":
            counts[area, LONG] += sum(len(part.split()) > MOST_WORDS for part in PARAGRAPH.split(text))
    return counts


def dates_of(texts):
    return [(name, date) for area, name, text in texts if area == "pages" and not name.startswith(DATED) for date in DATE.findall(text)]


def read(path):
    return {(area, word): int(count) for area, word, count in map(str.split, path.read_text().splitlines())}


def main():
    root, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(__file__).with_name("word_counts.txt")
    texts = list(texts_of(root))
    counts, allowed, dates = counts_of(texts), read(path) if path.exists() else None, dates_of(texts)
    more = [key for key, count in counts.items() if allowed is not None and count > allowed.get(key, 0)]
    for area, word in more:
        print(f"{area}: '{word}' {counts[area, word]} times, {allowed.get((area, word), 0)} before; say {WORDS[word]}")
    for name, date in dates:
        print(f"{name}: {date}: when something was measured or done stands in docs/notes or bench/results")
    if not more and sys.argv[2:] == ["--write"]:
        path.write_text("".join(f"{area} {word} {count}\n" for (area, word), count in sorted(counts.items())))
    return 1 if more or dates else 0


sys.exit(main())
