// Whether everything that a thread did was a both-mover: ours, not the paper's.
//
// Model: a thread is quiet if all it did were both-movers, and the threads that it forked were
// quiet too and it has joined them. Law: what a quiet thread and its children did can be moved
// together to any point between its fork and its join: to before the region in which it is joined,
// or next to the fork. So joining it is a both-mover. Forking it is one, too, but that is not known
// in time: a fork stays a left-mover of the regions that are open there.
#pragma once

#include <cstdint>
#include <optional>

#include "event/ids.h"

namespace isosan::atomizer {

class QuietThread {
 public:
  QuietThread() = default;  // nobody forked it
  explicit QuietThread(ThreadId parent) : parent_(parent) {}

  bool is_quiet() const { return quiet_ && children_ == 0; }
  bool forked_by(ThreadId thread) const { return parent_ == thread; }

  void disturb() { quiet_ = false; }  // what it does is no both-mover
  void fork() { ++children_; }        // by itself, this disturbs nothing ...
  void join_child() { --children_; }  // ... if the child is joined; joining a loud one disturbs

 private:
  std::optional<ThreadId> parent_;
  bool quiet_ = true;
  std::uint32_t children_ = 0;  // forked and not joined
};

}  // namespace isosan::atomizer
