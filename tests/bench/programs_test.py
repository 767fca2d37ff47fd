#!/usr/bin/env python3
"""programs_test.py BENCH BUILD: each program of bench/programs/held-out computes the right result under `isosan run`, and velodrome
blames no region but those that cannot be atomic."""
import os
import subprocess
import sys
import tempfile
import unittest

BENCH, BUILD = sys.argv[1:3]
os.environ["ISOSAN_BUILD"] = BUILD
sys.path.insert(0, os.path.dirname(BENCH))
sys.dont_write_bytecode = True

from harness import builds, warnings  # noqa: E402

# Operations of lock-free structures: one that loses a race reads again what another has changed meanwhile.
MAY_BE_BLAMED = {"stack": {"Stack::push", "Stack::pop"}, "msqueue": {"Queue::push", "Queue::pop"}}


class Programs(unittest.TestCase):
    def test_each(self):
        for program in builds.GROUPS["held-out"]:
            with self.subTest(program):
                self.look_at(program)

    def look_at(self, program):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "report.json")
            command = [str(builds.ISOSAN), "run", "--exit-code", "0", "--json", report, "--", str(builds.build(program, "pass"))]
            done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn(f"{program} ok ", done.stdout)
            findings, _ = warnings.read(report)
        self.assertLessEqual(set(warnings.blamed(findings)), MAY_BE_BLAMED.get(program, set()), done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
