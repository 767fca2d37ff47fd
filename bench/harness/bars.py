"""What the project promises, held against what was measured: a line each."""
from harness import builds

MARGIN = {"tuned": 1.0, "held-out": 1.25}  # programs that nobody tuned for may cost so much more
ANALYSER = 256  # MiB


def tell(met, bar, value):
    print(f"  {'met' if met else 'NOT MET':<8} {bar}: {value}")


def ratios(result, promised):
    """`promised`: column -> multiple of native, geometric mean of each group."""
    for group, members in builds.groups_of(result.rows):
        for column, bar in promised.items():
            if column in result.columns:
                bar, ratio = bar * MARGIN[group], result.geomean(column, members)
                tell(ratio <= bar, f"{group}: {column} <= {bar:.4g} x native", f"{ratio:.2f}")


def against(result, column, peer):
    """The column costs at most what the peer does, in each group."""
    for group, members in builds.groups_of(result.rows):
        ours, theirs = result.geomean(column, members), result.geomean(peer, members)
        tell(ours <= theirs, f"{group}: {column} <= {peer}", f"{ours:.2f}, {peer} {theirs:.2f}")


def worst(result, columns, excess, bar):
    """`excess(native, here)`: MiB above what is allowed."""
    found = [(excess(row["native"], row[c]), program, c) for program, row in result.rows.items() for c in columns
             if not row[c].error and not row["native"].error]
    if found:
        most, program, column = max(found)
        row = result.rows[program]
        tell(most <= 0, bar, f"worst {program} in {column}, program {row[column].peak:.0f} MiB, analyser {row[column].analyser:.0f}, "
             f"native {row['native'].peak:.0f}")


def memory(result, columns):
    worst(result, columns, lambda native, here: here.peak - 3 * native.peak - 64, "peak memory of the program <= 3 x native + 64 MiB")
    worst(result, columns, lambda _, here: here.analyser - ANALYSER, f"peak memory of the analyser <= {ANALYSER} MiB")
