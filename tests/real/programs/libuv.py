"""the tests of its own suite that are about threads, each in a process; their loops, pool and asynchronous handles are libuv's"""
import re

SOURCES = ("libuv1",)
FRONTS = ("pass", "tsan")
TESTS = ("thread", "thread-equal", "mutexes", "barrier", "condvar", "semaphore", "threadpool", "threadpool-cancel", "async", "async-null-cb",
         "loop-handles", "loop-stop", "signal-multiple-loops", "timer-again")
SYSTEM = ("epoll", "linux-core", "linux-inotify", "linux-syscalls", "procfs-exepath", "proctitle", "pthread-fixes", "random-getentropy",
          "random-getrandom", "random-sysctl-linux", "async", "core", "dl", "fs", "getaddrinfo", "getnameinfo", "loop-watcher", "loop", "pipe",
          "poll", "process", "random-devurandom", "signal", "stream", "tcp", "thread", "tty", "udp")
NOT_RUN = {"threadpool_cancel_getaddrinfo", "threadpool_cancel_getnameinfo"}  # wait for the network
MAIN = """#include <stdio.h>
#include <string.h>
void notify_parent_process(void) {{}}
{declared}
int main(int argc, char** argv) {{
  setvbuf(stdout, NULL, _IONBF, 0);
{calls}
  return 99;
}}
"""


def names(tree):
    """The functions of the chosen files that are tests, and are for this system."""
    found = [name for test in TESTS for name in re.findall(r"^TEST_IMPL\((\w+)\)", (tree / "test" / f"test-{test}.c").read_text(), re.MULTILINE)]
    return [name for name in dict.fromkeys(found) if name not in NOT_RUN]


def build(b):
    tree = b.tree("libuv1")
    chosen = names(tree)
    (tree / "main.c").write_text(MAIN.format(
        declared="\n".join(f"int run_test_{name}(void);" for name in chosen),
        calls="\n".join(f'  if (argc > 1 && !strcmp(argv[1], "{name}")) return run_test_{name}();' for name in chosen)))
    library = [*sorted((tree / "src").glob("*.c")), *(tree / "src" / "unix" / f"{name}.c" for name in SYSTEM)]
    tests = [tree / "test" / f"test-{name}.c" for name in TESTS]
    b.command(b.cc, *b.flags.split(), "-w", "-D_GNU_SOURCE", "-Iinclude", "-Isrc", "-Itest", "main.c", *tests, *library, "-pthread", "-ldl", "-o",
              b.folder / "tests", cwd=tree)


def work(r):
    chosen = names(r.folder / "libuv1")
    for name in chosen:
        r.run("./tests", name, limit=60)  # ends with 0; some print how far they came in a fixed time
    return chosen
