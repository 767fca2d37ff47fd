#include "property/atomizer/disciplined_trace.h"

#include <algorithm>
#include <deque>
#include <map>
#include <ostream>
#include <set>
#include <string>

namespace isosan::test {
namespace {

constexpr int kThreads = 3, kVariables = 2;

// Which thread holds a lock, how often, in which mode.
struct LockState {
  std::map<int, int> holders;
  LockMode mode{};

  bool can_acquire(int t, LockMode wanted) const {
    if (holders.empty()) return true;
    if (holders.contains(t)) return mode == wanted;
    return mode == LockMode::kShared && wanted == LockMode::kShared;
  }
  void acquire(int t, LockMode wanted) {
    mode = wanted;
    ++holders[t];
  }
  void release(int t) {
    if (--holders[t] == 0) holders.erase(t);
  }
  bool held_by(int t) const { return holders.contains(t); }
};

class Player {
 public:
  explicit Player(Discipline discipline) : discipline_(discipline) {}

  void play(const DisciplinedTrace::Step& step) {
    const int t = step.thread % kThreads;
    if (ended_.contains(t)) return;
    const int object = step.object % kVariables;
    const std::string lock = "l" + std::to_string(object), variable = "x" + std::to_string(object);
    const bool bare = step.chance % 100 < discipline_.bare_accesses_percent;
    LockState& state = locks_[lock];
    const auto mode = step.chance % 4 == 3 ? LockMode::kShared : LockMode::kExclusive;
    switch (step.what % 12) {
      case 0:
      case 1:
      case 2:
        if (!may_acquire(t) || !state.can_acquire(t, mode)) return;
        state.acquire(t, mode);
        out_.acquire(t, lock, mode);
        break;
      case 3:
      case 4:
        if (!state.held_by(t)) return;
        out_.release(t, lock, state.mode);
        state.release(t);
        shrinking_.insert(t);
        break;
      case 5:
        if (!bare && !state.held_by(t)) return;
        out_.read(t, variable);
        break;
      case 6:
        if (!bare && !(state.held_by(t) && state.mode == LockMode::kExclusive)) return;
        out_.write(t, variable);
        break;
      case 7:
      case 8:
        if (depth_[t] == 3) return;
        if (depth_[t]++ == 0) shrinking_.erase(t);
        out_.begin(t, "f" + std::to_string(object));
        break;
      case 9:
        if (depth_[t] == 0) return;
        --depth_[t];
        out_.end(t);
        break;
      case 10:
        synchronize(t, step);
        return;
      case 11:
        fork_or_join(t, step.object % kThreads);
        return;
    }
    started_.insert(t);
  }
  const Trace& trace() const { return out_.trace(); }

 private:
  bool may_acquire(int t) const {
    return !discipline_.two_phase || !shrinking_.contains(t) || depth_.at(t) == 0;
  }

  void synchronize(int t, const DisciplinedTrace::Step& step) {
    if (step.chance % 2 == 0) {
      ++posted_;
      out_.sync(Kind::kSemaphorePost, t, "s");
      shrinking_.insert(t);
    } else if (posted_ > 0 && may_acquire(t)) {
      --posted_;
      out_.sync(Kind::kSemaphoreWait, t, "s");
    } else {
      return;
    }
    started_.insert(t);
  }

  void fork_or_join(int t, int other) {
    if (other == t) return;
    if (!started_.contains(other)) {
      out_.fork(t, other);
      started_.insert(other);
      shrinking_.insert(t);
    } else if (may_acquire(t) && !ended_.contains(other) && depth_[other] == 0) {
      ended_.insert(other);  // and whatever locks it holds stay held
      out_.join(t, other);
    } else {
      return;
    }
    started_.insert(t);
  }

  Discipline discipline_;
  TraceBuilder out_;
  std::map<std::string, LockState> locks_;
  std::set<int> started_, ended_;
  std::set<int> shrinking_;  // threads that have released since their outermost begin
  std::map<int, int> depth_{{0, 0}, {1, 0}, {2, 0}};
  int posted_ = 0;
};

// What is left of a trace that is played again in another order.
class Replay {
 public:
  explicit Replay(const std::vector<Event>& events) {
    for (const Event& e : events) {
      rest_[thread_of(e)].push_back(e);
      if (e.kind == Kind::kFork) unborn_.insert(static_cast<int>(e.address));
    }
  }

  std::vector<int> enabled() {
    std::vector<int> result;
    for (auto& [t, events] : rest_) {
      if (!events.empty() && !unborn_.contains(t) && can_be(events.front())) result.push_back(t);
    }
    return result;
  }

  Event step(int t) {
    const Event e = rest_[t].front();
    rest_[t].pop_front();
    if (e.kind == Kind::kAcquire) locks_[e.address].acquire(t, mode_in(e.detail));
    if (e.kind == Kind::kRelease) locks_[e.address].release(t);
    if (e.kind == Kind::kSemaphorePost) ++posted_;
    if (e.kind == Kind::kSemaphoreWait) --posted_;
    if (e.kind == Kind::kFork) unborn_.erase(static_cast<int>(e.address));
    return e;
  }

 private:
  static int thread_of(const Event& e) { return static_cast<int>(index(e.thread)); }

  bool can_be(const Event& e) {
    if (e.kind == Kind::kAcquire) {
      return locks_[e.address].can_acquire(thread_of(e), mode_in(e.detail));
    }
    if (e.kind == Kind::kSemaphoreWait) return posted_ > 0;
    if (e.kind == Kind::kJoin) return rest_[static_cast<int>(e.address)].empty();
    return true;
  }

  std::map<int, std::deque<Event>> rest_;  // by thread
  std::map<Address, LockState> locks_;
  std::set<int> unborn_;
  int posted_ = 0;
};

}  // namespace

Trace DisciplinedTrace::trace() const {
  Player player(discipline);
  for (const Step& step : steps) player.play(step);
  return player.trace();
}

std::ostream& operator<<(std::ostream& out, const DisciplinedTrace& random) {
  return out << '\n' << print_trace(random.trace());
}

rc::Gen<DisciplinedTrace> disciplined_traces(Discipline discipline, int max_steps) {
  using Step = DisciplinedTrace::Step;
  const auto byte = rc::gen::inRange<std::uint8_t>(0, 252);  // of 3, 4 and 12 alike
  const auto step =
      rc::gen::build<Step>(rc::gen::set(&Step::thread, byte), rc::gen::set(&Step::what, byte),
                           rc::gen::set(&Step::object, byte), rc::gen::set(&Step::chance, byte));
  return rc::gen::mapcat(rc::gen::inRange(1, max_steps), [=](int size) {
    return rc::gen::map(rc::gen::resize(size, rc::gen::container<std::vector<Step>>(step)),
                        [=](std::vector<Step> steps) {
                          return DisciplinedTrace{discipline, std::move(steps)};
                        });
  });
}

std::vector<Event> reordered(const std::vector<Event>& events, std::mt19937& random) {
  Replay replay(events);
  std::vector<Event> result;
  for (std::vector<int> enabled = replay.enabled(); !enabled.empty(); enabled = replay.enabled()) {
    result.push_back(replay.step(enabled[random() % enabled.size()]));
  }
  return result;
}

}  // namespace isosan::test
