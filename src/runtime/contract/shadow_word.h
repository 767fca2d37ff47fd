// The shadow word: one for each 8 bytes of memory, an Octet state (Bond et al. 2013) with the epoch
// of its owner and, for exclusive states, the bytes that the owner has logged in that epoch.
//
//   bit  63     exclusive
//        62     exclusive: 1 WrEx, 0 RdEx         not exclusive: 1 RdSh, 0 nobody (word is 0)
//        61     held: a transfer or an atomic operation is under way; only the holder may store
//        49-60  slot of the owner (a live thread; ended threads' slots are used again)
//        16-48  epoch of the owner
//         8-15  write mask: bytes written and logged in this epoch (WrEx)
//               in RdEx bit 8 is `clean`, bit 9 `settled`
//         0-7   read mask: bytes read or written, and logged, in this epoch
//   RdSh: bits 0-60 are the counter, from 1; with bit 60 it is contended (modes/locksets.h):
//        49-59  its life
//        48     it has a guard
//         0-47  that lock; without: 1 + the slot of who used it last, 0: many did
//
// RdEx: a thread that is ordered after the owner's epochs before this one, and after everything in
// the owner's clock, comes after the last write. (Therefore a word that came to a reader by nothing
// but a marker is WrEx.)
// Clean: the owner has not written since it took the word; to be ordered after everything in the
// owner's clock is enough.
// Settled: the owner's last write was in an epoch before this one, and the owner has published that
// epoch since (Slot::published).
// A write sets both masks: after it a read of the same bytes in the same epoch adds nothing.
// Invariant: a thread that is ordered after epoch e of the owner is ordered after every access to
// the granule so far. Law: slot kNoSlot owns no word, so a tag with it never matches.
#pragma once

#include <cstdint>

namespace isosan::rt {

using Word = std::uint64_t;

inline constexpr Word kExclusive = Word{1} << 63;
inline constexpr Word kWriteBit = Word{1} << 62;
inline constexpr Word kHeld = Word{1} << 61;
inline constexpr Word kReadShared = kWriteBit;  // with kExclusive clear

inline constexpr int kSlotShift = 49;
inline constexpr int kSlotBits = 12;
inline constexpr int kEpochShift = 16;
inline constexpr int kEpochBits = 33;
inline constexpr int kWriteMaskShift = 8;
inline constexpr Word kMasks = 0xffff;
inline constexpr Word kClean = Word{1} << kWriteMaskShift;  // RdEx only
inline constexpr Word kSettled = kClean << 1;               // RdEx only
inline constexpr Word kSlotField = ((Word{1} << kSlotBits) - 1) << kSlotShift;
inline constexpr Word kEpochField = ((Word{1} << kEpochBits) - 1) << kEpochShift;
inline constexpr Word kCounterField = kHeld - 1;
static_assert((kExclusive | kWriteBit | kHeld | kSlotField | kEpochField | kMasks) == ~Word{0});

inline constexpr std::uint32_t kMaxSlots = (1u << kSlotBits) - 1;
inline constexpr std::uint32_t kNoSlot = kMaxSlots;
inline constexpr std::uint64_t kMaxEpoch = (std::uint64_t{1} << kEpochBits) - 1;

// What ThreadBlock::tag and ThreadBlock::owner hold. kNeverTag and kNeverOwner match no word: full
// mode uses both, strict mode the second (so that the own-older-epoch path is a call there).
constexpr Word make_tag(std::uint32_t slot, std::uint64_t epoch) {
  return kExclusive | kWriteBit | Word{slot} << kSlotShift | Word{epoch} << kEpochShift | kMasks;
}
constexpr Word make_owner(std::uint32_t slot) { return kExclusive | Word{slot} << kSlotShift; }
inline constexpr Word kNeverTag = make_tag(kNoSlot, 0);
inline constexpr Word kNeverOwner = make_owner(kNoSlot);

constexpr std::uint32_t slot_of(Word w) {
  return static_cast<std::uint32_t>((w & kSlotField) >> kSlotShift);
}
constexpr std::uint64_t epoch_of(Word w) { return (w & kEpochField) >> kEpochShift; }
constexpr bool is_exclusive(Word w) { return (w & kExclusive) != 0; }
constexpr bool is_written(Word w) {
  return (w & (kExclusive | kWriteBit)) == (kExclusive | kWriteBit);
}
constexpr bool is_read_shared(Word w) { return (w & (kExclusive | kWriteBit)) == kReadShared; }
constexpr bool is_held(Word w) { return (w & kHeld) != 0; }
constexpr std::uint64_t counter_of(Word w) { return w & kCounterField; }

// A counter above every limit: no inline check settles it.
inline constexpr Word kContended = kReadShared | Word{1} << 60;
inline constexpr int kLifeShift = 49;
inline constexpr int kLifeBits = 11;
inline constexpr Word kLifeField = ((Word{1} << kLifeBits) - 1) << kLifeShift;
inline constexpr Word kGuarded = Word{1} << 48;
constexpr bool is_contended(Word w) { return (w & (kExclusive | kContended)) == kContended; }
constexpr Word make_contended_word(std::uint64_t life) {  // without a guard, used by many
  return kContended | (life << kLifeShift & kLifeField);
}
constexpr Word with_guard(Word w, std::uint64_t lock) {
  return w | kGuarded | (lock & (kGuarded - 1));
}
constexpr std::uint64_t guard_of(Word w) { return (w & kGuarded) != 0 ? w & (kGuarded - 1) : 0; }
constexpr std::uint64_t life_of(Word w) { return (w & kLifeField) >> kLifeShift; }
constexpr Word used_last_by(Word w, std::uint32_t slot) {
  return (w & (kContended | kLifeField | kHeld)) | (slot + 1);
}
// kNoSlot: many did.
constexpr std::uint32_t last_user(Word w) {
  return (w & kGuarded) != 0 || (w & kMasks) == 0 ? kNoSlot
                                                  : static_cast<std::uint32_t>(w & kMasks) - 1;
}

// The bytes of its granule that an access of `size` at `address` touches; it must not cross over.
constexpr Word byte_mask(std::uint64_t address, std::uint64_t size) {
  return ((Word{1} << size) - 1) << (address & 7);
}

// Hit: mine, in this epoch, in the mode needed, and these bytes are logged. Nothing to do.
constexpr bool write_hits(Word word, Word tag, Word mask) {
  return ((word ^ tag) & (~kMasks | mask << kWriteMaskShift)) == 0;
}
constexpr bool read_hits(Word word, Word tag, Word mask) {
  return ((word ^ tag) & ((~kMasks & ~kWriteBit) | mask)) == 0;
}
// Mine in some epoch, and not held: the access is logged and the word becomes ..._claimed(), with
// no call (architecture rule 2). Never true where ThreadBlock::owner is kNeverOwner.
constexpr bool own(Word word, Word owner) {
  return ((word ^ owner) & (kExclusive | kHeld | kSlotField)) == 0;
}
constexpr Word read_flags(Word word) {
  return (word & kWriteBit) == 0 ? word & (kClean | kSettled) : 0;
}
constexpr bool is_clean(Word word) { return (read_flags(word) & kClean) != 0; }
constexpr Word without_read_flags(Word word) { return word & ~read_flags(word); }
constexpr Word write_claimed(Word word, Word tag, Word mask) {
  const Word same_epoch =
      ((word ^ tag) & kEpochField) == 0 ? without_read_flags(word) : (tag & ~kMasks);
  return same_epoch | kWriteBit | mask << kWriteMaskShift | mask;
}
// `published`: the last epoch that the owner has, where the word has its own.
constexpr Word read_claimed(Word word, Word tag, Word mask, Word published) {
  if (((word ^ tag) & kEpochField) == 0) return word | mask;
  const Word settled = (word & kEpochField) <= published ? kSettled : 0;
  return (tag & ~(kMasks | kWriteBit)) | read_flags(word) | settled | mask;
}
// Read-shared, and I am ordered after its writer: log unless the filter has it, nothing else.
constexpr bool shared_read_ordered(Word word, std::uint64_t rdsh_limit) {
  return (word ^ kReadShared) <= rdsh_limit;
}

// The filter of read-shared reads: kFilterEntries words at ThreadBlock::filter. A hit is an access
// already logged in this epoch (architecture rule 6). After a miss: log, store the key, and store
// the epoch (epoch_of(tag)) to ThreadBlock::last_rdsh before the access.
// An entry stands for its bytes and any subset of them. Reads of 2 and 4 bytes add their bytes to
// the entry of their granule if that is of the same epoch; other reads replace the entry. (So pairs
// of bytes are combined. A mask that stands for more than a granule is no union of pairs and one
// run, so it is never made by chance. The other granules of such a read have entries of their own
// as well.)
// A thread that writes to a read-shared word looks here, too, for when others read it: an entry is
// never older than the one it replaced. So entries are emptied, never removed. An entry does not
// repeat the bits of the granule that its index implies. That leaves more bits for the key, and the
// filter has to be cleared rarely.
inline constexpr int kFilterBits = 15;
inline constexpr std::uint64_t kFilterEntries = std::uint64_t{1} << kFilterBits;
inline constexpr int kFilterGranuleShift = 3 + kFilterBits;  // of the address
inline constexpr int kFilterMaskShift = 48 - kFilterGranuleShift;
inline constexpr int kFilterEpochShift = kFilterMaskShift + 8;
inline constexpr std::uint64_t kFilterMaskField = std::uint64_t{0xff} << kFilterMaskShift;
constexpr std::uint64_t filter_index(std::uint64_t address) {
  return (address >> 3) & (kFilterEntries - 1);
}
constexpr std::uint64_t filter_entry(std::uint64_t address, Word mask, std::uint64_t filter_key) {
  return ((address & ((std::uint64_t{1} << 48) - 1)) >> kFilterGranuleShift) |
         mask << kFilterMaskShift | filter_key;
}

constexpr bool filter_has(std::uint64_t kept, std::uint64_t entry) {
  return ((kept ^ entry) & (entry | ~kFilterMaskField)) == 0;
}

}  // namespace isosan::rt
