"""five threads on one database, first a connection each (WAL), then one for all: sqlite_workload.c"""
import pathlib

SOURCES = ("sqlite3",)
FRONTS = ("pass",)


def build(b):
    tree = b.tree("sqlite3")
    b.command("./configure", "--disable-tcl", "--disable-shared", "--disable-readline", "--disable-load-extension",
              f"CC={b.cc}", f"CFLAGS={b.flags}", cwd=tree)
    b.make("sqlite3.c", "libsqlite3.la", cwd=tree)
    workload = pathlib.Path(__file__).with_name("sqlite_workload.c")
    b.command(b.cc, *b.flags.split(), f"-I{tree}", workload, tree / ".libs" / "libsqlite3.a", "-lm", "-pthread",
              "-o", "workload", cwd=b.folder)


def work(r):
    return r.run("./workload", "bank.db")


def load(r):
    return r.run("./workload", "bank.db", "20")
