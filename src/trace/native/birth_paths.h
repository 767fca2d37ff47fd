// Threads are named by the path of their birth, which is the same in every run: "0.1.0" is the
// first thread started by the second thread that the first one has started.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan {

class BirthPaths {
 public:
  // Notes parent and path of the child in `threads`, where both have an entry.
  void note(const Event& fork, std::vector<Thread>& threads) {
    const std::uint32_t parent = index(fork.thread);
    if (parent >= children_.size()) children_.resize(parent + std::size_t{1});
    Thread& child = threads[fork.address];
    child.parent = fork.thread;
    child.birth_path = threads[parent].birth_path + "." + std::to_string(children_[parent]++);
  }

 private:
  std::vector<std::uint32_t> children_;  // by thread: how many it has started
};

}  // namespace isosan
