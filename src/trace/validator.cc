#include "trace/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace isosan {

namespace {
constexpr ThreadId kNobody{~std::uint32_t{0}};

bool is_plain_access(Kind kind) { return kind <= Kind::kFence; }
static_assert(Kind::kRead < Kind::kFence && Kind::kFence < Kind::kAcquire);
}  // namespace

Validator::Validator(std::unique_ptr<TraceSource> source, const TraceOptions& options)
    : source_(std::move(source)), lenient_(options.lenient) {}

std::span<const Event> Validator::next() {
  if (error_) throw InputError(*error_);
  filtered_ = false;
  for (;;) {
    const std::span<const Event> batch = source_->next();
    if (batch.empty()) {
      if (!any_) throw InputError(fmt::format("{}: the trace has no events", source_->where(0)));
      return {};
    }
    any_ = true;
    std::string problem;
    const std::size_t i = first_ill_formed(batch, problem);
    if (i == batch.size()) [[likely]]
      return batch;
    if (lenient_) {
      const std::span<const Event> rest = without_ill_formed(batch, i, problem);
      if (!rest.empty()) return rest;
      continue;
    }
    error_.emplace(describe(i, batch[i], problem));
    if (i == 0) throw InputError(*error_);
    return batch.first(i);
  }
}

std::size_t Validator::first_ill_formed(std::span<const Event> batch, std::string& problem) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (batch[i].thread == current_ && is_plain_access(batch[i].kind)) [[likely]]
      continue;
    if (std::optional<std::string> found = check(batch[i])) [[unlikely]] {
      problem = *std::move(found);
      return i;
    }
  }
  return batch.size();
}

// Lenient: event `first` of the batch is ill-formed; the events before it are not.
std::span<const Event> Validator::without_ill_formed(std::span<const Event> batch,
                                                     std::size_t first,
                                                     const std::string& problem) {
  kept_.assign(batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(first));
  indices_.resize(first);
  for (std::size_t i = 0; i < first; ++i) indices_[i] = i;
  passed_over_.add(describe(first, batch[first], problem));
  for (std::size_t i = first + 1; i < batch.size(); ++i) {
    if (const std::optional<std::string> another = check(batch[i])) {
      passed_over_.add(describe(i, batch[i], *another));
      continue;
    }
    kept_.push_back(batch[i]);
    indices_.push_back(i);
  }
  filtered_ = true;
  return kept_;
}

std::string Validator::where(std::size_t i) const {
  return source_->where(filtered_ ? indices_[i] : i);
}

PassedOver Validator::passed_over() const {
  PassedOver all = source_->passed_over();
  if (all.count == 0) all.first = passed_over_.first;
  all.count += passed_over_.count;
  return all;
}

std::optional<std::string> Validator::check(const Event& e) {
  if (e.thread != current_) {
    if (auto problem = check_thread(e.thread)) return problem;
  }
  switch (e.kind) {
    case Kind::kAcquire:
      return check_acquire(e);
    case Kind::kRelease:
      return check_release(e);
    case Kind::kFork:
      return check_fork(e);
    case Kind::kJoin:
      state_of(ThreadId{static_cast<std::uint32_t>(e.address)}).life = Life::kJoined;
      current_ = kNobody;  // it may have joined itself
      return std::nullopt;
    case Kind::kBegin:
      ++threads_[index(e.thread)].open_regions;
      return std::nullopt;
    case Kind::kEnd:
      if (threads_[index(e.thread)].open_regions == 0) return "end without a begin";
      --threads_[index(e.thread)].open_regions;
      return std::nullopt;
    case Kind::kAllocate:
    case Kind::kFree:
      forget_locks(e.address, e.size);
      return std::nullopt;
    case Kind::kRead:
    case Kind::kWrite:
    case Kind::kAtomicLoad:
    case Kind::kAtomicStore:
    case Kind::kAtomicRmw:
    case Kind::kFence:
    case Kind::kThreadStart:
    case Kind::kThreadEnd:
    case Kind::kCall:
    case Kind::kReturn:
    case Kind::kWaitBegin:
    case Kind::kWaitEnd:
    case Kind::kNotify:
    case Kind::kBarrierArrive:
    case Kind::kBarrierDepart:
    case Kind::kSemaphorePost:
    case Kind::kSemaphoreWait:
    case Kind::kOnceDone:
    case Kind::kOnceSeen:
    case Kind::kPublish:
    case Kind::kObserve:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> Validator::check_thread(ThreadId thread) {
  ThreadState& state = state_of(thread);
  if (state.life == Life::kJoined) return "event of a thread that was joined before";
  state.life = Life::kRunning;
  current_ = thread;
  return std::nullopt;
}

std::optional<std::string> Validator::check_fork(const Event& e) {
  const ThreadId child{static_cast<std::uint32_t>(e.address)};
  ThreadState& state = state_of(child);
  switch (state.life) {
    case Life::kUnseen:
      state.life = Life::kForked;
      return std::nullopt;
    case Life::kForked:
      return fmt::format("fork of thread {}, which was forked before", name_of_thread(child));
    case Life::kRunning:
    case Life::kJoined:
      return fmt::format("fork of thread {}, which has run before", name_of_thread(child));
  }
  return std::nullopt;
}

std::optional<std::string> Validator::check_acquire(const Event& e) {
  LockState& lock = locks_[e.address];
  const auto refuse = [&](ThreadId holder) {
    return fmt::format("acquire of lock {}, which thread {} holds", name_of_lock(e.address),
                       name_of_thread(holder));
  };
  if (lock.exclusive > 0 && lock.owner != e.thread) return refuse(lock.owner);
  if (e.detail == static_cast<std::uint8_t>(LockMode::kShared)) {
    lock.shared.push_back(e.thread);
    return std::nullopt;
  }
  for (const ThreadId holder : lock.shared) {
    if (holder != e.thread) return refuse(holder);
  }
  lock.owner = e.thread;
  ++lock.exclusive;
  return std::nullopt;
}

std::optional<std::string> Validator::check_release(const Event& e) {
  const auto refuse = [&] {
    return fmt::format("release of lock {}, which the thread does not hold",
                       name_of_lock(e.address));
  };
  const auto found = locks_.find(e.address);
  if (found == locks_.end()) return refuse();
  LockState& lock = found->second;
  if (e.detail == static_cast<std::uint8_t>(LockMode::kShared)) {
    const auto holder = std::find(lock.shared.begin(), lock.shared.end(), e.thread);
    if (holder == lock.shared.end()) return refuse();
    lock.shared.erase(holder);
  } else {
    if (lock.exclusive == 0 || lock.owner != e.thread) return refuse();
    --lock.exclusive;
  }
  if (lock.exclusive == 0 && lock.shared.empty()) locks_.erase(found);
  return std::nullopt;
}

void Validator::forget_locks(Address address, std::uint64_t size) {
  absl::erase_if(locks_, [&](const auto& held) { return held.first - address < size; });
}

std::string Validator::describe(std::size_t i, const Event& e, const std::string& problem) const {
  return fmt::format("{}: thread {}: {}", source_->where(i), name_of_thread(e.thread), problem);
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
