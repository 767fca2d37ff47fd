"""Benchmarks that run the programs of bench/programs in several ways and compare: `./dev bench run`, `doublechecker`, ...

Model: a *variant* is a way to compile, a *mode* a variant and a command to run the program under. Runs are interleaved
(program by program, one run of every mode, then again), so that what else the machine does falls on all modes alike; a
figure is the median. Time is processor time, user and system, of the program and of the analyser together.
A benchmark is a list of modes and a main(): see bench/run.
"""
