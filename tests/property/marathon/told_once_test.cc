// Law: what the runtime leaves out where units of work are asked for
// (runtime/modes/units.h) changes no verdict: accesses that an open call has made already,
// and calls in which nothing is new. The rule by itself, against Definition 1; threads and shadow
// words are the end-to-end tests'.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "oracle/property.h"
#include "property/marathon/random_program.h"
#include "property/marathon/set_oracle.h"

namespace isosan::test {
namespace {

class ToldOnce {
 public:
  explicit ToldOnce(const Tables& tables) : tables_(tables) {}

  void take(const Event& e) {
    Thread& t = threads_[index(e.thread)];
    if (e.kind == Kind::kCall) return call(t, e);
    if (e.kind == Kind::kReturn) return leave(t, e);
    if (e.kind == Kind::kRead || e.kind == Kind::kWrite) return access(t, e);
    tell(t);  // blocks, waits: the epoch closes
    for (Frame& frame : t.frames) frame.accessed.clear();
    told_.push_back(e);
  }

  const std::vector<Event>& told() const { return told_; }

 private:
  struct Frame {
    Event call;
    bool may_be_unit;  // else it is a thread's entry, or a private function called from one
    std::set<std::pair<Address, Kind>> accessed;
    bool told = false;
  };
  struct Thread {
    std::vector<Frame> frames;
  };

  void tell(Thread& t) {
    for (Frame& frame : t.frames) {
      if (!std::exchange(frame.told, true)) told_.push_back(frame.call);
    }
  }

  void call(Thread& t, const Event& e) {
    const Function& function = tables_.functions[e.size];
    const bool outside = std::ranges::none_of(t.frames, &Frame::may_be_unit);
    const bool entry =
        function.thread_entry || (function.accessibility == Accessibility::kPrivate && outside);
    t.frames.push_back({e, !entry, {}});
    if (entry) tell(t);
  }

  void leave(Thread& t, const Event& e) {
    if (t.frames.empty()) return told_.push_back(e);
    if (t.frames.back().told) told_.push_back(e);
    t.frames.pop_back();
  }

  void access(Thread& t, const Event& e) {
    for (auto& [id, other] : threads_) {
      if (id == index(e.thread)) continue;
      for (Frame& frame : other.frames) {
        frame.accessed.erase({e.address, Kind::kWrite});
        if (e.kind == Kind::kWrite) frame.accessed.erase({e.address, Kind::kRead});
      }
    }
    const bool repeats = std::ranges::any_of(t.frames, [&](const Frame& frame) {
      return frame.may_be_unit && frame.accessed.contains({e.address, e.kind});
    });
    if (repeats) return;
    tell(t);
    told_.push_back(e);
    if (t.frames.empty()) return;
    t.frames.back().accessed.insert({e.address, e.kind});
    t.frames.back().accessed.insert({e.address, Kind::kRead});  // a write counts as a read, too
  }

  const Tables& tables_;
  std::map<std::uint32_t, Thread> threads_;
  std::vector<Event> told_;
};

TEST(ToldOnce, LeavesEveryVerdictAsItIs) {
  std::size_t all = 0, told = 0, violated = 0;
  const auto law = [&] {
    RandomProgram random(random_steps());
    const Tables& tables = random.program.tables();
    ToldOnce once(tables);
    for (const Event& e : random.program.events()) once.take(e);
    const auto expected = violated_sets(random.program.events(), tables);
    if (violated_sets(once.told(), tables) != expected) RC_FAIL(text_of(random.program));
    all += random.program.events().size();
    told += once.told().size();
    violated += !expected.empty();
  };
  EXPECT_TRUE(law_holds(law, {12'000, 300'000}));
  EXPECT_GT(violated, 2000u);
  EXPECT_LT(told, all - all / 20) << "hardly anything was left out";
}

}  // namespace
}  // namespace isosan::test
