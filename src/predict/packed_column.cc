#include "predict/packed_column.h"

namespace isosan::predict {

void PackedColumn::close() {
  const auto [least, most] = std::ranges::minmax(open_);
  Block block{.least = least,
              .width = static_cast<std::uint32_t>(std::bit_width(most - least) + 7) / 8};
  block.mask = block.width == 0 ? 0 : ~std::uint32_t{0} >> (32 - 8 * block.width);
  // Any number is read as four bytes.
  block.bytes = std::make_unique<std::uint8_t[]>(kBlock * block.width + sizeof(std::uint32_t));
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint32_t distance = open_[i] - least;
    std::memcpy(block.bytes.get() + i * block.width, &distance, block.width);
  }
  blocks_.push_back(std::move(block));
  open_.clear();
}

}  // namespace isosan::predict
