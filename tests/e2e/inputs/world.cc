// A thread that does as many things as the world says: the clock (argument "clock"), random numbers of the
// system ("random": std::random_device, "file": /dev/urandom) or neither.
//   lost   random numbers, and two threads that lose an update under some schedules: exit status 3
//   dated  the clock, and exit status 4 if that is the one of --fix-time
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
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

int main(int, char** arguments) {
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
