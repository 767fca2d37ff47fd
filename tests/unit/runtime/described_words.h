// Shadow words built from a description, and what the table of transition.h says of the
// description: one actor (slot kMe, epoch kNow), one other slot.
#pragma once

#include <vector>

#include "runtime/ownership/transition.h"

namespace isosan::rt::described {

inline constexpr std::uint32_t kMe = 5, kOther = 9;
inline constexpr std::uint64_t kNow = 20, kLimit = 7;
inline constexpr std::uint64_t kCovered = 30;  // epochs of the other that my clock covers
inline constexpr Actor kActor{make_tag(kMe, kNow), make_owner(kMe), kLimit};

enum class Shape { kNobody, kWrEx, kRdEx, kRdSh, kContended };

struct Described {
  Shape shape{};
  bool held = false;
  std::uint32_t slot = 0;
  std::uint64_t epoch = 0;  // RdSh: the counter
  Word read_mask = 0;
  Word write_mask = 0;
  Word flags = 0;  // RdEx: clean, settled
};

inline Word word_of(const Described& d) {
  const Word held = d.held ? kHeld : 0;
  switch (d.shape) {
    case Shape::kNobody:
      return 0;
    case Shape::kWrEx:
      return (make_tag(d.slot, d.epoch) & ~kMasks) | d.write_mask << kWriteMaskShift | d.read_mask |
             held;
    case Shape::kRdEx:
      return (make_tag(d.slot, d.epoch) & ~(kMasks | kWriteBit)) | d.read_mask | d.flags | held;
    case Shape::kRdSh:
      return kReadShared | d.epoch | held;
    case Shape::kContended:
      return make_contended_word(d.epoch) | held;
  }
  return 0;
}

inline Action expected(const Described& d, Word mask, Need need) {
  if (d.held) return Action::kWait;
  const bool writes = need == Need::kWrite;
  switch (d.shape) {
    case Shape::kNobody:
      return Action::kTake;
    case Shape::kWrEx:
    case Shape::kRdEx: {
      const bool mine = d.slot == kMe;
      if (mine) {
        const Word logged = writes ? (d.shape == Shape::kWrEx ? d.write_mask : 0) : d.read_mask;
        return d.epoch == kNow && (mask & ~logged) == 0 ? Action::kNothing : Action::kMark;
      }
      if (d.epoch <= kCovered) return Action::kTake;
      return d.shape == Shape::kRdEx && !writes ? Action::kShare : Action::kAskOwner;
    }
    case Shape::kRdSh:
      if (writes) return Action::kAskReaders;
      return d.epoch <= kLimit ? Action::kLogShared : Action::kOrderShared;
    case Shape::kContended:
      return Action::kUseContended;
  }
  return Action::kWait;
}

inline std::vector<Word> masks_of_accesses() {
  std::vector<Word> masks;
  for (const std::uint64_t size : {1, 2, 4, 8})
    for (std::uint64_t at = 0; at + size <= 8; ++at) masks.push_back(byte_mask(at, size));
  return masks;
}

inline std::vector<Described> all_words() {
  const std::vector<Word> kept = {0x00, 0x01, 0x03, 0x0f, 0xf0, 0x80, 0x7f, 0xff};
  std::vector<Described> all{{Shape::kNobody}};
  for (const bool held : {false, true}) {
    for (const std::uint32_t slot : {kMe, kOther}) {
      for (const std::uint64_t epoch :
           {std::uint64_t{1}, kNow - 1, kNow, kNow + 1, kCovered, kCovered + 1, kMaxEpoch}) {
        if (slot == kMe && epoch > kNow) continue;  // no word is of a later epoch of mine
        for (const Word read : kept) {
          for (const Word write : kept)
            if ((write & ~read) == 0) all.push_back({Shape::kWrEx, held, slot, epoch, read, write});
          for (const Word flags : {Word{0}, kClean, kSettled, kClean | kSettled})
            all.push_back({Shape::kRdEx, held, slot, epoch, read, 0, flags});
        }
      }
    }
    for (const std::uint64_t counter : {std::uint64_t{1}, kLimit, kLimit + 1, Word{1} << 59})
      all.push_back({Shape::kRdSh, held, 0, counter});
    for (const std::uint64_t life : {std::uint64_t{0}, std::uint64_t{77}})
      all.push_back({Shape::kContended, held, 0, life});
  }
  return all;
}

inline bool covers(std::uint32_t slot, std::uint64_t epoch) {
  return slot == kOther && epoch <= kCovered;
}

}  // namespace isosan::rt::described
