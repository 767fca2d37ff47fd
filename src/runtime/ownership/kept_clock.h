// What a thread leaves at a synchronization object for those who observe it: its clock, and where
// its log stood. Private to sync.cc.
#pragma once

#include "runtime/ownership/thread.h"
#include "runtime/platform/pool.h"

namespace isosan::rt {

// A clock kept outside a thread. Grows with the number of slots.
struct KeptClock {
  std::uint32_t count = 0;
  std::uint32_t capacity = 0;
  std::uint64_t* entries = nullptr;

  void reserve(std::uint32_t wanted) {
    if (wanted <= capacity) return;
    const std::uint32_t grown = wanted < 8 ? 8 : wanted * 2;
    auto* bigger = static_cast<std::uint64_t*>(pool_allocate(grown * sizeof(std::uint64_t)));
    for (std::uint32_t i = 0; i < count; ++i) bigger[i] = entries[i];
    pool_free(entries, capacity * sizeof(std::uint64_t));
    entries = bigger;
    capacity = grown;
  }
  void clear() { count = 0; }
  void release() {
    pool_free(entries, capacity * sizeof(std::uint64_t));
    *this = {};
  }
  // Becomes, or joins, the thread's clock with its own current epoch in it; without that if what
  // was done in it is withheld (Contribution).
  void join(const Thread& t) {
    const std::uint32_t n = slots_in_use();
    reserve(n);
    for (; count < n; ++count) entries[count] = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint64_t own = t.withholds ? 0 : epoch_of(t);
      const std::uint64_t known = i == t.slot->index ? own : clock_of(t, i);
      if (known > entries[i]) entries[i] = known;
    }
  }
};

struct Contribution {
  std::uint32_t slot = 0;
  std::uint32_t thread = 0;
  std::uint64_t epoch = 0;
  std::uint64_t position = 0;
  bool withheld = false;  // what was done in this epoch was not in the log (lone_units.h)
};

}  // namespace isosan::rt
