"""The real programs, and how one is built unless that was done before."""
import shutil
import sys

from runner import Build

ORDER = ("pbzip2", "pigz", "xz", "zstd", "sqlite", "leveldb", "memcached", "redis", "x264", "lmdb", "libuv", "zeromq", "microhttpd", "libevent")


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


def one_build(recipe, toolchain, sources, folder, keep):
    """Builds unless that was done before, with the same compiler and pass."""
    done = folder / "built"
    if not (done.exists() and (keep or done.read_text() == toolchain.version)):
        say(f"{recipe.__name__.split('.')[-1]}: building with {toolchain.name}")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        recipe.build(Build(toolchain, sources, folder))
        done.write_text(toolchain.version)
