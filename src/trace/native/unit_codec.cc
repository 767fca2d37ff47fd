#include "trace/native/unit_codec.h"

#include <algorithm>

namespace isosan {

void UnitEncoder::make_room() {
  // A difference is stored as 8 bytes, of which those that count stay.
  const std::size_t most = used_ + kRoom * unitcodec::kNewBytes + sizeof(std::uint64_t);
  if (bytes_.size() < most) bytes_.resize(std::max(most, bytes_.size() * 2));
}

void UnitEncoder::clear() {
  used_ = count_ = 0;
  chunk_ += std::uint64_t{1} << 16;
}

}  // namespace isosan
