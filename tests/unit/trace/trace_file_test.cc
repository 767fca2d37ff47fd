#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "trace/generator.h"
#include "trace/native/trace_format.h"
#include "trace/native/trace_writer.h"
#include "unit/trace/test_events.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using testing::bytes_of;
using ::testing::HasSubstr;
using testing::headers_of_chunks;
using testing::random_events;
using testing::read_bytes;
using testing::read_file;
using testing::ReadResult;
using testing::sample_tables;

constexpr TraceOptions kRaw{.lenient = false, .validate = false};
constexpr TraceOptions kLenient{.lenient = true, .validate = false};

std::string temporary(const std::string& name) { return ::testing::TempDir() + "/" + name; }

std::string small_trace(std::size_t events = 40) {
  const std::string path = temporary("small.trace");
  TraceWriter writer(path);
  const Tables tables = sample_tables();
  const std::vector<Event> all = random_events(1, events);
  writer.write(std::span(all).first(events / 2), tables);
  writer.flush(tables);
  writer.write(std::span(all).subspan(events / 2), tables);
  writer.finish(tables);
  return bytes_of(path);
}

TEST(TraceFile, GivesBackEventsOfEveryKind) {
  const std::vector<Event> events = random_events(3, 200'000);
  const Tables tables = sample_tables();
  const std::string path = temporary("all_kinds.trace");
  TraceWriter writer(path);
  writer.write(events, tables);
  writer.finish(tables);
  const ReadResult r = read_file(path, kRaw);
  ASSERT_EQ(r.error, "");
  EXPECT_TRUE(r.events == events);
}

TEST(TraceFile, GivesBackTheTables) {
  const ReadResult r = read_bytes(small_trace(), kRaw);
  ASSERT_EQ(r.error, "");
  const Tables t = sample_tables();
  ASSERT_EQ(r.tables.sites.size(), t.sites.size());
  const Site& site = r.tables.sites[4];
  EXPECT_EQ(site.function, FunctionId{1});
  EXPECT_EQ(site.file, "f4.cc");
  EXPECT_EQ(site.line, 4u);
  EXPECT_EQ(site.column, 8u);
  EXPECT_EQ(site.access, Kind::kWrite);
  EXPECT_EQ(site.size, 4u);
  EXPECT_EQ(site.class_name, "C");
  EXPECT_EQ(site.field, "x");
  EXPECT_EQ(site.field_offset, 8u);
  EXPECT_EQ(r.tables.sites[2].inlined_at, SiteId{5});
  EXPECT_EQ(site.module, ModuleId{1});
  EXPECT_EQ(site.pc, std::uint64_t{1} << 40);
  ASSERT_EQ(r.tables.functions.size(), t.functions.size());
  const Function& function = r.tables.functions[1];
  EXPECT_EQ(function.name, "ns::C::f");
  EXPECT_EQ(function.linkage_name, "_ZN2ns1C1fEv");
  EXPECT_EQ(function.class_name, "ns::C");
  EXPECT_EQ(function.accessibility, Accessibility::kPublic);
  EXPECT_TRUE(function.external && function.synchronizes);
  EXPECT_EQ(function.annotations, 5u);
  EXPECT_FALSE(function.thread_entry || function.waits_or_notifies);
  EXPECT_TRUE(r.tables.functions[2].thread_entry && r.tables.functions[2].waits_or_notifies);
  ASSERT_EQ(r.tables.modules.size(), 2u);
  EXPECT_EQ(r.tables.modules[0].build_id, "c0ffee");
  EXPECT_EQ(r.tables.modules[0].base, 0x5000u);
  EXPECT_FALSE(r.tables.modules[1].instrumented);
  EXPECT_EQ(r.tables.regions.at(2).kind, RegionKind::kUnit);
  EXPECT_EQ(r.tables.regions.at(2).name, "u");
  EXPECT_EQ(r.tables.threads.at(2).birth_path, "0.0.0");
  EXPECT_EQ(r.tables.threads.at(2).parent, ThreadId{1});
  EXPECT_EQ(r.tables.contexts.at(2).parent, ContextId{1});
  EXPECT_EQ(r.tables.contexts.at(1).call_site, SiteId{3});
  ASSERT_EQ(r.tables.symbols.size(), 2u);
  EXPECT_EQ(r.tables.symbols[1].name, "b");
}

TEST(TraceFile, TablesMayGrowAndThreadsMayGetTheirNamesLate) {
  const std::string path = temporary("grow.trace");
  Tables tables = sample_tables();
  TraceWriter writer(path);
  const Event e{.kind = Kind::kRead, .address = 8, .size = 8};
  writer.write({&e, 1}, tables);
  writer.flush(tables);
  tables.threads[2].name = "late";
  tables.sites.push_back({.file = "new.cc", .line = 1});
  tables.symbols.insert(tables.symbols.begin() + 1, {0x1800, 8, "between"});
  const Event f{.kind = Kind::kWrite, .address = 8, .size = 8, .site = SiteId{6}};
  writer.write({&f, 1}, tables);
  writer.finish(tables);
  const ReadResult r = read_file(path, kRaw);
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(r.events, (std::vector<Event>{e, f}));
  EXPECT_EQ(r.tables.threads.at(2).name, "late");
  EXPECT_EQ(r.tables.sites.at(6).file, "new.cc");
  ASSERT_EQ(r.tables.symbols.size(), 3u);
  EXPECT_EQ(r.tables.symbols[1].name, "between");
}

TEST(TraceFile, KeepsTheSelectionItWasRecordedFor) {
  EXPECT_TRUE(read_bytes(small_trace(), kRaw).tables.selection.empty());
  const std::string path = temporary("selected.trace");
  Tables tables = sample_tables();
  tables.selection = {{"--regions", "methods"}, {"--not-atomic", "Pool::*"}};
  TraceWriter writer(path);
  const Event e{.kind = Kind::kRead, .address = 8, .size = 8};
  writer.write({&e, 1}, tables);
  writer.finish(tables);
  const ReadResult r = read_file(path, kRaw);
  ASSERT_EQ(r.error, "");
  EXPECT_EQ(r.tables.selection, tables.selection);
}

TEST(TraceFile, EveryTruncationGivesAPrefixAndAnError) {
  const std::string whole = small_trace();
  const ReadResult all = read_bytes(whole, kRaw);
  ASSERT_EQ(all.events.size(), 40u);
  std::set<std::size_t> lengths;
  for (std::size_t n = 1; n < whole.size(); ++n) {
    const ReadResult part = read_bytes(whole.substr(0, n), kRaw);
    ASSERT_NE(part.error, "") << "cut at " << n;
    ASSERT_TRUE(std::equal(part.events.begin(), part.events.end(), all.events.begin()));
    lengths.insert(part.events.size());
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{0, 20, 40}));
  EXPECT_THAT(read_bytes(whole.substr(0, 12), kRaw).error,
              HasSubstr(": offset 0: the header is cut short"));
}

TEST(TraceFile, EveryFlippedByteIsAnError) {
  const std::string whole = small_trace();
  const ReadResult all = read_bytes(whole, kRaw);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::string damaged = whole;
    damaged[n] = static_cast<char>(damaged[n] ^ 0x41);
    const ReadResult r = read_bytes(damaged, kRaw);
    ASSERT_NE(r.error, "") << "byte " << n;
    ASSERT_LE(r.events.size(), all.events.size());
    ASSERT_TRUE(std::equal(r.events.begin(), r.events.end(), all.events.begin()));
  }
}

TEST(TraceFile, LenientReadingGoesOnBehindADamagedChunk) {
  const std::string whole = small_trace(60);
  const ReadResult all = read_bytes(whole, kRaw);
  std::set<std::size_t> kept;
  for (std::size_t n = sizeof(tracefile::FileHeader); n < whole.size(); ++n) {
    std::string damaged = whole;
    damaged[n] = static_cast<char>(damaged[n] ^ 0x41);
    const ReadResult r = read_bytes(damaged, kLenient);
    ASSERT_EQ(r.error, "") << "byte " << n;
    ASSERT_GE(r.passed_over.count, 1u) << "byte " << n;
    kept.insert(r.events.size());
  }
  EXPECT_EQ(kept, (std::set<std::size_t>{0, 30, 60}));  // tables lost, one chunk lost, the end lost
}

TEST(TraceFile, AnUnfinishedFileIsReadToItsLastWholeChunk) {
  const std::string path = temporary("killed.trace");
  const std::vector<Event> events = random_events(5, 100);
  {
    TraceWriter writer(path);
    writer.write(std::span(events).first(70), sample_tables());
    writer.flush(sample_tables());
    writer.write(std::span(events).subspan(70), sample_tables());
  }
  const ReadResult r = read_file(path, kRaw);
  EXPECT_EQ(r.events.size(), 70u);
  EXPECT_THAT(r.error,
              HasSubstr("the trace ends here, but it was not finished: the recorder was stopped"));
  const ReadResult lenient = read_file(path, kLenient);
  EXPECT_EQ(lenient.events.size(), 70u);
  EXPECT_EQ(lenient.error, "");
  EXPECT_EQ(lenient.passed_over.count, 1u);
}

TEST(TraceFile, ChunksMayNotBeLeftOutOrRepeated) {
  const std::string path = temporary("three.trace");
  TraceWriter writer(path);
  const std::vector<Event> events = random_events(7, 30);
  std::vector<std::size_t> ends;
  for (int i = 0; i < 3; ++i) {
    writer.write(std::span(events).subspan(i * 10, 10), sample_tables());
    writer.flush(sample_tables());
    ends.push_back(writer.bytes_written());
  }
  writer.finish(sample_tables());
  const std::string whole = bytes_of(path);
  const std::string second = whole.substr(ends[0], ends[1] - ends[0]);
  const ReadResult without = read_bytes(whole.substr(0, ends[0]) + whole.substr(ends[1]), kRaw);
  EXPECT_EQ(without.events.size(), 10u);
  EXPECT_THAT(without.error, HasSubstr("events are missing before this chunk"));
  const ReadResult twice =
      read_bytes(whole.substr(0, ends[1]) + second + whole.substr(ends[1]), kRaw);
  EXPECT_EQ(twice.events.size(), 20u);
  EXPECT_NE(twice.error, "");
  const ReadResult behind = read_bytes(whole + "x", kRaw);
  EXPECT_EQ(behind.events.size(), 30u);
  EXPECT_THAT(behind.error, HasSubstr("bytes behind the end"));
}

TEST(TraceFile, RefusesSitesThatAreInlinedIntoThemselves) {
  for (const std::uint32_t outer : {2u, 9u}) {  // a cycle of two; a site that never comes
    Tables tables = sample_tables();
    tables.sites[5].inlined_at = SiteId{outer};
    const std::string path = temporary("inlined.trace");
    TraceWriter writer(path);
    const Event e{.kind = Kind::kRead, .address = 8, .size = 8};
    writer.write({&e, 1}, tables);
    writer.finish(tables);
    const ReadResult r = read_file(path, kRaw);
    EXPECT_EQ(r.events.size(), 0u);
    EXPECT_THAT(r.error, HasSubstr("lead nowhere"));
  }
}

TEST(TraceFile, RefusesOtherVersions) {
  std::string bytes = small_trace();
  for (const int version : {0, 4, 9}) {
    bytes[8] = static_cast<char>(version);
    EXPECT_THAT(read_bytes(bytes, kRaw).error, HasSubstr("version " + std::to_string(version) +
                                                         " of the format, only 1 to 3 are known"));
  }
}

// As versions 1 and 2 had it: every payload is a zstd frame.
std::string with_frames_only(const std::string& bytes) {
  std::string all = bytes.substr(0, sizeof(tracefile::FileHeader));
  for (std::size_t at = all.size(); at < bytes.size();) {
    tracefile::ChunkHeader header;
    std::memcpy(&header, bytes.data() + at, sizeof header);
    std::string payload = bytes.substr(at + sizeof header, header.stored_size);
    at += sizeof header + header.stored_size;
    if (header.stored_size == header.raw_size) {
      std::string frame(ZSTD_compressBound(payload.size()), '\0');
      frame.resize(ZSTD_compress(frame.data(), frame.size(), payload.data(), payload.size(), 1));
      payload = frame;
    }
    header.stored_size = static_cast<std::uint32_t>(payload.size());
    header.checksum = tracefile::checksum_of(header, payload);
    all.append(reinterpret_cast<const char*>(&header), sizeof header);
    all += payload;
  }
  return all;
}

TEST(TraceFile, ReadsOlderVersions) {
  std::string bytes = with_frames_only(small_trace());
  for (const int version : {1, 2}) {  // 1 has no selection, and is else the same
    bytes[8] = static_cast<char>(version);
    const ReadResult r = read_bytes(bytes, kRaw);
    EXPECT_EQ(r.error, "");
    EXPECT_TRUE(r.events == random_events(1, 40));
  }
}

std::vector<Event> write_all(Generator& generator, const std::string& path) {
  std::vector<Event> events;
  TraceWriter writer(path);
  for (auto batch = generator.next(); !batch.empty(); batch = generator.next()) {
    events.insert(events.end(), batch.begin(), batch.end());
    writer.write(batch, generator.tables());
  }
  writer.finish(generator.tables());
  return events;
}

TEST(TraceFile, PayloadsThatZstdDoesNotShortenStandAsTheyAre) {
  const std::string path = temporary("stored.trace");
  Generator generator({.events = 60'000, .threads = 8, .variables = 992});
  write_all(generator, path);
  std::string bytes = bytes_of(path);
  const auto stored = headers_of_chunks(bytes, tracefile::ChunkKind::kLinear);
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].stored_size, stored[0].raw_size);
  EXPECT_EQ(read_bytes(bytes, kRaw).error, "");
  EXPECT_EQ(read_bytes(bytes, kRaw).events.size(), 60'000u);
  bytes[8] = 2;  // which had none of these
  EXPECT_THAT(read_bytes(bytes, kRaw).error, HasSubstr("payload is damaged"));
}

TEST(TraceFile, IsIndependentOfWindowAndBatchSizes) {
  Generator generator({.events = 300'000, .threads = 300, .variables = 50'000, .locks = 40});
  const std::string path = temporary("large.trace");
  const std::vector<Event> events = write_all(generator, path);
  const ReadResult r = read_file(path);
  ASSERT_EQ(r.error, "");
  EXPECT_TRUE(r.events == events);
  EXPECT_EQ(r.tables.symbols.size(), 50'040u);
}

}  // namespace
}  // namespace isosan
