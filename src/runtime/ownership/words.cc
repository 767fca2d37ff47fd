#include "runtime/ownership/words.h"

#include "runtime/platform/patience.h"
#include "runtime/thread/safe_point.h"

namespace isosan::rt {
namespace {

std::atomic<bool> data_markers{false};  // some were written

}  // namespace

void note_data_marker() { data_markers.store(true, std::memory_order_relaxed); }
bool orders_exceed_dependences() { return data_markers.load(std::memory_order_relaxed); }

void note_incoming_data(Thread& t) {
  if (g_options.data_only || orders_exceed_dependences()) bump_outside_regions(t);
}

// Another thread holds this word. After a moment this thread waits at a safe point: the other may
// be waiting for it.
void wait_while_held(Thread& t, AtomicWord& word) {
  constexpr int kMoment = 32;
  for (int i = 0; i < kMoment; ++i) {
    if (!is_held(word.load(std::memory_order_relaxed))) return;
    cpu_pause();
  }
  enter_safe_point(t);
  for (Patience patience; is_held(word.load(std::memory_order_relaxed));) patience.wait();
  leave_safe_point(t);
}

// The first access is counted at once: even if the program is killed, the reader sees that it was
// instrumented.
void count_access(Thread& t) {
  count_operation(t);
  if (t.accesses++ % 4096 == 0) {
    g_log.header->accesses_seen.fetch_add(t.accesses == 1 ? 1 : 4096, std::memory_order_relaxed);
  }
}

}  // namespace isosan::rt
