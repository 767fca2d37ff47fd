#include "base/byte_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace isosan {
namespace {

TEST(ByteMap, AccessesMeetExactlyWhereTheyShareAByte) {
  ByteMap<int> map;
  map.visit(16, 4, [](int& cell) { cell = 1; });
  map.visit(20, 4, [](int& cell) {
    EXPECT_EQ(cell, 0);
    cell = 2;
  });
  std::multiset<int> seen;
  map.visit(18, 4, [&](int& cell) { seen.insert(cell); });
  EXPECT_EQ(seen, (std::multiset<int>{1, 2}));
}

TEST(ByteMap, ResetForgetsTheBytesInsideOnly) {
  ByteMap<int> map;
  map.visit(0, 8, [](int& cell) { cell = 7; });
  map.reset(2, 3);
  std::multiset<int> seen;
  map.visit(0, 8, [&](int& cell) { seen.insert(cell); });
  EXPECT_TRUE(seen.contains(7));
  map.visit(2, 3, [](int& cell) { EXPECT_EQ(cell, 0); });
}

TEST(ByteMap, VisitsWhatIsThere) {
  ByteMap<int> map;
  map.visit(4, 8, [](int& cell) { cell = 7; });
  std::map<std::uint64_t, std::uint64_t> pieces;
  map.visit_present(0, 6, [&](int&, PieceBytes bytes) { pieces[bytes.first()] = bytes.count(); });
  map.visit_present(8, 1 << 20,
                    [&](int&, PieceBytes bytes) { pieces[bytes.first()] = bytes.count(); });
  EXPECT_EQ(pieces, (std::map<std::uint64_t, std::uint64_t>{{4, 2}, {8, 4}}));
  EXPECT_EQ(map.live_pages(), 1u);
}

TEST(ByteMap, ForgetsRangesThatAreLargerThanWhatThereIs) {
  ByteMap<int> map;
  for (const std::uint64_t address : {0, 500, 512, 1024, 4096})
    map.visit(address, 8, [](int& cell) { cell = 7; });
  map.reset(504, std::uint64_t{1} << 40);
  int known = 0;
  for (const std::uint64_t address : {0, 500, 504, 512, 1024, 4096})
    map.visit(address, 4, [&](int& cell) { known += cell == 7; });
  EXPECT_EQ(known, 2);
}

TEST(ByteMap, TellsWhichBytesAPieceStandsFor) {
  ByteMap<int> map;
  map.visit(18, 2, [](int&) {});
  std::map<std::uint64_t, std::uint64_t> pieces;
  map.visit(16, 12, [&](int&, PieceBytes bytes) { pieces[bytes.first()] = bytes.count(); });
  EXPECT_EQ(pieces, (std::map<std::uint64_t, std::uint64_t>{{16, 6}, {18, 2}, {24, 4}}));
}

// An array of int: soon each element has a piece of its own in the page.
TEST(ByteMap, ElementsOfFourBytesBecomeGranulesOfTheirOwn) {
  ByteMap<int> map;
  map.visit(512, 512, [](int& cell) { cell = 5; });
  for (std::uint64_t address = 512; address < 1024; address += 4) {
    map.visit(address, 4, [&](int& cell) {
      EXPECT_EQ(cell, 5);
      cell = static_cast<int>(address);
    });
  }
  for (std::uint64_t address = 512; address < 1024; address += 4) {
    int* cell = map.whole(address, 4);
    if (address >= 512 + 32 * 4) {
      ASSERT_NE(cell, nullptr) << address;
      EXPECT_EQ(*cell, static_cast<int>(address));
    }
    EXPECT_EQ(map.whole(address & ~7u, 8), nullptr);
  }
  std::vector<int> seen;
  map.visit(1016, 8, [&](int& cell) { seen.push_back(cell); });
  EXPECT_EQ(seen, (std::vector<int>{1016, 1020}));
  map.reset(1016, 4);
  map.visit(1014, 4, [&](int& cell) { EXPECT_TRUE(cell == 1012 || cell == 0); });
}

// The reference is one cell per byte: a visit bumps each byte, and each piece must agree with its
// bytes.
TEST(ByteMap, AgreesWithOneCellPerByteOnRandomAccesses) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    ByteMap<int> map;
    std::map<std::uint64_t, int> bytes;
    const bool halves = round % 2 == 0;  // many: the pages get smaller granules
    for (int step = 1; step < (halves ? 200 : 60); ++step) {
      const bool half = halves && random() % 4 != 0;
      const std::uint64_t address = half ? random() % 32 * 4 : random() % 40;
      const std::uint64_t size = half ? 4 : 1 + random() % 20;
      if (random() % 8 == 0) {
        map.reset(address, size);
        for (std::uint64_t b = address; b < address + size; ++b) bytes.erase(b);
        continue;
      }
      std::multiset<int> expected, seen;
      for (std::uint64_t b = address; b < address + size; ++b) expected.insert(bytes[b]);
      map.visit(address, size, [&](int& cell) {
        seen.insert(cell);
        cell = step;
      });
      for (std::uint64_t b = address; b < address + size; ++b) bytes[b] = step;
      EXPECT_EQ(std::set<int>(expected.begin(), expected.end()),
                std::set<int>(seen.begin(), seen.end()));
    }
  }
}

TEST(ByteMap, DropsThePagesOfWhichAllMayGo) {
  ByteMap<int> map;
  for (const std::uint64_t byte : {0, 1, 100, 512, 2000})
    map.visit(byte, 1, [&](int& cell) { cell = byte == 1 ? 7 : 1; });
  for (std::uint64_t word = 4096; word < 4608; word += 4)  // halves: a page of small granules
    map.visit(word, 4, [](int& cell) { cell = 1; });
  const std::uint64_t before = map.bytes();
  EXPECT_EQ(map.collect([](int cell) { return cell != 7; }), 3 * 512u);
  EXPECT_EQ(map.live_pages(), 1u);
  EXPECT_LT(map.bytes(), before);
  map.visit(0, 2, [](int& cell) { EXPECT_TRUE(cell == 7 || cell == 1); });
  map.visit(512, 1, [](int& cell) { EXPECT_EQ(cell, 0); });
  EXPECT_EQ(map.collect([](int) { return true; }), 1024u);
  EXPECT_EQ(map.bytes(), 0u);
}

TEST(ByteMap, PiecesOfAForgottenPageAreUsedAgain) {
  ByteMap<std::uint64_t> map;
  static_assert(ByteMap<std::uint64_t>::bytes_per_piece() == 16);
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t byte = 0; byte < 512; ++byte) {
      map.visit(byte, 1, [&](std::uint64_t& cell) {
        EXPECT_EQ(cell, 0u);
        cell = byte + 1;
      });
    }
    for (std::uint64_t byte = 0; byte < 512; ++byte) {
      map.visit(byte, 1, [&](std::uint64_t& cell) { EXPECT_EQ(cell, byte + 1); });
    }
    map.reset(0, 512);
    EXPECT_EQ(map.live_pages(), 0u);
  }
}

}  // namespace
}  // namespace isosan
