"""compress and decompress 3 MB with two threads; zlib is instrumented too"""
import hashlib

from runner import text_of

SOURCES = ("pigz", "zlib")
FRONTS = ("pass",)


def build(b):
    zlib = b.tree("zlib")
    b.command("./configure", "--static", cwd=zlib, CC=b.cc, CFLAGS=b.flags)
    b.make("libz.a", cwd=zlib)
    b.make("pigz", f"CC={b.cc} -I{zlib} -L{zlib}", f"CFLAGS={b.flags}", cwd=b.tree("pigz"))


def work(r):
    text = text_of(r.folder / "zlib", 3_000_000)
    (r.folder / "input").write_bytes(text)
    packed = r.run("pigz/pigz", "-p2", "--keep", "--stdout", "--no-name", "input")
    (r.folder / "input.gz").write_bytes(packed)
    assert r.run("pigz/pigz", "-p2", "--decompress", "--stdout", "input.gz") == text
    return hashlib.sha256(packed).hexdigest()
