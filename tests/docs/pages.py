"""Commands and outputs of a page.

Model: a fenced block `console` is a terminal. `$ ` begins a command, `> ` continues it, the lines below are its output. A line `...` stands
for any lines, `...` in a line for any text. A comment before the block says what else is meant, words with commas between:

  <!-- exit 66 -->               the last command of the block ends with this status (default 0; the others always with 0)
  <!-- long -->                  run in the long suite only
  <!-- run by: NAME[ NAME] -->   not run here, but by these tests of ctest
  <!-- file NAME -->             of a block that is no terminal: it is written to this file
"""
import re
from dataclasses import dataclass, field

BLOCK = re.compile(r"^(?:<!-- (?P<marks>[^\n]*) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LANGUAGES = {"console", "cpp", "c", "toml", "yaml", "cmake", "text"}


@dataclass
class Command:
    page: str
    line: int
    text: str
    status: int = 0
    output: list = field(default_factory=list)


@dataclass
class Block:
    page: str
    line: int
    language: str
    text: str
    marks: list


def blocks_of(page, text):
    for found in BLOCK.finditer(text):
        marks = found.group("marks")
        line = text.count("\n", 0, found.start("text"))
        yield Block(page, line, found.group("language"), found.group("text"), marks.split(", ") if marks else [])


def commands_of(block):
    names = [mark.removeprefix("file ") for mark in block.marks if mark.startswith("file ")]
    if names:
        return [Command(block.page, block.line, f"cat > {names[0]} <<'END_OF_FILE'\n{block.text}END_OF_FILE")]
    if block.language != "console":
        return []
    commands = []
    for offset, line in enumerate(block.text.splitlines(), 1):
        if line.startswith("$ "):
            commands.append(Command(block.page, block.line + offset, line[2:]))
        elif line.startswith(">") and commands and not commands[-1].output:
            commands[-1].text += "\n" + line[2:]
        elif commands:
            commands[-1].output.append(line)
    for mark in block.marks:
        if commands and mark.startswith("exit "):
            commands[-1].status = int(mark.removeprefix("exit "))
    return commands


def pattern_of(output):
    """The expected lines as a regular expression over a whole output."""
    parts = []
    for line in output:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*?")
        else:
            parts.append(".*?".join(re.escape(part) for part in line.rstrip().split("...")) + r"[ ]*\n")
    return re.compile("".join(parts))


def first_difference(output, actual):
    """How many of the expected lines can be matched, for the message."""
    for count in range(len(output), 0, -1):
        if pattern_of(output[:count]).match(actual):
            return count
    return 0
