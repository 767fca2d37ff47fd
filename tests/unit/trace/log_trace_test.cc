// Logs through a file: the writer takes them as they are, the reader linearizes.
#include <gtest/gtest.h>

#include <map>

#include "trace/native/trace_writer.h"
#include "trace/open_trace.h"
#include "unit/trace/identity.h"
#include "unit/trace/test_events.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using log::Code;
using log::LogUnit;
using testing::access;
using testing::Identity;
using testing::marker;
using testing::number;
using testing::read_at;
using testing::read_file;
using testing::ReadResult;
using testing::units_of;

std::string log_trace(const std::string& name, std::size_t piece) {
  const std::string path = ::testing::TempDir() + "/" + name;
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  Identity identity;
  TraceWriter writer(path);
  std::map<std::uint32_t, std::vector<LogUnit>> logs;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const auto t = static_cast<std::uint32_t>(i % 3);
    const auto previous = static_cast<std::uint32_t>((i + 2) % 3);
    if (i > 0) logs[t].push_back(marker(previous, logs[previous].size()));
    for (const LogUnit& unit : units_of(access(t, i))) logs[t].push_back(unit);
    logs[t].push_back(number(Code::kEventIndex, i));
  }
  std::map<std::uint32_t, std::size_t> done;
  for (bool more = true; more;) {
    more = false;
    for (auto& [thread, units] : logs) {
      const std::size_t n = std::min(piece, units.size() - done[thread]);
      writer.write_units(ThreadId{thread}, done[thread], std::span(units).subspan(done[thread], n),
                         identity, tables);
      done[thread] += n;
      more |= done[thread] < units.size();
    }
    writer.flush(tables);
  }
  writer.finish(tables);
  return path;
}

TEST(LogTrace, IsLinearizedByItsMarkers) {
  const ReadResult r = read_file(log_trace("logs.trace", 37));
  ASSERT_EQ(r.error, "");
  ASSERT_EQ(r.events.size(), 500u);
  for (std::uint64_t i = 0; i < 500; ++i) {
    EXPECT_EQ(r.events[i].address, i);
    EXPECT_EQ(index(r.events[i].thread), i % 3);
  }
}

// A thread that logs little is written in time for those that wait for it.
TEST(LogTrace, CanBeReadWithoutKeepingMuchOfIt) {
  const std::string path = ::testing::TempDir() + "/waits.trace";
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  Identity identity;
  TraceWriter writer(path);
  writer.write_units(ThreadId{0}, 0, std::vector{read_at(1)}, identity, tables);
  writer.write_units(ThreadId{1}, 0, std::vector{marker(0, 1)}, identity, tables);
  std::vector<LogUnit> many;
  for (std::uint64_t i = 0; i < 1000; ++i) many.push_back(read_at(i * 0x9e3779b97f4a7c15u >> 20));
  std::uint64_t position = 1;
  for (; position < 4 * TraceWriter::kFlushUnits; position += many.size()) {
    writer.write_units(ThreadId{1}, position, many, identity, tables);
  }
  writer.finish(tables);
  const std::unique_ptr<TraceSource> reader = open_trace(path, {});
  const std::span<const Event> first = reader->next();
  ASSERT_GT(first.size(), 1u);
  EXPECT_LT(reader->progress().bytes_read, reader->progress().bytes_total / 2);
}

TEST(LogTrace, UnitsComeBackWhateverTheirTemplatesAndValues) {
  std::vector<LogUnit> units;
  const std::uint64_t large = ~std::uint64_t{0};
  for (const std::uint64_t value : {0ul, 1ul, 255ul, 1ul << 20, 1ul << 47, large, 7ul, 8ul, 9ul}) {
    units.push_back(number(Code::kEventIndex, value));
    units.push_back(read_at(value & log::kLow48));
    units.push_back(number(Code::kExtension, value));
    units.push_back(number(Code::kRange, large - value));
  }
  for (std::uint64_t i = 0; i < 5000; ++i) {  // more templates than the table has slots
    units.push_back(log::make_unit(log::code_of(Kind::kWrite), i * i, i % 3000, 4));
  }
  UnitEncoder encoder;
  UnitDecoder decoder;
  for (int chunk = 0; chunk < 2; ++chunk) {  // each chunk is on its own
    encoder.clear();
    encoder.add(
        units, [](const LogUnit& unit, const LogUnit*) { return unit; },
        [](std::uint64_t place) { return place; });
    EXPECT_EQ(encoder.size(), units.size());
    std::string raw(encoder.bytes());
    const std::size_t size = raw.size();
    raw.resize(size + UnitDecoder::kPadding);
    const auto yes = [](const auto&) { return true; };
    ASSERT_TRUE(decoder.decode({raw.data(), size}, units.size(), yes, yes));
    ASSERT_TRUE(std::ranges::equal(decoder.units(), units, [](const LogUnit& a, const LogUnit& b) {
      return a.word0 == b.word0 && a.word1 == b.word1;
    }));
    EXPECT_FALSE(decoder.decode({raw.data(), size - 1}, units.size(), yes, yes));
    EXPECT_FALSE(decoder.decode({raw.data(), size}, units.size() - 1, yes, yes));
  }
}

// Who records should not pay for what does not make the file much shorter.
TEST(LogTrace, ChunksAreLeftAsTheyAreForAWhileWhereZstdHelpsLittle) {
  const std::string path = ::testing::TempDir() + "/left_alone.trace";
  constexpr std::size_t kNoisy = 20, kChunks = 40;
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  Identity identity;
  TraceWriter writer(path);
  std::uint64_t position = 0;
  for (std::size_t chunk = 0; chunk < kChunks; ++chunk) {
    std::vector<LogUnit> units;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const bool noise = chunk < kNoisy && i % 4 == 0;
      units.push_back(read_at(noise ? (i + position) * 0x9e3779b97f4a7c15u >> 40 : 8 * i));
    }
    writer.write_units(ThreadId{0}, position, units, identity, tables);
    writer.flush(tables);
    position += units.size();
  }
  writer.finish(tables);
  const std::string bytes = testing::bytes_of(path);
  const auto chunks = testing::headers_of_chunks(bytes, tracefile::ChunkKind::kLog);
  ASSERT_EQ(chunks.size(), kChunks);
  for (std::size_t i = 0; i < kChunks; ++i) {
    const bool packed = chunks[i].stored_size < chunks[i].raw_size;
    EXPECT_EQ(packed, i % 8 == 0 || i >= 24) << i;
    if (i < kNoisy) {
      EXPECT_TRUE(!packed || chunks[i].stored_size > chunks[i].raw_size / 2);
    }
  }
  EXPECT_EQ(testing::read_bytes(bytes).events.size(), position);
}

TEST(LogTrace, EveryTruncationGivesAPrefixAndAnError) {
  const std::string whole = testing::bytes_of(log_trace("logs_cut.trace", 200));
  const ReadResult all = testing::read_bytes(whole);
  for (std::size_t n = 17; n < whole.size(); n += 3) {
    const ReadResult part = testing::read_bytes(whole.substr(0, n));
    ASSERT_NE(part.error, "");
    ASSERT_TRUE(std::equal(part.events.begin(), part.events.end(), all.events.begin()));
  }
}

TEST(LogTrace, PlacesAreResolvedWhenWritten) {
  class Halved : public Identity {
   public:
    SiteId site_of(std::uint64_t place) override {
      return SiteId{static_cast<std::uint32_t>(place / 0x1000)};
    }
  };
  const std::string path = ::testing::TempDir() + "/places.trace";
  Halved resolver;
  Tables tables = testing::sample_tables();
  tables.contexts.resize(1);
  TraceWriter writer(path);
  const std::vector<LogUnit> units = {
      log::make_unit(log::code_of(Kind::kCall), 0x4000, 1, 1),  // of function 1, at 0x4000
      log::make_unit(log::code_of(Kind::kRead), 8, 0x3000, 4),
      log::make_unit(log::code_of(Kind::kBegin), 0, 2,
                     static_cast<std::uint8_t>(RegionKind::kUnit))};
  writer.write_units(ThreadId{0}, 0, units, resolver, tables);
  writer.finish(tables);
  const ReadResult r = read_file(path);
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(r.events.at(0).site, SiteId{4});
  EXPECT_EQ(r.events.at(0).address, 0u);
  EXPECT_EQ(r.tables.contexts.at(1).call_site, SiteId{4});
  EXPECT_EQ(r.events.at(1).site, SiteId{3});
  EXPECT_EQ(r.events.at(2).size, 2u);
  EXPECT_EQ(r.events.at(2).site, tables.regions[2].site);
}

}  // namespace
}  // namespace isosan
