"""its own tests, and four threads on one memory-mapped database, readers without locks: lmdb_workload.c"""
import pathlib
import shutil

SOURCES = ("lmdb",)
FRONTS = ("pass", "tsan")
TESTS = ("mtest", "mtest2", "mtest3", "mtest4", "mtest5")


def build(b):
    library = b.tree("lmdb") / "libraries" / "liblmdb"
    b.make("liblmdb.a", *TESTS, f"CC={b.cc}", f"OPT={b.flags}", cwd=library)
    workload = pathlib.Path(__file__).with_name("lmdb_workload.c")
    b.command(b.cc, *b.flags.split(), f"-I{library}", workload, library / "liblmdb.a", "-pthread", "-o", "workload", cwd=b.folder)


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def work(r):
    for test in TESTS:
        empty(r.folder / "testdb")
        r.run(f"lmdb/libraries/liblmdb/{test}")
    return r.run("./workload", empty(r.folder / "bank"), "3000")


def load(r):
    return r.run("./workload", empty(r.folder / "bank"), "20000")
