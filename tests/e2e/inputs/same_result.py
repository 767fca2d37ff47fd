"""Fails if two results are not the same: same_result.py WHOLE MERGED; folders, times and addresses may differ."""
import json
import pathlib
import re
import sys


CHANGES = {"seconds", "contended", "schedule", "replay", "address", "process", "event"}


def plain(value):
    """Without what another run of the same has otherwise: a stack begins below the environment, for example."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key not in CHANGES}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return re.sub(r"\S*\.schedule|0x[0-9a-f]+", "_", value) if isinstance(value, str) else value


def text_of(finding):
    return pathlib.Path(finding["schedule"]).read_text()


def differences(one, other, path=""):
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            yield from differences(one.get(key), other.get(key), f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{path}/{number}")
    elif one != other:
        yield f"{path}: {one} is not {other}"


whole, merged = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:3])
is_suite = "tests" in whole
if is_suite:  # what its watched runs see besides is left to chance, and programs of GoogleTest read the clock
    CHANGES |= {"evidence", "why", "hint", "schedules"}
different = list(differences(plain(whole), plain(merged)))
print("\n".join(different))
assert not different
assert whole["findings"], "nothing was found: nothing is compared"
assert is_suite or [text_of(one) for one in whole["findings"]] == [text_of(one) for one in merged["findings"]], "other schedules"
