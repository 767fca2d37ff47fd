// What the programs of this folder share: one way to fail, which of the two versions this is, and
// how often the operations are performed.
// Each file is one program after a bug of the literature; compiled with -DFIXED it is the corrected
// one. A program fails by abort(), by a wrong exit status or by hanging; left alone it hardly ever
// does.
//
// Compiled with -DROUNDS=n, each operation is performed n times on the same objects, always by a new
// thread and to its end before the next one starts: nothing overlaps, nothing fails, and every lock
// and variable is used by enough threads for an analysis of locksets (atomizer) to call it shared.
// Otherwise Thread is std::thread, and the rest of that is nothing at all.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <thread>

#ifdef ROUNDS
#include <functional>
#include <utility>
#include <vector>
#endif

namespace bug {

#ifdef FIXED
inline constexpr bool kFixed = true;
#else
inline constexpr bool kFixed = false;
#endif

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
  std::abort();
}

#ifdef ROUNDS
inline constexpr int kRounds = ROUNDS;

namespace {  // internal: no function of it is an exported one

using Operation = std::function<void()>;
std::vector<Operation> operations;
std::vector<Operation> preparations;
int current_round = 0;

int round() { return current_round; }

// What makes the operations possible once more: performed before each round but the first.
template <class Preparation>
void before_again(Preparation preparation) {
  preparations.emplace_back(preparation);
}

template <class Condition>
void await(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

void perform(const std::vector<Operation>& all) {
  for (const Operation& operation : all) std::thread(operation).join();
}

// The first to be joined performs the rounds of all that are there.
class Thread {
 public:
  template <class Body>
  explicit Thread(Body body) {
    operations.emplace_back(body);
  }
  void join() {
    const std::vector<Operation> mine = std::exchange(operations, {});
    if (mine.empty()) return;
    for (current_round = 0; current_round < kRounds; ++current_round) {
      if (current_round > 0) perform(preparations);
      perform(mine);
    }
  }
};

}  // namespace
#else
inline constexpr int kRounds = 1;
using Thread = std::thread;

consteval int round() { return 0; }
template <class Preparation>
constexpr void before_again(Preparation) {}
template <class Condition>
constexpr void await(Condition) {}
#endif

}  // namespace bug
