#!/usr/bin/env python3
"""check_includes.py finds what it is there to find."""
import pathlib
import tempfile
import unittest

from check_includes import LAYERS, problems

TABLE = "| folder | may include |\n|---|---|\n| `base` | |\n| `analysis/*` | `base` |\n| `cli` | `analysis/*` `base` |\n"


class CheckIncludes(unittest.TestCase):
    def complaints(self, files, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            layers = root / LAYERS
            layers.parent.mkdir(parents=True)
            layers.write_text(table)
            for folder_name in ("base", "cli"):
                (root / "src" / folder_name).mkdir(parents=True)
            for name, text in files.items():
                path = root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return list(problems(root))

    def test_down_and_within_are_fine(self):
        self.assertEqual([], self.complaints({
            "base/a.h": '#include "base/b.h"\n#include "absl/x.h"\n#include <vector>\n',
            "analysis/one/one.cc": '#include "analysis/one/one.h"\n#include "base/a.h"\n',
            "cli/main.cc": '#include "analysis/one/one.h"\n',
        }))

    def test_up_is_not(self):
        self.assertEqual(["src/base/a.h:2: 'base' may not include 'cli' (cli/main.h)"],
                         self.complaints({"base/a.h": '#pragma once\n#include "cli/main.h"\n'}))

    def test_and_below_is_all_that_the_row_allows(self):
        table = TABLE + "| `event` | `base` |\n| `trace` | `event` and below |\n| `live` | `event` |\n"
        files = {"event/a.h": "", "trace/a.h": '#include "base/a.h"\n#include "event/a.h"\n', "live/a.h": '#include "base/a.h"\n'}
        self.assertEqual(["src/live/a.h:1: 'live' may not include 'base' (base/a.h)"], self.complaints(files, table))

    def test_one_analysis_does_not_know_another(self):
        self.assertEqual(["src/analysis/one/a.cc:1: 'analysis/one' may not include 'analysis/two' (analysis/two/b.h)"],
                         self.complaints({"analysis/one/a.cc": '#include "analysis/two/b.h"\n'}))

    def test_two_rows_do_not_allow_each_other(self):
        self.assertEqual([f"{LAYERS}: 'base' and 'cli' may include each other"],
                         self.complaints({}, TABLE.replace("| `base` | |", "| `base` | `cli` |").replace(" `base` |\n| `cli`", " |\n| `cli`")))

    def test_a_folder_needs_a_row(self):
        self.assertEqual([f"src/new/a.cc: {LAYERS} has no row for the folder 'new'"],
                         self.complaints({"new/a.cc": ""}))

    def test_relative_paths_are_refused(self):
        self.assertEqual(["src/base/a.h:1: ../cli/x.h: include from src/, not by a relative path"],
                         self.complaints({"base/a.h": '#include "../cli/x.h"\n'}))


if __name__ == "__main__":
    unittest.main()
