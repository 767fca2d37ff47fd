#!/usr/bin/env python3
"""many_threads.py THREADS ALIVE: an STD trace on stdout of a main thread that starts so many others, ALIVE of them at a time.

Each is a region that adds to a variable under a lock, and writes one that it shares with every thousandth other."""
import sys

threads, alive = int(sys.argv[1]), int(sys.argv[2])
region = ("begin", "acq(l)", "r(x)", "w(x)", "rel(l)", "w(v{})", "end")
for first in range(1, threads + 1, alive):
    group = range(first, min(first + alive, threads + 1))
    sys.stdout.writelines(f"T0|fork(T{i})|1\n" for i in group)
    for i in group:
        sys.stdout.writelines(f"T{i}|{operation.format(i % 1000)}|2\n" for operation in region)
    sys.stdout.writelines(f"T0|join(T{i})|3\n" for i in group)
