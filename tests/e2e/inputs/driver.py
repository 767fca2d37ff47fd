# A test driver: starts PROGRAM many times at once, and checks that each is the process that it says it is.
import subprocess
import sys

started = [subprocess.Popen([sys.argv[1], "pid"], stdout=subprocess.PIPE) for _ in range(6)]
for one in started:
    assert int(one.communicate()[0]) == one.pid and one.returncode == 0
torn = subprocess.run([sys.argv[1], "tear-7"], stderr=subprocess.PIPE)
assert torn.returncode == 7 and torn.stderr == b"", torn
