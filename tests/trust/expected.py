"""expected_failures: one line per program, `program analyses fronts when reason`; lists are separated by commas.

`always`: the plain run fails. `sometimes`: some run may fail; in a complete run (--long) one must. `rarely`: seen now and then in runs
whose schedule nobody fixes, so that no single run can say that the entry is not needed. Otherwise an entry that is not needed is as wrong
as a failure that has no entry.
"""


def read(path):
    entries = {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split(None, 4)
        if len(fields) != 5 or fields[3] not in ("always", "sometimes", "rarely"):
            raise SystemExit(f"{path}:{number}: not 'program analyses fronts always|sometimes|rarely reason'")
        program, analyses, fronts, when, _ = fields
        for analysis in analyses.split(","):
            for front in fronts.split(","):
                if (program, analysis, front) in entries:
                    raise SystemExit(f"{path}:{number}: stands there twice: {program} {analysis} {front}")
                entries[program, analysis, front] = (when, number)
    return entries


def compare(path, results, complete):
    """What differs from the file, one line each. Entries about what was not run are not judged."""
    entries = read(path)
    wrong = []
    for r in results:
        when, number = entries.get((r.program.name, r.analysis, r.front), (None, 0))
        here = f"{r.program.name} {r.analysis} {r.front}"
        if when is None and r.failed:
            wrong.append(f"NEW FAILURE {here}: {r.story}")
        elif (when == "always" and not r.plain_failed) or (when == "sometimes" and complete and not r.failed):
            wrong.append(f"NOT NEEDED {here} {when}: {path}:{number}")
    return wrong
