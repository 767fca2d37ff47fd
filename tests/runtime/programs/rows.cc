// usage: rows CELLS ROWS. One instruction reads cells one by one in critical sections, then rows of
// 40 without. Another one reads half a row, and the other half where accesses are to be ignored.
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

static constexpr unsigned kRow = 40;
static unsigned long cells[1024];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

[[gnu::noinline]] static unsigned long sum(unsigned first, unsigned count, bool sections) {
  unsigned long total = 0;
  for (unsigned i = first; i < first + count; ++i) {
    if (sections) pthread_mutex_lock(&mutex);
    asm("" : "+r"(sections));  // else two loops, with an instruction each
    total += cells[i];
    if (sections) pthread_mutex_unlock(&mutex);
  }
  return total;
}

extern "C" void __tsan_ignore_thread_begin();
extern "C" void __tsan_ignore_thread_end();

[[gnu::noinline]] static unsigned long sum_of_half(const unsigned long* row) {
  unsigned long total = 0;
  for (unsigned i = 0; i < kRow; ++i) {
    if (i == kRow / 2) __tsan_ignore_thread_begin();
    total += row[i];
  }
  __tsan_ignore_thread_end();
  return total;
}

int main(int, char** argv) {
  unsigned long total = sum(0, static_cast<unsigned>(atoi(argv[1])), true);
  const auto rows = static_cast<unsigned>(atoi(argv[2]));
  for (unsigned row = 0; row < rows; ++row) total += sum(2 * kRow * row, kRow, false);
  static unsigned long half[kRow];
  for (unsigned long& cell : half) cell = 0;  // the words are this thread's
  total += sum_of_half(half);
  printf("cells=%p\nhalf=%p\n", static_cast<void*>(cells), static_cast<void*>(half));
  return total != 0;
}
