#include "report/timeline.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

TEST(Fit, TheOperationStays) {
  const std::string text = "write bank::Account::balance_ (0x7ffc1020)";
  EXPECT_EQ(fit(text, text.size()), text);
  EXPECT_EQ(fit(text, 40), "write bank::Account::balance_ (..1020)");
  EXPECT_EQ(fit(text, 29), "write bank::Account::balance_");
  EXPECT_EQ(fit(text, 24), "write ...count::balance_");
  EXPECT_EQ(fit("acquire 0x7ffc1020", 12), "acquire ...0");
}

TEST(Fit, NeverIsWider) {
  const std::string text = "write bank::Account::balance_ (0x7ffc1020)";
  for (std::size_t width = 0; width < 60; ++width) EXPECT_LE(fit(text, width).size(), width);
}

}  // namespace
}  // namespace isosan
