// Arrays that one thread writes and several read: how often they have to call the runtime for it.
#include <gtest/gtest.h>

#include "runtime/session.h"

#ifdef HAVE_PASS

namespace isosan::test {
namespace {

// 16384 cells lie in 2048 lines of the shadow's cache, and in 32 pages. Where the second reader
// called for each page that it comes to, that would be so many calls in every round.
TEST(Shared, WhatIsReadByBothRoundAfterRoundBecomesReadSharedByPages) {
  const Result result = run(PROGRAMS "shared_array", {"60"});
  ASSERT_EQ(result.status, 0);
  EXPECT_LT(result.accesses_seen, 60 * 32u);
}

}  // namespace
}  // namespace isosan::test

#endif
