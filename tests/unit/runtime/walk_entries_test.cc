// Two instructions of a loop that share an entry close each other's walks again and again.
#include <gtest/gtest.h>

#include <set>

#include "runtime/log/walks.h"

namespace isosan::rt {
namespace {

TEST(WalkEntries, AreNotSharedIn256AlignedBytesOfCode) {
  log::ThreadBlock block;
  for (const std::uint64_t code : {0xaaaaaaaa1000ul, 0xffff12345f00ul}) {
    std::set<log::Walk*> walks;
    for (std::uint64_t pc = code; pc < code + 256; pc += 4) walks.insert(&walk_at(&block, pc));
    EXPECT_EQ(walks.size(), 64u);
  }
}

}  // namespace
}  // namespace isosan::rt
