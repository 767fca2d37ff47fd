// The order of the log is the order of the accesses: threads that race on a few words say what they
// read and wrote; in the log's order every read must find the value of the last write before it.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "oracle/fresh_path.h"
#include "runtime/programs/record.h"
#include "runtime/session.h"

namespace isosan::test {
namespace {

struct Race {
  const char* program;
  bool strict;
  unsigned threads;
  unsigned accesses;
  unsigned writes_per_16;
};

std::vector<std::vector<Record>> read_records(const std::string& path, unsigned threads) {
  std::vector<std::vector<Record>> records(threads);
  std::ifstream file(path, std::ios::binary);
  for (Record r; file.read(reinterpret_cast<char*>(&r), sizeof r);) records[r.thread].push_back(r);
  return records;
}

unsigned accesses_of(const Race& race) {
  const char* mode = std::getenv("ISOSAN_TEST_MODE");
  return mode != nullptr && std::string(mode) == "long" ? race.accesses * 25 : race.accesses;
}

class Order : public testing::TestWithParam<Race> {};

TEST_P(Order, EveryReadFindsTheLastWrite) {
  const Race& race = GetParam();
  const std::string file = fresh_path(std::string(race.program) + std::to_string(race.threads) +
                                      "_" + std::to_string(race.writes_per_16));
  Options options;
  options.strict = race.strict;
  options.function_flags = 0;
  const Result result = run(std::string(PROGRAMS) + race.program,
                            {std::to_string(race.threads), std::to_string(accesses_of(race)),
                             std::to_string(race.writes_per_16), file},
                            options);
  ASSERT_EQ(result.status, 0);
  const std::uint64_t cells = result.address("cells");
  const auto records = read_records(file, race.threads);
  std::remove(file.c_str());
  const std::vector<Unit> order = result.linear();
  ASSERT_FALSE(order.empty()) << "the markers form a cycle";
  std::vector<std::size_t> next(race.threads, 0);
  std::uint64_t values[4] = {};
  std::uint64_t wrong = 0;
  for (const Unit& u : order) {
    const bool write = u.is(Kind::kWrite) || u.is(Kind::kAtomicStore);
    const bool read = u.is(Kind::kRead) || u.is(Kind::kAtomicLoad);
    if ((!write && !read) || u.address < cells || u.address >= cells + 32) continue;
    const unsigned thread = u.thread - 1;
    ASSERT_LT(next[thread], records[thread].size()) << "more accesses in the log than there were";
    const Record& r = records[thread][next[thread]++];
    ASSERT_EQ(r.is_write != 0, write);
    ASSERT_EQ(cells + 8 * r.cell, u.address);
    if (write) {
      values[r.cell] = r.value;
    } else {
      wrong += values[r.cell] != r.value;
    }
  }
  for (unsigned t = 0; t < race.threads; ++t) EXPECT_EQ(next[t], records[t].size());
  EXPECT_EQ(wrong, 0u);
  if (race.strict) {
    EXPECT_GT(result.racy_transfers, 0u) << "the threads did not meet";
  }
}

std::string name_of_race(const testing::TestParamInfo<Race>& test) {
  return std::string(test.param.program) + std::to_string(test.param.threads) + "_" +
         std::to_string(test.param.writes_per_16);
}

#ifdef HAVE_PASS
INSTANTIATE_TEST_SUITE_P(Inline, Order,
                         testing::Values(Race{"region_racer", true, 2, 40000, 8},
                                         Race{"region_racer", true, 2, 40000, 1},
                                         Race{"region_racer", true, 4, 10000, 4},
                                         Race{"region_racer", true, 16, 1000, 4}),
                         name_of_race);
#endif

INSTANTIATE_TEST_SUITE_P(Races, Order,
                         testing::Values(Race{"racer", true, 2, 40000, 8},
                                         Race{"racer", true, 2, 40000, 1},
                                         Race{"racer", true, 4, 10000, 4},
                                         Race{"racer", true, 16, 1000, 4},
                                         Race{"atomic_racer", false, 2, 40000, 8},
                                         Race{"atomic_racer", false, 2, 40000, 1},
                                         Race{"atomic_racer", false, 4, 10000, 4},
                                         Race{"atomic_racer", false, 16, 1000, 4}),
                         name_of_race);

}  // namespace
}  // namespace isosan::test
