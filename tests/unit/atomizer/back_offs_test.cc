// A lock that is given up after a lost try for another one, with nothing done since it was
// acquired, did nothing: std::lock and std::scoped_lock back off like this (kBacksOff).
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// Three threads use locks m and n, x is guarded by m, c is only read, a has no lock. 27 events.
const std::string kShared =
    "T1|acq(m) T1|w(x) T1|rel(m) T2|acq(m) T2|w(x) T2|rel(m) T0|acq(m) T0|w(x) T0|rel(m) "
    "T1|acq(n) T1|rel(n) T2|acq(n) T2|rel(n) T0|acq(n) T0|rel(n) "
    "T1|r(c) T2|r(c) T0|r(c) T1|r(c) T2|r(c) T0|r(c) "
    "T1|w(a) T2|w(a) T0|w(a) T1|w(a) T2|w(a) T0|w(a) ";
const Verdicts kNothing{};

std::string region(const std::string& body) {
  return kShared + "T0|begin(f) " + body + "T0|end(f)";
}
Verdicts with(const std::string& text) {
  return verdicts(text, papers_and({&AtomizerOptions::back_offs}));
}
Verdicts without(const std::string& text) { return verdicts(text, papers_and({})); }

const std::string kBoth = "T0|acq(n) T0|acq(m) T0|w(x) T0|rel(m) T0|rel(n) ";

TEST(BackOffs, AreNoStep) {
  const std::string text = region("T0|acq(m) T0|rel.in_vain(m) " + kBoth);
  EXPECT_EQ(with(text), kNothing);
  EXPECT_EQ(without(text), Verdicts{"f 29->30"});
}

TEST(BackOffs, AsOftenAsItTakes) {
  EXPECT_EQ(with(region("T0|acq(m) T0|rel.in_vain(m) T0|acq(n) T0|rel.in_vain(n) T0|acq(m) "
                        "T0|rel.in_vain(m) " +
                        kBoth)),
            kNothing);
}

TEST(BackOffs, OfSeveralLocks) {
  EXPECT_EQ(with(region("T0|acq(m) T0|acq(n) T0|rel.in_vain(n) T0|rel.in_vain(m) " + kBoth)),
            kNothing);
  EXPECT_EQ(with(region("T0|acq(m) T0|acq(n) T0|rel(n) T0|rel.in_vain(m) " + kBoth)),
            Verdicts{"f 30->32"})
      << "the first release was none";
}

TEST(BackOffs, OfASharedHold) {
  EXPECT_EQ(with(region("T0|acq.shared(m) T0|rel.shared_in_vain(m) " + kBoth)), kNothing);
}

TEST(BackOffs, NotWithoutALostTry) {
  EXPECT_EQ(with(region("T0|acq(m) T0|rel(m) " + kBoth)), Verdicts{"f 29->30"})
      << "an empty critical section can be a wait for whoever has the lock";
}

TEST(BackOffs, NotAfterWhatOthersSee) {
  const Verdicts window{"f 30->31"};
  EXPECT_EQ(with(region("T0|acq(m) T0|w(x) T0|rel.in_vain(m) " + kBoth)), window);
  EXPECT_EQ(with(region("T0|acq(m) T0|r(x) T0|rel.in_vain(m) " + kBoth)), window);
  EXPECT_EQ(with(region("T0|acq(m) T0|post(s) T0|rel.in_vain(m) " + kBoth)), Verdicts{"f 29->31"});
  EXPECT_EQ(with(region("T0|acq(m) T0|w(a) T0|rel.in_vain(m) " + kBoth)), Verdicts{"f 29->31"});
}

TEST(BackOffs, AfterWhatIsItsOwnOrNeverChanges) {
  EXPECT_EQ(with(region("T0|acq(m) T0|w(own) T0|r(c) T0|rel.in_vain(m) " + kBoth)), kNothing);
}

TEST(BackOffs, TheAcquireIsOneAllTheSame) {
  EXPECT_EQ(with(region("T0|acq(m) T0|rel(m) T0|acq(m) T0|rel.in_vain(m) ")), Verdicts{"f 29->30"});
}

TEST(BackOffs, WhatWasDoneUnderAnOuterLockStays) {
  EXPECT_EQ(with(region("T0|acq(m) T0|w(x) T0|acq(n) T0|rel.in_vain(n) T0|acq(n) T0|rel(n) "
                        "T0|rel(m) ")),
            kNothing);
  EXPECT_EQ(
      with(region("T0|acq(m) T0|w(x) T0|acq(n) T0|rel.in_vain(n) T0|rel.in_vain(m) " + kBoth)),
      Verdicts{"f 32->33"});
}

}  // namespace
}  // namespace isosan::test
