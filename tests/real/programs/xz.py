"""compress and decompress 1.5 MB with two threads, blocks of 256 KB"""
import hashlib

from runner import text_of

SOURCES = ("xz-utils",)
FRONTS = ("pass",)


def build(b):
    tree = b.tree("xz-utils")
    b.command("./configure", "--disable-shared", "--disable-nls", "--disable-doc", "--disable-scripts", "--disable-assembler",
              f"CC={b.cc}", f"CFLAGS={b.flags}", cwd=tree)
    b.make(cwd=tree)


def work(r):
    text = text_of(r.folder / "xz-utils", 1_500_000)
    (r.folder / "input").write_bytes(text)
    xz = ("xz-utils/src/xz/xz", "-T2", "--keep", "--stdout")
    packed = r.run(*xz, "-3", "--block-size=256KiB", "input")
    (r.folder / "input.xz").write_bytes(packed)
    assert r.run(*xz, "--decompress", "input.xz") == text
    return hashlib.sha256(packed).hexdigest()
