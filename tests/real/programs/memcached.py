"""four worker threads, six clients at once: keys of their own, counters that all share, big values, flush"""
import concurrent.futures
import os

from runner import connect

SOURCES = ("memcached",)
FRONTS = ("pass",)
CLIENTS = 6


def build(b):
    tree = b.tree("memcached")
    b.command("./configure", "--disable-docs", "--disable-coverage", f"CC={b.cc}", f"CFLAGS={b.flags}", cwd=tree)
    b.make("memcached", cwd=tree)


class Client:
    def __init__(self, address):
        self.connection = connect(address)
        self.file = self.connection.makefile("rwb")

    def ask(self, text, lines=1):
        self.file.write(text.encode() + b"\r\n")
        self.file.flush()
        return [self.file.readline().decode().strip() for _ in range(lines)]

    def get(self, key):
        first = self.ask(f"get {key}")[0]
        if first == "END":
            return None
        value = self.file.read(int(first.split()[3]) + 2)[:-2]
        assert self.file.readline() == b"END\r\n"
        return value.decode()

    def set(self, key, value):
        return self.ask(f"set {key} 0 0 {len(value)}\r\n{value}")[0]


def session(address, number, rounds):
    client = Client(address)
    answers = []
    for i in range(rounds):
        key = f"c{number}-{i % 17}"
        answers.append(client.set(key, f"value {i} " + "x" * (i * 37 % 3000)))
        answers.append(client.get(key))
        answers.append(client.ask(f"append {key} 0 0 3\r\nabc"))
        if i % 5 == 0:
            answers.append(client.ask(f"delete {key}"))
            answers.append(client.get(key))
        client.ask("incr shared 1")
        client.set("contended", f"{number}")
        assert client.get("contended") in map(str, range(CLIENTS))
        client.ask(f"touch {key} 100")
    big = "b" * 900_000
    answers.append([client.set(f"big{number}", big), client.get(f"big{number}") == big])
    return answers


def work(r, rounds=100):
    address = str(r.folder / "socket")
    if os.path.exists(address):
        os.unlink(address)
    with r.serve("memcached/memcached", "-u", "root", "-t", "4", "-m", "64", "-s", address, address=address):
        admin = Client(address)
        admin.set("shared", "0")
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            answers = list(pool.map(lambda number: session(address, number, rounds), range(CLIENTS)))
        answers.append(admin.get("shared"))
        answers.append(admin.ask("flush_all"))
        answers.append(admin.get("shared"))
    return answers


def load(r):
    return work(r, rounds=600)
