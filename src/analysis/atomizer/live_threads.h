// Which threads are alive, and whether one of them is the only one: ours, not the paper's.
//
// Model: a thread is alive from its fork until it is joined. A thread without a fork in the trace
// is alive from its start or first operation; a detached one stays alive to the end. A thread is
// *alone* from the first start of the trace, or from the join of the last other thread, until the
// next thread appears. Fork and join order its operations with those of every other thread in each
// run. So they are both-movers, and they say nothing about which locks protect a location.
//
// A region entered by a thread that is alone runs beside threads started inside it only. Those are
// part of the region, so it is not judged. That ends when a thread without a fork appears: such a
// thread may have been started elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "event/ids.h"

namespace isosan::atomizer {

// How many threads without a fork there were when a thread that was alone entered a region.
using UnforkedCount = std::uint32_t;
inline constexpr UnforkedCount kNotAlone = ~UnforkedCount{0};

class LiveThreads {
 public:
  bool is_alone(ThreadId thread) const { return alone_ && thread == thread_; }

  UnforkedCount unforked_at_entry(ThreadId thread) const {
    return is_alone(thread) ? unforked_ : kNotAlone;
  }
  bool only_own_threads_since(UnforkedCount entered) const { return entered == unforked_; }

  void start(ThreadId thread) {
    if (!mark_alive(thread)) return;  // the trace has its fork
    ++unforked_;
    alone_ = alive_count_ == 1;
    thread_ = thread;
  }
  // An operation of it comes before any fork or start of it in the trace.
  void first_seen(ThreadId thread) {
    if (!mark_alive(thread)) return;
    ++unforked_;
    alone_ = false;
  }
  void fork(ThreadId child) {
    if (mark_alive(child)) alone_ = false;
  }
  void join(ThreadId by, ThreadId other) {
    std::vector<bool>::reference alive = alive_flag(other);
    if (!alive) return;
    alive = false;
    --alive_count_;
    alone_ = alive_count_ == (alive_flag(by) ? 1u : 0u);
    thread_ = by;
  }

 private:
  bool mark_alive(ThreadId thread) {
    std::vector<bool>::reference alive = alive_flag(thread);
    if (alive) return false;
    alive = true;
    ++alive_count_;
    return true;
  }
  std::vector<bool>::reference alive_flag(ThreadId thread) {
    if (index(thread) >= alive_.size()) alive_.resize(index(thread) + 1);
    return alive_[index(thread)];
  }

  std::vector<bool> alive_;  // by ThreadId
  std::size_t alive_count_ = 0;
  bool alone_ = false;
  ThreadId thread_{};
  UnforkedCount unforked_ = 0;  // threads without a fork in the trace, the first one included
};

}  // namespace isosan::atomizer
