#!/usr/bin/env python3
"""Checks SARIF 2.1.0 logs: a reduced schema of the parts IsoSan writes, in which every object is
closed (no property outside the standard), and the standard's rules that no schema can say."""
import json
import pathlib
import re
import sys

import jsonschema


def closed(required, **properties):
    return {"type": "object", "required": required, "properties": properties, "additionalProperties": False}


def list_of(items, **more):
    return {"type": "array", "items": items, **more}


TEXT = {"type": "string", "minLength": 1}
MESSAGE = closed(["text"], text=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
LOCATION = closed(
    [],
    physicalLocation=closed(
        ["artifactLocation"],
        artifactLocation=closed(["uri"], uri=TEXT),
        region=closed(["startLine"], startLine={"type": "integer", "minimum": 1},
                      startColumn={"type": "integer", "minimum": 1}, snippet=closed(["text"], text=TEXT))),
    logicalLocations=list_of(closed(["fullyQualifiedName"], fullyQualifiedName=TEXT, kind=TEXT)),
    message=MESSAGE)
RULE = closed(["id"], id=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE,
              defaultConfiguration=closed([], level=LEVEL))
THREAD_FLOW = closed(
    ["locations"], id=TEXT,
    locations=list_of(closed(["location"], location=LOCATION, executionOrder={"type": "integer", "minimum": 0}),
                      minItems=1))
RESULT = closed(
    ["ruleId", "message"],
    ruleId=TEXT, ruleIndex={"type": "integer", "minimum": 0}, level=LEVEL, message=MESSAGE,
    locations=list_of(LOCATION, uniqueItems=True),
    codeFlows=list_of(closed(["threadFlows"], threadFlows=list_of(THREAD_FLOW, minItems=1))),
    stacks=list_of(closed(["frames"], message=MESSAGE, frames=list_of(closed([], location=LOCATION))),
                   uniqueItems=True),
    baselineState={"enum": ["new", "unchanged", "updated", "absent"]},
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    occurrenceCount={"type": "integer", "minimum": 1},
    properties={"type": "object"})
NOTIFICATION = closed(["message"], level=LEVEL, message=MESSAGE)
RUN = closed(
    ["tool"],
    tool=closed(["driver"], driver=closed(["name"], name=TEXT, version=TEXT, rules=list_of(RULE, uniqueItems=True))),
    invocations=list_of(closed(["executionSuccessful"], executionSuccessful={"type": "boolean"},
                               commandLine=TEXT, processId={"type": "integer"},
                               toolExecutionNotifications=list_of(NOTIFICATION))),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    results=list_of(RESULT))
LOG = closed(["version", "runs"], **{"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": list_of(RUN)})

URI = re.compile(r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+")


def find_all(json_value, key):
    if isinstance(json_value, dict):
        for name, value in json_value.items():
            if name == key:
                yield value
            yield from find_all(value, key)
    elif isinstance(json_value, list):
        for value in json_value:
            yield from find_all(value, key)


def problems(log):
    for error in jsonschema.Draft202012Validator(LOG).iter_errors(log):
        yield f"{'/'.join(map(str, error.absolute_path))}: {error.message}"
    for uri in find_all(log, "uri"):
        if not URI.fullmatch(uri):
            yield f"not a URI reference: {uri}"
    for run in log["runs"]:
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        if len(set(rules)) != len(rules):
            yield "two rules with one id"
        for result in run["results"]:
            index = result["ruleIndex"]
            if index >= len(rules) or rules[index] != result["ruleId"]:
                yield f"ruleIndex {index} is not {result['ruleId']}"
            for flow in result.get("codeFlows", []):
                yield from problems_of_flow(flow)


def problems_of_flow(flow):
    ids = [thread["id"] for thread in flow["threadFlows"]]
    if len(set(ids)) != len(ids):
        yield "two thread flows with one id"
    for thread in flow["threadFlows"]:
        order = [location["executionOrder"] for location in thread["locations"]]
        if order != sorted(set(order)):
            yield "executionOrder does not grow within a thread"


def main():
    wrong = 0
    for path in sys.argv[1:]:
        for problem in problems(json.loads(pathlib.Path(path).read_text())):
            print(f"{path}: {problem}")
            wrong += 1
    print(f"{len(sys.argv) - 1} logs, {wrong} problems")
    return 1 if wrong or len(sys.argv) < 2 else 0


sys.exit(main())
