/* The barrier that ThreadSanitizer's tests fix their interleaving with. It orders nothing for an analysis: this file is
 * compiled without instrumentation and waits by raw futex calls. The word holds the number of threads below, the
 * arrivals so far above. */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kThreadBits = 10, kArrival = 1 << kThreadBits };

static unsigned round_of(unsigned word) { return (word >> kThreadBits) / (word % kArrival); }

void __tsan_testonly_barrier_init(unsigned* barrier, unsigned threads) { *barrier = threads; }

void __tsan_testonly_barrier_wait(unsigned* barrier) {
  const unsigned before = __atomic_fetch_add(barrier, kArrival, __ATOMIC_SEQ_CST);
  if (round_of(before + kArrival) != round_of(before)) {
    syscall(SYS_futex, barrier, FUTEX_WAKE, INT_MAX, 0, 0, 0);
    return;
  }
  for (unsigned now;
       round_of(now = __atomic_load_n(barrier, __ATOMIC_SEQ_CST)) == round_of(before);)
    syscall(SYS_futex, barrier, FUTEX_WAIT, now, 0, 0, 0);
}
