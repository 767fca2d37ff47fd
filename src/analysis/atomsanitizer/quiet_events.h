// The usual events: reads, writes and exclusive lock operations that no dependence with an effect
// leads to. Each is recorded in its location, and nothing else changes.
//
// Which of the four kinds comes next is unpredictable, and a mispredicted branch costs as much as
// the rest of the work. So reads and writes share one path without a branch, and acquires and
// releases another one; and these paths keep the analysis's tables in registers. Law: take() either
// does what on() would do, or nothing.
#pragma once

#include "analysis/atomsanitizer/atomsanitizer.h"

namespace isosan {

class AtomSanitizer::Quiet {
 public:
  // Valid until another event changes threads or tables.
  explicit Quiet(AtomSanitizer& analysis)
      : a_(analysis),
        threads_(analysis.threads_.data()),
        threads_end_(threads_ + analysis.threads_.size()),
        first_reached_(analysis.table_.first_reached()) {}

  [[gnu::always_inline]] bool take(const Event& e, std::uint64_t ordinal) const {
    Thread* const u = threads_ + index(e.thread);
    if (u >= threads_end_ || u->transaction == Epoch{}) [[unlikely]]
      return false;
    // The whole kind word: a walk, a shared or a re-entrant operation has other bits.
    const std::uint32_t kind = static_cast<std::uint32_t>(e.kind) | std::uint32_t{e.detail} << 8 |
                               std::uint32_t{e.depth} << 16;
    if (kind <= kWrite) return take_access(*u, e, kind, ordinal);
    if ((kind | 1) == kRelease) return take_lock_operation(*u, e, kind, ordinal);
    return false;
  }

 private:
  static constexpr auto kWrite = static_cast<std::uint32_t>(Kind::kWrite);
  static constexpr auto kRelease = static_cast<std::uint32_t>(Kind::kRelease);
  static_assert(static_cast<std::uint32_t>(Kind::kRead) == 0 && kWrite == 1);
  static_assert((static_cast<std::uint32_t>(Kind::kAcquire) | 1) == kRelease);

  [[gnu::always_inline]] bool has_effect(const Thread& u, Epoch from) const {
    return ReachTable::has_effect(from, first_reached_, u.known);
  }
  [[gnu::always_inline]] static Mark mark_of(const Thread& u, std::uint64_t kind, const Event& e,
                                             std::uint64_t ordinal) {
    return AtomSanitizer::mark_of(u, static_cast<Kind>(kind),
                                  {ordinal, e.thread, e.site, e.context});
  }

  [[gnu::always_inline]] bool take_access(const Thread& u, const Event& e, std::uint64_t kind,
                                          std::uint64_t ordinal) const {
    Location* const location = a_.memory_.recent(e.address, e.size);
    if (location == nullptr || has_effect(u, location->writer().transaction())) [[unlikely]]
      return false;
    const std::uint32_t thread = u.transaction.thread();
    const std::uint64_t writes = 0 - kind;
    if (location->lacks_slot(thread, writes)) [[unlikely]]
      return false;
    if (location->has_readers_among(~u.only_flag & writes) && a_.readers_have_effect(u, *location))
        [[unlikely]] {
      return false;
    }
    location->place_for(thread, u.flag, writes) = mark_of(u, kind, e, ordinal);
    return true;
  }

  [[gnu::always_inline]] bool take_lock_operation(const Thread& u, const Event& e,
                                                  std::uint64_t kind, std::uint64_t ordinal) const {
    Location* const lock = a_.objects_.recent(e.address);
    if (lock == nullptr || has_effect(u, lock->writer().transaction()) || lock->has_readers())
        [[unlikely]] {
      return false;
    }
    lock->place_for(kind == kRelease, a_.nowhere_) = mark_of(u, kind, e, ordinal);
    return true;
  }

  AtomSanitizer& a_;
  Thread* const threads_;
  Thread* const threads_end_;
  const ReachTable::Number* const first_reached_;
};

}  // namespace isosan
