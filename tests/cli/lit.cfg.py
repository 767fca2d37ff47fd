"""Command-line tests: RUN and CHECK lines over build/bin/isosan (lit and FileCheck of LLVM)."""
import os

import lit.formats

config.name = "cli"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = config.isosan_exec_root

tools = os.path.join(config.isosan_root, "tests", "tools")
for name, path in {
    "%isosan": os.path.join(config.isosan_bin, "isosan"),
    "%exits": os.path.join(tools, "exits"),
    "%in_terminal": os.path.join(tools, "in_terminal.py"),
    "%validate_json": os.path.join(tools, "validate_json.py"),
    "%validate_sarif": os.path.join(tools, "validate_sarif.py"),
    "%root": config.isosan_root,
    "FileCheck": os.path.join(config.isosan_llvm_bin, "FileCheck --dump-input=fail"),
    "split-file": os.path.join(config.isosan_llvm_bin, "split-file"),
}.items():
    config.substitutions.append((name, path))
