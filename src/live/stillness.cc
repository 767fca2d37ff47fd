#include "live/stillness.h"

namespace isosan {

void Stillness::take(Kind kind, std::uint8_t detail, Address address) {
  const bool unchanged = kind == Kind::kAtomicRmw && (detail & kUnchanged) != 0;
  if (has(kind, trait::kChanges) && !unchanged) {
    start_again();
  } else if (!is_operation(kind)) {
    return;
  } else if (knows(address)) {
    ++operations_;
  } else {
    operations_ = 0;
  }
}

// Operations in a circle come to their places in the same order. A place that is new is noted.
bool Stillness::knows(Address address) {
  for (std::size_t i = 0; i < known_; ++i) {
    at_ = at_ + 1 < known_ ? at_ + 1 : 0;
    if (places_[at_] == address) return true;
  }
  if (known_ == kMostPlaces) known_ = 0;
  at_ = known_++;
  places_[at_] = address;
  return false;
}

}  // namespace isosan
