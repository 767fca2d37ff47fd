// A thread that does as many things as the world says: the clock (argument "clock"), random numbers of the
// system ("random": std::random_device, "file": /dev/urandom) or neither.
//   lost   random numbers, and two threads that lose an update under some schedules: exit status 3
//   slept  exit status 5 if a sleep or a timed wait has taken no time, by any clock
//   dated  the clock, and exit status 4 if that is the one of --fix-time
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <mutex>
#include <random>
#include <thread>

static volatile int things, counted;
static constexpr std::time_t kBehindTheFixedOne = 1700000000;  // 2023

static unsigned ask(const char* whom) {
  if (std::strcmp(whom, "clock") == 0) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    timespec date;
    clock_gettime(CLOCK_REALTIME, &date);
    return static_cast<unsigned>(now.count() + date.tv_nsec);
  }
  if (std::strcmp(whom, "random") == 0) return std::random_device()();
  if (std::strcmp(whom, "file") == 0) {
    unsigned number = 0;
    std::FILE* file = std::fopen("/dev/urandom", "r");
    if (std::fread(&number, sizeof number, 1, file) != 1) return 0;
    std::fclose(file);
    return number;
  }
  return 17;
}

static void do_things(const char* whom) {
  if (std::strcmp(whom, "dated") == 0) whom = "clock";
  if (std::strcmp(whom, "lost") == 0) whom = "random";
  const unsigned count = ask(whom) % 10007;
  for (unsigned i = 0; i < count; ++i) things = things + 1;
}

static std::chrono::nanoseconds by_clock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

static bool takes_time() {
  using namespace std::chrono;
  const auto steady = by_clock(CLOCK_MONOTONIC), date = by_clock(CLOCK_REALTIME);
  const auto processor = by_clock(CLOCK_PROCESS_CPUTIME_ID);
  const std::time_t began = std::time(nullptr);
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, steady_clock::now() + 2s);
  std::this_thread::sleep_for(1s);
  return by_clock(CLOCK_MONOTONIC) - steady >= 3s && by_clock(CLOCK_REALTIME) - date >= 3s &&
         by_clock(CLOCK_PROCESS_CPUTIME_ID) - processor < 3s && std::time(nullptr) - began >= 2;
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "slept") == 0) return takes_time() ? 0 : 5;
  std::thread worker(do_things, arguments[1]);
  worker.join();
  if (std::strcmp(arguments[1], "dated") == 0 && std::time(nullptr) < kBehindTheFixedOne) return 4;
  if (std::strcmp(arguments[1], "lost") != 0) return 0;
  const auto count = [] { counted = counted + 1; };
  std::thread one(count), two(count);
  one.join();
  two.join();
  return counted == 2 ? 0 : 3;
}
