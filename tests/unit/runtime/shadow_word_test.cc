#include "runtime/contract/shadow_word.h"

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
constexpr Word published(std::uint64_t epoch) { return Word{epoch} << kEpochShift; }
constexpr Word kUnpublished = published(9);

TEST(ShadowWord, HitsOnlyTheBytesAndTheModeThatAreLogged) {
  EXPECT_TRUE(read_hits(kReadClean, kTag, kMask));
  EXPECT_FALSE(read_hits(kReadClean, kTag, kOtherMask));
  EXPECT_FALSE(read_hits(kReadClean, kLaterTag, kMask));
  EXPECT_FALSE(write_hits(kReadClean, kTag, kMask));
  EXPECT_TRUE(write_hits(kWritten, kTag, kMask));
  EXPECT_FALSE(write_hits(kWritten, kTag, kOtherMask));
}

TEST(ShadowWord, ReadFlagsAreBitsOfReadExclusiveWordsOnly) {
  EXPECT_EQ(read_flags(kReadClean), kClean);
  EXPECT_EQ(read_flags(kReadOnly), Word{0});
  EXPECT_EQ(read_flags(kReadOnly | kSettled), kSettled);
  EXPECT_EQ(read_flags(kWritten), Word{0}) << "there the bits are of the write mask";
  EXPECT_EQ(without_read_flags(kReadClean | kSettled), kReadOnly);
  EXPECT_EQ(without_read_flags(kWritten), kWritten);
}

// Were the bits kept, they would say that bytes 0 and 1 are written and logged.
TEST(ShadowWord, AWriteTakesTheReadFlags) {
  const Word word = write_claimed(kReadClean | kSettled, kTag, kOtherMask);
  EXPECT_TRUE(is_written(word));
  EXPECT_TRUE(write_hits(word, kTag, kOtherMask));
  EXPECT_FALSE(write_hits(word, kTag, byte_mask(0x1000, 1)));
  EXPECT_FALSE(write_hits(word, kTag, byte_mask(0x1001, 1)));
  EXPECT_TRUE(read_hits(word, kTag, kMask)) << "what was read before in this epoch stays logged";
}

TEST(ShadowWord, AWriteInALaterEpochForgetsTheMasks) {
  const Word word = write_claimed(kReadClean, kLaterTag, kOtherMask);
  EXPECT_EQ(epoch_of(word), 11u);
  EXPECT_FALSE(read_hits(word, kLaterTag, kMask));
  EXPECT_TRUE(write_hits(word, kLaterTag, kOtherMask));
}

TEST(ShadowWord, AReadInALaterEpochKeepsClean) {
  const Word clean = read_claimed(kReadClean, kLaterTag, kOtherMask, kUnpublished);
  EXPECT_EQ(read_flags(clean), kClean);
  EXPECT_FALSE(read_hits(clean, kLaterTag, kMask));
  EXPECT_TRUE(read_hits(clean, kLaterTag, kOtherMask));
  EXPECT_EQ(read_flags(read_claimed(kReadOnly, kLaterTag, kMask, kUnpublished)), Word{0});
  const Word after_write = read_claimed(kWritten, kLaterTag, kMask, kUnpublished);
  EXPECT_EQ(read_flags(after_write), Word{0}) << "its owner wrote";
  EXPECT_FALSE(is_written(after_write));
}

TEST(ShadowWord, AReadFindsTheWordSettledIfItsLastEpochIsPublished) {
  EXPECT_EQ(read_flags(read_claimed(kWritten, kLaterTag, kMask, published(10))), kSettled);
  EXPECT_EQ(read_flags(read_claimed(kReadOnly, kLaterTag, kMask, published(10))), kSettled);
  EXPECT_EQ(read_flags(read_claimed(kWritten, kTag, kOtherMask, published(10))), Word{0})
      << "it was written in this epoch";
  const Word settled = read_claimed(kReadOnly | kSettled, kLaterTag, kMask, kUnpublished);
  EXPECT_EQ(read_flags(settled), kSettled) << "by what was published before its last epoch";
}

TEST(ShadowWord, OwnIsMineInAnyEpochUnlessHeld) {
  EXPECT_TRUE(own(kReadClean, make_owner(5)));
  EXPECT_FALSE(own(kReadClean, make_owner(6)));
  EXPECT_FALSE(own(kReadClean | kHeld, make_owner(5)));
  EXPECT_FALSE(own(kReadClean, kNeverOwner));
}

}  // namespace
}  // namespace isosan::rt
