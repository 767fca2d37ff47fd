// Whether a thread is the only one: ours, not the paper's.
//
// Model: a thread is alive from its fork (or its start or first operation, where nobody forked it
// in the trace) until it is joined; one that is detached stays alive for ever. The thread whose
// start is the first thing told, and the one that joins the last of the others, is alone until the
// next. Fork and join order its operations with those of every other thread in each run, so that
// nobody can step in between: they are both-movers, and say nothing about which locks protect a
// location.
//
// A region entered by a lone thread meets only threads that were started in it, which are part of
// what it does: nobody is left for whom it could be atomic or not. This ends where a thread comes
// that nobody forked (a stranger): it need not be one of these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "event/ids.h"

namespace isosan::atomizer {

// How many strangers there were when a region was entered by a lone thread.
using Company = std::uint32_t;
inline constexpr Company kOthersThere = ~Company{0};

class LoneThread {
 public:
  bool is(ThreadId thread) const { return alone_ && thread == thread_; }

  Company company_of(ThreadId thread) const { return is(thread) ? strangers_ : kOthersThere; }
  bool nobody_else_since(Company entered) const { return entered == strangers_; }

  void start(ThreadId thread) {
    if (!come_to_life(thread)) return;  // its fork was told
    ++strangers_;
    alone_ = alive_count_ == 1;
    thread_ = thread;
  }
  void turn_up(ThreadId thread) {  // it is there, and nothing told where it came from
    if (!come_to_life(thread)) return;
    ++strangers_;
    alone_ = false;
  }
  void fork(ThreadId child) {
    if (come_to_life(child)) alone_ = false;
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
  bool come_to_life(ThreadId thread) {
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
  Company strangers_ = 0;  // threads that started and that nobody forked, the first one included
};

}  // namespace isosan::atomizer
