// Ordered pairs of conflicting operations: what is new in a run.
#include "hunt/coverage.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

Event operation(std::uint32_t thread, Kind kind, std::uint64_t address, std::uint32_t site) {
  Event event;
  event.kind = kind;
  event.thread = ThreadId{thread};
  event.address = address;
  event.size = is_access(kind) ? 8 : 0;
  event.site = SiteId{site};
  return event;
}

Tables tables() {
  Tables tables;
  for (const char* path : {"0", "0.0", "0.1"}) {
    tables.threads.push_back({});
    tables.threads.back().birth_path = path;
  }
  for (std::uint32_t line = 0; line < 4; ++line) {
    tables.sites.push_back({});
    tables.sites.back().line = line;
  }
  return tables;
}

std::size_t pairs_in(const std::vector<Event>& run) {
  OrderedPairs pairs;
  pairs.feed(run);
  return pairs.keys(tables()).size();
}

TEST(OrderedPairs, AreOfTwoThreadsOneOfWhichWrites) {
  EXPECT_EQ(pairs_in({operation(1, Kind::kWrite, 64, 1), operation(2, Kind::kRead, 64, 2)}), 1u);
  EXPECT_EQ(pairs_in({operation(1, Kind::kRead, 64, 1), operation(2, Kind::kWrite, 64, 2)}), 1u);
  EXPECT_EQ(pairs_in({operation(1, Kind::kRead, 64, 1), operation(2, Kind::kRead, 64, 2)}), 0u);
  EXPECT_EQ(pairs_in({operation(1, Kind::kWrite, 64, 1), operation(1, Kind::kRead, 64, 2)}), 0u);
  EXPECT_EQ(pairs_in({operation(1, Kind::kWrite, 64, 1), operation(2, Kind::kRead, 72, 2)}), 0u);
}

TEST(OrderedPairs, AcquisitionsOfALockAreSuch) {
  EXPECT_EQ(pairs_in({operation(1, Kind::kAcquire, 8, 1), operation(2, Kind::kAcquire, 8, 2)}), 1u);
  EXPECT_EQ(pairs_in({operation(1, Kind::kAcquire, 8, 1), operation(2, Kind::kAcquire, 9, 2)}), 0u);
}

TEST(Coverage, TheOtherOrderIsNewAndTheNextRoundIsNot) {
  const std::vector<Event> run{operation(1, Kind::kWrite, 64, 1), operation(2, Kind::kRead, 64, 2)};
  const std::vector<Event> round{operation(1, Kind::kWrite, 128, 1),
                                 operation(2, Kind::kRead, 128, 2)};
  const std::vector<Event> other{run[1], run[0]};
  Coverage coverage;
  const auto news = [&](const std::vector<Event>& events) {
    OrderedPairs pairs;
    pairs.feed(events);
    return coverage.add(pairs.keys(tables()));
  };
  EXPECT_EQ(news(run), 1u);
  EXPECT_EQ(news(round), 0u);
  EXPECT_EQ(news(other), 1u);
  EXPECT_EQ(coverage.size(), 2u);
}

}  // namespace
}  // namespace isosan
