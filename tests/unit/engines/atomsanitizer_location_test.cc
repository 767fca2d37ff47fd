// Whoever reads a location, in whatever order: its readers are those since the last write, each
// with its latest mark.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "analysis/atomsanitizer/location.h"

namespace isosan::atomsanitizer {
namespace {

Mark mark_at(std::uint32_t thread, std::uint64_t ordinal) {
  return {Epoch(thread, ordinal + 1), kNoRegion, Kind::kRead, {ordinal, ThreadId{thread}}};
}

std::map<std::uint32_t, std::uint64_t> readers_of(const Location& location) {
  std::map<std::uint32_t, std::uint64_t> readers;
  location.for_each_reader([&](const Mark& mark) {
    EXPECT_TRUE(readers.emplace(mark.thread(), mark.where().ordinal).second) << "twice";
  });
  return readers;
}

class LocationReaders : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(LocationReaders, AreThoseSinceTheLastWrite) {
  std::mt19937_64 random(GetParam());
  for (int run = 0; run < 50; ++run) {
    Location location;
    std::map<std::uint32_t, std::uint64_t> expected;
    std::uint64_t flags = 0;
    for (std::uint64_t ordinal = 0; ordinal < 300; ++ordinal) {
      const auto thread = static_cast<std::uint32_t>(random() % GetParam());
      const Mark mark = mark_at(thread, ordinal);
      if (random() % 40 == 0) {
        location.set_writer(mark);
        expected.clear();
        flags = 0;
      } else {
        if (!location.replace_reader(mark)) location.set_reader(mark);
        expected[thread] = ordinal;
        flags |= Location::flag_of(thread);
      }
      if (random() % 50 == 0) location = Location(location);  // with its table
      ASSERT_EQ(readers_of(location), expected);
      EXPECT_EQ(location.has_readers(), !expected.empty());
      EXPECT_FALSE(location.has_readers_among(~flags));
      const auto asked = static_cast<std::uint32_t>(random() % GetParam());
      EXPECT_EQ(location.any_reader(~std::uint64_t{0},
                                    [&](Epoch reader) { return reader.thread() == asked; }),
                expected.contains(asked));
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Threads, LocationReaders, ::testing::Values(1, 2, 8, 9, 16, 17, 40, 300));

TEST(Location, ReadAndWriteGoWithoutABranchToWhereTheyBelong) {
  Location location;
  EXPECT_TRUE(location.lacks_slot(3, 0));
  EXPECT_FALSE(location.lacks_slot(3, ~std::uint64_t{0}));
  location.set_reader(mark_at(3, 0));
  location.set_reader(mark_at(5, 1));
  ASSERT_FALSE(location.lacks_slot(6, 0));  // a table of the first threads
  location.place_for(6, Location::flag_of(6), 0) = mark_at(6, 2);
  EXPECT_EQ(readers_of(location).size(), 3u);
  location.place_for(6, Location::flag_of(6), ~std::uint64_t{0}) = mark_at(6, 3);
  EXPECT_EQ(location.writer().where().ordinal, 3u);
  EXPECT_FALSE(location.has_readers());
  location.set_reader(mark_at(20, 4));  // no longer only the first
  EXPECT_TRUE(location.lacks_slot(6, 0));
  EXPECT_EQ(readers_of(location).size(), 1u);
}

}  // namespace
}  // namespace isosan::atomsanitizer
