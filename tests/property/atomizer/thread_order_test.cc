// Law: what ThreadOrder says comes before does, by fork, join and barriers alone, against
// happens-before by brute force.
#include "analysis/atomizer/thread_order.h"

#include <gtest/gtest.h>

#include <map>

#include "oracle/happens_before_oracle.h"
#include "oracle/property.h"

namespace isosan::test {
namespace {

using atomizer::ThreadOrder;

bool orders_in_every_schedule(Kind kind) {
  return kind == Kind::kFork || kind == Kind::kJoin || kind == Kind::kThreadStart ||
         kind == Kind::kThreadEnd || kind == Kind::kBarrierArrive || kind == Kind::kBarrierDepart;
}

// Uses of one variable, all of them or since a thread took it over by an order.
struct Variable {
  std::vector<std::size_t> accesses;  // ordinals, all of them
  ThreadOrder::Uses uses{};
};

struct Tally {
  int said = 0, not_said = 0, missed = 0;  // missed: it does come before
};

void check(const std::vector<Event>& events, bool take_over, Tally& tally) {
  const HappensBeforeOracle oracle(events);
  ThreadOrder order;
  std::map<Address, Variable> variables;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    const Where where{i, e.thread};
    const auto other = static_cast<ThreadId>(e.address);
    if (e.kind == Kind::kFork) order.fork(e.thread, other);
    if (e.kind == Kind::kJoin) order.join(e.thread, other);
    if (e.kind == Kind::kThreadEnd) order.end(e.thread);
    if (e.kind == Kind::kBarrierArrive) order.arrive({{{where, e.address}, e.size}});
    if (e.kind == Kind::kBarrierDepart) order.depart({{{where, e.address}, e.size}});
    if (e.kind != Kind::kRead && e.kind != Kind::kWrite) continue;

    Variable& variable = variables[e.address];
    const ThreadOrder::Slot slot = order.slot_of(e.thread);
    const bool before = order.before(variable.uses, slot);
    bool foreign = false, really = true;
    for (const std::size_t access : variable.accesses) {
      if (events[access].thread == e.thread) continue;
      foreign = true;
      really &= oracle.happens_before(access, i);
    }
    if (before && !really) RC_FAIL("event " + std::to_string(i) + " does not come after all");
    if (foreign) ++(before ? tally.said : really ? tally.missed : tally.not_said);
    if (before && take_over) variable.uses.slots = 0;
    variable.uses.last = order.act(slot);
    variable.uses.slots |= ThreadOrder::only(slot);
    variable.accesses.push_back(i);
  }
}

TEST(ThreadOrder, WhatItSaysComesBeforeDoes) {
  Tally tally;
  const auto law = [&] {
    const Trace trace = (*random_traces({.max_intents = 120, .byte_ranges = false})).trace();
    std::vector<Event> events;
    for (const Event& e : trace.events) {
      if (orders_in_every_schedule(e.kind) || e.kind == Kind::kRead || e.kind == Kind::kWrite)
        events.push_back(e);
    }
    check(events, false, tally);
    check(events, true, tally);
  };
  EXPECT_TRUE(law_holds(law, {5000, 200'000}));
  RecordProperty("said", tally.said);
  RecordProperty("missed", tally.missed);
  EXPECT_GT(tally.said, 4'000);
  EXPECT_GT(tally.not_said, 10'000);
  EXPECT_LT(tally.missed, tally.said / 4);
}

}  // namespace
}  // namespace isosan::test
