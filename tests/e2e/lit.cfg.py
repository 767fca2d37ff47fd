# End-to-end tests: each builds a small program through a front and runs it under isosan. CMake passes
# the folders, the tree if it is another one, the front and the optimisation level; a test states its command and its verdict.
import os
import shutil

import lit.formats

build = lit_config.params["build"]
source = lit_config.params["source"]
name = lit_config.params["name"]  # [TREE.]FRONT.LEVEL: the tree of another processor, or of the checked runtime
*tree, front, level = name.split(".")

config.name = "e2e." + name
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test", ".cc", ".c"]
config.excludes = ["primitives.cc", "steps.c", "inputs"]
config.test_source_root = source + "/tests/e2e"
config.test_exec_root = build + "/tests/e2e/" + name
config.environment["PATH"] = lit_config.params["llvm"] + "/bin:/usr/bin:/bin"
config.available_features.add(front)
if front == "pass" or os.environ.get("ISOSAN_TEST_MODE") == "long":
    config.available_features.add("commands")  # what the front cannot change is tested once in the default run
if shutil.which("gdb"):
    config.available_features.add("gdb")
flags = " --front " + front + " -g -" + level + " -pthread -I" + source + "/tests/e2e "
if front == "tsan":
    flags += "-Wno-tsan "  # gcc warns of fences, which we model
compilers = build + "/bin/isosan-"
if tree == ["checked"]:
    compilers = build + "/checked/bin/isosan-"
elif tree:
    config.available_features.add("emulated")
    compilers = source + "/tests/tools/emulated " + build + "/" + tree[0] + "/bin/isosan-"
config.substitutions += [
    ("%cxx", compilers + "c++" + flags + "-std=c++20"),
    ("%cc", compilers + "cc" + flags),
    ("%isosan", build + "/bin/isosan"),
    ("%exits", source + "/tests/tools/exits"),
    ("%in_terminal", source + "/tests/tools/in_terminal.py"),
    ("%steps", lit_config.params["steps"]),
    ("%include", source + "/include"),
]
