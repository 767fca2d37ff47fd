"""The programs of this folder: how they are built and hunted. For check (tests) and bench/hunt.

Law: what hunt says is read from its JSON and its exit status, never from prose.
"""
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
HARMLESS = ("elevator", "matrix_multiply", "tsp")  # they violate atomicity, and nothing is wrong with them
# The functions with the error: what is not atomic in them is what the fix repairs.
ERRORS = {
    "aba_free_list": {"FreeList::pop"},
    "account": {"Account::deposit"},
    "airline_tickets": {"Flight::sell"},
    "allocation_vector": {"AllocationVector::allocate"},
    "array_blocking_queue": {"ArrayBlockingQueue::drain"},
    "array_list": {"ArrayList::add_if_absent"},
    "atomic_check_then_act": {"Permits::take"},
    "borrowed_slot": {"Slot::use"},
    "bounded_buffer": {"Buffer::get"},
    "bubble_sort": {"Numbers::order"},
    "bubble_sort_passes": {"Passes::next"},
    "buffered_writer": {"BufferedWriter::write"},
    "cache_invalidation": {"CachedStore::fill"},
    "closed_for_a_moment": {"Shop::buy"},
    "connection_timeout": {"Connection::close_if_idle"},
    "critical": {"enter"},
    "delay_queue": {"DelayQueue::take_expired"},
    "double_checked_cache": {"Cache::get"},
    "double_checked_locking": {"Registry::instance"},
    "double_release": {"Buffer::release"},
    "early_reply": {"Client::ask"},
    "evicted_entry": {"Cache::use"},
    "file_writer": {"File::write_at"},
    "half_of_each": {"Interval::set"},
    "last_result": {"Squares::square"},
    "linked_blocking_queue": {"LinkedBlockingQueue::put"},
    "linked_list": {"List::append"},
    "lock_order": {"transfer"},
    "log_two_locks": {"Log::append", "Log::last"},
    "lost_notify": {"Gate::pass"},
    "lottery": {"Lottery::draw"},
    "manager": {"Manager::release"},
    "merge_sort": {"Runs::add"},
    "merge_sort_bug": {"ThreadBudget::take"},
    "mixed_frames": {"Wire::send"},
    "money_in_transit": {"Accounts::transfer"},
    "ping_pong": {"Table::hit"},
    "piper": {"Pipe::fill"},
    "pool_borrow_close": {"Pool::borrow"},
    "pool_set_factory": {"Pool::set_factory"},
    "pool_shutdown": {"Pool::submit"},
    "producer_consumer": {"Channel::take"},
    "raytracer_checksum": {"render"},
    "recycled_message": {"Mailbox::receive"},
    "reference_count": {"release"},
    "session_reuse": {"Server::serve"},
    "shop": {"Shop::buy"},
    "stack_pop": {"Stack::pop_or"},
    "stolen_wakeup": {"Queue::take"},
    "string_buffer_append": {"StringBuffer::append"},
    "sun_account": {"Bank::transfer"},
    "torn_lines": {"Printer::print"},
    "three_roles": {"Proposal::give_up"},
    "treiber_stack": {"Stack::pop"},
    "two_ledgers": {"move"},
    "two_stage": {"Derived::set"},
    "vector_add_all": {"Vector::add_all"},
    "vote_tally": {"Tally::add"},
    "wrong_waiter": {"Slot::put"},
}
# Programs that need more than two threads, one variable and a check of their own: bench/hunt has them in a table of their own.
FURTHER = {
    "three threads": ("cache_invalidation", "pool_shutdown", "three_roles"),
    "ABA": ("recycled_message", "treiber_stack"),
    "two variables": ("half_of_each", "last_result", "money_in_transit", "two_stage"),
    "memory": ("double_release", "evicted_entry", "session_reuse"),
    "waits": ("early_reply", "mixed_frames", "stolen_wakeup", "wrong_waiter"),
    "output": ("torn_lines", "vote_tally"),
    "invariant": ("two_ledgers",),
    "undone": ("borrowed_slot", "closed_for_a_moment"),
}
# Under every strategy the fixed programs are clean; the long test tries that.
STRATEGIES = ("portfolio", "penelope", "pct", "random", "pos", "surw", "stress")
# Programs whose output says what is wrong: the options of hunt and replay.
HARNESS = {
    "torn_lines": ["--fail-if", "grep -qvE '^(width=3|height=4)$'"],
    "vote_tally": ["--expect-output", os.path.join(HERE, "vote_tally.expected")],
}
ROUNDS = "-DROUNDS=2"
FLAGS = ["-std=c++20", "-g", "-O1", "-pthread"]
FOUND = 66


def harness(program):
    """The options that say what a failure of the built program is."""
    return HARNESS.get(os.path.basename(program).split(".")[0], [])


def names():
    return sorted(file[:-3] for file in os.listdir(HERE) if file.endswith(".cc"))


class Tools:
    """The programs of one build of IsoSan, and a folder for what they make."""

    def __init__(self, binaries, folder):
        self.isosan = os.path.join(binaries, "isosan")
        self.compiler = os.path.join(binaries, "isosan-c++")
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def build(self, name, fixed, more=()):
        target = os.path.join(self.folder, name + (".rounds" if ROUNDS in more else "") + (".fixed" if fixed else ""))
        version = ["-DFIXED"] if fixed else []
        subprocess.run([self.compiler, "--front", "pass", *FLAGS, *version, *more, os.path.join(HERE, name + ".cc"), "-o", target], check=True)
        return target

    def blamed(self, program, *options):
        """The functions that isosan run blames."""
        report = program + ".json"
        command = [self.isosan, "run", *options, "--json", report, "--", program]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode not in (0, FOUND):
            raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
        with open(report) as text:
            return {finding["region"] for finding in json.load(text)["findings"]}

    def hunt(self, program, *options):
        """(exit status, the report as JSON)"""
        report = program + ".json"
        command = [self.isosan, "hunt", *harness(program), *options, "-o", self.folder, "--json", report, "--", program]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode not in (0, FOUND):
            raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
        with open(report) as text:
            return done.returncode, json.load(text)

    def replay(self, schedule, program):
        command = [self.isosan, "replay", "--timeout", "10", *harness(program), schedule, "--", program]
        return subprocess.run(command, cwd=self.folder, capture_output=True, check=False).returncode


def counts(report):
    """The columns of Penelope's Table 1, and hunt's own."""
    return report["stats"]["analyses"]["hunt"]
