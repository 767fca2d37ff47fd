#include "trace/order/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "event/quiet_selection.h"

namespace isosan {

namespace {

bool is_shared(const Event& e) { return mode_in(e.detail) == LockMode::kShared; }

}  // namespace

Validator::Validator(std::unique_ptr<TraceSource> source, const TraceOptions& options)
    : source_(std::move(source)), lenient_(options.lenient) {}

std::span<const Event> Validator::next() {
  if (error_) throw InputError(*error_);
  for (;;) {
    const std::span<const Event> batch = source_->next();
    if (!any_) is_quiet_ = is_quiet(tables().selection);
    if (batch.empty()) {
      if (!any_ && !is_quiet_)
        throw InputError(fmt::format("{}: the trace has no events", source_->where(0)));
      return {};
    }
    any_ = true;
    if (lenient_) {
      if (const auto rest = without_ill_formed(batch); !rest.empty()) return rest;
      continue;
    }
    Problem problem = Problem::kNone;
    const std::size_t i = first_ill_formed(batch, problem);
    if (i == batch.size()) [[likely]]
      return batch;
    error_.emplace(describe(i, batch[i], problem));
    if (i == 0) throw InputError(*error_);
    return batch.first(i);
  }
}

std::span<const Event> Validator::without_ill_formed(std::span<const Event> batch) {
  kept_.clear();
  indices_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (const Problem problem = check(batch[i]); problem != Problem::kNone) {
      passed_over_.add(describe(i, batch[i], problem));
      continue;
    }
    kept_.push_back(batch[i]);
    indices_.push_back(i);
  }
  return kept_;
}

Validator::LockState& Validator::add_lock(Address address, std::size_t slot) {
  if (++lock_count_ * 4 <= locks_.size()) {
    locks_[slot].address = address;
    return locks_[slot];
  }
  std::vector<LockState> old(locks_.size() * 2);
  old.swap(locks_);
  --lock_shift_;
  lock_count_ = 1;
  for (const LockState& lock : old) {
    if (lock.address != kNoLock) lock_at(lock.address) = lock;
  }
  return lock_at(address);
}

inline Validator::Problem Validator::check_lock(const Event& e) {
  LockState& lock = lock_at(e.address);
  const bool acquires = e.kind == Kind::kAcquire;
  if (is_shared(e) || lock.shared > 0) [[unlikely]] {
    return acquires ? acquire_beside_shared(e, lock) : release_beside_shared(e, lock);
  }
  const bool free = lock.exclusive == 0;
  const bool own = lock.owner == e.thread;
  const bool possible = acquires ? free | own : !free;
  if (!possible) [[unlikely]] {
    holder_ = lock.owner;
    return acquires ? Problem::kHeldByAnother : Problem::kNotHeld;
  }
  lock.owner = acquires ? e.thread : lock.owner;
  lock.exclusive += acquires ? 1u : ~0u;
  if (!lock.listed) [[unlikely]]
    list(lock);
  return Problem::kNone;
}

Validator::Problem Validator::acquire_beside_shared(const Event& e, LockState& lock) {
  holder_ = lock.owner;
  if (lock.exclusive > 0 && lock.owner != e.thread) return Problem::kHeldByAnother;
  list(lock);
  if (is_shared(e)) {
    shared_holders_[lock.address].push_back(e.thread);
    ++lock.shared;
    return Problem::kNone;
  }
  for (const ThreadId holder : shared_holders_[lock.address]) {
    holder_ = holder;
    if (holder != e.thread) return Problem::kHeldByAnother;
  }
  lock.owner = e.thread;
  ++lock.exclusive;
  return Problem::kNone;
}

Validator::Problem Validator::release_beside_shared(const Event& e, LockState& lock) {
  if (is_shared(e)) {
    std::vector<ThreadId>& holders = shared_holders_[lock.address];
    if (holders.empty()) return Problem::kNotHeld;
    const auto holder = std::find(holders.begin(), holders.end(), e.thread);
    holders.erase(holder == holders.end() ? holder - 1 : holder);
    --lock.shared;
    return Problem::kNone;
  }
  if (lock.exclusive == 0) return Problem::kNotHeld;
  --lock.exclusive;
  return Problem::kNone;
}

void Validator::list(LockState& lock) {
  if (!lock.listed) listed_.push_back(lock.address);
  lock.listed = true;
}

void Validator::forget_locks(Address address, std::uint64_t size) {
  std::erase_if(listed_, [&](Address a) {
    LockState& lock = lock_at(a);
    if (a - address < size) {
      lock.exclusive = lock.shared = 0;
      shared_holders_.erase(a);
    }
    lock.listed = lock.exclusive > 0 || lock.shared > 0;
    return !lock.listed;
  });
}

// Which kind comes next is hard to predict, and a mispredicted branch costs more than the check. So
// the first loop has no branch that depends on the kind: it checks that threads are alive, and sets
// region edges and lock operations aside for separate loops.
std::size_t Validator::first_ill_formed(std::span<const Event> batch, Problem& problem) {
  const BatchOutline* const outline = source_->outline();
  if (outline != nullptr && all_run(outline->threads)) [[likely]]
    return settle(batch, outline->positions, problem);
  const ThreadState* threads = threads_.data();  // in registers, as all of this loop
  std::size_t thread_count = threads_.size();
  edges_and_locks_.start(batch.size());
  EdgesAndLocks::Filler aside(edges_and_locks_);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const std::uint32_t number = index(batch[i].thread);
    const unsigned meaning = meaning_of(batch[i].kind);
    if (number >= thread_count || threads[number].life != Life::kRunning || meaning == kRare)
        [[unlikely]] {
      aside.finish();
      const std::size_t bad = settle(batch, edges_and_locks_, problem);
      if (bad < batch.size()) return bad;
      aside = EdgesAndLocks::Filler(edges_and_locks_);
      problem = check_rare(batch[i]);
      if (problem != Problem::kNone) return i;
      threads = threads_.data();
      thread_count = threads_.size();
    }
    aside.add(i, meaning);
  }
  aside.finish();
  return settle(batch, edges_and_locks_, problem);
}

bool Validator::all_run(std::span<const std::uint64_t> threads) const {
  return std::ranges::all_of(threads, [&](std::uint64_t number) {
    return number < threads_.size() && threads_[number].life == Life::kRunning;
  });
}

// The first ill-formed event of those set aside, or the size of the batch.
std::size_t Validator::settle(std::span<const Event> batch, const EdgesAndLocks& positions,
                              Problem& problem) {
  std::size_t bad = batch.size();
  for (const std::uint32_t i : positions.edges()) {
    const Event& e = batch[i];
    std::int32_t& open = threads_[index(e.thread)].open_regions;
    open += e.kind == Kind::kBegin ? 1 : -1;
    if (open >= 0) [[likely]]
      continue;
    problem = Problem::kEndWithoutBegin;
    bad = i;
    break;
  }
  for (const std::uint32_t i : positions.locks()) {
    if (i >= bad || is_quiet_) break;
    const Problem found = check_lock(batch[i]);
    if (found == Problem::kNone) [[likely]]
      continue;
    problem = found;
    return i;
  }
  return bad;
}

std::string Validator::where(std::size_t i) const {
  return source_->where(lenient_ && i < indices_.size() ? indices_[i] : i);
}

PassedOver Validator::passed_over() const {
  PassedOver all = source_->passed_over();
  if (all.count == 0) all.first = passed_over_.first;
  all.count += passed_over_.count;
  return all;
}

// Everything about one event.
Validator::Problem Validator::check(const Event& e) {
  Problem problem = check_rare(e);
  if (problem != Problem::kNone) return problem;
  if (meaning_of(e.kind) == kLock) return is_quiet_ ? Problem::kNone : check_lock(e);
  ThreadState& thread = threads_[index(e.thread)];
  if (e.kind == Kind::kBegin) ++thread.open_regions;
  if (e.kind != Kind::kEnd) return Problem::kNone;
  if (thread.open_regions == 0) return Problem::kEndWithoutBegin;
  --thread.open_regions;
  return Problem::kNone;
}

// The lifetime of threads and of memory.
Validator::Problem Validator::check_rare(const Event& e) {
  if (is_quiet_ && e.kind == Kind::kReturn) return Problem::kNone;
  if (!starts_or_runs(e.thread)) return Problem::kJoinedBefore;
  if (e.kind == Kind::kFork) return check_fork(e);
  if (e.kind == Kind::kJoin) {
    state_of(ThreadId{static_cast<std::uint32_t>(e.address)}).life = Life::kJoined;
  } else if (e.kind == Kind::kAllocate || e.kind == Kind::kFree) {
    forget_locks(e.address, e.size);
  }
  return Problem::kNone;
}

bool Validator::starts_or_runs(ThreadId thread) {
  ThreadState& state = state_of(thread);
  if (state.life == Life::kJoined) return false;
  state.life = Life::kRunning;
  return true;
}

Validator::Problem Validator::check_fork(const Event& e) {
  ThreadState& state = state_of(ThreadId{static_cast<std::uint32_t>(e.address)});
  switch (state.life) {
    case Life::kUnseen:
      state.life = Life::kForked;
      return Problem::kNone;
    case Life::kForked:
      return Problem::kForkedBefore;
    case Life::kRunning:
    case Life::kJoined:
      return Problem::kHasRunBefore;
  }
  return Problem::kNone;
}

std::string Validator::text_of(Problem problem, const Event& e) const {
  const auto other = [&] {
    return name_of_thread(ThreadId{static_cast<std::uint32_t>(e.address)});
  };
  switch (problem) {
    case Problem::kNone:
      break;
    case Problem::kHeldByAnother:
      return fmt::format("acquire of lock {}, which thread {} holds", name_of_lock(e.address),
                         name_of_thread(holder_));
    case Problem::kNotHeld:
      return fmt::format("release of lock {}, which is not held", name_of_lock(e.address));
    case Problem::kEndWithoutBegin:
      return "end without a begin";
    case Problem::kForkedBefore:
      return fmt::format("fork of thread {}, which was forked before", other());
    case Problem::kHasRunBefore:
      return fmt::format("fork of thread {}, which has run before", other());
    case Problem::kJoinedBefore:
      return "event of a thread that was joined before";
  }
  return {};
}

std::string Validator::describe(std::size_t i, const Event& e, Problem problem) const {
  return fmt::format("{}: thread {}: {}", source_->where(i), name_of_thread(e.thread),
                     text_of(problem, e));
}

std::string Validator::name_of_thread(ThreadId thread) const {
  const std::vector<Thread>& threads = tables().threads;
  if (index(thread) < threads.size() && !threads[index(thread)].name.empty()) {
    return threads[index(thread)].name;
  }
  return fmt::format("{}", index(thread));
}

std::string Validator::name_of_lock(Address lock) const {
  const std::vector<Symbol>& symbols = tables().symbols;
  const auto found =
      std::lower_bound(symbols.begin(), symbols.end(), lock,
                       [](const Symbol& symbol, Address a) { return symbol.address < a; });
  if (found != symbols.end() && found->address == lock) return found->name;
  return fmt::format("{:#x}", lock);
}

}  // namespace isosan
