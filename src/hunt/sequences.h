// What each thread of a run executed, in its order. Two runs along one schedule are the same run if
// every thread executed the same operations at the same places.
//
// Not compared: addresses and values. Threads are named by birth path, which is the same in every
// run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "event/event.h"
#include "event/tables.h"

namespace isosan {

// Where two runs diverge: the first operation of a thread that differs.
struct Divergence {
  std::string thread;  // birth path
  std::uint64_t index = 0;
  std::string one, other;  // what was executed there: "read balance at bank.cc:12"
};

class Sequences {
 public:
  void feed(std::span<const Event> batch);
  // After the run: names threads and places.
  void finish(const Tables& tables);

  // Prefers a thread that did something else to one that only ended earlier.
  std::optional<Divergence> divergence(const Sequences& other) const;

 private:
  struct Operation {
    SiteId site;
    Kind kind;
  };
  struct Sequence {
    std::vector<Operation> operations;
    bool ended = false;  // false: the run ended before the thread did
  };
  static const Sequence kNone;
  const Sequence& of(const std::string& path) const;
  std::string describe(const Sequence& sequence, std::size_t at) const;
  std::uint64_t key(const Operation& operation) const;

  std::vector<Sequence> by_thread_;  // until finish()
  std::map<std::string, Sequence> by_path_;
  std::vector<std::uint64_t> keys_;  // by site: the same in every run of one binary
  Tables tables_;
};

}  // namespace isosan
