// Maps names to numbers, for text in which names repeat.
//
// Model: an open-addressed table from bytes to a 32-bit value. A name of at most 7 bytes *is* its
// key (bytes and length in one word), so finding it is one multiplication and one compare; a longer
// one is found by hash and then compared. No std::string is made to look something up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "xxhash.h"

namespace isosan {

class NameTable {
 public:
  static constexpr std::uint32_t kMissing = ~std::uint32_t{0};

  // The key of a name where 8 bytes can be read from `p`, whatever its length.
  static std::uint64_t key_of(const char* p, std::size_t length) {
    if (length > 7) [[unlikely]]
      return long_key(p, length);
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    const std::uint64_t mask = (std::uint64_t{1} << (length * 8)) - 1;
    return (word & mask) | std::uint64_t{length} << 56;
  }

  std::uint32_t find(std::uint64_t key, const char* p, std::size_t length) const {
    for (std::size_t i = slot_of(key);; i = (i + 1) & mask_) {
      const Slot& slot = slots_[i];
      if (slot.key == key) [[likely]] {
        if (length <= 7 || same_long_name(slot, p, length)) return slot.value;
      } else if (slot.value == kMissing) {
        return kMissing;
      }
    }
  }

  std::uint32_t find(std::string_view name) const {
    return find(key_of(name), name.data(), name.size());
  }

  // The name must not be in the table, the value not kMissing.
  void insert(std::string_view name, std::uint32_t value) {
    if (++count_ * 4 > slots_.size()) grow();
    std::uint32_t long_name = 0;
    if (name.size() > 7) {
      long_name = static_cast<std::uint32_t>(long_names_.size());
      long_names_.emplace_back(name);
    }
    place({key_of(name), value, long_name});
  }

  std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = kMissing;
    std::uint32_t long_name = 0;  // index into long_names_ where the key is a hash
  };

  static std::uint64_t key_of(std::string_view name) {
    char bytes[8] = {};
    if (name.size() > 7) return long_key(name.data(), name.size());
    name.copy(bytes, name.size());
    return key_of(bytes, name.size());
  }
  static std::uint64_t long_key(const char* p, std::size_t length) {
    return XXH3_64bits(p, length) | std::uint64_t{0xff} << 56;
  }
  bool same_long_name(const Slot& slot, const char* p, std::size_t length) const {
    return long_names_[slot.long_name] == std::string_view(p, length);
  }
  std::size_t slot_of(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> shift_);
  }
  void place(const Slot& slot) {
    std::size_t i = slot_of(slot.key);
    while (slots_[i].value != kMissing) i = (i + 1) & mask_;
    slots_[i] = slot;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    mask_ = slots_.size() - 1;
    --shift_;
    for (const Slot& slot : old) {
      if (slot.value != kMissing) place(slot);
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most a quarter full
  std::size_t mask_ = 63;
  int shift_ = 64 - 6;  // 64 minus the logarithm of the number of slots
  std::size_t count_ = 0;
  std::vector<std::string> long_names_;
};

}  // namespace isosan
