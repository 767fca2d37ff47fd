// Which transactions are dropped, against the definition: a transaction is dropped if it has ended
// and no open transaction reaches it in the graph of all dependences and of program order.
//
// Random executions: threads begin and end transactions and use variables, inside and outside. The
// runtime's part is simulated as modes/quiet.cc does it: a use of a variable whose last user is not
// dropped is a dependence. Then every transaction that a variable names is asked about.
#include "runtime/modes/drops.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace isosan::rt {

[[noreturn]] void check_failed(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

// Of locks that nobody waits for here.
void yield_cpu() { FAIL(); }
void sleep_microseconds(std::uint32_t) { FAIL(); }

namespace {

struct Node {  // a transaction; outside of transactions, one use
  std::vector<int> before;
  bool open = false;
};

struct Use {
  std::uint32_t slot = 0;
  std::uint64_t epoch = 0;  // 0: nobody has used it
  int node = -1;
};

struct SimulatedSlot {
  SpinLock lock;
  Drops drops;
  std::uint64_t epoch = 1;
  int node = -1;  // the last one, or the open one
  bool inside = false;
  bool kept = false;
};

struct Slots {
  std::vector<SimulatedSlot>* all;
  int* raised;
  SpinLock& lock(std::uint32_t slot) { return (*all)[slot].lock; }
  Drops& drops(std::uint32_t slot) { return (*all)[slot].drops; }
  void before_raise() { ++*raised; }
};

class Execution {
 public:
  Execution(std::uint64_t seed, std::uint32_t threads, std::size_t variables)
      : random_(seed), slots_(threads), variables_(variables) {
    for (SimulatedSlot& slot : slots_) slot.drops.clear();
  }

  void step() {
    const std::uint32_t slot = pick(slots_.size());
    switch (pick(6)) {
      case 0:
        return slots_[slot].inside ? end(slot) : begin(slot);
      case 1:  // it publishes: an epoch ends, a transaction does not
        if (slots_[slot].inside) ++slots_[slot].epoch;
        return;
      default:
        return use(slot, variables_[pick(variables_.size())]);
    }
  }

  // Asks about every transaction that a variable names. `exactly`: no list was full.
  void check(bool exactly) {
    for (const Use& each : variables_) {
      if (each.epoch == 0) continue;
      const bool said = is_dropped(each.slot, each.epoch);
      const bool dropped = is_out_of_reach(each.node);
      ASSERT_TRUE(!said || dropped) << "dropped too early";
      ASSERT_TRUE(!exactly || said == dropped) << "kept for too long";
    }
  }

  std::size_t dependences() const { return dependences_; }
  int raised() const { return raised_; }

 private:
  std::uint32_t pick(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  bool is_dropped(std::uint32_t slot, std::uint64_t epoch) {
    return Resolver<Slots>({&slots_, &raised_}).is_dropped(slot, epoch);
  }

  void become_clear_if_dropped(SimulatedSlot& slot, std::uint32_t index) {
    if (!is_dropped(index, slot.epoch - 1)) return;
    slot.drops.clear();
    slot.kept = false;
  }

  void new_node(SimulatedSlot& slot, bool open) {
    nodes_.push_back({.open = open});
    if (slot.node >= 0) nodes_.back().before.push_back(slot.node);
    slot.node = static_cast<int>(nodes_.size()) - 1;
  }

  void begin(std::uint32_t index) {
    SimulatedSlot& slot = slots_[index];
    if (slot.kept) {
      slot.drops.open(++slot.epoch);
      become_clear_if_dropped(slot, index);
    }
    slot.drops.open(++slot.epoch);
    slot.inside = true;
    new_node(slot, true);
  }

  void end(std::uint32_t index) {
    SimulatedSlot& slot = slots_[index];
    nodes_[static_cast<std::size_t>(slot.node)].open = false;
    slot.inside = false;
    slot.kept = true;
    slot.drops.open(++slot.epoch);
    become_clear_if_dropped(slot, index);
  }

  void use(std::uint32_t index, Use& variable) {
    SimulatedSlot& slot = slots_[index];
    const bool foreign = variable.epoch != 0 && variable.slot != index;
    const bool depends = foreign && !is_dropped(variable.slot, variable.epoch);
    if (!slot.inside) {
      new_node(slot, false);
      if (depends) {
        slot.drops.open(++slot.epoch);
        slot.kept = true;
      }
    }
    if (foreign) nodes_[static_cast<std::size_t>(slot.node)].before.push_back(variable.node);
    if (depends) {
      slot.drops.add(variable.slot, variable.epoch);
      ++dependences_;
    }
    variable = {index, slot.epoch, slot.node};
    if (!slot.inside && slot.kept) {  // a point between two epochs
      slot.drops.open(++slot.epoch);
      become_clear_if_dropped(slot, index);
    }
  }

  bool is_out_of_reach(int node) const {
    std::vector<bool> seen(nodes_.size());
    std::vector<int> todo{node};
    while (!todo.empty()) {
      const auto at = static_cast<std::size_t>(todo.back());
      todo.pop_back();
      if (seen[at]) continue;
      seen[at] = true;
      if (nodes_[at].open) return false;
      todo.insert(todo.end(), nodes_[at].before.begin(), nodes_[at].before.end());
    }
    return true;
  }

  std::mt19937_64 random_;
  std::vector<SimulatedSlot> slots_;
  std::vector<Use> variables_;
  std::vector<Node> nodes_;
  std::size_t dependences_ = 0;
  int raised_ = 0;
};

// Asked after every step: with few variables a list never gets full, because what is dropped leaves
// it.
TEST(Drops, AreExactlyThoseThatNoOpenTransactionReaches) {
  std::size_t dependences = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Execution execution(seed, static_cast<std::uint32_t>(2 + seed % 3), 1 + seed % 4);
    for (int i = 0; i < 60; ++i) {
      execution.step();
      execution.check(true);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " step " << i;
    }
    dependences += execution.dependences();
  }
  EXPECT_GT(dependences, 10000u);
}

// Asked rarely, and with so many dependences that lists are full: nothing is dropped too early.
TEST(Drops, AreNeverTooManyWhenAListIsFull) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Execution execution(seed, 24, 40);
    for (int i = 0; i < 400; ++i) {
      execution.step();
      if (i % 50 != 49) continue;
      execution.check(false);
      if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " step " << i;
    }
  }
}

// A cycle that has ended keeps nobody for ever.
TEST(Drops, EndedTransactionsInACycleAreDroppedTogether) {
  std::vector<SimulatedSlot> slots(2);
  int raised = 0;
  for (SimulatedSlot& slot : slots) {
    slot.drops.clear();
    slot.drops.open(2);
  }
  slots[0].drops.add(1, 2);
  slots[1].drops.add(0, 2);
  EXPECT_FALSE(Resolver<Slots>({&slots, &raised}).is_dropped(0, 2));
  slots[0].drops.open(3);
  EXPECT_FALSE(Resolver<Slots>({&slots, &raised}).is_dropped(0, 2)) << "the other one is open";
  slots[1].drops.open(3);
  EXPECT_TRUE(Resolver<Slots>({&slots, &raised}).is_dropped(0, 2));
  EXPECT_EQ(slots[1].drops.dropped_until(), 2u);
  EXPECT_EQ(raised, 2);
}

}  // namespace
}  // namespace isosan::rt
