// A cycle is told as short as Definition 2 allows.
#include "analysis/marathon/shortcuts.h"

#include <gtest/gtest.h>

#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

// One unit reads x, many others write x and y one after the other, and the first reads y.
TEST(Shortcuts, LeaveOutTheWritersBetween) {
  Program p;
  const auto sum = p.method("Account::sum");
  const auto move = p.method("Account::move");
  const auto account = p.object("Account", {"x", "y"});
  p.call(1, sum, account).read(1, account, "x");
  for (int i = 0; i < 100; ++i)
    p.call(2, move, account).write(2, account, "x").write(2, account, "y").ret(2);
  p.read(1, account, "y").ret(1);
  const std::vector<Finding> findings = p.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].transactions.size(), 2u);
  EXPECT_EQ(findings[0].edges.size(), 2u);
}

// Where there is no direct conflict nothing is left out.
TEST(Shortcuts, KeepUnitsThatLeadFromOneFieldToAnother) {
  using marathon::Conflict;
  const auto edge = [](std::uint32_t from, std::uint32_t to, Address address, Kind first,
                       Kind second) {
    return marathon::CycleEdge{{from, 0},
                               {to, 0},
                               {{{.ordinal = from, .operation = first},
                                 {.ordinal = to, .operation = second},
                                 address,
                                 8}}};
  };
  const marathon::Cycle fields{edge(1, 2, 0x10, Kind::kRead, Kind::kWrite),
                               edge(2, 3, 0x18, Kind::kWrite, Kind::kRead),
                               edge(3, 1, 0x20, Kind::kWrite, Kind::kRead)};
  EXPECT_EQ(marathon::shortened(fields).size(), 3u);
  const marathon::Cycle readers{edge(1, 2, 0x10, Kind::kRead, Kind::kWrite),
                                edge(2, 3, 0x10, Kind::kWrite, Kind::kRead),
                                edge(3, 1, 0x20, Kind::kWrite, Kind::kRead)};
  EXPECT_EQ(marathon::shortened(readers).size(), 3u);
  const marathon::Cycle writers{edge(1, 2, 0x10, Kind::kRead, Kind::kWrite),
                                edge(2, 3, 0x10, Kind::kWrite, Kind::kWrite),
                                edge(3, 1, 0x20, Kind::kWrite, Kind::kRead)};
  EXPECT_EQ(marathon::shortened(writers).size(), 2u);
}

}  // namespace
}  // namespace isosan::test
