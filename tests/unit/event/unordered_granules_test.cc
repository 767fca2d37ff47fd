#include "runtime/contract/unordered_granules.h"

#include <gtest/gtest.h>

#include <memory>

namespace isosan {
namespace {

TEST(UnorderedGranules, WhatWasAddedIsFoundByWhateverTouchesIt) {
  const auto granules = std::make_unique<UnorderedGranules>();
  granules->add(0x1234);  // the granule 0x1230
  EXPECT_TRUE(granules->touches(0x1230, 8));
  EXPECT_TRUE(granules->touches(0x1237, 1));
  EXPECT_TRUE(granules->touches(0x1000, 0x231));
  EXPECT_TRUE(granules->touches(0x1234, 1 << 20));
  EXPECT_FALSE(granules->touches(0x1228, 8));
  EXPECT_FALSE(granules->touches(0x1238, 8));
  EXPECT_FALSE(granules->touches(0x1000, 0x230));
  EXPECT_FALSE(granules->touches(0x1234, 0));
}

TEST(UnorderedGranules, EverythingCanBeAdded) {
  const auto granules = std::make_unique<UnorderedGranules>();
  EXPECT_FALSE(granules->touches(0xffff12345678, 1));
  granules->add_all();
  EXPECT_TRUE(granules->touches(0xffff12345678, 1));
}

}  // namespace
}  // namespace isosan
