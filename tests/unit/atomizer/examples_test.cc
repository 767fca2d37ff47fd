// The examples of the paper's text.
#include <gtest/gtest.h>

#include "unit/atomizer/verdicts.h"

namespace isosan::test {
namespace {

// Fig. 1: append takes this (a), then sb.length() and sb.getChars() each take sb. Run by one thread
// after another, so nothing goes wrong in this run.
TEST(Examples, StringBufferAppend) {
  EXPECT_EQ(verdicts("T1|acq(sb) T1|w(count) T1|w(value) T1|rel(sb) "  // main makes both
                     "T2|acq(sb) T2|w(count) T2|w(value) T2|rel(sb) "  // somebody shrinks sb
                     "T1|begin(append) T1|acq(a) "
                     "T1|begin(length) T1|acq(sb) T1|r(count) T1|rel(sb) T1|end(length) "
                     "T1|begin(getChars) T1|acq(sb) T1|r(count) T1|r(value) T1|rel(sb)"
                     " T1|end(getChars) T1|w(acount) T1|rel(a) T1|end(append)"),
            Verdicts{"append 13->16"})
      << "commits at the release in length(), violates at the acquire in getChars()";
}

// 3.4: the unlucky order. With Fig. 11 the race is an error in itself; the relaxed rules miss this
// execution and see the next one.
TEST(Examples, DoubleIt) {
  const std::string first =
      "T0|begin(doubleIt) T0|acq(m) T0|r(x) T1|w(x) T0|w(x) T0|rel(m) T0|end(doubleIt) ";
  AtomizerOptions relaxed = AtomizerOptions::basic();
  relaxed.thread_local_data = false;
  EXPECT_EQ(verdicts(first, AtomizerOptions::strict(AtomizerOptions::RaceRule::kWrong)),
            (Verdicts{"- !3", "doubleIt !4"}));
  EXPECT_EQ(verdicts(first, relaxed), Verdicts{});
  EXPECT_EQ(verdicts(first + "T0|begin(doubleIt) T0|acq(m) T0|r(x) T0|w(x) T0|rel(m)"
                             " T0|end(doubleIt)",
                     relaxed),
            Verdicts{"doubleIt 9->10"});
}

// 4.4: read() is one non-mover, inc() is right, both, non, left.
TEST(Examples, ReadAndInc) {
  const auto inc = [](const std::string& t) {
    return t + "|begin(inc) " + t + "|acq(m) " + t + "|r(x) " + t + "|w(x) " + t + "|rel(m) " + t +
           "|end(inc) ";
  };
  const auto read = [](const std::string& t) {
    return t + "|begin(read) " + t + "|r(x) " + t + "|end(read) ";
  };
  std::string text = inc("T0") + read("T1") + inc("T1") + read("T0") + inc("T0") + read("T2") +
                     inc("T2") + read("T1");
  text.pop_back();
  EXPECT_EQ(verdicts(text), Verdicts{});
  AtomizerOptions options;
  options.write_protected = false;
  EXPECT_FALSE(verdicts(text, options).empty()) << "with one lockset inc() reads a racy variable";
}

// 5: println writes the string and the newline by two calls, each of which locks `out`.
TEST(Examples, Println) {
  EXPECT_EQ(verdicts("T0|acq(out) T0|w(buffer) T0|rel(out) T1|acq(out) T1|w(buffer) T1|rel(out) "
                     "T0|begin(println) T0|acq(this) "
                     "T0|begin(print) T0|acq(out) T0|w(buffer) T0|rel(out) T0|end(print) "
                     "T0|begin(newLine) T0|acq(out) T0|w(buffer) T0|rel(out) T0|end(newLine) "
                     "T0|rel(this) T0|end(println)"),
            Verdicts{"println 11->14"});
}

}  // namespace
}  // namespace isosan::test
