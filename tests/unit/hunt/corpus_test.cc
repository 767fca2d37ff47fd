#include "hunt/corpus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace isosan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

CorpusEntry entry(std::vector<std::uint64_t> pairs, std::uint64_t until = 1,
                  const char* build = "b") {
  Schedule schedule;
  schedule.build_ids = {build};
  schedule.steps = {{"0", until, 0}};
  return {schedule, std::move(pairs), {}};
}

class CorpusFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "corpus-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string folder_;
};

TEST(SmallestCover, TheMostNewPairsComeFirst) {
  EXPECT_THAT(smallest_cover({entry({1}), entry({1, 2, 3}), entry({3, 4}), entry({2, 4, 5})}),
              ElementsAre(1, 3));
}

TEST(SmallestCover, OfEqualOnesTheShorterStays) {
  CorpusEntry longer = entry({1, 2});
  longer.schedule.steps.push_back({"0.0", 5, 0});
  EXPECT_THAT(smallest_cover({longer, entry({1, 2})}), ElementsAre(1));
}

TEST(SmallestCover, BuildsAreApart) {
  EXPECT_THAT(smallest_cover({entry({1}, 1, "a"), entry({1}, 1, "b")}), ElementsAre(0, 1));
}

TEST_F(CorpusFolder, ShardsBeginWithoutWhatOthersHaveAdded) {
  const Corpus corpus(folder_);
  corpus.add(entry({1, 0xffffffffffffffff}));
  corpus.add(entry({1, 0xffffffffffffffff}));
  EXPECT_THAT(corpus.read(Corpus::Part::kBegun).entries, SizeIs(0));
  const CorpusContents all = corpus.read(Corpus::Part::kAll);
  ASSERT_THAT(all.entries, SizeIs(1));
  EXPECT_EQ(all.entries[0].schedule, entry({}).schedule);
  EXPECT_THAT(all.entries[0].pairs, ElementsAre(1, 0xffffffffffffffff));
  corpus.take_in_added();
  EXPECT_EQ(corpus.read(Corpus::Part::kBegun).identity, all.identity);
}

TEST_F(CorpusFolder, IsMinimised) {
  const Corpus corpus(folder_);
  corpus.add(entry({1}));
  corpus.take_in_added();
  corpus.add(entry({1, 2}));
  corpus.add(entry({3}));
  const Corpus::Minimised done = corpus.minimise();
  EXPECT_EQ(done.before, 3u);
  EXPECT_EQ(done.after, 2u);
  EXPECT_EQ(done.pairs, 3u);
  EXPECT_THAT(corpus.read(Corpus::Part::kBegun).entries, SizeIs(2));
  EXPECT_TRUE(fs::is_empty(folder_ + "/new"));
}

TEST_F(CorpusFolder, ADamagedFileIsNamedAndStays) {
  const Corpus corpus(folder_);
  corpus.add(entry({1}));
  corpus.add(entry({2}));
  const fs::path file = corpus.read(Corpus::Part::kAll).entries[0].file;
  fs::resize_file(file, fs::file_size(file) - 5);  // at the end of a line
  const Corpus::Minimised done = corpus.minimise();
  EXPECT_EQ(done.after, 1u);
  EXPECT_THAT(done.problems,
              ElementsAre(testing::AllOf(HasSubstr(file.string()), EndsWith("; passed over"))));
  EXPECT_TRUE(fs::exists(file));
}

}  // namespace
}  // namespace isosan
