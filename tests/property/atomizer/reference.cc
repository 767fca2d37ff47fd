#include "property/atomizer/reference.h"

#include <algorithm>
#include <map>
#include <utility>

#include "property/atomizer/reference_regions.h"
#include "property/atomizer/reference_sharing.h"
#include "property/atomizer/reference_state.h"

namespace isosan::test {

using namespace reference;  // NOLINT: the reference's own parts

namespace {

class Reference : Regions, Sharing {
 public:
  explicit Reference(const AtomizerOptions& options) : Regions(options), Sharing(options) {}

  void event(const Event& e, std::uint64_t ordinal) {
    if (acts(e.kind)) turn_up(e.thread);
    Thread& thread = threads_[e.thread];
    thread.id = e.thread;
    switch (e.kind) {
      case Kind::kRead:
      case Kind::kAtomicLoad:
        return access(thread, e, false, ordinal);
      case Kind::kWrite:
      case Kind::kAtomicStore:
      case Kind::kAtomicRmw:
        return access(thread, e, true, ordinal);
      case Kind::kAcquire:
        return acquire(thread, e, ordinal);
      case Kind::kRelease:
        return release(thread, e, ordinal);
      case Kind::kFork:
        step(thread, Mover::kLeft, ordinal, true);
        if (options_.split_at_fork && !thread.view.regions.empty()) {
          thread.fork = {static_cast<ThreadId>(e.address), ordinal};
        }
        return fork(e.thread, static_cast<ThreadId>(e.address));
      case Kind::kBarrierArrive:
        order_.arrive({{{{ordinal, e.thread}, e.address}, e.size}});
        return step(thread, Mover::kLeft, ordinal);
      case Kind::kSemaphorePost:
      case Kind::kPublish:
        order_.leave(e.thread, e.address);
        return step(thread, Mover::kLeft, ordinal);
      case Kind::kJoin:
        return join(e.thread, static_cast<ThreadId>(e.address), ordinal);
      case Kind::kBarrierDepart:
        if (options_.split_at_barrier) {
          cut(thread);
        }
        order_.depart({{{{ordinal, e.thread}, e.address}, e.size}});
        return step(thread, Mover::kRight, ordinal);
      case Kind::kSemaphoreWait:
      case Kind::kObserve:
        order_.come(e.thread, e.address);
        return step(thread, Mover::kRight, ordinal);
      case Kind::kBegin:
        if (e.detail == static_cast<std::uint8_t>(RegionKind::kAtomic)) {
          const bool judged = !options_.lone_regions || alone_ != e.thread;
          for (View* view : thread.views())
            view->regions.push_back({static_cast<RegionId>(e.size), {}, judged});
        }
        return;
      case Kind::kEnd:
        if (e.detail != static_cast<std::uint8_t>(RegionKind::kAtomic)) return;
        for (View* view : thread.views()) settle(thread, *view, view->regions.back());
        return leave_region(thread);
      case Kind::kThreadEnd:
        order_.end(e.thread);
        for (View* view : thread.views()) settle(thread, *view);
        while (!thread.view.regions.empty()) leave_region(thread);
        return;
      case Kind::kAllocate:
      case Kind::kFree:
        forget_own(e);
        return forget(e.address, e.size);
      case Kind::kThreadStart:
        return start(e.thread);
      case Kind::kFence:
      case Kind::kCall:
      case Kind::kReturn:
      case Kind::kWaitBegin:
      case Kind::kWaitEnd:
      case Kind::kNotify:
        return;
      case Kind::kOnceDone:
        return order_.leave(e.thread, e.address);
      case Kind::kOnceSeen:
        return order_.come(e.thread, e.address);
    }
  }
  const Windows& windows() {
    for (auto& [id, thread] : threads_) {
      while (!thread.view.regions.empty()) leave_region(thread);
    }
    return Regions::windows();
  }

 private:
  // What Atomizer looks at: other events do not tell that their thread is there.
  static bool acts(Kind kind) {
    return kind != Kind::kFence && kind != Kind::kNotify && kind != Kind::kOnceDone &&
           kind != Kind::kOnceSeen && kind != Kind::kAllocate && kind != Kind::kFree &&
           kind != Kind::kThreadStart;
  }
  void stranger(ThreadId thread) {
    seen_.insert(thread);
    if (!alive_.insert(thread).second) return;
    alone_.reset();
    for (auto& [id, other] : threads_) {
      for (View* view : other.views()) {
        for (Region& region : view->regions) region.judged = true;
      }
    }
  }
  void turn_up(ThreadId thread) {
    if (!seen_.contains(thread)) stranger(thread);
  }
  void start(ThreadId thread) {
    const bool first = alive_.empty();
    const bool is_new = !alive_.contains(thread);
    stranger(thread);
    if (is_new && first) alone_ = thread;
  }
  void fork(ThreadId by, ThreadId child) {
    if (alive_.insert(child).second) alone_.reset();
    seen_.insert(child);
    threads_[child].quiet = true;
    threads_[child].children = 0;
    threads_[child].parent = by;
    ++threads_[by].children;
    order_.fork(by, child);
  }
  void join(ThreadId by, ThreadId other, std::uint64_t ordinal) {
    turn_up(other);
    Thread& child = threads_[other];
    const bool quiet = options_.quiet_threads && child.quiet && child.children == 0;
    end_fork(threads_[by], other, quiet);
    if (options_.split_at_join && !quiet) {
      cut(threads_[by]);
    }
    step(threads_[by], quiet ? Mover::kBoth : Mover::kRight, ordinal);
    if (child.parent == by) --threads_[by].children;
    child.quiet = true;
    child.children = 0;
    child.parent.reset();
    order_.join(by, other);
    if (alive_.erase(other) == 0) return;
    alone_.reset();
    if (alive_.empty() || alive_ == std::set{by}) alone_ = by;
  }

  static void cut(Thread& thread) {
    for (View* view : thread.views()) {
      for (Region& region : view->regions) region.commit.reset();
    }
  }

  static Locks locks_of(const Thread& thread, bool exclusive_only) {
    Locks result;
    for (const Held& held : thread.held) {
      if (held.exclusive || !exclusive_only) result.insert(held.identity);
    }
    return result;
  }

  void access(Thread& thread, const Event& e, bool write, std::uint64_t ordinal) {
    const bool counts_only = options_.atomic_idioms && e.kind == Kind::kAtomicRmw &&
                             (e.detail & kCompareExchange) == 0 &&
                             order_in(e.detail) == MemoryOrder::kRelaxed;
    const bool from_another = !counts_only && use_bytes(thread, e, write, ordinal);
    if (from_another && late_data()) follow_open_regions(e, write);
    if (is_atomic(e.kind) && e.kind != Kind::kAtomicStore) order_.come(e.thread, e.address);
    if (from_another && late_data()) follow_own(e, write);
    if (is_atomic(e.kind) && write) order_.leave(e.thread, e.address);
  }
  // True: bytes that were another one's own, or that nothing protects.
  bool use_bytes(Thread& thread, const Event& e, bool write, std::uint64_t ordinal) {
    std::set<Address> racy_granules;
    const bool alone = options_.lone_thread && alone_ == e.thread;
    bool own = true, from_another = false;
    for (Address a = e.address; a < e.address + e.size; ++a) {
      const Byte before = bytes_[a];
      if (!byte_moves(bytes_[a], e.thread, locks_of(thread, write), write)) {
        racy_granules.insert(a / 8);
      }
      const Byte& after = bytes_[a];
      if (!alone && after.state == State::kShared) do_to_others(thread);
      own &= is_own(after) && after.owner == e.thread;
      from_another |= before.state != State::kFresh &&
                      (is_own(before) ? before.owner != e.thread : before.state != after.state);
    }
    from_another &= !alone;
    if (racy_granules.empty()) {
      settle_by(thread, e, write, own);
      if (own && late_data() && !alone && e.size <= 8) use_own(thread, e, write, ordinal);
      return from_another;
    }
    const bool compares = e.kind != Kind::kRead && (e.detail & kCompareExchange) != 0;
    const bool reads_atomically = e.kind == Kind::kAtomicLoad || e.kind == Kind::kAtomicRmw;
    const SiteId round = options_.atomic_idioms && reads_atomically ? e.site : kNoSite;
    for (View* view : thread.views()) {
      if (!view->look || !view->look->is_of(e)) continue;
      if (!compares && (round == kNoSite || view->look->round != round)) continue;
      for (Region& region : view->regions) region.commit.reset();
    }
    step(thread, Mover::kNon, ordinal);
    if (e.size > 8 && racy_granules.size() > 1) step(thread, Mover::kNon, ordinal);
    if (!write && e.size <= 8 && options_.second_looks) {
      for (View* view : thread.views()) view->look = {e.address, e.size, round};
    }
    return true;
  }

  bool late_data() const {
    return options_.late_accesses && options_.late_windows && options_.seen_handover &&
           options_.ordered_handover && options_.thread_local_data;
  }
  void use_own(Thread& thread, const Event& e, bool write, std::uint64_t ordinal) {
    View& view = thread.data_view;
    if (view.regions.empty()) return;
    if (!thread.held.empty()) {
      view.look.reset();
      if (write) return settle(thread, view);
      if (!view.unsettled.is_of(e)) return;
      for (Region& region : view.regions) region.looked.reset();
      return;
    }
    const bool compares = e.kind == Kind::kAtomicRmw && (e.detail & kCompareExchange) != 0;
    const bool reads_atomically = e.kind == Kind::kAtomicLoad || e.kind == Kind::kAtomicRmw;
    const SiteId round = options_.atomic_idioms && reads_atomically ? e.site : kNoSite;
    if (view.look && view.look->is_of(e) &&
        (compares || (round != kNoSite && view.look->round == round))) {
      for (Region& region : view.regions) region.commit.reset();
    }
    const ThreadOrder::Slot slot = order_.slot_of(e.thread);
    const ThreadOrder::Uses made{order_.now(), ThreadOrder::only(slot)};
    step_own_use(thread, {ordinal, 0,
                          std::make_shared<OwnUse>(
                              OwnUse{OwnUse::kPending, e.thread, e.address, e.size, write, made})});
    if (!write && options_.second_looks) view.look = {e.address, e.size, round};
  }
  template <class F>
  static void for_pending(const Action& end, const Event& e, F&& f) {
    if (end.own_use && end.own_use->state == OwnUse::kPending && end.own_use->overlaps(e))
      f(*end.own_use);
  }
  template <class F>
  void for_open_regions(F&& f) {
    for (auto& [id, thread] : threads_) {
      for (Region& region : thread.data_view.regions) {
        if (region.commit) f(*region.commit);
        if (region.looked) f(*region.looked);
      }
    }
  }
  void follow(const Action& end, const Event& e, bool write) {
    for_pending(end, e, [&](OwnUse& use) {
      if (use.thread == e.thread) return;
      if (order_.sees(use.made, order_.slot_of(e.thread))) {
        use.state = OwnUse::kPast;
      } else if (write || use.write) {
        use.state = OwnUse::kContended;
      }
    });
  }
  // Somebody uses what was another one's own, or what nothing protects.
  void follow_open_regions(const Event& e, bool write) {
    for_open_regions([&](const Action& commit) { follow(commit, e, write); });
  }
  void follow_own(const Event& e, bool write) {
    for (const LateWindow& window : std::exchange(late_data_, {})) {
      follow(window.commit, e, write);
      follow(window.violation, e, write);
      keep_or_report(window);
    }
  }
  void forget_own(const Event& e) {
    const auto forget = [&](const Action& end) {
      for_pending(end, e, [](OwnUse& use) { use.state = OwnUse::kPast; });
    };
    for_open_regions(forget);
    for (const LateWindow& window : late_data_) {
      forget(window.commit);
      forget(window.violation);
    }
  }

  // A both-mover: the second look, or something done to others before it.
  void settle_by(Thread& thread, const Event& e, bool write, bool own) {
    if (options_.lone_thread && alone_ == e.thread) return;
    bool of_others = false, guarded = false;
    for (Address a = e.address; a < e.address + e.size; ++a) {
      const State state = bytes_[a].state;
      of_others |= state != State::kLocal && state != State::kOwnAgain;
      guarded |= state == State::kShared;
    }
    if (!of_others) return;
    for (View* view : thread.views()) {
      if (view->own_data_counts && own && late_data() && e.size <= 8) continue;  // use_own
      view->look.reset();
      if (write) settle(thread, *view);
      if (write || !guarded || !view->unsettled.is_of(e)) continue;
      for (Region& region : view->regions) region.looked.reset();
    }
  }

  void acquire(Thread& thread, const Event& e, std::uint64_t ordinal) {
    for (Held& held : thread.held) {
      if (held.address != e.address) continue;
      ++held.depth;
      return act_on_lock(thread, options_.reentrant_locks ? Lock::kMoves : Lock::kShared,
                         Mover::kRight, ordinal, 0);
    }
    const bool exclusive = mode_in(e.detail) == LockMode::kExclusive;
    LockState& lock = lock_at(e.address);
    const Lock how = use_lock(lock, e.thread, locks_of(thread, exclusive));
    order_.come(e.thread, e.address, mode_in(e.detail));
    thread.held.push_back({e.address, lock.identity, exclusive, 0, true});
    act_on_lock(thread, how, Mover::kRight, ordinal, lock.identity);
  }

  void release(Thread& thread, const Event& e, std::uint64_t ordinal) {
    const auto held = std::find_if(thread.held.begin(), thread.held.end(),
                                   [&](const Held& h) { return h.address == e.address; });
    if (held == thread.held.end()) {
      step(thread, Mover::kLeft, ordinal);
      return order_.leave(e.thread, e.address);
    }
    if (held->depth-- > 0) {
      return act_on_lock(thread, options_.reentrant_locks ? Lock::kMoves : Lock::kShared,
                         Mover::kLeft, ordinal, 0);
    }
    const bool exclusive = held->exclusive;
    const int identity = held->identity;
    const bool in_vain = options_.back_offs && (e.detail & kBacksOff) != 0 && held->in_vain;
    thread.held.erase(held);
    LockState& lock = locks_[e.address];
    Lock how = Lock::kShared;
    if (lock.identity == identity) {  // or its memory went while it was held
      how = use_lock(lock, e.thread, locks_of(thread, exclusive));
    }
    order_.leave(e.thread, e.address, exclusive ? LockMode::kExclusive : LockMode::kShared);
    if (!in_vain) act_on_lock(thread, how, Mover::kLeft, ordinal, identity);
  }

  void act_on_lock(Thread& thread, Lock how, Mover mover, std::uint64_t ordinal, int identity) {
    if (how == Lock::kOwn) {
      if (looks_back_late()) look_before_acquire(thread.late_view, mover, {ordinal, identity});
      if (looks_back_late()) look_before_acquire(thread.data_view, mover, {ordinal, identity});
      if (looks_back_late()) step_own_lock(thread, mover, ordinal, identity);
    } else if (how == Lock::kShared) {
      for (View* view : thread.views()) look_before_acquire(*view, mover, {ordinal});
      step(thread, mover, ordinal);
    }
  }
  static void look_before_acquire(View& view, Mover mover, Action acquire) {
    if (mover != Mover::kRight || !view.look) return;
    for (Region& region : view.regions) {
      if (!region.commit) continue;
      region.looked = std::exchange(region.commit, {});
      view.acquire = acquire;
      view.unsettled = *view.look;
    }
  }

  Lock use_lock(LockState& lock, ThreadId thread, const Locks& held) {
    const bool alone = options_.lone_thread && alone_ == thread;
    if (alone && (lock.state != State::kFresh || !options_.thread_local_locks)) return Lock::kMoves;
    const Lock how = next_state(lock, thread, held);
    if (alone) return Lock::kMoves;
    for (const LateWindow& window : std::exchange(late_[lock.identity], {})) {
      const bool past = window.thread != thread && order_.sees(window.made, order_.slot_of(thread));
      if (!past) keep_or_report(window);
    }
    return how;
  }

  bool looks_back_late() const {
    return options_.late_windows && options_.ordered_handover && options_.thread_local_data;
  }
  void add_late_window(LateWindow window) override {
    const ThreadOrder::Slot slot = order_.slot_of(window.thread);
    window.made = {order_.act(slot), ThreadOrder::only(slot)};
    for (Action* end : {&window.commit, &window.violation})  // from now on with a fate of its own
      if (end->own_use) end->own_use = std::make_shared<OwnUse>(*end->own_use);
    keep_or_report(window);
  }
  void keep_or_report(const LateWindow& window) {
    const Action ends[] = {window.commit, window.violation};
    for (const Action& end : ends)
      if (end.own_use && end.own_use->state == OwnUse::kPast) return;
    for (const Action& end : ends) {
      if (!end.own_use || end.own_use->state != OwnUse::kPending) continue;
      late_data_.push_back(window);
      return;
    }
    for (const Action& action : ends) {
      if (action.own_lock == 0 || is_contended(action.own_lock)) continue;
      late_[action.own_lock].push_back(window);
      return;
    }
    report(window);
  }
  std::map<ThreadId, Thread> threads_;
  std::map<int, std::vector<LateWindow>> late_;  // by the lock that somebody else has to use
  std::vector<LateWindow> late_data_;            // with one that is pending
  std::set<ThreadId> alive_, seen_;
};

}  // namespace

Windows reference_windows(const std::vector<Event>& events, const AtomizerOptions& options) {
  Reference reference(options);
  for (std::size_t i = 0; i < events.size(); ++i) reference.event(events[i], i);
  return reference.windows();
}

}  // namespace isosan::test
