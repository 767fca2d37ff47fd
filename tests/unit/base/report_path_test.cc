#include "base/report_path.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

TEST(ReportPath, NamesWhatDiffers) {
  ::unsetenv(kTestVariable);
  EXPECT_EQ(report_path("r.%p.json", "x"), "r." + std::to_string(::getpid()) + ".json");
  EXPECT_EQ(report_path("%n/%t.json", "/a/b/prog"), "prog/prog.json");
  EXPECT_EQ(report_path("", "x"), "");
}

TEST(ReportPath, ATestHasAName) {
  ::setenv(kTestVariable, "Suite.Case/0", 1);
  EXPECT_EQ(report_path("%t.%n", "prog"), "Suite.Case_0.prog");
  ::unsetenv(kTestVariable);
}

TEST(ReportPath, OtherPercentSignsStay) {
  EXPECT_EQ(report_path("100%/%%p%x%", "x"), "100%/%p%x%");
  EXPECT_EQ(report_path(literal_path("100%/%p%%"), "x"), "100%/%p%%");
}

}  // namespace
}  // namespace isosan
