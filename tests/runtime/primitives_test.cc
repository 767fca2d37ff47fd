// Each primitive: A's write stands before B's read in the log in any case (that is what happened);
// the runtime knew it from the primitive (no unordered transfer), or had to find out.
#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "runtime/session.h"

namespace isosan::test {
namespace {

struct Case {
  const char* name;
  bool orders;
};

class Primitive : public testing::TestWithParam<std::tuple<const char*, Case>> {};

TEST_P(Primitive, OrdersOrNot) {
  const auto [program, primitive] = GetParam();
  const Result result = run(std::string(PROGRAMS) + program, {primitive.name});
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
  EXPECT_EQ(result.racy_transfers == 0, primitive.orders);
}

// One program, compiled by each compiler whose objects we take.
const char* const kPrograms[] = {COMPILED_PRIMITIVES};

INSTANTIATE_TEST_SUITE_P(
    All, Primitive,
    testing::Combine(
        testing::ValuesIn(kPrograms),
        testing::Values(Case{"nothing", false}, Case{"mutex", true}, Case{"other-mutex", false},
                        Case{"mutex-made-anew", true}, Case{"mutex-gone", false},
                        Case{"trylock", true}, Case{"recursive", true}, Case{"timed", true},
                        Case{"shared-after-exclusive", true}, Case{"exclusive-after-shared", true},
                        Case{"shared-after-shared", false}, Case{"spin", true},
                        Case{"condition", true}, Case{"condition-timeout", false},
                        Case{"barrier", true}, Case{"once", true}, Case{"call-once", true},
                        Case{"static", true}, Case{"semaphore", true}, Case{"c11-mutex", true},
                        Case{"c11-condition", true}, Case{"atomic", true}, Case{"atomic-rmw", true},
                        Case{"fence", true}, Case{"other-atomic", false}, Case{"future", true})),
    [](const auto& test) {
      std::string name = std::string(std::get<0>(test.param)) + "_" + std::get<1>(test.param).name;
      for (char& c : name) c = c == '-' ? '_' : c;
      return name;
    });

}  // namespace
}  // namespace isosan::test
