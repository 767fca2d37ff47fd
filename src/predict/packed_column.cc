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

void PackedColumn::Reader::unpack() {
  if (at_ / kBlock == column_.blocks_.size()) {
    std::ranges::copy(column_.open_, numbers_.begin());
    return;
  }
  const Block& block = column_.blocks_[at_ / kBlock];
  for (std::size_t i = 0; i < kBlock; ++i) numbers_[i] = block.number(i);
}

}  // namespace isosan::predict
