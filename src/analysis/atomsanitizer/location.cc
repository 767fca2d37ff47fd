#include "analysis/atomsanitizer/location.h"

#include <algorithm>
#include <memory>

namespace isosan::atomsanitizer {

Location::Location(const Location& other)
    : writer_(other.writer_), readers_(other.readers_), slot_(other.slot_) {
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

// Another thread's mark may stand where this one belongs: probe on, or make room.
void Location::set_reader(const Mark& mark) {
  for (std::uint32_t i = 0; i <= last(); ++i) {
    Mark& slot = slots()[(mark.thread() + i) & last()];
    if (slot.is_later_than(writer_) && slot.thread() != mark.thread()) continue;
    slot = mark;
    readers_ |= flag_of(mark.thread()) << kFlagShift;
    return;
  }
  grow();
  set_reader(mark);
}

void Location::grow() {
  const std::uint32_t old_size = last() + 1;
  const std::uint32_t size = old_size == 1 ? 8 : old_size * 2;
  ISOSAN_CHECK(size <= 1u << 15);
  Location larger;
  larger.writer_ = writer_;
  larger.readers_ = reinterpret_cast<std::uintptr_t>(make_table(size)) |
                    static_cast<std::uintptr_t>(std::countr_zero(size));
  for_each_reader([&](const Mark& mark) { larger.set_reader(mark); });
  *this = std::move(larger);
}

}  // namespace isosan::atomsanitizer
