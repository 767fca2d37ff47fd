#!/usr/bin/env python3
"""No mode is asked about outside src/runtime/modes, which chooses it.

Model: the engine reads values and calls hooks of thread/mode.h. Which mode it is, and what the reader has asked for (fields of
the log's header that select one), stands in modes/ and nowhere else in the runtime.

Usage: check_modes.py ROOT
"""
import pathlib
import re
import sys

ASKS = re.compile(r"\b(plain|unlogged|quiet|units|unordered|locksets)_mode\b|g_mode\.name\b|log::Mode::k"
                  r"|header(\.|->)(quiet|mode|strict|locksets|units|noise|noise_seed|unlogged_outside|sync_edges_off|unordered_offset)\b")


def main():
    runtime = pathlib.Path(sys.argv[1]) / "src" / "runtime"
    wrong = []
    for path in sorted(runtime.rglob("*")):
        inside = path.relative_to(runtime).parts[0] in ("modes", "contract")
        if inside or path.suffix not in (".h", ".cc"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if ASKS.search(line.split("//")[0]) and "is_mode(" not in line:  # attach refuses what is none
                wrong.append(f"{path.relative_to(runtime.parent.parent)}:{number}: asks for a mode: {line.strip()}")
    print("\n".join(wrong) if wrong else "no mode is asked about outside modes/")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
