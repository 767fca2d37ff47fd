// What the programs of this folder share: one way to fail, which of the two versions this is, and
// how often the operations are performed.
// Each file is one program after a bug of the literature; compiled with -DFIXED it is the corrected
// one. A program fails by abort(), by a wrong exit status or by hanging; left alone it hardly ever
// does.
//
// Compiled with -DGO_ON, a program that finds something wrong says so, goes on, and ends with
// status 1 instead of abort(): what other threads were about to do, they do. For an analysis of
// whole operations: one that abort() cuts short has not shown yet what it would conflict with.
//
// Compiled with -DROUNDS=n, each operation is performed n times on the same objects, always by a
// new thread and to its end before the next one goes on: nothing overlaps, nothing fails, and every
// lock and variable is used by enough threads for an analysis of locksets (atomizer) to call it
// shared. All threads are there from the beginning and take turns by semaphores: no fork and no
// join orders what they do, as none does in the program as it is. Otherwise Thread is std::thread,
// and the rest of that is nothing at all.
//
// FIXED_AND_SPLIT_AT_WAIT before a function tells atomizer that its wait is meant: others get in
// then. Only the corrected program says so.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <thread>

#include "../../include/isosan/isosan.h"

#ifdef ROUNDS
#include <deque>
#include <functional>
#include <semaphore>
#include <utility>
#include <vector>
#endif

namespace bug {

#ifdef FIXED
#define FIXED_AND_SPLIT_AT_WAIT ISOSAN_SPLIT_AT_WAIT
inline constexpr bool kFixed = true;
#else
#define FIXED_AND_SPLIT_AT_WAIT
inline constexpr bool kFixed = false;
#endif

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what);
#ifdef GO_ON
  std::atexit([] { std::_Exit(1); });
#else
  std::abort();
#endif
}

#ifdef ROUNDS
inline constexpr int kRounds = ROUNDS;

namespace {  // internal: no function of it is an exported one

using Operation = std::function<void()>;
std::vector<Operation> operations;
std::vector<Operation> preparations;
thread_local int current_round = 0;

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

struct Turn {
  Operation operation;
  int round;
  std::binary_semaphore& mine;
  std::binary_semaphore& next;

  // Not instrumented: the operation is the first function of its thread, as it is without rounds.
  [[clang::disable_sanitizer_instrumentation]] void operator()() {
    mine.acquire();
    current_round = round;
    operation();
    next.release();
  }
};

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
    std::deque<std::binary_semaphore> turns;
    turns.emplace_back(1);
    std::vector<std::thread> threads;
    const auto start = [&](const Operation& operation, int round) {
      std::binary_semaphore& turn = turns.back();
      threads.emplace_back(Turn{operation, round, turn, turns.emplace_back(0)});
    };
    for (int round = 0; round < kRounds; ++round) {
      if (round > 0) {
        for (const Operation& preparation : preparations) start(preparation, round);
      }
      for (const Operation& operation : mine) start(operation, round);
    }
    for (std::thread& thread : threads) thread.join();
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
