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

// Somebody is at work on this word. After a moment at a safe point: it may be waiting for this
// thread.
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

// The first at once: a program that is killed has still been seen to be instrumented.
void count_access(Thread& t) {
  count_operation(t);
  if (t.accesses++ % 4096 == 0) {
    g_log.header->accesses_seen.fetch_add(t.accesses == 1 ? 1 : 4096, std::memory_order_relaxed);
  }
}

}  // namespace isosan::rt
