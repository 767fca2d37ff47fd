# End-to-end tests: each builds a small program through a front and runs it under isosan. CMake passes
# the folders, the front and the optimisation level; a test states its command and its verdict.
import shutil

import lit.formats

build = lit_config.params["build"]
source = lit_config.params["source"]
front = lit_config.params["front"]
level = lit_config.params["level"]

config.name = "e2e." + front + "." + level
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".cc", ".c"]
config.excludes = ["primitives.cc", "steps.c", "inputs"]
config.test_source_root = source + "/tests/e2e"
config.test_exec_root = build + "/tests/e2e/" + front + "." + level
config.environment["PATH"] = lit_config.params["llvm"] + "/bin:/usr/bin:/bin"
config.available_features.add(front)
if shutil.which("gdb"):
    config.available_features.add("gdb")
flags = " --front " + front + " -g -" + level + " -pthread -I" + source + "/tests/e2e "
if front == "tsan":
    flags += "-Wno-tsan "  # gcc warns of fences, which we model
config.substitutions += [
    ("%cxx", build + "/bin/isosan-c++" + flags + "-std=c++20"),
    ("%cc", build + "/bin/isosan-cc" + flags),
    ("%isosan", build + "/bin/isosan"),
    ("%exits", source + "/tests/tools/exits"),
    ("%in_terminal", source + "/tests/tools/in_terminal.py"),
    ("%steps", lit_config.params["steps"]),
    ("%include", source + "/include"),
]
