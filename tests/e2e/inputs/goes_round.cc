// Two threads that lose an update under some schedules, and then a run that does not end (first argument):
//   flag    main looks at the count again and again, under a lock
//   atomic  two threads look at an atomic, and nobody sets it
//   polls   main sleeps between its looks
//   slow    it counts, for a long time
//   wide    it reads all of its memory, again and again
//   timer   it looks at the clock, too
//   signal  a handler may set what it waits for
//   notify  a wake-up is lost
//   wrong   a wake-up goes to a thread that cannot use it
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <ctime>
#include <mutex>
#include <string>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static std::atomic<bool> done;
static int count, more[100], sink;
static bool full;
static std::string mode;

static int get() {
  std::lock_guard lock(guard);
  return count;
}
static void set(int value) {
  std::lock_guard lock(guard);
  count = value;
}
static void add() { set(get() + 1); }

static void go_on() {
  static const timespec moment{0, 10'000'000};
  const bool polls = mode == "polls", slow = mode == "slow", wide = mode == "wide", timer = mode == "timer";
  if (mode == "done") done = true, more[sink] = 2;
  if (mode == "atomic") {
    std::thread other([] { while (!done) {} });
    while (!done) {}
    other.join();
  }
  if (mode == "signal") std::signal(SIGALRM, [](int) { count = 2; });
  while (get() != 2) {
    if (polls) nanosleep(&moment, nullptr);
    if (slow) ++sink;
    if (wide) {
      for (int& one : more) sink = one == 1 ? 1 : sink;
    }
    if (timer) static_cast<void>(std::chrono::steady_clock::now());
  }
}

static void lose_a_wakeup() {
  std::thread waits([] {
    bool waiting;
    {
      std::lock_guard lock(guard);
      waiting = !full;
    }
    std::unique_lock lock(guard);
    if (waiting) changed.wait(lock);
  });
  {
    std::lock_guard lock(guard);
    full = true;
  }
  changed.notify_one();
  waits.join();
}

static void wait_until(bool wanted) {
  std::unique_lock lock(guard);
  while (full != wanted) changed.wait(lock);
  full = !wanted;
  changed.notify_one();
}

int main(int, char** arguments) {
  mode = arguments[1];
  if (mode == "notify") {
    lose_a_wakeup();
  } else if (mode == "wrong") {
    std::thread a([] { wait_until(false); }), b([] { wait_until(false); });
    std::thread c([] { wait_until(true); }), d([] { wait_until(true); });
    for (std::thread* one : {&a, &b, &c, &d}) one->join();
  } else {
    std::thread one(add), two(add);
    one.join();
    two.join();
    if (count != 2) go_on();
  }
}
