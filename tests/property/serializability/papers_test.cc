// The papers' own examples, decided by every engine. The threads of the papers count from 1: T1 ...
#include <gmock/gmock.h>

#include <string>

#include "property/serializability/engines.h"

namespace isosan::test {
namespace {

template <class E>
class Papers : public testing::Test {
 protected:
  static std::optional<std::size_t> violation(const std::string& text, bool sync_edges = true) {
    return E::first_violation(parse_trace(text), sync_edges);
  }
};
TYPED_TEST_SUITE(Papers, Engines);

constexpr std::optional<std::size_t> kNone;

// DoubleChecker, Fig. 3: seven threads, objects o (fields f, g, h) and p (field q). Fields are
// locations of their own: of ICD's component of four transactions only Tx1i and Tx3k are a cycle.
std::string double_checker_figure_3(const std::string& access_of_3k) {
  return "T7|w(p.q)\nT6|r(p.q)\n"
         "T5|begin(Tx5m)\nT5|r(p.q)\nT5|end\n"
         "T1|begin(Tx1i)\nT1|w(o.f)\n"
         "T2|begin(Tx2j)\nT2|r(o.g)\nT2|end\n"
         "T3|begin(Tx3k)\n" +
         access_of_3k +
         "T4|begin(Tx4l)\nT4|r(o.h)\nT4|r(p.q)\nT4|end\n"
         "T3|end\n"
         "T1|w(o.f)\nT1|end\n";
}

TYPED_TEST(Papers, DoubleCheckerFigure3) {
  const Trace trace = parse_trace(double_checker_figure_3("T3|r(o.f)\n"));
  const std::vector<Finding> findings = TypeParam::findings_of(trace, true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(TypeParam::first_violation(trace, true), 17u);
  EXPECT_EQ(trace.tables.regions.at(index(findings[0].region)).name, "Tx1i") << "PCD blames Tx1i";
  std::vector<std::string> regions;
  for (const FindingTransaction& t : findings[0].transactions)
    regions.push_back(trace.tables.regions.at(index(t.region)).name);
  EXPECT_THAT(regions, testing::UnorderedElementsAre("Tx1i", "Tx3k"));
}

TYPED_TEST(Papers, DoubleCheckerFigure3WithoutTheReadOfOF) {
  EXPECT_EQ(this->violation(double_checker_figure_3("")), kNone);
}

// DoubleChecker, section 3.2.3: no precise cycle until the last read.
TYPED_TEST(Papers, DoubleCheckerCycleOnlyAtTheLastRead) {
  const std::string before = "T1|begin\nT1|w(o.f)\nT2|begin\nT2|r(o.f)\nT2|w(o.g)\nT2|end\n";
  EXPECT_EQ(this->violation(before + "T1|r(o.f)\nT1|end\n"), kNone);
  EXPECT_EQ(this->violation(before + "T1|r(o.f)\nT1|r(o.g)\nT1|end\n"), 7u);
}

// Marathon, Fig. 1: transfer() updates checking and savings under the account's lock and calls
// inc() (its own lock) after each. (b) another inc() between the two; (c), (d) serial.
std::string inc(const std::string& t) {
  return t + "|acq(Global)\n" + t + "|r(opCounter)\n" + t + "|w(opCounter)\n" + t +
         "|rel(Global)\n";
}
std::string update(const std::string& t, const std::string& field) {
  return t + "|r(" + field + ")\n" + t + "|w(" + field + ")\n";
}
const std::string kTransferBegins = "T1|begin(transfer)\nT1|acq(account)\n";
const std::string kTransferEnds = "T1|rel(account)\nT1|end\n";
const std::string kOtherInc = "T2|begin(inc)\n" + inc("T2") + "T2|end\n";

TYPED_TEST(Papers, MarathonFigure1bIsNotConflictSerializable) {
  const std::string execution = kTransferBegins + update("T1", "checking") + inc("T1") + kOtherInc +
                                update("T1", "savings") + inc("T1") + kTransferEnds;
  EXPECT_NE(this->violation(execution, false), kNone) << "that atomic sets allow it is marathon's";
  EXPECT_NE(this->violation(execution, true), kNone);
}

TYPED_TEST(Papers, MarathonFigure1cAnd1dAreSerial) {
  const std::string transfer = kTransferBegins + update("T1", "checking") + inc("T1") +
                               update("T1", "savings") + inc("T1") + kTransferEnds;
  EXPECT_EQ(this->violation(transfer + kOtherInc), kNone);
  EXPECT_EQ(this->violation(kOtherInc + transfer), kNone);
}

// Marathon, Fig. 2 and 3: a cycle of conflicts on x, y and z between the units u1, u2 and u3.
TYPED_TEST(Papers, MarathonFigure2) {
  const std::string u2 = "T2|begin(u2)\nT2|r(x)\nT2|w(y)\nT2|end\n";
  const std::string u3 = "T3|begin(u3)\nT3|r(y)\nT3|w(z)\nT3|end\n";
  EXPECT_EQ(this->violation("T1|begin(u1)\nT1|w(x)\n" + u2 + u3 + "T1|r(z)\nT1|end\n"), 10u);
  EXPECT_EQ(this->violation("T1|begin(u1)\nT1|w(x)\n" + u3 + u2 + "T1|r(z)\nT1|end\n"), kNone)
      << "u3 reads y before u2 writes it";
}

// Penelope, section 3.1: e1 and e2 in a transaction of T1, f of T2 between them, before, or after.
struct Pattern {
  const char* name;
  char e1, f, e2;
};
constexpr Pattern kPatterns[] = {{"RWR", 'r', 'w', 'r'},
                                 {"WRW", 'w', 'r', 'w'},
                                 {"RWW", 'r', 'w', 'w'},
                                 {"WWR", 'w', 'w', 'r'},
                                 {"WWW", 'w', 'w', 'w'}};
std::string access(const char* thread, char what) {
  return std::string(thread) + "|" + what + "(x)\n";
}

TYPED_TEST(Papers, PenelopeFivePatterns) {
  const std::string begin = "T1|begin\n", end = "T1|end\n";
  for (const Pattern& p : kPatterns) {
    const std::string e1 = access("T1", p.e1), f = access("T2", p.f), e2 = access("T1", p.e2);
    for (bool sync_edges : {true, false}) {
      EXPECT_EQ(this->violation(begin + e1 + f + e2 + end, sync_edges), 3u) << p.name;
      EXPECT_EQ(this->violation(begin + f + e1 + e2 + end, sync_edges), kNone) << p.name;
      EXPECT_EQ(this->violation(begin + e1 + e2 + f + end, sync_edges), kNone) << p.name;
      EXPECT_EQ(this->violation(begin + e1 + end + f + begin + e2 + end, sync_edges), kNone)
          << p.name;
    }
  }
}

TYPED_TEST(Papers, PenelopeNoPatternWithoutTwoConflicts) {
  for (const char* harmless : {"rrr", "rrw", "wrr"})
    EXPECT_EQ(this->violation("T1|begin\n" + access("T1", harmless[0]) + access("T2", harmless[1]) +
                              access("T1", harmless[2]) + "T1|end\n"),
              kNone)
        << harmless;
}

// Atomizer, Fig. 1: append() holds its own lock, reads sb.length() under sb's lock, gives that up,
// and copies the characters under sb's lock again. Another thread shortens sb in between.
const std::string kAppendBegins = "T1|begin(append)\nT1|acq(this)\n";
const std::string kLength = "T1|acq(sb)\nT1|r(sb.count)\nT1|rel(sb)\n";
const std::string kGetChars = "T1|acq(sb)\nT1|r(sb.count)\nT1|r(sb.value)\nT1|rel(sb)\n";
const std::string kAppendEnds = "T1|w(this.value)\nT1|w(this.count)\nT1|rel(this)\nT1|end\n";
const std::string kDelete =
    "T2|begin(delete)\nT2|acq(sb)\nT2|w(sb.value)\nT2|w(sb.count)\nT2|rel(sb)\nT2|end\n";

TYPED_TEST(Papers, AtomizerStringBufferAppend) {
  const std::string interrupted = kAppendBegins + kLength + kDelete + kGetChars + kAppendEnds;
  EXPECT_EQ(this->violation(interrupted, true), 11u) << "at the second acquire of sb";
  EXPECT_EQ(this->violation(interrupted, false), 12u) << "data alone: at the second read of count";
}

TYPED_TEST(Papers, AtomizerStringBufferAppendUndisturbed) {
  const std::string append = kAppendBegins + kLength + kGetChars + kAppendEnds;
  EXPECT_EQ(this->violation(append + kDelete), kNone);
  EXPECT_EQ(this->violation(kDelete + append), kNone);
}

}  // namespace
}  // namespace isosan::test
