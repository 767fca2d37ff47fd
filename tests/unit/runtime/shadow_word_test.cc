#include "runtime/abi/shadow_word.h"

#include <gtest/gtest.h>

namespace isosan::rt {
namespace {

constexpr Word kTag = make_tag(5, 10);
constexpr Word kLaterTag = make_tag(5, 11);
constexpr Word kMask = byte_mask(0x1000, 4);
constexpr Word kOtherMask = byte_mask(0x1004, 4);
constexpr Word kReadClean = (kTag & ~(kMasks | kWriteBit)) | kMask | kClean;
constexpr Word kReadOnly = kReadClean & ~kClean;
constexpr Word kWritten = write_claimed(kReadOnly, kTag, kMask);

TEST(ShadowWord, HitsOnlyTheBytesAndTheModeThatAreLogged) {
  EXPECT_TRUE(read_hits(kReadClean, kTag, kMask));
  EXPECT_FALSE(read_hits(kReadClean, kTag, kOtherMask));
  EXPECT_FALSE(read_hits(kReadClean, kLaterTag, kMask));
  EXPECT_FALSE(write_hits(kReadClean, kTag, kMask));
  EXPECT_TRUE(write_hits(kWritten, kTag, kMask));
  EXPECT_FALSE(write_hits(kWritten, kTag, kOtherMask));
}

TEST(ShadowWord, CleanIsABitOfReadExclusiveWordsOnly) {
  EXPECT_EQ(clean_bit(kReadClean), kClean);
  EXPECT_EQ(clean_bit(kReadOnly), Word{0});
  EXPECT_EQ(clean_bit(kWritten), Word{0}) << "there the bit is the first byte of the write mask";
  EXPECT_EQ(without_clean_bit(kReadClean), kReadOnly);
  EXPECT_EQ(without_clean_bit(kWritten), kWritten);
}

// Were the bit kept, it would say that byte 0 is written and logged.
TEST(ShadowWord, AWriteTakesTheCleanBit) {
  const Word word = write_claimed(kReadClean, kTag, kOtherMask);
  EXPECT_TRUE(is_written(word));
  EXPECT_TRUE(write_hits(word, kTag, kOtherMask));
  EXPECT_FALSE(write_hits(word, kTag, byte_mask(0x1000, 1)));
  EXPECT_TRUE(read_hits(word, kTag, kMask)) << "what was read before in this epoch stays logged";
}

TEST(ShadowWord, AWriteInALaterEpochForgetsTheMasks) {
  const Word word = write_claimed(kReadClean, kLaterTag, kOtherMask);
  EXPECT_EQ(epoch_of(word), 11u);
  EXPECT_FALSE(read_hits(word, kLaterTag, kMask));
  EXPECT_TRUE(write_hits(word, kLaterTag, kOtherMask));
}

TEST(ShadowWord, AReadInALaterEpochKeepsClean) {
  const Word clean = read_claimed(kReadClean, kLaterTag, kOtherMask);
  EXPECT_EQ(clean_bit(clean), kClean);
  EXPECT_FALSE(read_hits(clean, kLaterTag, kMask));
  EXPECT_TRUE(read_hits(clean, kLaterTag, kOtherMask));
  EXPECT_EQ(clean_bit(read_claimed(kReadOnly, kLaterTag, kMask)), Word{0});
  const Word after_write = read_claimed(kWritten, kLaterTag, kMask);
  EXPECT_EQ(clean_bit(after_write), Word{0}) << "its owner wrote";
  EXPECT_FALSE(is_written(after_write));
}

TEST(ShadowWord, OwnIsMineInAnyEpochUnlessHeld) {
  EXPECT_TRUE(own(kReadClean, make_owner(5)));
  EXPECT_FALSE(own(kReadClean, make_owner(6)));
  EXPECT_FALSE(own(kReadClean | kHeld, make_owner(5)));
  EXPECT_FALSE(own(kReadClean, kNeverOwner));
}

}  // namespace
}  // namespace isosan::rt
