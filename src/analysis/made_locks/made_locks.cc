#include "analysis/made_locks/made_locks.h"

#include <algorithm>

namespace isosan {
namespace {

MemoryOrder order_of(const Event& e) { return order_in(e.detail); }
bool acquires(MemoryOrder order) {
  return order == MemoryOrder::kAcquire || order == MemoryOrder::kAcqRel ||
         order == MemoryOrder::kSeqCst;
}
bool releases(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kSeqCst;
}

bool changes(const Event& e) { return e.kind == Kind::kAtomicRmw && (e.detail & kUnchanged) == 0; }
// A step of a counter takes no lock, and neither does what orders nothing.
bool may_take(const Event& e) { return (e.detail & kStep) == 0 && acquires(order_of(e)); }

bool is_of_interest(const Event& e) {
  return is_atomic(e.kind) || e.kind == Kind::kAllocate || e.kind == Kind::kFree;
}

bool acts_on_others(const Event& e) {
  if (e.kind == Kind::kAtomicRmw) return changes(e);
  return writes(e.kind) || has(e.kind, trait::kSetsW | trait::kJoinsR);
}

void become_lock_operation(Event& e, Kind kind) {
  e.kind = kind;
  e.detail = static_cast<std::uint8_t>(LockMode::kExclusive);
  e.depth = 0;
  e.size = 0;
}

void leave_out(Event& e) {
  e.kind = Kind::kFence;
  e.detail = static_cast<std::uint8_t>(MemoryOrder::kRelaxed);
  e.depth = 0;
  e.address = e.size = 0;
}

}  // namespace

MadeLocks::Decided MadeLocks::take(std::span<const Event> batch, std::uint64_t first_ordinal) {
  drop_handed_out();
  if (held_.empty()) {
    if (std::none_of(batch.begin(), batch.end(), is_of_interest)) return {batch, first_ordinal};
    first_ = first_ordinal;
  }
  const std::size_t next = held_.size();
  held_.insert(held_.end(), batch.begin(), batch.end());
  for (std::size_t i = next; i < held_.size(); ++i) judge(held_[i], first_ + i);
  const std::uint64_t end = first_ + held_.size();
  if (held_.size() - handed_out_ > kMostHeld) forget_before(end - kMostHeld);
  return hand_out(undecided_.empty() ? end : undecided_.begin()->first);
}

MadeLocks::Decided MadeLocks::finish() {
  drop_handed_out();
  return hand_out(first_ + held_.size());
}

void MadeLocks::judge(Event& e, std::uint64_t ordinal) {
  const bool acts = acts_on_others(e);
  const ThreadId thread = e.thread;
  if (e.kind == Kind::kAllocate || e.kind == Kind::kFree) {
    forget_words(e.address, e.size);
  } else if (changes(e)) {
    change(e, ordinal);
  } else if (e.kind == Kind::kAtomicStore) {
    give_up(e);
  } else if (e.kind == Kind::kAtomicLoad || e.kind == Kind::kAtomicRmw) {
    look(e, ordinal);
  }
  if (acts) ++effects_of(thread);
}

void MadeLocks::change(Event& e, std::uint64_t ordinal) {
  Word& word = words_.try_emplace(e.address, Word{.size = e.size}).first->second;
  if (word.is_refused) return;
  if (word.size != e.size || word.taken != kNone || !may_take(e)) return refuse(word);
  repeat_looks(word, e.thread);
  word.taken = ordinal;
  word.holder = e.thread;
  undecided_.emplace(ordinal, e.address);
}

void MadeLocks::give_up(Event& e) {
  const auto found = words_.find(e.address);
  if (found == words_.end() || found->second.is_refused) return;
  Word& word = found->second;
  if (word.taken == kNone || word.holder != e.thread || word.size != e.size ||
      !releases(order_of(e)))
    return refuse(word);
  become_lock_operation(at(word.taken), Kind::kAcquire);
  become_lock_operation(e, Kind::kRelease);
  undecided_.erase(word.taken);
  word.taken = kNone;
  word.is_lock = true;
  leave_repeated_out(word);
}

void MadeLocks::look(const Event& e, std::uint64_t ordinal) {
  const auto found = words_.find(e.address);
  if (found == words_.end() || found->second.is_refused) return;
  Word& word = found->second;
  if (word.taken != kNone && word.holder == e.thread) return;
  repeat_looks(word, e.thread);
  word.looks.push_back({.ordinal = ordinal,
                        .thread = e.thread,
                        .effects = effects_of(e.thread),
                        .is_repeated = e.kind == Kind::kAtomicRmw});
  undecided_.emplace(ordinal, e.address);
}

// The thread looks again or takes the lock. A try that failed needs no repetition: it changed
// nothing, and it may fail for no reason.
void MadeLocks::repeat_looks(Word& word, ThreadId thread) {
  const std::uint64_t effects = effects_of(thread);
  std::erase_if(word.looks, [&](Look& look) {
    if (look.thread != thread || look.is_repeated) return false;
    look.is_repeated = look.effects == effects;
    if (!look.is_repeated) undecided_.erase(look.ordinal);
    return !look.is_repeated;
  });
  if (word.is_lock) leave_repeated_out(word);
}

void MadeLocks::leave_repeated_out(Word& word) {
  std::erase_if(word.looks, [&](const Look& look) {
    if (!look.is_repeated) return false;
    leave_out(at(look.ordinal));
    undecided_.erase(look.ordinal);
    return true;
  });
}

void MadeLocks::refuse(Word& word) {
  if (word.taken != kNone) undecided_.erase(word.taken);
  for (const Look& look : word.looks) undecided_.erase(look.ordinal);
  word = {.is_refused = true};
}

void MadeLocks::forget_words(Address address, std::uint64_t size) {
  const auto first = words_.lower_bound(address), last = words_.lower_bound(address + size);
  for (auto word = first; word != last; ++word) refuse(word->second);
  words_.erase(first, last);
}

void MadeLocks::forget_before(std::uint64_t ordinal) {
  const auto last = undecided_.lower_bound(ordinal);
  for (auto it = undecided_.begin(); it != last; ++it) {
    Word& word = words_.at(it->second);
    if (word.taken == it->first) word.taken = kNone;
    std::erase_if(word.looks, [&](const Look& look) { return look.ordinal == it->first; });
  }
  undecided_.erase(undecided_.begin(), last);
}

std::uint64_t& MadeLocks::effects_of(ThreadId thread) {
  if (index(thread) >= effects_.size()) effects_.resize(index(thread) + 1);
  return effects_[index(thread)];
}

void MadeLocks::drop_handed_out() {
  if (handed_out_ < held_.size() && handed_out_ < kMostHeld) return;
  held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(handed_out_));
  first_ += handed_out_;
  handed_out_ = 0;
}

MadeLocks::Decided MadeLocks::hand_out(std::uint64_t until) {
  const std::uint64_t from = first_ + handed_out_;
  handed_out_ = until - first_;
  return {std::span(held_).subspan(from - first_, until - from), from};
}

}  // namespace isosan
