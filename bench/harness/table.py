"""Prints what was measured: a line per program, a column per mode, the geometric means of each group below it."""
import math


def geomean(values):
    values = list(values)
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else math.nan


class Table:
    def __init__(self, modes, baseline):
        self.columns = [mode.name for mode in modes if mode.name != baseline]
        self.baseline = baseline
        self.widths = [max(len(name), 6) for name in self.columns]
        self.rows = {}  # program -> mode name -> Figures

    def line(self, label, first, cells):
        columns = "  ".join(f"{cell:>{width}}" for cell, width in zip(cells, self.widths))
        print(f"{label:<11}{first:>10}  {columns}".rstrip(), flush=True)

    def header(self, first):
        self.line("program", first, self.columns)

    def ratio(self, row, column, what="cpu"):
        base, here = row[self.baseline], row.get(column)
        if here is None or here.error or base.error or getattr(base, what) == 0:
            return None
        return getattr(here, what) / getattr(base, what)

    def geomean(self, column, programs, what="cpu"):
        found = (self.ratio(self.rows[program], column, what) for program in programs)
        return geomean(ratio for ratio in found if ratio is not None)

    def add(self, program, row):
        self.rows[program] = row
        base = row[self.baseline]
        cells = ["ERROR" if row[c].error else f"{self.ratio(row, c):.2f}" if self.ratio(row, c) else "-"
                 for c in self.columns]
        self.line(program, "ERROR" if base.error else f"{1000 * base.cpu:.0f} ms", cells)

    def summary(self, programs):
        for label, what in (("geomean", "cpu"), ("program's", "target")):
            self.line(label, "", [f"{self.geomean(c, programs, what):.2f}" for c in self.columns])

    def peaks(self, what="peak", whose="program"):
        """MiB natively, and in each mode."""
        print(f"\npeak memory of the {whose}, MiB")
        self.header(self.baseline)
        for program, row in self.rows.items():
            cells = ["ERROR" if row[c].error else f"{getattr(row[c], what):.0f}" for c in self.columns]
            self.line(program, f"{getattr(row[self.baseline], what):.0f}", cells)

    def errors(self):
        """Tells every failed run; True if there was one."""
        failed = [(p, m, f.error) for p, row in self.rows.items() for m, f in row.items() if f.error]
        for program, mode, error in failed:
            print(f"ERROR {program}, {mode}: {error}")
        return bool(failed)
