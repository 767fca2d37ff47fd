"""compress and decompress 4 MB with two threads; libbz2 is instrumented too"""
import hashlib
import pathlib

SOURCES = ("pbzip2", "bzip2")
FRONTS = ("pass", "tsan")


def build(b):
    library = b.tree("bzip2")
    b.make("libbz2.a", f"CC={b.cc}", f"CFLAGS={b.flags} -D_FILE_OFFSET_BITS=64", cwd=library)
    # The program writes "..."PRIuMAX without a space, which clang takes for a C++11 literal unless told.
    permissive = "-Wno-reserved-user-defined-literal" if "clang" in b.cc or b.toolchain.name == "isosan-pass" else ""
    b.make("pbzip2", f"CXX={b.cxx}", f"LDFLAGS=-L{library}", cwd=b.tree("pbzip2"),
           CXXFLAGS=f"{b.flags} -I{library} {permissive}")


def work(r):
    text = b"".join(path.read_bytes() for path in sorted((r.folder / "bzip2").glob("*.[ch]"))) * 11
    (r.folder / "input").write_bytes(text)
    r.run("pbzip2/pbzip2", "--keep", "--force", "-p2", "-b2", "input")
    packed = (r.folder / "input.bz2").read_bytes()
    unpacked = r.run("pbzip2/pbzip2", "--decompress", "--stdout", "-p2", "input.bz2")
    assert unpacked == text
    r.run("pbzip2/pbzip2", "--test", "input", status=2)  # not a bzip2 file: says so
    return hashlib.sha256(packed).hexdigest()
