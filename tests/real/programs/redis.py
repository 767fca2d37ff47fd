"""three I/O threads, eight clients at once; background save (fork), append-only rewrite, lazy free, Lua; restart from disk"""
import concurrent.futures
import shutil

from runner import connect

SOURCES = ("redis",)
FRONTS = ("pass",)
CLIENTS = 8


def build(b):
    tree = b.tree("redis")
    b.make("-C", "src", "redis-server", f"CC={b.cc}", "MALLOC=libc", "USE_SYSTEMD=no", f"OPTIMIZATION={b.flags}", "V=1",
           cwd=tree)


class Client:
    def __init__(self, address):
        self.file = connect(address).makefile("rwb")

    def send(self, *words):
        words = [str(word).encode() for word in words]
        self.file.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))

    def ask(self, *words):
        self.send(*words)
        self.file.flush()
        return self.answer()

    def answer(self):
        line = self.file.readline().decode().rstrip()
        kind, rest = line[:1], line[1:]
        if kind in "+-":
            return line
        if kind == ":":
            return int(rest)
        if kind == "$":
            return None if rest == "-1" else self.file.read(int(rest) + 2)[:-2].decode()
        return [self.answer() for _ in range(int(rest))]


def session(address, number):
    client = Client(address)
    answers = []
    for round in range(20):
        pipeline = []
        for i in range(20):
            key = f"{number}:{i}"
            pipeline += [("SET", key, f"{round} {'v' * (i * 50)}"), ("GET", key), ("INCR", "shared"),
                         ("LPUSH", f"list{number}", i), ("ZADD", f"set{number}", i * round, key),
                         ("HSET", f"hash{number}", key, round)]
        for command in pipeline:
            client.send(*command)
        client.file.flush()
        answers += [answer for command, answer in zip(pipeline, [client.answer() for _ in pipeline])
                    if command[0] != "INCR"]
    answers.append(client.ask("LRANGE", f"list{number}", 0, 9))
    answers.append(client.ask("EVAL", "return redis.call('HGETALL', KEYS[1])", 1, f"hash{number}"))
    answers.append(client.ask("UNLINK", f"list{number}"))
    return answers


def wait_for(client, line):
    while line not in client.ask("INFO", "persistence"):
        pass


def work(r):
    data = r.folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    address = str(data / "socket")
    command = ("redis/src/redis-server", "--port", "0", "--unixsocket", address, "--dir", data, "--save", "",
               "--appendonly", "yes", "--io-threads", "3", "--io-threads-do-reads", "yes")
    with r.serve(*command, address=address):
        admin = Client(address)
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            answers = list(pool.map(lambda number: session(address, number), range(CLIENTS)))
        answers += [admin.ask("GET", "shared"), admin.ask("BGSAVE")]
        wait_for(admin, "rdb_bgsave_in_progress:0")
        answers += ["rdb_last_bgsave_status:ok" in admin.ask("INFO", "persistence"), admin.ask("BGREWRITEAOF")]
        wait_for(admin, "aof_rewrite_in_progress:0")
        answers += ["aof_last_bgrewrite_status:ok" in admin.ask("INFO", "persistence"), admin.ask("DBSIZE")]
    with r.serve(*command, address=address):
        admin = Client(address)
        wait_for(admin, "loading:0")
        answers += [admin.ask("DBSIZE"), admin.ask("ZCARD", "set1"), admin.ask("FLUSHALL", "ASYNC")]
    return answers
