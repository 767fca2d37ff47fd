#include "analysis/atomizer/lockset_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace isosan::atomizer {
namespace {

TEST(LocksetTable, EqualSetsHaveEqualIds) {
  LocksetTable table;
  const LockIndex a{3}, b{7};
  EXPECT_EQ(table.with(table.with(kNoLocks, a), b), table.with(table.with(kNoLocks, b), a));
  EXPECT_EQ(table.without(table.with(kNoLocks, a), a), kNoLocks);
  EXPECT_EQ(table.with(table.with(kNoLocks, a), a), table.with(kNoLocks, a));
}

TEST(LocksetTable, AllLocksIsNeutral) {
  LocksetTable table;
  const LocksetId some = table.with(kNoLocks, LockIndex{1});
  EXPECT_EQ(table.intersection(kAllLocks, some), some);
  EXPECT_EQ(table.intersection(some, kAllLocks), some);
  EXPECT_EQ(table.intersection(kAllLocks, kNoLocks), kNoLocks);
}

TEST(LocksetTable, AgreesWithStdSet) {
  LocksetTable table;
  std::mt19937 random(1);
  const auto random_set = [&](std::set<LockIndex>& members) {
    LocksetId id = kNoLocks;
    for (int i = 0; i < 6; ++i) {
      const LockIndex lock{static_cast<std::uint32_t>(random() % 8)};
      if (random() % 3 == 0) {
        id = table.without(id, lock);
        members.erase(lock);
      } else {
        id = table.with(id, lock);
        members.insert(lock);
      }
    }
    return id;
  };
  for (int round = 0; round < 2000; ++round) {
    std::set<LockIndex> left, right, common;
    const LocksetId a = random_set(left), b = random_set(right);
    std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                          std::inserter(common, common.end()));
    const Lockset& members = table.members(table.intersection(a, b));
    EXPECT_EQ(std::set<LockIndex>(members.begin(), members.end()), common);
    EXPECT_TRUE(std::is_sorted(members.begin(), members.end()));
  }
  EXPECT_LE(table.size(), 257u);
}

}  // namespace
}  // namespace isosan::atomizer
