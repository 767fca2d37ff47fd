"""Peak memory and processor time of two processes while they run: one that was started and the first that it starts.

Model: the kernel adds up what a process and those that it waited for used, all in one, and starts a peak at that of the process that
forked. So each is asked for its own figures every 10 ms; what it does after the last time is not in them.
"""
import os
import threading

EVERY = 0.01  # seconds
TICKS = os.sysconf("SC_CLK_TCK")


class Watched:
    def __init__(self, pid):
        self.pid, self.peak, self.cpu = pid, 0.0, 0.0  # MiB, seconds

    def look(self):
        try:
            with open(f"/proc/{self.pid}/status", encoding="ascii", errors="replace") as file:
                self.peak = max([self.peak, *(int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM"))])
            with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as file:
                user, system, children_user, children_system = file.read().rpartition(")")[2].split()[11:15]
            self.cpu = sum(map(int, (user, system, children_user, children_system))) / TICKS
        except (OSError, IndexError, ValueError):  # it has ended
            pass

    def first_child(self):
        try:
            with open(f"/proc/{self.pid}/task/{self.pid}/children", encoding="ascii") as file:
                return Watched(int(file.read().split()[0]))
        except (OSError, IndexError):
            return None


class Watch(threading.Thread):
    def __init__(self, pid):
        super().__init__(daemon=True)
        self.parent, self.child = Watched(pid), None
        self.over = threading.Event()

    def run(self):
        while not self.over.wait(EVERY):
            self.parent.look()
            self.child = self.child or self.parent.first_child()
            if self.child:
                self.child.look()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()
