// Fork, join and barriers hand a location or a lock over, as often as they like (thread_order.h);
// nothing else does, and the paper's one hand-over without an order is not given anew.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

const Verdicts kNothing{};
const std::string kTeam = "T0|w(x) T0|fork(T1) T0|fork(T2) ";  // 3 events

std::string write_twice(const std::string& thread) {
  return thread + "|begin(f) " + thread + "|w(x) " + thread + "|w(x) " + thread + "|end(f) ";
}
std::string read_twice(const std::string& thread) {
  return thread + "|begin(f) " + thread + "|r(x) " + thread + "|r(x) " + thread + "|end(f) ";
}
// All of these threads, in this order.
std::string barrier(const std::vector<std::string>& threads, int generation) {
  std::string text;
  for (const char* half : {"|arrive(b@", "|depart(b@"}) {
    for (const std::string& thread : threads)
      text += thread + half + std::to_string(generation) + ") ";
  }
  return text;
}
Verdicts with(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::ordered_handover}));
}
Verdicts without(const std::string& text) { return verdicts(text, papers_and({})); }

TEST(OrderedHandover, ByForkAndJoin) {
  std::string text;
  for (int round = 0; round < 5; ++round)
    text += "T0|fork(T1) " + write_twice("T1") + "T0|join(T1) " + write_twice("T0");
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), (Verdicts{"f 12->13", "f 17->18", "f 22->23", "f 27->28", "f 32->33",
                                     "f 37->38", "f 42->43", "f 47->48"}));
}

TEST(OrderedHandover, ByABarrier) {
  std::string text = kTeam;
  for (int round = 0; round < 4; ++round)
    text += write_twice(round % 2 == 0 ? "T1" : "T2") + barrier({"T1", "T2"}, round);
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text).size(), 3u);
}

TEST(OrderedHandover, ByWhatAThreadKnowsFromAnother) {
  EXPECT_EQ(
      with("T0|fork(T1) T1|fork(T2) " + write_twice("T2") + write_twice("T0") +
           "T1|join(T2) T0|join(T1) " + write_twice("T0") + "T0|fork(T3) " + write_twice("T3")),
      kNothing)
      << "once without an order, then by T1's join of T2";
}

TEST(OrderedHandover, OutOfEveryState) {
  const std::string shared = kTeam + "T1|w(x) T2|w(x) T1|w(x) T2|w(x) ";
  const std::string joins = "T0|join(T1) T0|join(T2) ";
  EXPECT_EQ(with(shared + joins + write_twice("T0")), kNothing) << "shared-modified";
  EXPECT_EQ(with(kTeam + "T1|r(x) T2|r(x) T1|r(x) " + joins + write_twice("T0")), kNothing)
      << "read-shared";
  EXPECT_EQ(with(shared + "T0|join(T1) " + write_twice("T0")), Verdicts{"f 9->10"})
      << "T2 is not joined";
}

TEST(OrderedHandover, TheHandOverWithoutAnOrderIsNotGivenAnew) {
  EXPECT_EQ(
      with(kTeam + "T1|w(x) T2|w(x) " + barrier({"T1", "T2"}, 0) + "T1|w(x) " + write_twice("T2")),
      Verdicts{"f 11->12"});
  EXPECT_EQ(with(kTeam + "T1|w(x) " + barrier({"T1", "T2"}, 0) + "T1|w(x) " + write_twice("T2")),
            kNothing)
      << "not yet used up";
}

TEST(OrderedHandover, WhatIsOnlyReadSinceTheBarrierIsReadShared) {
  const std::string phase = "T1|w(x) " + barrier({"T1", "T2"}, 0) + "T1|r(x) ";
  const std::string used_up = kTeam + "T2|r(x) T1|r(x) " + barrier({"T1", "T2"}, 1);
  EXPECT_EQ(with(used_up + phase + read_twice("T2") + read_twice("T1")), kNothing);
  EXPECT_EQ(with(used_up + phase + read_twice("T2") + write_twice("T1")), Verdicts{"f 20->21"});
  EXPECT_EQ(with(used_up + phase + "T1|w(x) " + read_twice("T2")), Verdicts{"f 17->18"})
      << "written in this phase";
  EXPECT_EQ(with("T0|fork(T3) " + used_up + phase + read_twice("T3")), Verdicts{"f 17->18"})
      << "T3 was not at the barrier and does not know of the write";
}

TEST(OrderedHandover, NotByLocksSemaphoresConditions) {
  for (const auto& [give, take] : std::vector<std::pair<std::string, std::string>>{
           {"T1|rel(m) ", "T2|acq(m) T2|rel(m) "},
           {"T1|post(s) ", "T2|take(s) "},
           {"T1|notify(c) ", "T2|wait(c) T2|woken(c) "},
           {"T1|publish(p) ", "T2|observe(p) "}}) {
    const std::string text = kTeam + "T1|w(x) T2|w(x) T1|acq(m) T1|w(x) " + give + take;
    EXPECT_EQ(with(text + write_twice("T2")).size(), 1u) << give;
  }
}

TEST(OrderedHandover, NotByTheEndOfAThread) {
  EXPECT_EQ(with(kTeam + "T1|w(x) T2|w(x) T1|w(x) T1|end T0|join(T2) " + write_twice("T0")),
            Verdicts{"f 9->10"});
}

TEST(OrderedHandover, NotByArrivingAlone) {
  EXPECT_EQ(with(kTeam + "T1|w(x) T2|w(x) T1|w(x) T1|arrive(b) T2|arrive(b) " + write_twice("T2")),
            Verdicts{"f 9->10"});
}

TEST(OrderedHandover, NotWhatIsDoneAfterTheArrival) {
  const std::string used_up = kTeam + "T1|w(x) T2|w(x) ";
  EXPECT_EQ(with(used_up + "T1|arrive(b) T2|arrive(b) T1|w(x) T2|depart(b) " + write_twice("T2")),
            Verdicts{"f 10->11"})
      << "a latch: counting down is not waiting";
  EXPECT_EQ(with(used_up + "T1|w(x) T1|arrive(b) T2|arrive(b) T2|depart(b) " + write_twice("T2")),
            kNothing);
}

TEST(OrderedHandover, NotByAnotherGeneration) {
  EXPECT_EQ(with(kTeam + "T1|w(x) T2|w(x) T1|w(x) T1|arrive(b@3) T2|arrive(b@4) T2|depart(b@4) " +
                 write_twice("T2")),
            Verdicts{"f 10->11"});
}

TEST(OrderedHandover, NotByABarrierThatWasThereBefore) {
  const std::string used_up = kTeam + "T1|w(x) T2|w(x) T1|w(x) ";
  const std::string anew = "T2|arrive(b) T2|depart(b) " + write_twice("T2");
  EXPECT_EQ(with(used_up + "T1|arrive(b) T1|depart(b) " + anew), Verdicts{"f 11->12"})
      << "the same generation once more: initialized anew";
  EXPECT_EQ(with(used_up + "T1|arrive(b) T0|free(b) " + anew), Verdicts{"f 11->12"});
}

TEST(OrderedHandover, AThreadWithAnothersNumberIsAnotherThread) {
  EXPECT_EQ(with("T0|fork(T1) T0|fork(T2) T1|w(x) T2|w(x) T1|w(x) T0|join(T1) T0|fork(T1) " +
                 write_twice("T1")),
            Verdicts{"f 8->9"})
      << "it comes after the old T1, not after T2";
}

TEST(OrderedHandover, WithMoreThreadsThanSlotsLessIsKnownAndNothingWrong) {
  std::string forks, joins;
  for (int i = 1; i <= 40; ++i) {
    forks += "T0|fork(T" + std::to_string(i) + ") ";
    joins += "T0|join(T" + std::to_string(i) + ") ";
  }
  const std::string used_up = "T1|w(x) T2|w(x) T0|w(x) ";
  EXPECT_EQ(with(forks + used_up + joins + write_twice("T0")), kNothing);
  EXPECT_EQ(with(forks + used_up + "T40|w(x) " + joins + write_twice("T0")).size(), 1u)
      << "T40 shares the common slot";
  EXPECT_EQ(with(forks + used_up + "T39|w(x) " + write_twice("T40")).size(), 1u);
  std::string rounds;
  for (int i = 0; i < 3; ++i) rounds += "T0|fork(T1) T0|fork(T2) T0|join(T1) T0|join(T2) ";
  EXPECT_EQ(with(rounds + "T0|fork(T3) " + write_twice("T3") + "T0|join(T3) " + write_twice("T0")),
            kNothing)
      << "slots of joined threads are given again";
}

// A region in which the lock is taken twice.
std::string lock_twice(const std::string& thread) {
  const std::string once = thread + "|acq(m) " + thread + "|rel(m) ";
  return thread + "|begin(f) " + once + once + thread + "|end(f) ";
}

TEST(OrderedHandover, OfLocksByForkAndJoin) {
  std::string text;
  for (int round = 0; round < 3; ++round)
    text += "T0|fork(T1) " + lock_twice("T1") + "T0|join(T1) " + lock_twice("T0");
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text).size(), 4u) << "shared from its third user on";
}

TEST(OrderedHandover, OfLocksByABarrier) {
  const std::string shared = kTeam + lock_twice("T1") + lock_twice("T2") + "T1|acq(m) T1|rel(m) ";
  EXPECT_EQ(with(shared + barrier({"T1", "T2"}, 0) + lock_twice("T2")), kNothing)
      << "shared, and T2's alone again";
  EXPECT_EQ(with(shared + barrier({"T1", "T2"}, 0) + "T1|acq(m) T1|rel(m) " + lock_twice("T2")),
            Verdicts{"f 25->26"})
      << "used by both in this phase";
}

TEST(OrderedHandover, OfLocksNotBesideOthers) {
  const std::string joined_one = kTeam + lock_twice("T1") + "T0|join(T1) ";
  EXPECT_EQ(with(joined_one + lock_twice("T2") + lock_twice("T0")), Verdicts{"f 18->19"})
      << "T2 is not joined";
}

TEST(OrderedHandover, StrictHasNone) {
  AtomizerOptions options = AtomizerOptions::strict(AtomizerOptions::RaceRule::kWrong);
  EXPECT_EQ(verdicts("T0|fork(T1) T1|w(x) T0|join(T1) T0|w(x)", options),
            (Verdicts{"- !1", "- !3"}));
}

}  // namespace
}  // namespace isosan::test
