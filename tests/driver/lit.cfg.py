# Tests of the driver: each builds a small program in one more shape and runs it. CMake passes the folders.
import glob
import platform
import shutil

import lit.formats

build = lit_config.params["build"]
llvm = lit_config.params["llvm"]
source = lit_config.params["source"]

config.name = "driver"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".test"]
config.test_source_root = source + "/tests/driver"
config.test_exec_root = build + "/tests/driver"
config.environment["PATH"] = llvm + "/bin:/usr/bin:/bin"
config.environment["CCACHE_DIR"] = build + "/tests/driver/ccache"
# The programs only show that the builds work: whether two threads of theirs overlap is left to chance.
config.environment["ISOSAN_OPTIONS"] = "--regions annotated"
if glob.glob(build + "/lib/isosan_gcc-*.so"):
    config.available_features.add("gcc-plugin")
other_processor = {"aarch64": "x86_64", "x86_64": "aarch64"}.get(platform.machine(), "unknown")
cross_gcc = shutil.which(other_processor + "-linux-gnu-g++")
if cross_gcc:
    config.available_features.add("cross-gcc")
config.substitutions += [
    ("%cross-gcc", cross_gcc or "none"),
    ("%cxx", build + "/bin/isosan-c++"),
    ("%cc", build + "/bin/isosan-cc"),
    ("%build", build),
    ("%source", source),
    ("%inputs", source + "/tests/driver/inputs"),
]
