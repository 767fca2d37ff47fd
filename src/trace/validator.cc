#include "trace/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

namespace isosan {

namespace {

bool is_shared(const Event& e) { return e.detail == static_cast<std::uint8_t>(LockMode::kShared); }

// Sets of kinds, as bits.
constexpr std::uint64_t bits(std::initializer_list<Kind> kinds) {
  std::uint64_t set = 0;
  for (const Kind kind : kinds) set |= std::uint64_t{1} << static_cast<int>(kind);
  return set;
}
bool in(std::uint64_t set, Kind kind) { return (set >> static_cast<int>(kind) & 1) != 0; }
bool is_rare(Kind kind) {
  return in(bits({Kind::kFork, Kind::kJoin, Kind::kAllocate, Kind::kFree}), kind);
}
bool is_lock_operation(Kind kind) { return in(bits({Kind::kAcquire, Kind::kRelease}), kind); }

}  // namespace

Validator::Validator(std::unique_ptr<TraceSource> source, const TraceOptions& options)
    : source_(std::move(source)), lenient_(options.lenient) {}

std::span<const Event> Validator::next() {
  if (error_) throw InputError(*error_);
  for (;;) {
    const std::span<const Event> batch = source_->next();
    if (batch.empty()) {
      if (!any_) throw InputError(fmt::format("{}: the trace has no events", source_->where(0)));
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

// Which kind comes next is hard to predict, and a wrong guess costs more than the check. So the
// first loop has no branch that goes now this way, now that: it checks threads and regions, and
// sets lock operations aside for a second loop, which settle_locks() is.
std::size_t Validator::first_ill_formed(std::span<const Event> batch, Problem& problem) {
  lock_events_.resize(batch.size() + 1);
  std::size_t locks = 0;
  std::size_t end = batch.size();
  for (std::size_t i = 0; i < end; ++i) {
    const Event& e = batch[i];
    const std::uint32_t number = index(e.thread);
    const bool runs = number < threads_.size() && threads_[number].life == Life::kRunning;
    if (!runs || is_rare(e.kind)) [[unlikely]] {
      const std::size_t bad = settle_locks(batch, locks, end, problem);
      if (bad < end) return bad;
      locks = 0;
      problem = check_rare(e);
      if (problem != Problem::kNone) return i;
    }
    ThreadState& thread = threads_[number];
    const std::int32_t open =
        thread.open_regions + (e.kind == Kind::kBegin ? 1 : 0) - (e.kind == Kind::kEnd ? 1 : 0);
    thread.open_regions = open;
    lock_events_[locks] = static_cast<std::uint32_t>(i);
    locks += is_lock_operation(e.kind) ? 1 : 0;
    if (open < 0) [[unlikely]] {
      thread.open_regions = 0;
      problem = Problem::kEndWithoutBegin;
      end = i;  // unless a lock operation before it is ill-formed
    }
  }
  Problem lock_problem = Problem::kNone;
  const std::size_t bad = settle_locks(batch, locks, end, lock_problem);
  if (lock_problem != Problem::kNone) problem = lock_problem;
  return bad;
}

// Checks the lock operations set aside; the first that is ill-formed, or `none`.
std::size_t Validator::settle_locks(std::span<const Event> batch, std::size_t count,
                                    std::size_t none, Problem& problem) {
  for (std::size_t k = 0; k < count; ++k) {
    problem = check_lock(batch[lock_events_[k]]);
    if (problem != Problem::kNone) [[unlikely]]
      return lock_events_[k];
  }
  return none;
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
  if (is_lock_operation(e.kind)) return check_lock(e);
  ThreadState& thread = threads_[index(e.thread)];
  if (e.kind == Kind::kBegin) ++thread.open_regions;
  if (e.kind != Kind::kEnd) return Problem::kNone;
  if (thread.open_regions == 0) return Problem::kEndWithoutBegin;
  --thread.open_regions;
  return Problem::kNone;
}

// The life of threads, and of memory.
Validator::Problem Validator::check_rare(const Event& e) {
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

Validator::LockState& Validator::find_lock(Address address) {
  const auto [entry, is_new] = lock_index_.try_emplace(address);
  if (is_new) {
    entry->second = &locks_.emplace_back();
    entry->second->address = address;
  }
  return *entry->second;
}

Validator::Problem Validator::check_lock(const Event& e) {
  LockState& lock = lock_at(e.address);
  const bool acquires = e.kind == Kind::kAcquire;
  if (is_shared(e) || !lock.shared.empty()) [[unlikely]] {
    return acquires ? acquire_beside_shared(e, lock) : release_beside_shared(e, lock);
  }
  const bool allowed = lock.exclusive == 0 ? acquires : lock.owner == e.thread;
  if (!allowed) [[unlikely]] {
    holder_ = lock.owner;
    return acquires ? Problem::kHeldByAnother : Problem::kNotHeld;
  }
  lock.owner = e.thread;
  lock.exclusive += acquires ? 1 : -1;
  if (!lock.listed) [[unlikely]]
    list(lock);
  return Problem::kNone;
}

Validator::Problem Validator::acquire_beside_shared(const Event& e, LockState& lock) {
  holder_ = lock.owner;
  if (lock.exclusive > 0 && lock.owner != e.thread) return Problem::kHeldByAnother;
  list(lock);
  if (is_shared(e)) {
    lock.shared.push_back(e.thread);
    return Problem::kNone;
  }
  for (const ThreadId holder : lock.shared) {
    holder_ = holder;
    if (holder != e.thread) return Problem::kHeldByAnother;
  }
  lock.owner = e.thread;
  ++lock.exclusive;
  return Problem::kNone;
}

Validator::Problem Validator::release_beside_shared(const Event& e, LockState& lock) {
  if (is_shared(e)) {
    const auto holder = std::find(lock.shared.begin(), lock.shared.end(), e.thread);
    if (holder == lock.shared.end()) return Problem::kNotHeld;
    lock.shared.erase(holder);
    return Problem::kNone;
  }
  if (lock.exclusive == 0 || lock.owner != e.thread) return Problem::kNotHeld;
  --lock.exclusive;
  return Problem::kNone;
}

void Validator::list(LockState& lock) {
  if (!lock.listed) listed_.push_back(&lock);
  lock.listed = true;
}

void Validator::forget_locks(Address address, std::uint64_t size) {
  std::erase_if(listed_, [&](LockState* lock) {
    if (lock->address - address < size) {
      lock->exclusive = 0;
      lock->shared.clear();
    }
    lock->listed = lock->exclusive > 0 || !lock->shared.empty();
    return !lock->listed;
  });
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
      return fmt::format("release of lock {}, which the thread does not hold",
                         name_of_lock(e.address));
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
