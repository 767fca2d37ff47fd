"""encode 24 frames of 176x144 with four frame threads, then four slice threads; no assembly"""
import hashlib

SOURCES = ("x264",)
FRONTS = ("pass",)
WIDTH, HEIGHT, FRAMES = 176, 144, 24


def build(b):
    tree = b.tree("x264")
    b.command("./configure", "--disable-asm", "--disable-opencl", "--disable-avs", "--disable-swscale",
              "--disable-lavf", "--disable-ffms", "--disable-gpac", "--disable-lsmash", "--bit-depth=8",
              "--chroma-format=420", f"--extra-cflags={b.flags}", cwd=tree, CC=b.cc)
    b.make("x264", cwd=tree)


def picture(number):
    luma = bytes((x * 3 + y * 5 + number * 7 + (x * y >> 5)) & 255 for y in range(HEIGHT) for x in range(WIDTH))
    chroma = bytes((x + y + number) & 255 for y in range(HEIGHT // 2) for x in range(WIDTH // 2))
    return luma + chroma + chroma


def work(r):
    (r.folder / "input.yuv").write_bytes(b"".join(picture(number) for number in range(FRAMES)))
    digests = []
    for threading in ((), ("--sliced-threads",)):
        r.run("x264/x264", "--quiet", "--input-res", f"{WIDTH}x{HEIGHT}", "--fps", "25", "--threads", "4",
              "--preset", "faster", *threading, "-o", "output.264", "input.yuv")
        digests.append(hashlib.sha256((r.folder / "output.264").read_bytes()).hexdigest())
    return digests
