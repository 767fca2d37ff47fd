#include "base/shard.h"

#include <gtest/gtest.h>

#include <string>

namespace isosan {
namespace {

TEST(Shard, EachPieceOfWorkBelongsToOne) {
  for (std::uint64_t count = 1; count <= 9; ++count) {
    for (int work = 0; work < 200; ++work) {
      int owners = 0;
      for (std::uint64_t index = 1; index <= count; ++index)
        owners += Shard{index, count}.owns(std::to_string(work));
      EXPECT_EQ(owners, 1);
    }
  }
}

TEST(Shard, PartsAreAboutAsLarge) {
  int owned = 0;
  for (int work = 0; work < 7000; ++work) owned += Shard{3, 7}.owns(std::to_string(work));
  EXPECT_GT(owned, 900);
  EXPECT_LT(owned, 1100);
}

// Shards of one campaign may be run by different builds of isosan.
TEST(Shard, TheHashIsFixed) {
  EXPECT_EQ(Shard::hash(""), 0xefd01f60ba992926u);
  EXPECT_EQ(Shard::hash("seed 1"), 0xbaf80b83428e8a39u);
}

}  // namespace
}  // namespace isosan
