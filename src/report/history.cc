#include "report/history.h"

#include <algorithm>
#include <iterator>

namespace isosan {
namespace {

bool is_history(Kind kind) {
  return kind == Kind::kAcquire || kind == Kind::kRelease || kind == Kind::kAllocate ||
         kind == Kind::kFree;
}

void give_up(std::vector<HeldLock>& held, Address lock) {
  const auto last =
      std::find_if(held.rbegin(), held.rend(), [&](const HeldLock& h) { return h.lock == lock; });
  if (last != held.rend()) held.erase(std::next(last).base());
}

}  // namespace

void History::feed(std::span<const Event> batch, std::uint64_t first_ordinal) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (is_history(batch[i].kind)) [[unlikely]]
      take(batch[i], first_ordinal + i);
  }
}

void History::take(const Event& event, std::uint64_t ordinal) {
  const Where where{ordinal, event.thread, event.site, event.context};
  if (event.kind == Kind::kAllocate) {
    if (blocks_.size() < kMostBlocks) blocks_[event.address] = {event.address, event.size, where};
    return;
  }
  if (event.kind == Kind::kFree) {
    blocks_.erase(event.address);
    return;
  }
  if (event.depth > 0) return;
  if (index(event.thread) >= held_.size()) held_.resize(index(event.thread) + 1);
  event.kind == Kind::kAcquire ? acquire(event, where) : release(event, where);
}

void History::acquire(const Event& event, const Where& where) {
  const HeldLock held{event.address, mode_in(event.detail), where};
  held_[index(event.thread)].push_back(held);
  keep({true, held, where});
}

void History::release(const Event& event, const Where& where) {
  std::vector<HeldLock>& held = held_[index(event.thread)];
  const auto given_up = std::find_if(held.rbegin(), held.rend(),
                                     [&](const HeldLock& h) { return h.lock == event.address; });
  if (given_up == held.rend()) return;
  keep({false, *given_up, where});
  give_up(held, event.address);
}

void History::keep(const LockOperation& operation) {
  if (ring_.size() < kKept) {
    ring_.push_back(operation);
  } else {
    ring_[operations_ % kKept] = operation;
  }
  ++operations_;
}

std::vector<HeldLock> History::locks_at(const Where& where) const {
  if (index(where.thread) >= held_.size()) return {};
  std::vector<HeldLock> held = held_[index(where.thread)];
  for (std::uint64_t back = 1; back <= operations_; ++back) {
    if (back > kKept) return {};  // too long ago
    const LockOperation& operation = ring_[(operations_ - back) % kKept];
    if (operation.where.ordinal < where.ordinal) break;
    if (operation.where.thread != where.thread) continue;
    if (operation.acquired) {
      give_up(held, operation.held.lock);
    } else {
      held.push_back(operation.held);
    }
  }
  std::ranges::sort(held, {}, [](const HeldLock& h) { return h.taken.ordinal; });
  return held;
}

StepEvidence History::of(const FindingStep& step) const {
  StepEvidence evidence{.locks = locks_at(step.where), .block = {}};
  const auto after = blocks_.upper_bound(step.address);
  if (after != blocks_.begin()) {
    const MemoryBlock& block = std::prev(after)->second;
    const bool inside = step.address - block.address < block.size;
    if (inside && block.allocated.ordinal < step.where.ordinal) evidence.block = block;
  }
  return evidence;
}

}  // namespace isosan
