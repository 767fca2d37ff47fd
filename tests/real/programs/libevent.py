"""the tests of its own suite about threads, locks, buffers and loops: each in a process, with its locks switched on"""
SOURCES = ("libevent",)
FRONTS = ("pass", "tsan")
GROUPS = ("thread", "main", "util", "evbuffer", "bufferevent", "http", "listener", "et", "finalize", "rpc")
NOT_RUN = ("main/mm_functions", "http/cancel")  # needs a process that has allocated nothing; wait ten seconds for a network


def build(b):
    tree = b.tree("libevent")
    b.command("./configure", "--disable-shared", "--disable-openssl", "--disable-samples", f"CC={b.cc}",
              f"CFLAGS={b.flags} -w", cwd=tree)
    kept = (f"{tool}=:" for tool in ("ACLOCAL", "AUTOCONF", "AUTOHEADER", "AUTOMAKE"))  # Debian's patches make them look old
    b.make(*kept, "all", cwd=tree)


def work(r):
    program = r.folder / "libevent" / "test" / "regress"
    listed = [line.strip() for line in r.run(program, "--list-tests").decode().splitlines()]
    tests = [name for name in listed if name.startswith(tuple(f"{group}/" for group in GROUPS)) and not name.startswith(NOT_RUN)
             and " " not in name]  # "(Off by default)"
    for name in tests:
        r.run(program, "--no-fork", name)
    return tests
