// From calls to regions: the stage between a source that reports calls and the analyses.
//
// Model: each thread has a stack of open calls. After the Call of a function that the rules choose,
// a Begin of its region follows (one per kind); before its Return, the End. A Return pops the stack
// down to its own function, so frames that longjmp left behind are closed there; frames still open
// when the thread ends are closed then. Annotated regions that are in the trace already (Begin,
// End) pass through.
//
// Two things about functions show only when they run: the outermost function of a thread other than
// the first is a thread entry, and a function in which a wait or notify happens (event/waiting.h)
// is one that waits or notifies (the pass sees most of them beforehand, the __tsan_* front none).
// Such a function is no region by heuristic from then on; a region of it that is open ends there.
// Where the heuristic asks for them, lock scopes are regions, too (lock_scopes.h): a Begin before
// the Acquire, the End behind the Release. A function that is a region ends the scopes in it.
// The runtime goes by the same rules when it decides what has to be logged
// (runtime/calls/call_stack.h).
//
// A walk (event.h) inside an atomic region passes whole. Outside, where each of its accesses is a
// transaction of its own, it is taken apart: after the stage no walk is unary, unless all analyses
// that get it take it apart themselves.
//
// On request the stage leaves out what happens inside a function that is a region: calls, returns
// and the regions of functions called there. Most analyses do not use them. Or it leaves out the
// calls and returns of all functions except those with certain annotations, but keeps their
// regions.
//
// Dependences pass too: their points are numbered anew, because calls were cuts before the stage
// and are none behind it.
//
// The stage has tables of its own: the source's, as far as they have grown, with regions numbered
// anew, because both the source and the stage make them. A trace without functions is passed on
// unchanged.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "event/source.h"
#include "event/waiting.h"
#include "spec/lock_scopes.h"
#include "spec/region_rules.h"

namespace isosan {

class RegionStage : public EventSource {
 public:
  RegionStage(EventSource& source, const RegionRules& rules) : source_(source), rules_(rules) {}

  std::span<const Event> next() override;
  const Tables& tables() const override { return tables_; }
  bool has_dependences() const override { return source_.has_dependences(); }
  bool keeps_walks() const override { return source_.keeps_walks(); }
  std::span<const Dependence> dependences() const override { return dependences_; }
  Tables& tables() { return tables_; }

  void leave_out_nested() { leaves_out_nested_ = true; }
  void pass_calls_of(std::uint32_t annotations) { passed_annotations_ = annotations; }
  // Outside atomic regions each access of a walk (event.h) is a transaction of its own. Call this
  // if no analysis asks for such transactions, or if all of them take walks apart themselves.
  void leave_walks_whole() { takes_walks_apart_ = false; }

  // How many of the functions that the rules choose were entered.
  std::uint64_t regions_entered() const;
  std::uint64_t scopes_entered() const { return scopes_.size(); }  // places of lock scopes
  // Functions that were regions by heuristic until they waited or notified.
  const std::vector<FunctionId>& ended_by_waiting() const { return ended_by_waiting_; }

 private:
  struct Frame {
    FunctionId function;
    ContextId context;
    Address object;
    RegionId atomic = kNoRegion;  // begun by this call and not ended
    RegionId deterministic = kNoRegion;
    bool left_out = false;    // nested: none of it was passed on
    bool passes_call = true;  // its Call was passed on
  };
  using Stack = std::vector<Frame>;
  struct FunctionRegions {  // what a function's Call begins; decided when it is first called
    bool decided = false;
    bool passes_call = true;  // the Call is passed on, too
    RegionId atomic = kNoRegion;
    RegionId deterministic = kNoRegion;
  };

  struct Cuts {                        // of a thread
    std::uint64_t made = 0;            // behind the stage
    CutHistory<std::uint64_t> passed;  // before it: how many were made when it had passed
  };

  struct ThreadState {
    Stack stack;
    std::uint32_t atomic = 0;     // regions open
    std::uint32_t functions = 0;  // of them, those that a call began
    OpenScopes scopes;
  };

  void take_tables();
  void pass_run();
  void pass_with_dependences();
  void pass_until_cut(std::size_t count);
  void pass_counting_cuts(const Event& event);
  void renumber(const Dependence& dependence);
  void pass(const Event& event);
  void take_apart();
  void renumber(const Event& event);
  void call(const Event& event, ThreadState& thread);
  void leave(const Event& event, ThreadState& thread);
  void close_top(const Event& event, ThreadState& thread);
  void note_wait(const Event& event, ThreadState& thread, Waiting waiting);
  void begin_scope(const Event& event, ThreadState& thread);
  void end_scopes(const Event& event, ThreadState& thread);
  auto scope_end(const Event& at, ThreadState& thread) {  // ends a scope's region there
    return [this, &at, &thread](RegionId region) {
      edge(Kind::kEnd, at, thread, 0, region, RegionKind::kAtomic);
    };
  }
  FunctionId function_at(const Event& event, const Stack& stack) const;
  void end_by_heuristic(const Event& event, ThreadState& thread, Frame& frame);
  void end_region(const Event& event, ThreadState& thread, Frame& frame);
  void begin_left_out(const Event& event, ThreadState& thread);
  void edge(Kind kind, const Event& at, ThreadState& thread, Address object, RegionId region,
            RegionKind region_kind);
  void append_edge(const Event& event, ThreadState& thread);
  bool is_staged(const Event& event) const;
  ThreadState& state_of(ThreadId thread) {
    if (index(thread) >= threads_.size()) [[unlikely]]
      threads_.resize(index(thread) + 1);
    return threads_[index(thread)];
  }
  FunctionRegions& regions_of(FunctionId function);
  bool is_inside_trampolines(ThreadId thread, std::span<const Frame> stack) const;
  void note_entry(const Event& event, FunctionId function);
  FunctionRegions regions_of_entry(FunctionId function);
  void decide(FunctionRegions& regions, FunctionId id, const Function& function);
  RegionId new_region(FunctionId function, RegionKind kind, SiteId site = kNoSite);

  EventSource& source_;
  Tables tables_;
  std::vector<RegionId> numbers_{kNoRegion};  // by the source's RegionId: ours
  const RegionRules& rules_;
  bool has_scopes_ = false;  // lock scopes are regions; a recording may say so, with its tables
  ScopeRegions scopes_;
  bool leaves_out_nested_ = false;
  std::optional<std::uint32_t>
      passed_annotations_;  // calls of functions that have one of these; nullopt: all calls
  bool takes_walks_apart_ = true;
  std::span<const Event> input_;      // the source's batch, what is left of it
  std::size_t dependences_read_ = 0;  // of the source's
  std::size_t events_read_ = 0;       // of the source's batch
  Event walk_{};                      // being taken apart
  std::vector<Event> batch_;
  std::vector<Dependence> dependences_;
  std::deque<Cuts> cuts_;             // by ThreadId; used only where the source knows dependences
  std::vector<ThreadState> threads_;  // by ThreadId
  std::vector<FunctionRegions> functions_;  // by FunctionId
  std::vector<FunctionId> ended_by_waiting_;
};

}  // namespace isosan
