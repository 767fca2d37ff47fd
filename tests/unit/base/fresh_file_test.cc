// Files that replace others: never through a link, never by half.
#include "base/fresh_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "oracle/fresh_path.h"

namespace isosan {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fresh_path("files");
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t count() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  std::string folder_;
};

TEST_F(Files, TakeTheirPlaceWhenTheyAreComplete) {
  std::ofstream(path("a")) << "old";
  chmod(path("a").c_str(), 0640);
  FreshFile file(path("a"));
  ASSERT_TRUE(file.is_open());
  ASSERT_TRUE(file.write("new"));
  EXPECT_EQ(text_of(path("a")), "old");
  ASSERT_TRUE(file.complete("er"));
  EXPECT_EQ(text_of(path("a")), "newer");
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms{0640});
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, LeaveNothingWhenTheyAreGivenUp) {
  { EXPECT_TRUE(FreshFile(path("a")).is_open()); }
  EXPECT_EQ(count(), 0);
}

TEST_F(Files, ReplaceALinkAndLeaveWhatItPointsTo) {
  std::ofstream(path("secret")) << "secret";
  for (const char* target : {"secret", "nowhere", "/dev/null"}) {
    fs::remove(path("a"));
    fs::create_symlink(target, path("a"));
    FreshFile file(path("a"));
    ASSERT_TRUE(file.complete("text"));
    EXPECT_EQ(text_of(path("secret")), "secret");
    EXPECT_FALSE(fs::is_symlink(path("a")));
    EXPECT_EQ(text_of(path("a")), "text");
  }
  EXPECT_EQ(count(), 2);
}

TEST_F(Files, OfADeviceAreOpenedAsTheyAre) {
  FreshFile file("/dev/null");
  EXPECT_TRUE(file.complete("text"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(Files, OfAPipeAreOpenedAsTheyAre) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = text_of(path("pipe")); });
  {
    FreshFile file(path("pipe"));
    EXPECT_TRUE(file.complete("text"));
  }
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(Files, OfADescriptorAreThatDescriptor) {
  const int fd = ::open(path("a").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(fd, "1", 1), 1);
  for (const std::string folder : {"/dev/fd/", "/proc/self/fd/"}) {
    FreshFile file(folder + std::to_string(fd));
    EXPECT_TRUE(file.complete("2"));
  }
  ::close(fd);
  EXPECT_EQ(text_of(path("a")), "122");
}

TEST_F(Files, ThatCannotBeMadeSayWhy) {
  EXPECT_FALSE(FreshFile(path("no/folder")).is_open());
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(FreshFile(folder_).is_open());
  EXPECT_EQ(errno, EISDIR);
}

}  // namespace
}  // namespace isosan
