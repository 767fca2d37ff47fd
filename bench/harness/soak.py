"""A program that runs for long under isosan, and the memory of both processes as time goes by."""
import os
import signal
import subprocess
import sys
import time

FIRST_MINUTE = 60


def resident(pid):
    """(own, shared) MiB; the log is shared memory of both processes."""
    fields = {}
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
        for line in file:
            if line.startswith("Rss"):
                name, value, _ = line.split()
                fields[name] = int(value) / 1024
    return fields["RssAnon:"] + fields["RssFile:"], fields["RssShmem:"]


def child_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        children = file.read().split()
    return int(children[0]) if children else None


def soak(command, seconds, every):
    """Runs the command for so many seconds and prints memory; True: there was no growth after the first minute (or, in a shorter
    soak, after its first half) beyond a tenth and 4 MiB."""
    print(f"{'seconds':>8}{'analyser MiB':>14}{'program MiB':>13}{'log MiB':>9}")
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, process_group=0)
    began = time.monotonic()
    settled, peaks = None, [0.0, 0.0]
    try:
        while (now := time.monotonic() - began) < seconds:
            time.sleep(min(every, seconds - now))
            if child.poll() is not None:
                sys.exit(f"the program ended with {child.returncode} after {time.monotonic() - began:.0f} s")
            program = child_of(child.pid)
            if program is None:
                continue
            (analyser, log), (own, _) = resident(child.pid), resident(program)
            print(f"{time.monotonic() - began:>8.0f}{analyser:>14.1f}{own:>13.1f}{log:>9.1f}", flush=True)
            if time.monotonic() - began < min(FIRST_MINUTE, seconds / 2):
                settled = [max(s, v) for s, v in zip(settled or (0, 0), (analyser, own))]
            peaks = [max(p, v) for p, v in zip(peaks, (analyser, own))]
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    settled = settled or peaks
    met = all(peak <= 1.1 * before + 4 for peak, before in zip(peaks, settled))
    print(f"  {'met' if met else 'NOT MET':<8} no growth after the first {min(FIRST_MINUTE, seconds / 2):.0f} s: analyser "
          f"{settled[0]:.1f} to {peaks[0]:.1f} MiB, program {settled[1]:.1f} to {peaks[1]:.1f} MiB")
    return met
