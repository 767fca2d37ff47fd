// Each primitive: A's write stands before B's read in the log in any case (that is what happened);
// the runtime knew it from the primitive (no unordered transfer), or had to find out.
#include <gtest/gtest.h>

#include "runtime/session.h"

namespace isosan::test {
namespace {

struct Case {
  const char* name;
  bool orders;
};

class Primitive : public testing::TestWithParam<Case> {};

TEST_P(Primitive, OrdersOrNot) {
  const Result result = run(PROGRAMS "primitives", {GetParam().name});
  ASSERT_EQ(result.status, 0);
  ASSERT_EQ(result.attached, 1u);
  const std::uint64_t x = result.address("x");
  const std::vector<Unit> order = result.linear();
  ASSERT_FALSE(order.empty()) << "the markers form a cycle";
  long write = -1;
  long read = -1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i].address != x) continue;
    if (order[i].is(Kind::kWrite) && order[i].thread == 1) write = static_cast<long>(i);
    if (order[i].is(Kind::kRead) && order[i].thread == 2) read = static_cast<long>(i);
  }
  ASSERT_GE(write, 0);
  ASSERT_GE(read, 0);
  EXPECT_LT(write, read);
  EXPECT_EQ(result.racy_transfers == 0, GetParam().orders);
}

INSTANTIATE_TEST_SUITE_P(
    All, Primitive,
    testing::Values(Case{"nothing", false}, Case{"mutex", true}, Case{"other-mutex", false},
                    Case{"trylock", true}, Case{"recursive", true}, Case{"timed", true},
                    Case{"shared-after-exclusive", true}, Case{"exclusive-after-shared", true},
                    Case{"shared-after-shared", false}, Case{"spin", true}, Case{"condition", true},
                    Case{"condition-timeout", false}, Case{"barrier", true}, Case{"once", true},
                    Case{"call-once", true}, Case{"static", true}, Case{"semaphore", true},
                    Case{"c11-mutex", true}, Case{"c11-condition", true}, Case{"atomic", true},
                    Case{"atomic-rmw", true}, Case{"fence", true}, Case{"other-atomic", false},
                    Case{"future", true}),
    [](const auto& test) {
      std::string name = test.param.name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace isosan::test
