// Whether everything that a thread did was a both-mover: ours, not the paper's.
//
// Model: a thread is quiet if all its operations were both-movers, and it has joined all threads
// that it forked, and those were quiet. Law: the operations of a quiet thread and its children can
// be moved together to any point between its fork and its join: to before the region in which it is
// joined, or next to the fork. So joining it is a both-mover. So is forking it, but at the fork
// that is not yet known: a fork stays a left-mover of the regions open there.
#pragma once

#include <cstdint>
#include <optional>

#include "event/ids.h"

namespace isosan::atomizer {

class QuietThread {
 public:
  QuietThread() = default;  // the trace has no fork of it
  explicit QuietThread(ThreadId parent) : parent_(parent) {}

  bool is_quiet() const { return quiet_ && children_ == 0; }
  bool forked_by(ThreadId thread) const { return parent_ == thread; }

  void disturb() { quiet_ = false; }  // it did something that is no both-mover
  void fork() { ++children_; }        // still quiet ...
  void join_child() { --children_; }  // ... if the child is joined and was quiet

 private:
  std::optional<ThreadId> parent_;
  bool quiet_ = true;
  std::uint32_t children_ = 0;  // forked and not joined
};

}  // namespace isosan::atomizer
