// Whether a thread is the only one again: ours, not the paper's.
//
// Model: a thread is alive from its fork (or its start, where nobody forked it in the trace) until
// it is joined; one that is detached stays alive for ever. The thread that joins the last of the
// others is alone until the next fork or start. Fork and join order its operations with those of
// every other thread in each run, so that nobody can step in between: they are both-movers, and
// say nothing about which locks protect a location. Before the first fork there is nothing to do:
// then everything is thread-local anyway.
#pragma once

#include <cstddef>
#include <vector>

#include "event/ids.h"

namespace isosan::atomizer {

class LoneThread {
 public:
  bool is(ThreadId thread) const { return alone_ && thread == thread_; }

  void start(ThreadId thread) {
    std::vector<bool>::reference alive = alive_flag(thread);
    if (alive) return;
    alive = true;
    ++alive_count_;
    alone_ = false;
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
  std::vector<bool>::reference alive_flag(ThreadId thread) {
    if (index(thread) >= alive_.size()) alive_.resize(index(thread) + 1);
    return alive_[index(thread)];
  }

  std::vector<bool> alive_;  // by ThreadId
  std::size_t alive_count_ = 0;
  bool alone_ = false;
  ThreadId thread_{};
};

}  // namespace isosan::atomizer
