// A thread that does as many things as the world says: the clock (argument "clock"), random numbers of the
// system ("random": std::random_device, "file": /dev/urandom) or neither.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <thread>

static volatile int things;

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
  const unsigned count = ask(whom) % 10007;
  for (unsigned i = 0; i < count; ++i) things = things + 1;
}

int main(int, char** arguments) {
  std::thread worker(do_things, arguments[1]);
  worker.join();
}
