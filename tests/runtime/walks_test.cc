// Loops that are gathered (runtime/log/walks.h): critical section by critical section the log has
// every access, and in its order every read finds the value of the last write.
#include <gtest/gtest.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/fresh_path.h"
#include "runtime/programs/record.h"
#include "runtime/session.h"

namespace isosan::test {
namespace {

using Accesses = std::map<unsigned, unsigned long>;  // by cell: the value
struct Section {
  Accesses reads, writes;
};

// By thread, in their order.
std::vector<std::vector<Section>> read_sections(const std::string& path, unsigned threads) {
  std::vector<std::vector<Section>> sections(threads);
  std::ifstream file(path, std::ios::binary);
  for (Record r; file.read(reinterpret_cast<char*>(&r), sizeof r);) {
    if (r.is_write == 2) {
      sections[r.thread].emplace_back();
    } else {
      Section& section = sections[r.thread].back();
      (r.is_write != 0 ? section.writes : section.reads)[r.cell] = r.value;
    }
  }
  return sections;
}

class Replay {
 public:
  Replay(const Result& result, std::vector<std::vector<Section>> sections)
      : cells_(result.address("cells")),
        mutexes_(result.address("mutexes")),
        size_(result.address("size")),
        sections_(std::move(sections)),
        next_(sections_.size()) {}

  void take(const Unit& u) {
    if (u.thread == 0) return;
    const unsigned thread = u.thread - 1;
    const bool mutex = u.address >= mutexes_ && u.address < mutexes_ + 4 * sizeof(pthread_mutex_t);
    if (u.is(Kind::kRelease) && mutex) {
      const Section& done = sections_[thread][next_[thread]++];
      lost_ += done.reads.size() + done.writes.size();
    }
    if (!u.is(Kind::kRead) && !u.is(Kind::kWrite)) return;
    if (u.address < cells_ || u.address >= cells_ + kCells * size_) return;
    const std::uint64_t count = u.stride != 0 ? u.number : (u.end() - u.address) / size_;
    const std::uint64_t stride = u.stride != 0 ? u.stride : size_;
    for (std::uint64_t i = 0; i < count; ++i) {
      access(thread, u.is(Kind::kWrite), u.address + i * stride);
    }
    most_ = std::max(most_, count);
  }

  std::uint64_t lost() const { return lost_; }
  std::uint64_t wrong() const { return wrong_; }
  std::uint64_t most() const { return most_; }  // elements of one record

 private:
  void access(unsigned thread, bool is_write, std::uint64_t address) {
    const auto cell = static_cast<unsigned>((address - cells_) / size_);
    ASSERT_LT(next_[thread], sections_[thread].size());
    Section& section = sections_[thread][next_[thread]];
    Accesses& left = is_write ? section.writes : section.reads;
    const auto found = left.find(cell);
    ASSERT_NE(found, left.end()) << "an access that was not, or was there already";
    if (is_write) {
      values_[cell] = found->second;
    } else {
      wrong_ += values_[cell] != found->second;
    }
    left.erase(found);
  }

  static constexpr unsigned kCells = 512;
  const std::uint64_t cells_, mutexes_, size_;
  std::vector<std::vector<Section>> sections_;
  std::vector<std::size_t> next_;  // by thread: the section it is in
  unsigned long values_[kCells] = {};
  std::uint64_t lost_ = 0, wrong_ = 0, most_ = 0;
};

// The program, through one front or the other, and its threads.
class Walks : public testing::TestWithParam<std::tuple<std::string, unsigned>> {};

TEST_P(Walks, EveryReadFindsTheLastWriteAndNoneIsMissing) {
  const auto& [program, threads] = GetParam();
  const char* mode = std::getenv("ISOSAN_TEST_MODE");
  const bool is_long = mode != nullptr && std::string(mode) == "long";
  const std::string file = fresh_path(program + std::to_string(threads));
  const Result result =
      run(PROGRAMS + program,
          {std::to_string(threads), std::to_string((is_long ? 50000 : 4000) / threads), "0", file});
  ASSERT_EQ(result.status, 0);
  Replay replay(result, read_sections(file, threads));
  std::remove(file.c_str());
  const std::vector<Unit> order = result.linear();
  ASSERT_FALSE(order.empty()) << "the markers form a cycle";
  for (const Unit& u : order) {
    replay.take(u);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(replay.lost(), 0u);
  EXPECT_EQ(replay.wrong(), 0u);
  EXPECT_GT(replay.most(), 20u) << "nothing was gathered";
}

INSTANTIATE_TEST_SUITE_P(Calls, Walks,
                         testing::Combine(testing::Values("walker"), testing::Values(1, 2, 4, 16)));
#ifdef HAVE_PASS
INSTANTIATE_TEST_SUITE_P(Inline, Walks,
                         testing::Combine(testing::Values("walker8", "walker4", "walker_counted"),
                                          testing::Values(1, 2, 4, 16)));
#endif
#ifdef HAVE_GCC_PLUGIN
INSTANTIATE_TEST_SUITE_P(Gcc, Walks,
                         testing::Combine(testing::Values("walker_gcc8", "walker_gcc4"),
                                          testing::Values(1, 2, 4, 16)));
#endif

// Where each access is in an epoch of its own nothing can be gathered; that is no reason not to
// later, where the same instruction walks over rows.
TEST(WalksOfRows, AreGatheredThoughTheirInstructionWasInShortEpochsBefore) {
  const Result result = run(std::string(PROGRAMS) + "rows", {"800", "10"});
  ASSERT_EQ(result.status, 0);
  const std::uint64_t cells = result.address("cells");
  std::uint64_t singles = 0, rows = 0;
  for (const Unit& u : result.linear()) {
    if (!u.is(Kind::kRead) || u.address < cells || u.address >= cells + 8 * 1024) continue;
    const std::uint64_t bytes = u.end() - u.address;
    singles += bytes == 8;
    rows += bytes >= 30 * 8;
  }
  EXPECT_GE(singles, 800u);
  EXPECT_EQ(rows, 10u);
}

TEST(WalksOfRows, EndWhereAccessesAreIgnored) {
  const Result result = run(std::string(PROGRAMS) + "rows", {"1", "1"});
  ASSERT_EQ(result.status, 0);
  const std::uint64_t half = result.address("half");
  std::uint64_t bytes = 0, most = 0;
  for (const Unit& u : result.linear()) {
    if (!u.is(Kind::kRead) || u.address < half || u.address >= half + 40 * 8) continue;
    bytes += u.end() - u.address;
    most = std::max(most, u.end() - u.address);
  }
  EXPECT_EQ(bytes, 20u * 8);
  EXPECT_GT(most, 8u) << "nothing was gathered";
}

}  // namespace
}  // namespace isosan::test
