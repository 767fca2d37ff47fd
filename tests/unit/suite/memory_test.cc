#include "suite/run/memory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/suite/findings.h"

namespace isosan::suite {
namespace {

class Memory : public testing::Test {
 protected:
  Memory() {
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ + "/x.schedule") << "isosan schedule 1\n";
    options_.isosan = "/isosan";
    options_.build_id = [this](const std::string& path) { return path + build_; };
    test_.name = "t";
    test_.command = {"./t"};
    known_.test = &test_;
    known_.file = folder_ + "/t";
    known_.result.name = "t";
    known_.result.hunted = true;
    known_.modules = {"/b/t"};
    known_.failures = {failed("t", {inventory_cycle()})};
    known_.failures[0].schedule = folder_ + "/x.schedule";
    remember(known_, options_);
  }
  bool is_known() const { return recall(test_, known_.file, options_).has_value(); }

  std::string folder_ = testing::TempDir() + "/memory";
  std::string build_ = "1";
  WorkOptions options_;
  TestCase test_;
  Progressing known_;
};

TEST_F(Memory, OfAnUnchangedTest) {
  const auto again = recall(test_, known_.file, options_);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->result.hunted);
  ASSERT_EQ(again->failures.size(), 1u);
  EXPECT_EQ(again->failures[0].explanations[0], inventory_cycle());
}

TEST_F(Memory, IsVoidInAnotherBuild) {
  build_ = "2";
  EXPECT_FALSE(is_known());
}

TEST_F(Memory, IsVoidWithAnotherCommandOrOptions) {
  test_.command.push_back("--more");
  EXPECT_FALSE(is_known());
  test_.command.pop_back();
  EXPECT_TRUE(is_known());
  options_.contents = "another spec file";
  EXPECT_FALSE(is_known());
  options_.contents.clear();
  options_.run_options = {"--spec", "x"};
  EXPECT_FALSE(is_known());
}

TEST_F(Memory, IsVoidWithoutItsSchedule) {
  std::filesystem::remove(folder_ + "/x.schedule");
  EXPECT_FALSE(is_known());
}

TEST_F(Memory, OfADamagedFileIsNone) {
  std::ofstream(known_.file + ".known.json") << "{\"identity\": 3}";
  EXPECT_FALSE(is_known());
}

}  // namespace
}  // namespace isosan::suite
