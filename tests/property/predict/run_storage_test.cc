// What is kept of a run is small, and the same as if it were not: columns, operations, accesses of
// slots.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "oracle/property.h"
#include "predict/touches.h"

namespace isosan::test {
namespace {

using predict::Operation;
using predict::OperationNumber;
using predict::Operations;
using predict::PackedColumn;
using predict::Touch;
using predict::Touches;

// Numbers of every width, some blocks of them alike.
std::vector<std::uint32_t> some_numbers() {
  std::vector<std::uint32_t> numbers;
  const auto blocks = *rc::gen::inRange(0, 4);
  for (int block = 0; block < blocks; ++block) {
    const auto bits = *rc::gen::inRange(0, 33);
    const auto least = *rc::gen::arbitrary<std::uint32_t>();
    const auto count = *rc::gen::inRange<std::size_t>(0, 2 * PackedColumn::kBlock);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t noise = (i + 1) * 0x9e3779b97f4a7c15ull;
      const std::uint32_t distance =
          bits == 0 ? 0 : static_cast<std::uint32_t>(noise >> (64 - bits));
      numbers.push_back(least + distance);  // modulo 2^32
    }
  }
  return numbers;
}

TEST(PredictStorage, AColumnHasTheNumbersThatWerePutIn) {
  EXPECT_TRUE(law_holds(
      [] {
        const std::vector<std::uint32_t> numbers = some_numbers();
        PackedColumn column;
        for (const std::uint32_t number : numbers) column.push_back(number);
        RC_ASSERT(column.size() == numbers.size());
        PackedColumn::Reader reader(column);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
          RC_ASSERT(column[i] == numbers[i]);
          RC_ASSERT(reader.next() == numbers[i]);
        }
      },
      {.default_count = 500, .long_count = 20'000}));
}

TEST(PredictStorage, OperationsAreFoundByThreadAndIndex) {
  EXPECT_TRUE(law_holds(
      [] {
        Operations operations;
        std::vector<std::vector<OperationNumber>> of_thread(4);
        const auto turns = *rc::gen::inRange(1, 12);
        for (int i = 0; i < turns; ++i) {
          const auto thread = *rc::gen::inRange<std::uint32_t>(0, 4);
          const auto count = *rc::gen::inRange<std::uint32_t>(1, 2 * Operations::kStretch);
          for (std::uint32_t n = 0; n < count; ++n) {
            of_thread[thread].push_back(operations.size());
            operations.push_back({{.thread = thread, .site = SiteId{n % 5}}, n});
          }
        }
        for (std::uint32_t thread = 0; thread < 4; ++thread) {
          const std::vector<OperationNumber>& own = of_thread[thread];
          RC_ASSERT(operations.count_of(thread) == own.size());
          for (std::uint32_t i = 0; i < own.size(); i += 37)
            RC_ASSERT(operations.number_of(thread, i) == own[i]);
          for (OperationNumber n = 0; n <= operations.size(); n += 91) {
            const auto before = std::lower_bound(own.begin(), own.end(), n) - own.begin();
            RC_ASSERT(operations.executed(thread, n) == static_cast<std::uint32_t>(before));
          }
        }
      },
      {.default_count = 100, .long_count = 5'000}));
}

// By slot: number, index, region execution, lock events and bytes of each access.
using Told =
    std::map<predict::SlotIndex, std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t,
                                                        std::uint32_t, std::uint8_t>>>;

Told told(const predict::ObservedRun& run, std::uint64_t most_at_once) {
  Told result;
  Touches touches(run, most_at_once);
  for (predict::SlotIndex slot = 0; slot < touches.slots();) {
    for (const predict::SlotIndex end = touches.gather(slot); slot < end; ++slot) {
      touches.for_each(slot, [&](const Touch& t) {
        result[slot].emplace_back(t.id.number, t.id.index, t.node, t.lock_events, t.mask);
      });
    }
  }
  return result;
}

TEST(PredictStorage, ScansGiveTheSameAccessesHoweverManyAreGatheredAtOnce) {
  EXPECT_TRUE(holds_on_random_traces({.max_intents = 100, .max_threads = 4},
                                     [](const Trace& trace) -> std::string {
                                       predict::ObservedRun run;
                                       for (const Event& event : trace.events) run.take(event);
                                       const Told all = told(run, Touches::kMostAtOnce);
                                       for (const std::uint64_t most : {1, 2, 7}) {
                                         if (told(run, most) != all)
                                           return "not the same with " + std::to_string(most);
                                       }
                                       return "";
                                     },
                                     {.default_count = 1'000, .long_count = 50'000}));
}

}  // namespace
}  // namespace isosan::test
