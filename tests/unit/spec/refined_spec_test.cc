#include "spec/refined_spec.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/input_error.h"
#include "oracle/fresh_path.h"
#include "spec/spec_file.h"

namespace isosan {
namespace {

TEST(RefinedSpec, ReadsBackWhatItWrote) {
  const std::string path = fresh_path("refined.toml");
  const std::vector<Exclusion> exclusions{
      {"A::f", "trial 1: B::g stepped in; a.cc:3"}, {"operator\"\"_x", ""}, {"C::h", "two\nlines"}};
  write_refined_spec(path, exclusions);
  const std::vector<Exclusion> read = read_refined_spec(path);
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0], exclusions[0]);
  EXPECT_EQ(read[1], exclusions[1]);
  EXPECT_EQ(read[2].reason, "two lines");
  EXPECT_EQ(read_spec_file(path).rules.not_atomic,
            (std::vector<std::string>{"A::f", "operator\"\"_x", "C::h"}));
}

TEST(RefinedSpec, StartsFromNothingAndGoesOnFromASpecWrittenByHand) {
  const std::string path = fresh_path("refined_by_hand.toml");
  EXPECT_TRUE(read_refined_spec(path).empty());
  std::ofstream(path) << "[not-atomic]\nfunctions = [\"a\", \"b\"]\n";
  EXPECT_EQ(read_refined_spec(path), (std::vector<Exclusion>{{"a", ""}, {"b", ""}}));
  std::ofstream(path) << "[not-atomic]\nfunction = []\n";
  EXPECT_THROW(read_refined_spec(path), InputError);
}

}  // namespace
}  // namespace isosan
