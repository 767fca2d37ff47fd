// Fig. 15, rule by rule: access-protecting and write-protecting locksets. Each trace first narrows
// φ(x, A) and φ(x, W) as its comment says; no thread-local states.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

Verdicts fig15(const std::string& text) {
  AtomizerOptions options = AtomizerOptions::basic();
  options.thread_local_data = false;
  options.write_protected = true;
  return verdicts(text, options);
}

// Written under m, read without: φ(x, A) = ∅, φ(x, W) = {m}. Six events.
const std::string kWriteProtected = "T1|acq(m) T1|w(x) T1|rel(m) T1|r(x) T1|r(x) T1|r(x) ";

TEST(Fig15, Ins3Read) {
  EXPECT_EQ(fig15(kWriteProtected + "T0|begin(f) T0|acq(m) T0|r(x) T0|r(x) T0|acq(n) T0|end(f)"),
            Verdicts{})
      << "a both-mover: no other thread can write while m is held";
}

TEST(Fig15, Ins3ReadNarrowsAccessOnly) {
  EXPECT_EQ(fig15("T1|acq(m) T1|acq(n) T1|w(x) T1|rel(n) T1|r(x) T1|rel(m)"
                  " T0|acq(n) T0|begin(f) T0|r(x) T0|r(x) T0|end(f)"),
            Verdicts{})
      << "A = {m}, W = {m, n}: n protects reads though it is not held at every read";
}

TEST(Fig15, Ins3ReadRaceOutside) {
  EXPECT_EQ(fig15(kWriteProtected + "T0|acq(m) T0|begin(f) T0|w(x) T0|w(x) T0|end(f)"),
            Verdicts{"f 8->9"})
      << "the reads outside emptied A: writes are non-movers even under m";
}

TEST(Fig15, Ins3ReadRaceCommit) {
  EXPECT_EQ(fig15(kWriteProtected + "T0|begin(f) T0|r(x) T0|end(f)"), Verdicts{});
  EXPECT_EQ(fig15(kWriteProtected + "T0|begin(f) T0|r(x) T0|acq(m) T0|end(f)"), Verdicts{"f 7->8"});
}

TEST(Fig15, Ins3Write) {
  EXPECT_EQ(fig15("T0|begin(f) T0|acq(m) T0|w(x) T0|w(x) T0|acq(n) T0|end(f)"), Verdicts{});
}

TEST(Fig15, Ins3WriteNarrowsBoth) {
  EXPECT_EQ(fig15("T1|acq(m) T1|w(x) T1|acq(n) T1|rel(m) T1|r(y) T1|rel(n)"
                  " T1|acq(m) T1|w(x) T1|rel(m) T0|acq(n) T0|begin(f) T0|r(x) T0|r(x) T0|end(f)"),
            Verdicts{"f 11->12"})
      << "W = {m}: n does not protect a read";
}

TEST(Fig15, Ins3WriteRaceOutside) {
  EXPECT_EQ(fig15("T1|w(x) T0|acq(m) T0|begin(f) T0|r(x) T0|r(x) T0|end(f)"), Verdicts{"f 3->4"})
      << "a write without locks leaves W = ∅: reads are non-movers";
}

TEST(Fig15, Ins3WriteRaceCommit) {
  EXPECT_EQ(fig15(kWriteProtected + "T0|begin(f) T0|acq(m) T0|r(x) T0|w(x) T0|rel(m) T0|end(f)"),
            Verdicts{})
      << "inc() of 4.4: the write is the commit point";
  EXPECT_EQ(fig15(kWriteProtected + "T0|begin(f) T0|acq(m) T0|w(x) T0|acq(n) T0|end(f)"),
            Verdicts{"f 8->9"});
}

TEST(Fig15, Ins3Acquire) {
  EXPECT_EQ(fig15("T0|acq(m) T0|begin(f) T0|acq(n) T0|end(f)"), Verdicts{});
}

TEST(Fig15, Ins3ReleaseOutside) {
  EXPECT_EQ(fig15("T0|acq(m) T0|rel(m) T0|begin(f) T0|acq(m) T0|end(f)"), Verdicts{});
}

TEST(Fig15, Ins3ReleaseCommit) {
  EXPECT_EQ(fig15("T0|acq(m) T0|acq(n) T0|begin(f) T0|rel(n) T0|rel(m) T0|end(f)"), Verdicts{});
}

TEST(Fig15, Ins3EnterAndExit) {
  EXPECT_EQ(fig15("T0|begin(f) T0|r(x) T0|end(f) T0|begin(f) T0|r(x) T0|end(f)"), Verdicts{});
}

TEST(Fig15, Ins3NestedEnterAndExit) {
  EXPECT_EQ(fig15("T0|begin(f) T0|begin(g) T0|r(x) T0|end(g) T0|begin(g) T0|r(x) T0|end(g)"
                  " T0|end(f)"),
            Verdicts{"f 2->5"});
}

TEST(Fig15, Ins3NoOp) {
  EXPECT_EQ(fig15("T0|begin(f) T0|r(x) T0|notify(c) T0|end(f)"), Verdicts{});
}

TEST(Fig15, Wrong3ReadRaceViolate) {
  EXPECT_EQ(fig15(kWriteProtected + "T0|begin(f) T0|r(x) T0|r(x) T0|end(f)"), Verdicts{"f 7->8"});
}

TEST(Fig15, Wrong3WriteRaceViolate) {
  EXPECT_EQ(fig15(kWriteProtected + "T0|acq(m) T0|begin(f) T0|w(x) T0|w(x) T0|end(f)"),
            Verdicts{"f 8->9"});
}

TEST(Fig15, Wrong3Acquire) {
  EXPECT_EQ(fig15("T0|begin(f) T0|acq(m) T0|rel(m) T0|acq(m) T0|end(f)"), Verdicts{"f 2->3"});
}

}  // namespace
}  // namespace isosan::test
