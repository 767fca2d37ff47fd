"""ThreadSanitizer's test programs: which of them say something about races alone, and what they expect.

A program says so in its RUN lines (how it is built and run) and its CHECK lines (a report, or none). Only the first build and the
first run count. Left out is what tests ThreadSanitizer and not the program: its options, suppressions, hooks, shadow, Java and the
reports of other kinds (deadlocks, leaks of threads, misuse of mutexes).
"""
import dataclasses
import pathlib
import platform
import re

RACES = ("data race", "heap-use-after-free", "race on vptr", "use of an invalid vptr", "reported 1 warnings")
# Reason, pattern in the text of the program.
LEFT_OUT = [
    ("Java", r'"java\.h"'),
    ("benchmark", r'"bench\.h"'),
    ("ThreadSanitizer's hooks", r"__tsan_(get_report|locate_address|get_alloc|on_|symbolize|flush|default_|testonly_shadow)|"
                                r"__sanitizer_(set_|get_|malloc_hook|install|print|report|dtor)|OnPrint|OnReport|"
                                r"linux_syscall_hooks|__interceptor_|\"syscall\.h\""),
    ("another system", r"^// UNSUPPORTED:.*(linux|x86_64)|^// REQUIRES:.*(darwin|freebsd|netbsd|sunrpc)"),
]
# The same in the RUN lines up to the first run.
RUN_LEFT_OUT = [
    ("ThreadSanitizer's options", r"%env_tsan_opts=(?!atexit_sleep_ms)|ignorelist|-mllvm|-fno-sanitize"),
    ("several files", r"-shared|%dynamiclib|%t-dir|%t\.o|BUILD_SO"),
    ("looks at machine code", r"objdump"),
]


@dataclasses.dataclass(frozen=True)
class Program:
    path: pathlib.Path
    racy: bool
    flags: tuple  # of the compiler
    arguments: tuple

    @property
    def name(self):
        return self.path.name


def programs(folder):
    """(those that count, {reason: names left out})"""
    chosen, left_out = [], {}
    paths = [p for place in (folder, folder / "Linux") for p in place.iterdir() if p.suffix in (".c", ".cc", ".cpp")]
    for path in sorted(paths, key=lambda p: p.name):
        program = read(path)
        if isinstance(program, str):
            left_out.setdefault(program, []).append(path.name)
        else:
            chosen.append(program)
    return chosen, left_out


def read(path):
    """The program, or why it does not count."""
    text = path.read_text(errors="replace")
    for reason, pattern in LEFT_OUT:
        if re.search(pattern, text, re.MULTILINE):
            return reason
    runs = " && ".join(re.findall(r"RUN: *(.*)", text)).replace("\\ &&", " ")
    build, run = re.search(r"%clang(xx)?_tsan (.*?)-o %t(.*?)(?:&&|$)", runs), re.search(r"%run %t(.*?)(?:&&|$)", runs)
    for reason, pattern in RUN_LEFT_OUT:
        if re.search(pattern, runs[: run.end() if run else None]):
            return reason
    if not build or not run:
        return "is not built and run"
    expected = expectations(text, run.group(1))
    reports = [line for line in expected if re.search(r"ThreadSanitizer[^:]*:|data race", line)]
    racy = any(kind in line for line in reports for kind in RACES)
    if reports and not racy:
        return "a report of another kind"
    flags = ["-std=c++11"] if build.group(1) else []
    flags += [word for word in (build.group(2) + build.group(3)).split() if word.startswith("-")]
    arguments = run.group(1).split("|")[0].replace("2>&1", "").split(">")[0].split()
    return Program(path, racy, tuple(flags), tuple(arguments))


def expectations(text, run):
    """What the lines for this call of FileCheck expect to see."""
    prefixes = re.findall(r"--?check-prefix(?:es)?[= ](\S+)", run)
    names = {name for some in prefixes for name in some.replace("%os", platform.system()).split(",")} or {"CHECK"}
    lines = re.findall(r"//\s*([A-Z][\w-]*?)(?:-NEXT|-SAME|-DAG)?: *(.*)", text)
    return [what for name, what in lines if name in names]
