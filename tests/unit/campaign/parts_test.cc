#include "campaign/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/user_error.h"

namespace isosan::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Json header(int index, int count) {
  return {{"index", index},
          {"count", count},
          {"program", "bank"},
          {"builds", {"abc"}},
          {"options", {{"seed", 1}, {"all", true}}}};
}

std::string written(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  return path;
}

std::string part(const std::string& name, const Json& shard) {
  return written(name, Json{{"findings", Json::array()}, {"shard", shard}}.dump());
}

std::string refusal(const Json& other) {
  Parts parts;
  parts.read(part("first.json", header(1, 2)));
  try {
    parts.read(part("other.json", other));
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Parts, NamesWhatIsMissing) {
  Parts parts;
  EXPECT_FALSE(parts.read(part("2.json", header(2, 4))).is_null());
  EXPECT_THAT(parts.missing(), ElementsAre(1, 3, 4));
  EXPECT_EQ(parts.missing_text(), "3 of 4 shards are missing: 1, 3, 4");
  for (const int index : {1, 3, 4}) parts.read(part("n.json", header(index, 4)));
  EXPECT_EQ(parts.missing_text(), "");
  EXPECT_TRUE(parts.problems().empty());
}

TEST(Parts, AShardThatRanTwiceCountsOnce) {
  Parts parts;
  EXPECT_FALSE(parts.read(part("a.json", header(1, 1))).is_null());
  EXPECT_TRUE(parts.read(part("b.json", header(1, 1))).is_null());
  EXPECT_TRUE(parts.problems().empty());
}

TEST(Parts, DamagedFilesAreNamedAndPassedOver) {
  Parts parts;
  const std::string whole = Json{{"shard", header(1, 2)}}.dump();
  for (std::size_t size = 0; size < whole.size(); size += 7)
    EXPECT_TRUE(parts.read(written("cut.json", whole.substr(0, size))).is_null());
  EXPECT_TRUE(parts.read(written("none.json", "{\"findings\": []}")).is_null());
  EXPECT_TRUE(parts.read(written("list.json", "[1]")).is_null());
  EXPECT_TRUE(parts.read(written("text.json", "{\"shard\": {\"index\": \"x\"}}")).is_null());
  EXPECT_TRUE(parts.read("/no/such/file").is_null());
  EXPECT_THAT(parts.problems().front(), HasSubstr("cut.json: is damaged, or was not written"));
  EXPECT_THAT(parts.problems().back(), HasSubstr("/no/such/file: cannot be opened"));
  EXPECT_TRUE(parts.header().is_null());
}

TEST(Parts, OtherCampaignsAreRefused) {
  Json other = header(2, 2);
  EXPECT_EQ(refusal(other), "");
  other["builds"] = {"def"};
  EXPECT_THAT(refusal(other), HasSubstr("other.json is of another build of the program than"));
  other = header(2, 2);
  other["options"]["seed"] = 2;
  EXPECT_THAT(refusal(other), HasSubstr("with other options than"));
  EXPECT_THAT(refusal(other), HasSubstr("seed is 2, not 1"));
  EXPECT_THAT(refusal(header(2, 3)), HasSubstr("other.json is one of 3 shards"));
}

}  // namespace
}  // namespace isosan::campaign
