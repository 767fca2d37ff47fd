#!/usr/bin/env python3
"""smoke_test.py BENCH BUILD: a benchmark on small programs prints its table, and a failed run is an error."""
import os
import subprocess
import sys
import unittest

BENCH, BUILD = sys.argv[1:3]
os.environ["ISOSAN_BUILD"] = BUILD
sys.path.insert(0, os.path.dirname(BENCH))
sys.dont_write_bytecode = True

from harness import measure, night, save, watch  # noqa: E402


def bench(*options):
    done = subprocess.run([BENCH, "--runs", "1", "--scale", "0.01", *options], text=True, check=False, capture_output=True)
    return done.returncode, done.stdout, done.stderr


class Smoke(unittest.TestCase):
    def test_table(self):
        modes = ["tsan-clang", "tsan-gcc", "record", "atomsanitizer", "abi:record", "abi:atomsanitizer"]
        status, out, _ = bench("--programs", "elevator,montecarlo", "--modes", ",".join(modes))
        self.assertEqual(status, 0, out)
        lines = out.splitlines()
        self.assertEqual(lines[1].split(), ["program", "native", *modes])
        self.assertEqual(lines[2], "-- tuned")
        for line, name in zip(lines[3:5], ["elevator", "montecarlo"]):
            self.assertRegex(line, rf"^{name} +\d+ ms( +\d+\.\d\d){{{len(modes)}}}$")
        self.assertRegex(out, r"(?m)^geomean( +\d+\.\d\d){6}$")
        for bar in ("tuned: record <= 3 x native", "tuned: atomsanitizer <= 3.5 x native", "peak memory of the program <="):
            self.assertRegex(out, rf"(?m)^  (met|NOT MET) +{bar}")

    def of_the_papers(self, name, *options):
        done = subprocess.run([os.path.join(os.path.dirname(BENCH), name), *options], text=True, check=False, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return [line.split() for line in done.stdout.splitlines()]

    def test_tables_of_doublechecker(self):
        counts = self.of_the_papers("doublechecker-counts", "--programs", "elevator", "--scale", "0.01", "--spec", "all")
        self.assertEqual([line[:2] for line in counts[2:]], [["elevator", name] for name in ("single", "first", "second")])
        single, first, _ = ([int(cell.replace(",", "")) for cell in line[2:]] for line in counts[2:])
        self.assertGreater(min(single[:2]), 0)
        self.assertEqual(first[1:3], [0, 0], "a first run logs no accesses")
        multi = self.of_the_papers("doublechecker-multi", "--programs", "account", "--trials", "2")
        self.assertEqual(multi[2][0], "account")
        found, kept = int(multi[2][1]), int(multi[2][3])
        self.assertGreaterEqual(found, max(kept, 1))
        parts = self.of_the_papers("doublechecker-parts", "--programs", "elevator", "--scale", "0.01", "--runs", "1")
        self.assertEqual(parts[1], ["program", "native", "edges", "SCC", "logging", "PCD"])
        arrays = self.of_the_papers("doublechecker-arrays", "--programs", "elevator", "--scale", "0.01", "--runs", "1")
        self.assertEqual(arrays[1], ["program", "native", "built", "asked", "single", "velo-built", "velodrome"])

    def test_shapes_of_marathon(self):
        lines = self.of_the_papers("marathon-shapes", "--programs", "critical,piper", "--shuffled", "3")
        self.assertEqual([line[0] for line in lines[1:3]], ["critical", "piper"])
        self.assertEqual(lines[2][11:13], ["0", "-"], "no error, and nothing new")
        self.assertEqual(lines[-1][:3], ["piper,", "false", "alarms:"])

    def test_locks_of_atomizer(self):
        lines = self.of_the_papers("atomizer-locks", "--locks", "100", "--runs", "1")
        self.assertEqual([line[:2] for line in lines[1:]], [line for name in ("native", "run", "check") for line in ([name, "1"], [name, "100"], ["a", "lock"])])

    def test_table_of_penelope(self):
        lines = self.of_the_papers("penelope", "--programs", "stack_pop,raytracer 10", "--most", "2")
        stack, tracer = lines[2], lines[3]
        self.assertEqual((stack[0], stack[1], stack[3]), ("stack_pop", "3", "1"), "threads, locks")
        self.assertGreaterEqual(int(stack[12]), 1, "failed")
        self.assertEqual((tracer[:3], tracer[8]), (["raytracer", "10+", "11"], "180"))

    def test_groups_have_their_own_means(self):
        status, out, _ = bench("--programs", "longone,elevator", "--modes", "first")
        self.assertEqual(status, 0, out)
        words = [line.split()[:2] for line in out.splitlines()[2:10]]
        labels = [" ".join(line) if line[0] == "--" else line[0] for line in words]
        self.assertEqual(labels, ["-- tuned", "elevator", "geomean", "program's", "-- held-out", "longone", "geomean", "program's"])
        self.assertRegex(out, r"(?m)^  (met|NOT MET) +held-out: first <= 2.75 x native")

    def test_saved_results_say_where_they_are_from(self):
        text = save.page("run", ["--runs", "1"], "figures\n")
        self.assertRegex(text, r"^# ./dev bench run\n\n`./dev bench run --runs 1`\n\n\d{4}-\d\d-\d\d, commit \S+, .*\n\n```text\nfigures\n```\n$")

    def test_a_failed_run_is_an_error(self):
        mode = measure.Mode("native", "native")
        self.assertRegex(measure.run_once(mode, "false", []).error, "^the program ended with 1")
        self.assertRegex(measure.run_once(mode, "true", []).error, "^the program found its own result wrong")
        self.assertRegex(measure.run_once(mode, "no-such-program", []).error, "^ended with 2, no figures")
        good, bad = measure.Figures(cpu=1), measure.Figures(error="no")
        self.assertEqual(measure.medians([good, bad, good]).error, "no")

    def test_a_simulated_night(self):
        quiet = night.simulate(3, 3600, [1, 3], 60, 0, failures_per_hour=1e-9)
        self.assertAlmostEqual(quiet.work + quiet.cut, 3 * 3600)
        self.assertEqual((quiet.overhead, quiet.failures), (0, 0))
        self.assertAlmostEqual(night.simulate(1, 3600, [1], 50, 10, failures_per_hour=1e-9).overhead, 600)
        bad = night.simulate(100, 36000, [1], 600, 0, failures_per_hour=1, away=0)  # a task survives with exp(-1/6): 8 % are lost
        self.assertAlmostEqual(bad.share(bad.failures), 8, delta=1.5)

    def test_names_are_checked(self):
        for script in (BENCH, os.path.join(os.path.dirname(BENCH), "real")):
            for option in ("--programs", "--modes"):
                done = subprocess.run([script, option, "nonsense"], text=True, check=False, capture_output=True)
                self.assertEqual(done.returncode, 2)
                self.assertIn("'nonsense'; there are:", done.stderr)

    def test_both_processes_are_watched(self):
        child = "x = bytearray(64 << 20); input()"
        parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
        process = subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE)
        with watch.Watch(process.pid) as seen:
            while seen.child is None or seen.child.peak < 64:
                seen.over.wait(watch.EVERY)
            process.communicate(b"\n")
        self.assertLess(seen.parent.peak, 64)
        self.assertGreaterEqual(seen.child.peak, 64)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
