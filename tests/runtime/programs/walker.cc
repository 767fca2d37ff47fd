// usage: walker THREADS SECTIONS UNUSED FILE. Critical sections full of loops: each thread locks
// one of four mutexes and walks over its quarter of the cells, up, down, with gaps, copying or here
// and there, no cell twice in one way, and tells the uninstrumented recorder what it read or wrote;
// every written value is unique. A record with is_write 2 begins a section.
#include <pthread.h>

#include "race.h"

static constexpr unsigned kQuarter = 128;
static unsigned long cells[4 * kQuarter];
static pthread_mutex_t mutexes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

enum Form { kReadUp, kWriteUp, kReadDown, kWriteDown, kCopy, kHereAndThere, kForms };

struct Walker {
  unsigned thread;
  unsigned long random;
  unsigned long written = 0;

  unsigned draw(unsigned below) {
    random = random * 6364136223846793005UL + 1442695040888963407UL;
    return static_cast<unsigned>((random >> 33) % below);
  }
  void read(unsigned cell) { record(thread, 0, cell, cells[cell]); }
  void write(unsigned cell) {
    const unsigned long value = ++written * 64 + thread;
    cells[cell] = value;
    record(thread, 1, cell, value);
  }

  [[gnu::noinline]] void section(unsigned first) {
    const unsigned step = 1 + draw(3), count = 1 + draw(kQuarter / 3);
    switch (draw(kForms)) {
      case kReadUp:
        for (unsigned i = 0; i < count; ++i) read(first + i * step);
        break;
      case kWriteUp:
        for (unsigned i = 0; i < count; ++i) write(first + i * step);
        break;
      case kReadDown:
        for (unsigned i = count; i-- > 0;) read(first + i * step);
        break;
      case kWriteDown:
        for (unsigned i = count; i-- > 0;) write(first + i * step);
        break;
      case kCopy:
        for (unsigned i = 0; i < count; ++i) {
          read(first + i);
          write(first + kQuarter / 2 + i);
        }
        break;
      default:
        read(first + draw(kQuarter / 2));
        write(first + kQuarter / 2 + draw(kQuarter / 2));
    }
  }
};

static void walk(unsigned thread, unsigned long sections) {
  Walker walker{thread, thread * 7919 + 1};
  for (unsigned long n = 0; n < sections; ++n) {
    const unsigned quarter = walker.draw(4);
    pthread_mutex_lock(&mutexes[quarter]);
    record(thread, 2, quarter, 0);
    walker.section(quarter * kQuarter);
    pthread_mutex_unlock(&mutexes[quarter]);
  }
}

int main(int, char** argv) {
  const auto threads = static_cast<unsigned>(atoi(argv[1]));
  std::vector<std::thread> all;
  for (unsigned t = 0; t < threads; ++t) all.emplace_back(walk, t, strtoul(argv[2], nullptr, 10));
  for (std::thread& t : all) t.join();
  printf("cells=%p\nmutexes=%p\n", static_cast<void*>(cells), static_cast<void*>(mutexes));
  fflush(stdout);
  record_dump(argv[4]);
}
