#!/usr/bin/env python3
"""Validates IsoSan's JSON reports against docs/isosan.schema.json; prints what is wrong, exit 1."""
import json
import pathlib
import sys

import jsonschema

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "docs" / "isosan.schema.json"


def problems(report, validator):
    for error in validator.iter_errors(report):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    for number, finding in enumerate(report.get("findings", [])):
        threads = {thread["id"] for thread in finding["threads"]}
        for step in finding["steps"]:
            if step["transaction"] >= len(finding["transactions"]):
                yield f"findings/{number}: a step of a transaction that is not there"
            if step["thread"] not in threads:
                yield f"findings/{number}: a step of a thread that is not listed"
            if step.get("stack", -1) >= len(finding["stacks"]):
                yield f"findings/{number}: a step with a stack that is not there"
        for edge in finding["edges"]:
            if max(edge["from"], edge["to"]) >= len(finding["steps"]):
                yield f"findings/{number}: an edge of a step that is not there"


def main():
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    wrong = 0
    for path in sys.argv[1:]:
        for problem in problems(json.loads(pathlib.Path(path).read_text()), validator):
            print(f"{path}: {problem}")
            wrong += 1
    print(f"{len(sys.argv) - 1} reports, {wrong} problems")
    return 1 if wrong or len(sys.argv) < 2 else 0


sys.exit(main())
