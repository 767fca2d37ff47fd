#include "analysis/atomizer/atomizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace isosan {

using namespace atomizer;  // NOLINT: the analysis's own parts

Atomizer::Atomizer(FindingSink& sink, AtomizerOptions options)
    : sink_(sink),
      options_(std::move(options)),
      hands_over_(options_.ordered_handover && options_.thread_local_data),
      late_windows_(options_.late_windows && hands_over_),
      late_data_(late_windows_ && options_.late_accesses && options_.seen_handover &&
                 options_.races == AtomizerOptions::RaceRule::kRelaxed),
      pairs_(sets_, options_.write_protected),
      locks_(sets_, order_, options_),
      reporter_(sets_, pairs_, locks_, witnesses_),
      points_(options_.tables) {}

void Atomizer::add_thread(ThreadId thread) {
  if (index(thread) >= threads_.size()) threads_.resize(index(thread) + 1);
  threads_[index(thread)].seen = true;
  live_.first_seen(thread);  // no effect if the trace has its fork or start
}

// ---- locks and other synchronization ------------------------------------------------------------

Atomizer::HeldLock* Atomizer::find_held(ThreadState& thread, Address lock) {
  const auto found = std::find_if(thread.held.rbegin(), thread.held.rend(),
                                  [&](const HeldLock& held) { return held.address == lock; });
  return found == thread.held.rend() ? nullptr : &*found;
}

void Atomizer::on(const Acquire& e) {
  ThreadState& thread = state_of(e.where.thread);
  Action action{
      .where = e.where, .operation = Kind::kAcquire, .address = e.lock, .held = thread.any};
  if (HeldLock* held = find_held(thread, e.lock)) {
    ++held->depth;
    step(thread, options_.reentrant_locks ? Mover::kBoth : Mover::kRight, action);
    return;
  }
  const LockIndex lock = locks_.index_of(e.lock);
  const bool exclusive = e.mode == LockMode::kExclusive;
  const Contention contention =
      operate(lock, e.where.thread, exclusive ? thread.exclusive : thread.any);
  if (hands_over_) order_.come(e.where.thread, e.lock, e.mode);
  if (thread.wait_mutex == e.lock) {
    action.in_wait = true;
    thread.wait_mutex.reset();
  } else if (std::exchange(thread.released_around, {}) == e.lock) {
    action.in_wait = true;
  }
  thread.acquired_last = true;
  thread.released_last.reset();
  if (contention == Contention::kPossible) step(thread, Mover::kRight, action);
  if (contention == Contention::kNotYet) step_own_lock(thread, Mover::kRight, lock, action);
  thread.held.push_back({e.lock, lock, e.mode, 0, thread.any, thread.exclusive, thread.effects});
  thread.any = sets_.with(thread.any, lock);
  if (exclusive) thread.exclusive = sets_.with(thread.exclusive, lock);
  most_locks_held_ = std::max(most_locks_held_, thread.held.size());
}

void Atomizer::on(const Release& e) {
  ThreadState& thread = state_of(e.where.thread);
  Action action{.where = e.where,
                .operation = Kind::kRelease,
                .in_wait = thread.in_wait || thread.released_around,
                .address = e.lock,
                .held = thread.any};
  thread.released_last.reset();
  if (std::exchange(thread.acquired_last, false)) thread.released_last = e.lock;
  HeldLock* held = find_held(thread, e.lock);
  if (held == nullptr) {  // handed over by another thread, or taken before the trace began
    step(thread, Mover::kLeft, action);
    if (hands_over_) order_.leave(e.where.thread, e.lock);
    return;
  }
  if (held->depth > 0) {
    --held->depth;
    step(thread, options_.reentrant_locks ? Mover::kBoth : Mover::kLeft, action);
    return;
  }
  const LockIndex lock = held->lock;  // remove_held() invalidates `held`
  const bool exclusive = held->mode == LockMode::kExclusive;
  const bool had_no_effect =
      options_.back_offs && e.backs_off && held->effects_before == thread.effects;
  const LockMode mode = held->mode;
  remove_held(thread, held);
  const Contention contention =
      operate(lock, e.where.thread, exclusive ? thread.exclusive : thread.any);
  if (hands_over_) order_.leave(e.where.thread, e.lock, mode);
  if (thread.in_wait) thread.wait_mutex = e.lock;
  if (had_no_effect) return;
  if (contention == Contention::kPossible) step(thread, Mover::kLeft, action);
  if (contention == Contention::kNotYet) step_own_lock(thread, Mover::kLeft, lock, action);
}

Contention Atomizer::operate(LockIndex lock, ThreadId thread, LocksetId others) {
  if (is_alone(thread)) {
    locks_.operate_alone(lock, thread);
    return Contention::kNone;
  }
  const Contention contention = locks_.operate(lock, thread, others);
  if (late_.any()) [[unlikely]]
    follow_late_windows(lock, thread);
  return contention;
}

void Atomizer::remove_held(ThreadState& thread, HeldLock* held) {
  if (held == &thread.held.back()) {
    thread.any = held->any_before;
    thread.exclusive = held->exclusive_before;
    thread.held.pop_back();
    return;
  }
  for (HeldLock* later = held + 1; later <= &thread.held.back(); ++later) {
    later->any_before = sets_.without(later->any_before, held->lock);
    later->exclusive_before = sets_.without(later->exclusive_before, held->lock);
  }
  thread.any = sets_.without(thread.any, held->lock);
  thread.exclusive = sets_.without(thread.exclusive, held->lock);
  thread.held.erase(thread.held.begin() + (held - thread.held.data()));
}

void Atomizer::on(const WaitBegin& e) {
  ThreadState& thread = state_of(e.where.thread);
  thread.in_wait = true;
  thread.released_around = std::exchange(thread.released_last, {});
}
void Atomizer::on(const WaitEnd& e) { state_of(e.where.thread).in_wait = false; }

void Atomizer::sync(const Where& where, Kind kind, Address object, Mover mover) {
  ThreadState& thread = state_of(where.thread);
  step(thread, mover, {.where = where, .operation = kind, .address = object, .held = thread.any});
}

void Atomizer::on(const ThreadStart& e) {
  live_.start(e.where.thread);
  state_of(e.where.thread);
}

void Atomizer::on(const Fork& e) {
  sync(e.where, Kind::kFork, index(e.other), Mover::kLeft);
  live_.fork(e.other);
  state_of(e.other).quiet = QuietThread(e.where.thread);
  ThreadState& thread = state_of(e.where.thread);
  thread.quiet.fork();
  if (options_.split_at_fork && !thread.phases.outside() && thread.assumed.empty()) {
    thread.deferred_windows.fork(e.other, e.where.ordinal);
  }
  if (hands_over_) order_.fork(e.where.thread, e.other);
}

void Atomizer::on(const Join& e) {
  const QuietThread child = std::exchange(state_of(e.other).quiet, {});
  const bool moves = options_.quiet_threads && child.is_quiet();
  state_of(e.where.thread).deferred_windows.join(e.other, moves, window_reporter());
  sync(e.where, Kind::kJoin, index(e.other), moves ? Mover::kBoth : Mover::kRight);
  if (child.forked_by(e.where.thread)) state_of(e.where.thread).quiet.join_child();
  live_.join(e.where.thread, e.other);
  if (hands_over_) order_.join(e.where.thread, e.other);
}

void Atomizer::renew(const MemoryOperation& e) {
  if (late_data_) forget_own_data(e);
  locations_.reset(e.address, e.size);
  locks_.forget(e.address, e.size);
  order_.forget(e.address, e.size);
}

// ---- regions ------------------------------------------------------------------------------------

void Atomizer::on(const Begin& e) {
  ThreadState& thread = state_of(e.where.thread);
  if (e.kind != RegionKind::kAtomic) return;
  const UnforkedCount unforked = live_.unforked_at_entry(e.where.thread);
  thread.phases.enter(e.region, e.where, unforked);
  for_late_views(thread, [&](Phases& phases, auto) { phases.enter(e.region, e.where, unforked); });
  if (index(e.region) >= regions_entered_.size()) regions_entered_.resize(index(e.region) + 1);
  regions_entered_[index(e.region)] = true;
}

void Atomizer::on(const End& e) {
  ThreadState& thread = state_of(e.where.thread);
  if (e.kind != RegionKind::kAtomic) return;
  thread.phases.exit(e.region, violator());
  for_late_views(thread, [&](Phases& phases, auto violated) { phases.exit(e.region, violated); });
  if (thread.phases.outside()) stop_late_views(thread);
  if (thread.deferred_windows.in_use()) [[unlikely]]
    thread.deferred_windows.regions_left(thread.phases, window_reporter());
}

void Atomizer::on(const ThreadEnd& e) {
  ThreadState& thread = state_of(e.where.thread);
  thread.phases.clear(violator());
  for_late_views(thread, [](Phases& phases, auto violated) { phases.clear(violated); });
  stop_late_views(thread);
  thread.deferred_windows.regions_left(thread.phases, window_reporter());
  if (hands_over_) order_.end(e.where.thread);
}

void Atomizer::on(const Call& e) {
  if (options_.tables != nullptr && index(e.function) >= options_.declarations.functions_known())
      [[unlikely]] {
    options_.declarations.learn(*options_.tables);
  }
  if (!options_.declarations.any_function()) return;
  const std::optional<FunctionAssumption> assumption = options_.declarations.of(e.function);
  if (!assumption) return;
  ThreadState& thread = state_of(e.where.thread);
  if (*assumption == FunctionAssumption::kAtomic) {
    step(thread, Mover::kNon,
         {.where = e.where, .operation = Kind::kCall, .address = e.object, .held = thread.any});
  }
  thread.assumed.push_back(e.function);
  if (*assumption == FunctionAssumption::kNoWarn) ++thread.no_warn;
}

void Atomizer::on(const Return& e) {
  ThreadState& thread = state_of(e.where.thread);
  if (thread.assumed.empty() || thread.assumed.back() != e.function) return;
  thread.assumed.pop_back();
  if (options_.declarations.of(e.function) == FunctionAssumption::kNoWarn) --thread.no_warn;
}

// ---- verdicts -----------------------------------------------------------------------------------

void Atomizer::step(ThreadState& thread, Mover mover, const Action& action) {
  if (mover == Mover::kBoth) return;
  if (mover != Mover::kRight) ++thread.effects;
  if (action.operation != Kind::kFork) thread.quiet.disturb();
  if (!is_judged(thread, action)) return;
  if (mover == Mover::kLeft && thread.deferred_windows.last_fork()) [[unlikely]]
    thread.phases.commit_anew(*thread.deferred_windows.last_fork(), action);
  thread.phases.step(mover, action, violator());
  for_late_views(thread,
                 [&](Phases& phases, auto violated) { phases.step(mover, action, violated); });
}

bool Atomizer::is_judged(const ThreadState& thread, const Action& action) {
  if (thread.phases.outside() || !thread.assumed.empty()) return false;
  learn_of(action.where.site);
  return !options_.declarations.any_access() ||
         options_.declarations.of(action.where.site) != SiteAssumption::kNoWarn;
}

// A both-mover, unless another thread uses the lock later.
void Atomizer::step_own_lock(ThreadState& thread, Mover mover, LockIndex lock, Action& action) {
  if (!late_windows_ || !is_judged(thread, action)) return;
  action.own_lock = lock;
  thread.own_locks_view.start(thread.phases);
  for_late_views(thread,
                 [&](Phases& phases, auto violated) { phases.step(mover, action, violated); });
}

bool Atomizer::is_split_at_waits(RegionId region) const {
  if (options_.split_every_wait || options_.split_at_wait.contains(region)) return true;
  if (options_.tables == nullptr) return false;
  const FunctionId function = options_.tables->regions[index(region)].function;
  return (options_.tables->functions[index(function)].annotations & kAnnotatedSplitAtWait) != 0;
}

// Enclosing regions have the same window. It is reported for the innermost region only: a fix there
// closes it for the others, too. A region whose findings are suppressed hides no other.
bool Atomizer::hides_outer(const OpenRegion& region) const {
  return options_.innermost && !(options_.is_suppressed && options_.is_suppressed(region.region));
}

void Atomizer::add_window(const OpenRegion& region, const Action& action) {
  ThreadState& thread = state_of(action.where.thread);
  const std::uint64_t commit = region.commit.where.ordinal, violation = action.where.ordinal;
  if (commit == thread.last_commit && violation == thread.last_violation) return;
  if (hides_outer(region)) {
    thread.last_commit = commit;
    thread.last_violation = violation;
  }
  if (!thread.deferred_windows.defer(region, action)) report_window(region, action);
}

void Atomizer::report_window(const OpenRegion& region, const Action& action) {
  report({region.region, place_of(region.commit), place_of(action)}, [&] {
    note_racy_site(region.commit.where.site, kInFinding);
    note_racy_site(action.where.site, kInFinding);
    return reporter_.window(region, action);
  });
}

void Atomizer::report_race(ThreadState& thread, const Action& action) {
  thread.quiet.disturb();
  if (!thread.assumed.empty()) return;
  const bool outside = thread.phases.outside();
  const RegionId region = outside ? kNoRegion : thread.phases.open().front().region;
  const Where& entered = outside ? action.where : thread.phases.open().front().entered;
  report({region, 0, place_of(action)}, [&] { return reporter_.race(region, entered, action); });
}

template <class Make>
void Atomizer::report(const Window& window, Make&& make) {
  ++violations_;
  const auto [place, is_new] = repeats_.try_emplace(window, 0);
  if (!is_new) {
    ++place->second;
    return;
  }
  regions_warned_.insert(window.region);
  Finding finding = make();
  finding.key = fmt::format("{}:{:x}:{:x}", index(window.region), window.commit, window.violation);
  sink_.report(std::move(finding));
}

// The site, or the address in a trace without sites; the top bit marks addresses.
std::uint64_t Atomizer::place_of(const Action& action) {
  const auto kind = static_cast<std::uint64_t>(action.operation) << 56;
  if (action.where.site != kNoSite) return kind | index(action.where.site);
  return std::uint64_t{1} << 63 | kind | action.address;
}

void Atomizer::note_racy_site(SiteId site, std::uint8_t bit) {
  if (index(site) >= racy_sites_.size()) racy_sites_.resize(index(site) + 1);
  racy_sites_[index(site)] |= bit;
}

void Atomizer::finish() {
  for (ThreadState& thread : threads_) thread.deferred_windows.finish(window_reporter());
  for (auto& [window, times] : repeats_) {
    if (times == 0) continue;
    sink_.again(kAnalysisName,
                fmt::format("{}:{:x}:{:x}", index(window.region), window.commit, window.violation),
                std::exchange(times, 0));
  }
}

Stats Atomizer::stats() const {
  const auto benign = std::count(racy_sites_.begin(), racy_sites_.end(), kRacy);
  const auto racy = std::count_if(racy_sites_.begin(), racy_sites_.end(),
                                  [](std::uint8_t bits) { return (bits & kRacy) != 0; });
  return {
      {"threads", threads_.size()},
      {"locks", locks_.size()},
      {"most_locks_held", most_locks_held_},
      {"lock_sets", sets_.size() - 1},
      {"lock_set_pairs", pairs_.size() - 1},
      {"regions_exercised", static_cast<std::uint64_t>(std::count(regions_entered_.begin(),
                                                                  regions_entered_.end(), true))},
      {"regions_warned", regions_warned_.size()},
      {"warnings", repeats_.size()},
      {"violations", violations_},
      {"racy_sites", static_cast<std::uint64_t>(racy)},
      {"racy_sites_not_reported", static_cast<std::uint64_t>(benign)},
  };
}

}  // namespace isosan
