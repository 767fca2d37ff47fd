"""compress 5 MB with two threads, jobs of 512 KB, and decompress"""
import hashlib

from runner import text_of

SOURCES = ("libzstd",)
FRONTS = ("pass",)


def build(b):
    b.make("-C", "programs", "zstd", f"CC={b.cc}", f"CFLAGS={b.flags}", "HAVE_THREAD=1", "HAVE_ZLIB=0", "HAVE_LZMA=0", "HAVE_LZ4=0",
           cwd=b.tree("libzstd"))


def work(r):
    text = text_of(r.folder / "libzstd", 5_000_000)
    (r.folder / "input").write_bytes(text)
    packed = r.run("libzstd/programs/zstd", "-T2", "-9", "-B512KB", "--keep", "--stdout", "input")
    (r.folder / "input.zst").write_bytes(packed)
    assert r.run("libzstd/programs/zstd", "--decompress", "--stdout", "input.zst") == text
    return hashlib.sha256(packed).hexdigest()
