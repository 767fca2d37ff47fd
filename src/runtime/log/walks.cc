#include "runtime/log/walks.h"

namespace isosan::rt {
namespace {

using log::Walk;

std::uint64_t bit_of(const log::ThreadBlock* block, const Walk& walk) {
  return std::uint64_t{1} << (&walk - block->walks);
}

// The block's limit as it would be without open walks.
void give_room(log::ThreadBlock* block) {
  if (block->open_walks != 0) block->limit = block->room;
}
void take_room(log::ThreadBlock* block) {
  if (block->open_walks == 0) return;
  block->room = block->limit;
  block->limit = block->position;
}

void append_walk(log::ThreadBlock* block, const Walk& walk) {
  log::LogUnit units[log::kWalkUnits];
  switch (log::units_of(walk, units)) {
    case 1:
      return append<1>(block, {units[0]});
    case 2:
      return append<2>(block, {units[0], units[1]});
    default:
      return append<3>(block, units);
  }
}

// A short walk did not pay: more predictions must be right before the next one opens.
constexpr std::uint32_t kShort = 8;
constexpr std::uint32_t kHighest = 32;
std::uint16_t next_hurdle(const Walk& walk) {
  if (walk.count >= kShort) return 1;
  const std::uint32_t higher = 2u * walk.hurdle + 2;
  return static_cast<std::uint16_t>(higher < kHighest ? higher : kHighest);
}

// Marked closed after its record is appended: if the program dies in between, the reader has the
// walk twice, not never.
void close(log::ThreadBlock* block, Walk& walk) {
  ISOSAN_CHECK((block->open_walks & bit_of(block, walk)) != 0);
  append_walk(block, walk);
  keep_order_of_stores();
  block->open_walks &= ~bit_of(block, walk);
  keep_order_of_stores();
  walk.place |= log::kWalkClosed;
  walk.hurdle = next_hurdle(walk);
  walk.count = 0;
}

void open(log::ThreadBlock* block, Walk& walk, std::uint32_t size) {
  walk.size = static_cast<std::uint16_t>(size);
  walk.begun = ++block->walks_begun;
  walk.next += log::step_of(walk);
  ISOSAN_DEBUG_CHECK(log::step_of(walk) != 0);
  walk.count = 1;
  walk.before[0] = walk.before[1] = Walk::kNoWord;
  walk.place &= ~log::kWalkClosed;
  keep_order_of_stores();
  block->open_walks |= bit_of(block, walk);
}

}  // namespace

// append() may call this again.
void close_open_walks(log::ThreadBlock* block) {
  if (block->closing_walks != 0) return;
  block->closing_walks = 1;
  give_room(block);
  log::for_each_open_walk(*block, [&](Walk& walk) { close(block, walk); });
  block->closing_walks = 0;
  ISOSAN_DEBUG_CHECK(block->open_walks == 0);
}

void log_beside_walks(log::ThreadBlock* block, std::uint64_t place, std::uint64_t address,
                      std::uint32_t size) {
  constexpr std::uint64_t kMost = log::kWalkUnits + 1;
  Walk& walk = walk_at(block, place);
  if (block->open_walks != 0) {
    if (block->room - block->position < kMost) close_open_walks(block);
    give_room(block);
    if ((block->open_walks & bit_of(block, walk)) != 0) close(block, walk);
  }
  const std::uint32_t epoch = low_epoch(block);
  const bool has_room =
      block->limit != block->position;  // else something else must be logged first
  if (may_open(walk, epoch, place, address) && log::distance_of(walk) >= size && has_room &&
      block->limit != ~std::uint64_t{0}) {
    open(block, walk, size);
  } else {
    predict_next(walk, epoch, place, address);
    append_at_place(block, place, address, size);
  }
  take_room(block);
}

}  // namespace isosan::rt
