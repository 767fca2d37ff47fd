// Files that their owner changes while they are read, and what is no plain file.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>

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

TEST(HostileFile, ALineEndInAPathAsksOneQuestion) {
  const auto frames = symbolize({{"none\n/proc/self/exe", 1}, {"none", 2}});
  EXPECT_EQ(frames.size(), 2u);
}

}  // namespace
}  // namespace isosan
