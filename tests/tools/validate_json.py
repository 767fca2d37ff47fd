#!/usr/bin/env python3
"""Validates IsoSan's JSON against docs/reference/isosan.schema.json, results of `isosan test` against docs/reference/result.schema.json;
prints what is wrong, exit 1."""
import json
import pathlib
import sys

import jsonschema

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs/reference"
OTHER = "isosan.schema.json"


def validator_of(name):
    """One schema; what it refers to in the other one is made part of it."""
    text = (DOCS / name).read_text()
    schema = json.loads(text.replace(f"{OTHER}#", "#"))
    if OTHER in text:
        schema["$defs"] |= json.loads((DOCS / OTHER).read_text())["$defs"]
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def problems(report):
    is_result = "tests" in report
    for error in validator_of("result.schema.json" if is_result else OTHER).iter_errors(report):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    findings = report.get("findings", [])
    yield from problems_of([one for found in findings for one in found["evidence"]] if is_result else findings)


def problems_of(findings):
    for number, finding in enumerate(findings):
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
    wrong = 0
    for path in sys.argv[1:]:
        for problem in problems(json.loads(pathlib.Path(path).read_text())):
            print(f"{path}: {problem}")
            wrong += 1
    print(f"{len(sys.argv) - 1} reports, {wrong} problems")
    return 1 if wrong or len(sys.argv) < 2 else 0


sys.exit(main())
