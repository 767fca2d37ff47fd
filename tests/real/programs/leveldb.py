"""its own tests, and db_bench with four threads"""
SOURCES = ("leveldb",)
FRONTS = ("pass",)
# A whole test is no transaction, nor is a whole benchmark: what they call is.
TESTING = ("--not-atomic", "RUN_ALL_TESTS", "--not-atomic", "*TestBody")
BENCHMARKS = ("--not-atomic", "leveldb::Benchmark::*")
LIMIT = 900  # seconds for each
TESTS = ("arena", "autocompact", "bloom", "c", "cache", "coding", "corruption", "crc32c", "db", "dbformat",
         "env_posix", "env", "fault_injection", "filename", "filter_block", "hash", "issue178", "issue200", "issue320",
         "log", "logging", "memenv", "no_destructor", "recovery", "skiplist", "status", "table", "version_edit",
         "version_set", "write_batch")


def build(b):
    tree = b.tree("leveldb")
    b.command("cmake", "-S", tree, "-B", "out", f"-DCMAKE_C_COMPILER={b.cc}", f"-DCMAKE_CXX_COMPILER={b.cxx}",
              "-DCMAKE_BUILD_TYPE=None", f"-DCMAKE_C_FLAGS={b.flags}", f"-DCMAKE_CXX_FLAGS={b.flags}", cwd=b.folder)
    tests = () if b.for_load else (f"{test}_test" for test in TESTS)
    b.command("cmake", "--build", "out", "-j2", "--target", "db_bench", *tests, cwd=b.folder)


def db_bench(r, *options):
    """The names of the benchmarks that it ran."""
    done = r.run("out/db_bench", f"--db={r.folder}/database", *options, options=BENCHMARKS)
    return [line.split(":")[0].split() for line in done.decode().splitlines() if "micros/op" in line]


def load(r):
    return db_bench(r, "--threads=2", "--num=20000", "--benchmarks=fillrandom,readrandom,readwhilewriting")


def work(r):
    scratch = r.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    for test in TESTS:
        r.run(f"out/{test}_test", environment={"TEST_TMPDIR": str(scratch)}, limit=LIMIT,
              options=() if test == "c" else TESTING)  # c_test has a main of its own
    return db_bench(r, "--threads=4", "--num=1000",
                    "--benchmarks=fillseq,fillrandom,overwrite,readrandom,readseq,readwhilewriting,compact,seekrandom")
