// usage: walker THREADS SECTIONS UNUSED FILE. Critical sections full of loops: each thread locks
// one of four mutexes and walks over its quarter of the cells, up, down, with gaps, copying,
// merging or here and there, no cell twice in one way, and tells the uninstrumented recorder what
// it read or wrote; every written value is unique. A record with is_write 2 begins a section. No
// loop calls anybody; the number of rounds is known when it begins with -DCOUNTED only.
#include <pthread.h>

#include "race.h"

#ifndef CELL
#define CELL unsigned long
#endif

static constexpr unsigned kQuarter = 128;
static CELL cells[4 * kQuarter];
#ifdef COUNTED
static unsigned rounds[64];  // by thread
#else
static volatile unsigned rounds[64];  // by thread: loaded anew in every round
#endif
static pthread_mutex_t mutexes[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                     PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

enum Form { kReadUp, kWriteUp, kReadDown, kWriteDown, kCopy, kMerge, kHereAndThere, kForms };

struct Done {
  unsigned is_write;
  unsigned cell;
  CELL value;
};

struct Walker {
  unsigned thread;
  unsigned long random;
  CELL written = 0;

  unsigned draw(unsigned below) {
    random = random * 6364136223846793005UL + 1442695040888963407UL;
    return static_cast<unsigned>((random >> 33) % below);
  }

  [[gnu::noinline]] void section(unsigned first) {
    Done done[kQuarter];  // nobody else's
    unsigned n = 0;
    CELL last = written;
    const auto read = [&](unsigned cell) __attribute__((always_inline)) {
      const CELL value = cells[cell];
      done[n++] = {0, cell, value};
      return value;
    };
    const auto write = [&](unsigned cell) __attribute__((always_inline)) {
      const CELL value = ++last * 64 + thread;
      cells[cell] = value;
      done[n++] = {1, cell, value};
    };
    const unsigned step = 1 + draw(3), count = 1 + draw(kQuarter / 3);
    const Form form = static_cast<Form>(draw(kForms));
    rounds[thread] = count;
    switch (form) {
      case kReadUp:
        for (unsigned i = 0; i < rounds[thread]; ++i) read(first + i * step);
        break;
      case kWriteUp:
        for (unsigned i = 0; i < rounds[thread]; ++i) write(first + i * step);
        break;
      case kReadDown:
        for (unsigned i = 0; i < rounds[thread]; ++i) read(first + (count - 1 - i) * step);
        break;
      case kWriteDown:
        for (unsigned i = 0; i < rounds[thread]; ++i) write(first + (count - 1 - i) * step);
        break;
      case kCopy:
        for (unsigned i = 0; i < rounds[thread]; ++i) {
          read(first + i);
          write(first + kQuarter / 2 + i);
        }
        break;
      case kMerge: {
        unsigned a = first, b = first + kQuarter / 2;
        for (unsigned i = 0; i < rounds[thread]; ++i) {
          if (random >> i & 1)
            read(a++);
          else
            read(b++);
        }
        break;
      }
      default:
        read(first + draw(kQuarter / 2));
        write(first + kQuarter / 2 + draw(kQuarter / 2));
    }
    written = last;
    for (unsigned i = 0; i < n; ++i) record(thread, done[i].is_write, done[i].cell, done[i].value);
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
  printf("cells=%p\nmutexes=%p\nsize=%p\n", static_cast<void*>(cells), static_cast<void*>(mutexes),
         reinterpret_cast<void*>(sizeof(CELL)));
  fflush(stdout);
  record_dump(argv[4]);
}
