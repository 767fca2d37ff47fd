// Units of a thread's log as bytes: the raw payload of log chunks, before zstd.
//
// Model: a unit is a *template* (code, detail, extra and place) and a *value*: the address, or the
// second word of units that are one number (extensions, ranges, event indices). Encoder and decoder
// keep the same table of the templates seen last. For each template it has the last value, and the
// step to it from the one before. A unit is encoded as a header of 16 bits (slot of the template,
// number of bytes) and the difference between its value and the predicted one (last value plus
// step), in that many bytes. An unknown template is written out and takes its slot.
//
// Why: the recorder shares the processor with the program that it records. A unit costs it one look
// into the table and two stores, however many templates there are; a loop over an array becomes 2
// bytes per access, and they repeat, which zstd then finds.
// Not here: what a place is. The encoder gets ids for the places of new templates; so in a file a
// place is an id, and the decoder checks it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "runtime/contract/log_format.h"
#include "trace/order/log_decoder.h"

namespace isosan {

// Units whose second word is one number.
constexpr bool second_word_is_value(std::uint8_t code) {
  return code == static_cast<std::uint8_t>(log::Code::kExtension) ||
         code == static_cast<std::uint8_t>(log::Code::kEventIndex) ||
         code == static_cast<std::uint8_t>(log::Code::kRange);
}

namespace unitcodec {

inline constexpr int kSlotBits = 10;
inline constexpr std::size_t kSlots = std::size_t{1} << kSlotBits;
inline constexpr unsigned kNew = 15;  // instead of a number of bytes: a template follows
inline constexpr std::size_t kNewBytes = 2 + 24;  // header, template, value

// Predicts the value of a slot's next unit.
struct ValuePrediction {
  std::uint64_t last = 0;
  std::uint64_t step = 0;

  std::uint64_t expected() const { return last + step; }
  void take(std::uint64_t value) {
    step = value - last;
    last = value;
  }
};

}  // namespace unitcodec

class UnitEncoder {
 public:
  // Adds units; `with_ids(unit, next)` gives a unit with ids instead of places (it is called for
  // the first of each template; `next` may be null), `id_of_site(place)` that of a call's place.
  template <class WithIds, class IdOfSite>
  void add(std::span<const log::LogUnit> units, WithIds&& with_ids, IdOfSite&& id_of_site);

  std::size_t size() const { return count_; }
  std::string_view bytes() const { return {bytes_.data(), used_}; }
  void clear();  // forgets what was added, and the templates

 private:
  struct Slot {
    std::uint64_t head = 0;  // code, detail; the chunk that it was seen in
    std::uint64_t place = 0;
    unitcodec::ValuePrediction prediction;
  };
  static std::size_t slot_of(std::uint64_t head, std::uint64_t place) {
    return ((place + (head << 40)) * 0x9e3779b97f4a7c15u) >> (64 - unitcodec::kSlotBits);
  }
  static constexpr std::size_t kRoom = 512;  // units that make_room() makes room for
  void make_room();
  template <class WithIds, class IdOfSite>
  void add_where_room_is(std::span<const log::LogUnit> units, std::size_t count, WithIds& with_ids,
                         IdOfSite& id_of_site);

  std::vector<char> bytes_;  // more than are used
  std::size_t used_ = 0;
  std::size_t count_ = 0;
  std::uint64_t chunk_ = std::uint64_t{1} << 16;  // above code and detail
  std::array<Slot, unitcodec::kSlots> slots_{};
};

class UnitDecoder {
 public:
  static constexpr std::size_t kPadding = 8;  // bytes that must be readable behind the payload

  // Decodes a chunk of `count` units into units(). `makes_sense(unit)` judges each new template
  // (its value is 0), `is_site(id)` the places of calls. False: `raw` is no such chunk.
  template <class MakesSense, class IsSite>
  bool decode(std::string_view raw, std::size_t count, MakesSense&& makes_sense, IsSite&& is_site);

  std::span<const log::LogUnit> units() const { return units_; }

 private:
  struct Slot {
    std::uint64_t chunk = 0;             // in which it was set
    log::LogUnit unit;                   // with value 0
    std::uint64_t mask0 = 0, mask1 = 0;  // where the value goes
    bool is_call = false;                // the value is the id of a site
    unitcodec::ValuePrediction prediction;
  };

  std::vector<log::LogUnit> units_;
  std::uint64_t chunk_ = 0;
  std::array<Slot, unitcodec::kSlots> slots_{};
};

template <class WithIds, class IdOfSite>
void UnitEncoder::add(std::span<const log::LogUnit> units, WithIds&& with_ids,
                      IdOfSite&& id_of_site) {
  count_ += units.size();
  while (!units.empty()) {
    make_room();
    const std::size_t now = std::min(units.size(), kRoom);
    add_where_room_is(units, now, with_ids, id_of_site);
    units = units.subspan(now);
  }
}

// Encodes the first `count` units. The write position is in a register: to the compiler, stores of
// bytes may change any member.
template <class WithIds, class IdOfSite>
void UnitEncoder::add_where_room_is(std::span<const log::LogUnit> units, std::size_t count,
                                    WithIds& with_ids, IdOfSite& id_of_site) {
  const std::uint64_t chunk = chunk_;
  char* out = bytes_.data() + used_;
  const auto put = [&out](const auto& number) {
    std::memcpy(out, &number, sizeof number);
    out += sizeof number;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const log::LogUnit unit = units[i];
    const bool second = second_word_is_value(log::code_of(unit));
    const std::uint64_t head = unit.word0 >> 48 | chunk;
    const std::uint64_t place = second ? 0 : unit.word1;
    std::uint64_t value = second ? unit.word1 : log::address_of(unit);
    if (is_call_with_site(unit)) [[unlikely]]
      value = id_of_site(value);
    const std::size_t number = slot_of(head & 0xffff, place);
    Slot& slot = slots_[number];
    if (slot.head != head || slot.place != place) [[unlikely]] {
      const log::LogUnit listed =
          second ? log::LogUnit{unit.word0, 0}
                 : with_ids(unit, i + 1 < units.size() ? &units[i + 1] : nullptr);
      put(static_cast<std::uint16_t>(number | unitcodec::kNew << unitcodec::kSlotBits));
      put(log::LogUnit{listed.word0 & ~log::kLow48, listed.word1});
      put(value);
      slot = {head, place, {value, 0}};
      continue;
    }
    const std::uint64_t difference = value - slot.prediction.expected();
    const std::uint64_t zigzag = difference << 1 ^ (0 - (difference >> 63));
    const auto length = static_cast<unsigned>((71 - std::countl_zero(zigzag)) / 8);
    slot.prediction.take(value);
    put(static_cast<std::uint16_t>(number | length << unitcodec::kSlotBits));
    std::memcpy(out, &zigzag, sizeof zigzag);
    out += length;
  }
  used_ = static_cast<std::size_t>(out - bytes_.data());
}

template <class MakesSense, class IsSite>
bool UnitDecoder::decode(std::string_view raw, std::size_t count, MakesSense&& makes_sense,
                         IsSite&& is_site) {
  const char* next = raw.data();
  const char* const end = next + raw.size();
  const auto get = [&](auto& number) {
    std::memcpy(&number, next, sizeof number);
    next += sizeof number;
  };
  ++chunk_;
  units_.resize(count);
  for (log::LogUnit& out : units_) {
    if (end - next < 2) return false;
    std::uint16_t header;
    get(header);
    Slot& slot = slots_[header % unitcodec::kSlots];
    const unsigned length = header >> unitcodec::kSlotBits;
    if (length == unitcodec::kNew) [[unlikely]] {
      if (end - next < static_cast<std::ptrdiff_t>(unitcodec::kNewBytes - 2)) return false;
      std::uint64_t value;
      get(out);
      get(value);
      if ((out.word0 & log::kLow48) != 0 || !makes_sense(out)) return false;
      const bool second = second_word_is_value(log::code_of(out));
      if (second && out.word1 != 0) return false;
      slot = {chunk_,
              out,
              second ? 0 : log::kLow48,
              second ? ~std::uint64_t{0} : 0,
              is_call_with_site(out),
              {value, 0}};
    } else {
      if (length > 8 || slot.chunk != chunk_) return false;
      std::uint64_t zigzag;
      std::memcpy(&zigzag, next, sizeof zigzag);  // at most kPadding behind the end
      next += length;
      zigzag &= length == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << length * 8) - 1;
      slot.prediction.take(slot.prediction.expected() + (zigzag >> 1 ^ (0 - (zigzag & 1))));
    }
    const std::uint64_t value = slot.prediction.last;
    if (slot.is_call && !is_site(value)) [[unlikely]]
      return false;
    out = {slot.unit.word0 | (value & slot.mask0), slot.unit.word1 | (value & slot.mask1)};
  }
  return next == end;
}

}  // namespace isosan
