#include "analysis/atomsanitizer/location.h"

#include <algorithm>
#include <memory>

namespace isosan::atomsanitizer {

Location::Location(const Location& other)
    : writer_(other.writer_), slot_(other.slot_), readers_(other.readers_) {
  if (other.table() == nullptr) return;
  Mark* copy = make_table(other.last() + 1);
  std::copy_n(other.table(), other.last() + 1, copy);
  readers_ = reinterpret_cast<std::uintptr_t>(copy) | (other.readers_ & ~kAddress);
}

Mark* Location::make_table(std::uint32_t size) {
  void* memory = ::operator new (size * sizeof(Mark), std::align_val_t{64});
  Mark* table = static_cast<Mark*>(memory);
  std::uninitialized_default_construct_n(table, size);
  ISOSAN_CHECK((reinterpret_cast<std::uintptr_t>(table) & ~kAddress) == 0);
  return table;
}

bool Location::replace_hashed(const Mark& mark) {
  if (!is_hashed()) return false;
  Mark& slot = table()[mark.thread() & last()];
  if (slot.thread() != mark.thread()) return false;
  slot = mark;
  readers_ |= flag_of(mark.thread()) << kFlagShift;
  return true;
}

// Another thread's mark may be in this one's slot: probe further, or grow.
void Location::set_reader(const Mark& mark) {
  if (replace_reader(mark)) return;
  const std::uint32_t slots_to_try = table() == nullptr || is_hashed() ? last() + 1 : 0;
  for (std::uint32_t i = 0; i < slots_to_try; ++i) {
    Mark& slot = slots()[(mark.thread() + i) & last()];
    if (slot.is_later_than(writer_) && slot.thread() != mark.thread()) continue;
    slot = mark;
    readers_ |= flag_of(mark.thread()) << kFlagShift;
    return;
  }
  grow(mark.thread());
  set_reader(mark);
}

// Makes room for a thread.
void Location::grow(std::uint32_t thread) {
  std::uint32_t highest = thread;
  for_each_reader([&](const Mark& mark) { highest = std::max(highest, mark.thread()); });
  const bool owned = highest < kOwners;
  const std::uint32_t size =
      owned ? std::max(8u, std::bit_ceil(highest + 1)) : std::max(8u, (last() + 1) * 2);
  ISOSAN_CHECK(size <= 1u << 15);
  const auto log = static_cast<std::uint32_t>(std::countr_zero(size));
  Location larger;
  larger.writer_ = writer_;
  larger.readers_ = reinterpret_cast<std::uintptr_t>(make_table(size)) | (owned ? log : 0);
  if (!owned) larger.slot_.transaction_ = Epoch(kNoThread, log);
  for_each_reader([&](const Mark& mark) { larger.set_reader(mark); });
  *this = std::move(larger);
}

}  // namespace isosan::atomsanitizer
