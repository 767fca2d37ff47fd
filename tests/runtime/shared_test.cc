// Arrays that one thread writes and several read: how often they have to call the runtime for it.
#include <gtest/gtest.h>

#include "runtime/session.h"

#ifdef HAVE_PASS

namespace isosan::test {
namespace {

// 2048 cells lie in 256 lines of the shadow's cache. Where the second reader called for each line
// it comes to, or each cell, that would be so many calls in every round.
TEST(Shared, WhatIsReadByBothRoundAfterRoundBecomesReadSharedByPages) {
  const Result result = run(PROGRAMS "shared_array", {"20"});
  ASSERT_EQ(result.status, 0);
  EXPECT_LT(result.accesses_seen, 512u);
}

}  // namespace
}  // namespace isosan::test

#endif
