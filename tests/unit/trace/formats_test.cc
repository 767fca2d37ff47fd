// RapidBin, the writers of the formats of others, and what stat and dump say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "trace/create_trace.h"
#include "trace/generator.h"
#include "trace/rapid/rapid_format.h"
#include "trace/stream/event_text.h"
#include "trace/trace_stat.h"
#include "unit/trace/test_events.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::read_bytes;
using testing::read_file;
using testing::ReadResult;

constexpr TraceOptions kRaw{.lenient = false, .validate = false};

std::string temporary(const std::string& name) { return ::testing::TempDir() + "/" + name; }

std::string rapid_bytes(const std::vector<std::uint64_t>& words, std::uint64_t events) {
  std::string bytes(rapid::kHeaderSize + 8 * words.size(), '\0');
  rapid::store_big(bytes.data(), 3, 2);
  rapid::store_big(bytes.data() + 10, events, 8);
  for (std::size_t i = 0; i < words.size(); ++i) {
    rapid::store_big(bytes.data() + rapid::kHeaderSize + 8 * i, words[i], 8);
  }
  return bytes;
}

std::uint64_t word(std::uint64_t thread, rapid::Op op, std::uint64_t operand, std::uint64_t loc) {
  return rapid::kThread.put(thread) | rapid::kOperation.put(static_cast<std::uint64_t>(op)) |
         rapid::kOperand.put(operand) | rapid::kLocation.put(loc);
}

TEST(Rapid, ReadsEveryOperation) {
  using rapid::Op;
  const std::string bytes = rapid_bytes(
      {word(0, Op::kFork, 2, 1), word(2, Op::kBegin, 0, 2), word(2, Op::kRequest, 4, 3),
       word(2, Op::kAcquire, 4, 3), word(2, Op::kRead, (1ull << 34) - 1, 4),
       word(2, Op::kWrite, 5, 5), word(2, Op::kBranch, 0, 0), word(2, Op::kRelease, 4, 6),
       word(2, Op::kEnd, 0, 7), word(0, Op::kJoin, 2, 32767)},
      10);
  const ReadResult r = read_bytes(bytes);
  ASSERT_EQ(r.error, "");
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < r.events.size(); ++i)
    lines.push_back(dump_line(r.events[i], i, r.tables));
  EXPECT_THAT(lines, ElementsAre("0 T0 fork T2 at 1", "1 T2 begin region@2 at 2",
                                 "2 T2 acquire L4 at 3", "3 T2 read V17179869183 8 bytes at 4",
                                 "4 T2 write V5 8 bytes at 5", "5 T2 release L4 at 6",
                                 "6 T2 end region@2 at 7", "7 T0 join T2 at 32767"));
}

TEST(Rapid, RefusesWhatIsWrong) {
  const std::uint64_t good = word(0, rapid::Op::kRead, 1, 1);
  const std::uint64_t no_op = good | rapid::kOperation.put(15);
  EXPECT_EQ(read_bytes(rapid_bytes({good, no_op}, 2)).error,
            "in: offset 26: 0x0001000000007c00 is no event");
  EXPECT_EQ(read_bytes(rapid_bytes({good, good}, 3)).error,
            "in: offset 34: the header says 3 events, the file has 2");
  EXPECT_EQ(read_bytes(rapid_bytes({good, good}, 1)).error,
            "in: offset 26: the header says 1 events, the file has 1 and more bytes");
  EXPECT_EQ(read_bytes(rapid_bytes({word(0, rapid::Op::kFork, 5000, 1)}, 1)).error,
            "in: offset 18: no thread has number 5000");
  EXPECT_EQ(read_bytes(rapid_bytes({word(0, rapid::Op::kRelease, 1, 1)}, 1)).error,
            "in: offset 18: thread T0: release of lock L1, which is not held");
  EXPECT_EQ(read_bytes(rapid_bytes({}, 0)).error, "in: offset 18: the trace has no events");
  EXPECT_EQ(read_bytes(std::string_view("\0\1", 2)).error,
            "in: offset 0: the RapidBin header is cut short");
  const ReadResult lenient = read_bytes(rapid_bytes({good, no_op, good}, 3), {.lenient = true});
  EXPECT_EQ(lenient.events.size(), 2u);
  EXPECT_EQ(lenient.passed_over.count, 1u);
}

TEST(Rapid, EveryTruncationGivesAPrefixAndAnError) {
  const std::string whole =
      rapid_bytes(std::vector<std::uint64_t>(5, word(0, rapid::Op::kRead, 1, 1)), 5);
  for (std::size_t n = 1; n < whole.size(); ++n) {
    const ReadResult r = read_bytes(whole.substr(0, n));
    ASSERT_NE(r.error, "");
    ASSERT_EQ(r.events.size(), n < rapid::kHeaderSize ? 0 : (n - rapid::kHeaderSize) / 8);
  }
}

class EveryFormat : public ::testing::TestWithParam<TraceFormatName> {};

TEST_P(EveryFormat, GivesGeneratedTracesBack) {
  Generator generator({.events = 50'000, .threads = 9, .violation_at = 50, .nested = true});
  const std::string path = temporary("generated" + std::string(GetParam().suffix));
  const auto writer = create_trace(path, GetParam().format);
  EXPECT_EQ(copy_events(generator, *writer), 50'000u);
  const auto source = open_trace(path);
  EXPECT_EQ(source->format(), GetParam().format);
  const ReadResult r = testing::read_all(*source);
  ASSERT_EQ(r.error, "");
  Generator again({.events = 50'000, .threads = 9, .violation_at = 50, .nested = true});
  std::size_t i = 0;
  // Numbers of variables, threads and regions may differ, names do not.
  for (auto batch = again.next(); !batch.empty(); batch = again.next()) {
    for (const Event& e : batch) {
      ASSERT_EQ(r.events.at(i).kind, e.kind);
      const std::string ours = dump_line(e, i, again.tables());
      std::string theirs = dump_line(r.events[i], i, r.tables);
      if (GetParam().format ==
          TraceFormat::kRapid) {  // variables are numbered anew, names are lost
        ASSERT_EQ(theirs.substr(theirs.rfind(' ')), ours.substr(ours.rfind(' ')));
      } else {
        ASSERT_EQ(theirs, ours);
      }
      ++i;
    }
  }
  EXPECT_EQ(i, r.events.size());
}

INSTANTIATE_TEST_SUITE_P(All, EveryFormat, ::testing::ValuesIn(kTraceFormats),
                         [](const auto& c) { return std::string(c.param.suffix.substr(1)); });

std::string refusal(TraceFormat format, const std::vector<Event>& events, const Tables& tables) {
  const auto writer = create_trace(temporary("refused"), format);
  try {
    writer->write(events, tables);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(Writers, SayWhatCannotBeExpressed) {
  const Tables tables = testing::sample_tables();
  const Event whole{.kind = Kind::kRead, .address = 16, .size = 8};
  const Event half{.kind = Kind::kWrite, .address = 20, .size = 4};
  for (const TraceFormat format : {TraceFormat::kStd, TraceFormat::kRapid}) {
    EXPECT_THAT(refusal(format, {whole, half}, tables),
                HasSubstr("event 1 (write by thread 0) cannot be expressed in"));
    EXPECT_THAT(refusal(format, {{.kind = Kind::kAtomicLoad}}, tables),
                HasSubstr("it has no such event"));
    EXPECT_THAT(refusal(format, {{.kind = Kind::kAcquire, .detail = 1}}, tables),
                HasSubstr("the lock is shared"));
    EXPECT_THAT(refusal(format, {{.kind = Kind::kBegin, .detail = 2, .size = 2}}, tables),
                HasSubstr("the region is not atomic"));
    EXPECT_EQ(
        refusal(format, {{.kind = Kind::kThreadStart}, {.kind = Kind::kCall, .size = 1}, whole},
                tables),
        "");
    EXPECT_EQ(refusal(format, {{.kind = Kind::kWaitEnd, .detail = 1}, whole}, tables), "");
  }
  EXPECT_THAT(refusal(TraceFormat::kStd, {half, whole}, tables),
              HasSubstr("it overlaps another access in part, and STD knows variables, not bytes"));
}

TEST(Writers, RapidHasNarrowFields) {
  const Tables tables = testing::sample_tables();
  const auto why = [&](const std::vector<Event>& events) {
    return refusal(TraceFormat::kRapid, events, tables);
  };
  EXPECT_THAT(why({{.kind = Kind::kRead, .address = 20, .size = 4},
                   {.kind = Kind::kRead, .address = 16, .size = 8}}),
              HasSubstr("it overlaps another access in part, and RapidBin knows no bytes"));
  EXPECT_THAT(why({{.kind = Kind::kRead, .thread = ThreadId{1024}}}),
              HasSubstr("it has 1024 threads at most"));
  EXPECT_THAT(why({{.kind = Kind::kFork, .address = 1024}}),
              HasSubstr("it has 1024 threads at most"));
  EXPECT_THAT(why({{.kind = Kind::kBegin, .size = std::uint64_t{1} << 34}}),
              HasSubstr("the operand needs more than 34 bits"));
}

TEST(Writers, RapidHasFewLocations) {
  Tables tables;
  std::vector<Event> events;
  for (std::uint32_t i = 1; i <= 32768; ++i) {
    tables.sites.push_back({.file = "f", .line = i});
    events.push_back({.kind = Kind::kRead, .address = 8, .size = 8, .site = SiteId{i}});
  }
  const std::string why = refusal(TraceFormat::kRapid, events, tables);
  EXPECT_THAT(why, HasSubstr("event 32767"));
  EXPECT_THAT(why, HasSubstr("it has 32767 locations at most"));
}

TEST(Writers, StdNamesAreMadeFit) {
  Tables tables = testing::sample_tables();
  tables.threads = {{"0", "a b", {}}, {"0.0", "a|b", {}}};
  tables.regions[1].name = "operator new";
  tables.symbols = {{8, 8, "x y"}};
  const std::string path = temporary("names.std");
  const auto writer = create_trace(path, TraceFormat::kStd);
  const std::vector<Event> events = {
      {.kind = Kind::kBegin, .thread = ThreadId{0}, .size = 1, .site = SiteId{1}},
      {.kind = Kind::kRead, .thread = ThreadId{1}, .address = 8, .size = 8, .site = SiteId{2}},
      {.kind = Kind::kRead, .thread = ThreadId{0}, .address = 64, .size = 8}};
  writer->write(events, tables);
  writer->finish(tables);
  std::ifstream in(path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "a_b|begin(operator_new)|f1.cc:1\na_b'|r(x_y)|f2.cc:2\na_b|r(0x40)|0\n");
}

TEST(Writers, KeepWhatStoodBeforeAnError) {
  const auto source = open_trace_bytes("T|r(x)|1\nT|w(x)|2\nbad\n", "in");
  const std::string path = temporary("before.trace");
  const auto writer = create_trace(path, TraceFormat::kTrace);
  EXPECT_THROW(copy_events(*source, *writer), InputError);
  EXPECT_EQ(read_file(path).events.size(), 2u);
  EXPECT_EQ(read_file(path).error, "");
}

TEST(Writers, FilesThatCannotBeMadeAreErrors) {
  EXPECT_THROW(create_trace("/nonexistent/x.std", TraceFormat::kStd), InputError);
  EXPECT_THROW(open_trace("/nonexistent/x.std"), InputError);
  EXPECT_THROW(open_trace(::testing::TempDir()), InputError);
}

TEST(Formats, AreChosenBySuffix) {
  EXPECT_EQ(format_of_suffix("a/b.std"), TraceFormat::kStd);
  EXPECT_EQ(format_of_suffix("b.rapid"), TraceFormat::kRapid);
  EXPECT_EQ(format_of_suffix("b.std.trace"), TraceFormat::kTrace);
  EXPECT_EQ(format_of_suffix("b.txt"), std::nullopt);
}

TEST(Stat, CountsWhatIsThere) {
  const auto source = open_trace_bytes(
      "T|r(x)|1\nT|begin|2\nT|begin|3\nT|w(y)|4\nT|acq(l)|5\nT|end|6\nU|w(x)|7\n", "in");
  const TraceStat stat = collect_stat(*source);
  EXPECT_THAT(
      stat_lines(stat),
      IsSupersetOf({"format: STD text", "events: 7", "threads: 2", "locations: 2", "locks: 1",
                    "regions: 2", "sites: 7", "transactions: 1", "transactions open at the end: 1",
                    "unary accesses: 2", "read events: 1", "write events: 2", "begin events: 2"}));
}

TEST(Dump, ShowsEveryKind) {
  const Tables tables = testing::sample_tables();
  for (const Event& e : testing::random_events(2, 2000)) {
    EXPECT_THAT(dump_line(e, 5, tables), HasSubstr(std::string(name_of(e.kind))));
  }
  EXPECT_EQ(
      dump_line({.kind = Kind::kWrite, .address = 0x2004, .size = 4, .site = SiteId{2}}, 9, tables),
      "9 main write b+4 4 bytes at f2.cc:2");
}

}  // namespace
}  // namespace isosan
