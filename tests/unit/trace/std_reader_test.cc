#include "trace/std/std_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using ::testing::HasSubstr;
using testing::read_bytes;
using testing::ReadResult;
using ::testing::StartsWith;

constexpr TraceOptions kRaw{.lenient = false, .validate = false};

TEST(StdReader, ReadsEveryOperation) {
  const ReadResult r = read_bytes(
      "T0|fork(T1)|1\nT0|begin|2\nT0|acq(L)|3\nT0|r(x)|4\nT0|w(y)|5\nT0|rel(L)|6\nT0|end|7\n"
      "T1|w(x)|8\nT0|join(T1)|9\n");
  ASSERT_EQ(r.error, "");
  const ThreadId t0{0}, t1{1};
  const Address x = kVariableBase, y = kVariableBase + 8, lock = kLockBase;
  const auto event = [](Kind kind, ThreadId t, Address a, std::uint64_t size, std::uint32_t site) {
    return Event{.kind = kind, .thread = t, .address = a, .size = size, .site = SiteId{site}};
  };
  EXPECT_EQ(r.events, (std::vector<Event>{
                          event(Kind::kFork, t0, 1, 0, 1), event(Kind::kBegin, t0, 0, 1, 2),
                          event(Kind::kAcquire, t0, lock, 0, 3), event(Kind::kRead, t0, x, 8, 4),
                          event(Kind::kWrite, t0, y, 8, 5), event(Kind::kRelease, t0, lock, 0, 6),
                          event(Kind::kEnd, t0, 0, 1, 7), event(Kind::kWrite, t1, x, 8, 8),
                          event(Kind::kJoin, t0, 1, 0, 9)}));
  ASSERT_EQ(r.tables.threads.size(), 2u);
  EXPECT_EQ(r.tables.threads[1].name, "T1");
  EXPECT_EQ(r.tables.threads[1].birth_path, "0.0");
  EXPECT_EQ(r.tables.regions.at(1).name, "region@2");
  EXPECT_EQ(r.tables.regions.at(1).site, SiteId{2});
  ASSERT_EQ(r.tables.symbols.size(), 3u);
  EXPECT_EQ(r.tables.symbols[0].name, "x");
  EXPECT_EQ(r.tables.symbols[1].name, "y");
  EXPECT_EQ(r.tables.symbols[2].name, "L");
  EXPECT_EQ(r.tables.symbols[2].address, lock);
}

TEST(StdReader, SymbolsStaySortedWhenVariablesComeAfterLocks) {
  std::string text = "T|acq(l)|1\n";
  for (int i = 0; i < 3000; ++i) text += "T|r(v" + std::to_string(i) + ")|1\n";
  text += "T|acq(m)|1\nT|r(w)|1\n";
  const ReadResult r = read_bytes(text);
  ASSERT_EQ(r.error, "");
  ASSERT_EQ(r.tables.symbols.size(), 3003u);
  EXPECT_TRUE(std::is_sorted(r.tables.symbols.begin(), r.tables.symbols.end(),
                             [](const auto& a, const auto& b) { return a.address < b.address; }));
  EXPECT_EQ(r.tables.symbols[3000].name, "w");
  EXPECT_EQ(r.tables.symbols[3002].name, "m");
}

TEST(StdReader, LocationsBecomeSites) {
  const ReadResult r = read_bytes(
      "T|r(x)|17\nT|r(x)|a/b.c:12\nT|r(x)|0\nT|r(x)\nT|r(x)|C:f\nT|r(x)|99999999999\nT|r(x)|17\n");
  ASSERT_EQ(r.error, "");
  ASSERT_EQ(r.events.size(), 7u);
  const auto& sites = r.tables.sites;
  EXPECT_EQ(sites.at(index(r.events[0].site)).line, 17u);
  EXPECT_EQ(sites.at(index(r.events[0].site)).file, "");
  EXPECT_EQ(sites.at(index(r.events[1].site)).line, 12u);
  EXPECT_EQ(sites.at(index(r.events[1].site)).file, "a/b.c");
  EXPECT_EQ(r.events[2].site, kNoSite);
  EXPECT_EQ(r.events[3].site, kNoSite);
  EXPECT_EQ(sites.at(index(r.events[4].site)).file, "C:f");
  EXPECT_EQ(sites.at(index(r.events[5].site)).file, "99999999999");
  EXPECT_EQ(r.events[6].site, r.events[0].site);
}

TEST(StdReader, NamesReachToTheLastParenthesis) {
  const ReadResult r = read_bytes(
      "T|r(f(a))|1\nT|r(f(a)b)|1\nT|r(a.very.long.name[17]@Main)|1\nT|w(f(a))|1\n"
      "T|w(a.very.long.name[17]@Main)|1\nT|w(a.very.long.name[18]@Main)|1\n");
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(r.tables.symbols[0].name, "f(a)");
  EXPECT_EQ(r.tables.symbols[1].name, "f(a)b");
  EXPECT_EQ(r.events[0].address, r.events[3].address);
  EXPECT_EQ(r.events[2].address, r.events[4].address);
  EXPECT_NE(r.events[2].address, r.events[5].address);
}

TEST(StdReader, AcceptsWhatIsFoundInTheWild) {
  const ReadResult r = read_bytes(
      "T0|req(1)|4\r\nT0|acq(1)|4\r\n   at java.lang.Foo\n\tat Bar\n\nT0|branch|3\nT0|r(7)|5\n"
      "T0|fork(3)|6\nT3|r(7)|5");
  ASSERT_EQ(r.error, "");
  ASSERT_EQ(r.events.size(), 4u);
  EXPECT_EQ(r.events[0].kind, Kind::kAcquire);
  EXPECT_EQ(r.events[3].thread, ThreadId{1});
  EXPECT_EQ(r.events[2].address, 1u);
  EXPECT_EQ(r.tables.threads[1].name, "T3");
}

TEST(StdReader, RegionsAreNamedByOperandOrLocation) {
  const ReadResult r = read_bytes(
      "T|begin(f)|1\nT|begin|2\nT|beginning|3\nT|end|4\nT|end(x)|5\nT|end|6\nT|begin(f)|9\nT|"
      "begin()|2\n");
  ASSERT_EQ(r.error, "");
  std::vector<std::string> names;
  for (const Event& e : r.events) names.push_back(r.tables.regions.at(e.size).name);
  EXPECT_EQ(names, (std::vector<std::string>{"f", "region@2", "region@3", "region@3", "region@2",
                                             "f", "f", "region@2"}));
}

TEST(StdReader, TellsReentrantAcquiresApart) {
  const ReadResult r = read_bytes(
      "T|acq(l)|1\nT|acq(l)|1\nT|rel(l)|1\nT|acq(l)|1\nT|rel(l)|1\nT|rel(l)|1\nU|acq(l)|1\n");
  ASSERT_EQ(r.error, "");
  std::vector<int> depths;
  for (const Event& e : r.events) depths.push_back(e.depth);
  EXPECT_EQ(depths, (std::vector<int>{0, 1, 1, 1, 1, 0, 0}));
}

struct BadLine {
  const char* line;
  const char* why;
};
class StdReaderBadLine : public ::testing::TestWithParam<BadLine> {};

TEST_P(StdReaderBadLine, IsAnErrorWithItsNumberAfterTheEventsBefore) {
  const std::string text = std::string("T|r(x)|1\n\n") + GetParam().line + "\nT|w(x)|1\n";
  const ReadResult strict = read_bytes(text, kRaw);
  EXPECT_EQ(strict.events.size(), 1u);
  EXPECT_THAT(strict.error, StartsWith("in:3: cannot read \""));
  EXPECT_THAT(strict.error, HasSubstr(GetParam().why));
  const ReadResult lenient = read_bytes(text, {.lenient = true});
  EXPECT_EQ(lenient.error, "");
  EXPECT_EQ(lenient.events.size(), 2u);
  EXPECT_EQ(lenient.passed_over.count, 1u);
  EXPECT_EQ(lenient.passed_over.first, strict.error);
}

INSTANTIATE_TEST_SUITE_P(
    All, StdReaderBadLine,
    ::testing::Values(BadLine{"nonsense", "no '|'"}, BadLine{"|r(x)|1", "thread is empty"},
                      BadLine{"T||1", "operation is empty"},
                      BadLine{"T|q(x)|1", "no such operation"}, BadLine{"T|r|1", "no operand"},
                      BadLine{"T|r(x|1", "no operand"}, BadLine{"T|r()|1", "variable is empty"},
                      BadLine{"T|acq()|1", "lock is empty"},
                      BadLine{"T|rx)|1", "no such operation"}, BadLine{"T|r(a b)|1", "white space"},
                      BadLine{"T U|r(x)|1", "white space"}, BadLine{"T|r(x)|1 2", "white space"},
                      BadLine{"T|r(x)|1|2", "more than three"}, BadLine{"T|end x|1", "white space"},
                      BadLine{"T|fork()|1", "thread is empty"},
                      BadLine{"T|read(x)|1", "no such operation"}));

TEST(StdReader, EveryPrefixIsReadOrRefused) {
  const std::string text = "T0|fork(T1)|f.c:1\nT0|begin(a)|2\nT0|acq(L)|3\n at x\nT0|rel(L)|6\n";
  const ReadResult whole = read_bytes(text);
  for (std::size_t n = 0; n < text.size(); ++n) {
    const ReadResult part = read_bytes(text.substr(0, n));
    ASSERT_LE(part.events.size(), whole.events.size());
  }
}

TEST(StdReader, LinesMayBeLongerThanTheWindowButNotBoundless) {
  const std::string name(700'000, 'x');
  const std::string path = ::testing::TempDir() + "/long_line.std";
  FILE* file = std::fopen(path.c_str(), "w");
  std::fprintf(file, "T|r(%s)|1\nT|w(%s)|1\n", name.c_str(), name.c_str());
  std::fprintf(file, "T|r(%s%s)|1\n", name.c_str(), name.c_str());
  std::fclose(file);
  const ReadResult r = testing::read_file(path);
  ASSERT_EQ(r.events.size(), 2u);
  EXPECT_EQ(r.events[0].address, r.events[1].address);
  EXPECT_THAT(r.error, StartsWith(path + ":3: cannot read"));
  EXPECT_THAT(r.error, HasSubstr("longer than 1048576 bytes"));
}

}  // namespace
}  // namespace isosan
