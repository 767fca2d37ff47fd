// Files that their owner changes while they are read, and what is no plain file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/input_error.h"
#include "oracle/fresh_path.h"
#include "symbolize/elf_file.h"
#include "symbolize/symbolizer.h"

namespace isosan {
namespace {

TEST(HostileFile, MadeShorterReadsAsZeros) {
  const std::string path = fresh_path("shrinking");
  std::filesystem::copy_file("/proc/self/exe", path);
  const ElfFile file(path);
  EXPECT_FALSE(file.symbols(SymbolKind::kFunction).empty());
  ASSERT_EQ(truncate(path.c_str(), 5000), 0);
  EXPECT_TRUE(file.symbols(SymbolKind::kFunction).empty());
  EXPECT_EQ(file.build_id(), "");
  std::remove(path.c_str());
}

TEST(HostileFileDeathTest, AnyOtherBusErrorEndsTheProcess) {
  const ElfFile file("/proc/self/exe");
  EXPECT_EXIT(raise(SIGBUS); pause(), testing::KilledBySignal(SIGBUS), "");
}

TEST(HostileFile, APipeIsNotWaitedFor) {
  const std::string path = fresh_path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_THROW(ElfFile{path}, InputError);
  EXPECT_TRUE(symbolize({{path, 1}}).at(0).empty());
  std::remove(path.c_str());
}

TEST(HostileFile, OtherFormatsAreRefused) {
  const std::string path = fresh_path("text");
  std::ofstream(path) << std::string(1000, 'x');
  EXPECT_THAT([&] { ElfFile{path}; }, ::testing::ThrowsMessage<InputError>(
                                          ::testing::HasSubstr(": not a 64-bit ELF file")));
  std::remove(path.c_str());
}

TEST(HostileFile, MoreThanThereIsRoomForAreRefused) {
  std::vector<std::unique_ptr<ElfFile>> files;
  const auto open_another = [&] { files.push_back(std::make_unique<ElfFile>("/proc/self/exe")); };
  EXPECT_THAT(
      [&] {
        for (int i = 0; i < 100'000; ++i) open_another();
      },
      ::testing::ThrowsMessage<InputError>(::testing::HasSubstr(": too many files")));
  files.pop_back();
  EXPECT_NO_THROW(open_another());
}

TEST(HostileFile, ALineEndInAPathAsksOneQuestion) {
  const auto frames = symbolize({{"none\n/proc/self/exe", 1}, {"none", 2}});
  EXPECT_EQ(frames.size(), 2u);
}

}  // namespace
}  // namespace isosan
