# Tests of what the plugin emits: a source file, a RUN line, CHECK lines. CMake passes the folders.
import glob

import lit.formats

build = lit_config.params["build"]
llvm = lit_config.params["llvm"]
source = lit_config.params["source"]

config.name = "codegen"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cc"]
config.test_source_root = source + "/tests/codegen"
config.test_exec_root = build + "/tests/codegen"
config.environment["PATH"] = llvm + "/bin:/usr/bin:/bin"
flags = " -fpass-plugin=" + build + "/lib/isosan_pass.so -fno-discard-value-names -D__ISOSAN__=1 -I" + source + "/include"
plugins = glob.glob(build + "/lib/isosan_gcc-*.so")
if plugins:
    config.available_features.add("gcc-plugin")
    config.substitutions.append(("%gcc", "gcc -fsanitize=thread -fchecking=2 -fplugin=" + plugins[0]))
config.substitutions += [
    ("%clangxx", "clang++ -std=c++20" + flags),
    ("%clang", "clang" + flags),
]
