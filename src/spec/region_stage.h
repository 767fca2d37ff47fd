// From calls to regions and stacks: the stage between a source that tells calls and the analyses.
//
// Model: each thread has a stack of open calls. Every event gets the stack's node in the
// calling-context tree. After the Call of a function that the rules choose, a Begin of its region
// follows (one per kind); before its Return, the End. A Return pops the stack down to its own
// function, so frames that longjmp left behind are closed there; frames still open when the thread
// ends are closed then. Annotated regions that are in the trace already (Begin, End) pass through.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "event/source.h"
#include "spec/region_rules.h"

namespace isosan {

class RegionStage : public EventSource {
 public:
  // `tables` is the source's own table, to which contexts and regions are added.
  RegionStage(EventSource& source, Tables& tables, const RegionRules& rules);

  std::span<const Event> next() override;
  const Tables& tables() const override { return tables_; }

  // How many of the functions that the rules choose were entered.
  std::uint64_t regions_entered() const { return entered_; }

 private:
  struct Frame {
    FunctionId function;
    ContextId outer;
    Address object;
    RegionId atomic = kNoRegion;  // begun by this call and not ended
    RegionId deterministic = kNoRegion;
  };
  struct ThreadStack {
    std::vector<Frame> frames;
    ContextId context = kEmptyStack;
  };
  struct FunctionRegions {  // what a function's Call begins; decided when it is first called
    bool decided = false;
    RegionId atomic = kNoRegion;
    RegionId deterministic = kNoRegion;
  };

  void pass(const Event& event);
  void call(const Event& event, ThreadStack& stack);
  void leave(const Event& event, ThreadStack& stack);
  void close_top(const Event& event, ThreadStack& stack);
  void note_wait(const Event& event, ThreadStack& stack);
  void edge(Kind kind, const Event& at, Address object, RegionId region, RegionKind region_kind);
  ThreadStack& stack_of(ThreadId thread);
  FunctionRegions& regions_of(FunctionId function);
  FunctionRegions regions_of_entry(FunctionId function);
  void decide(FunctionRegions& regions, FunctionId id, const Function& function);
  RegionId new_region(FunctionId function, RegionKind kind);
  ContextId child_context(ContextId parent, FunctionId function, SiteId call_site);

  EventSource& source_;
  Tables& tables_;
  const RegionRules& rules_;
  std::vector<Event> batch_;
  std::vector<ThreadStack> stacks_;         // by ThreadId
  std::vector<FunctionRegions> functions_;  // by FunctionId
  // Key: parent and function in one word, call site.
  absl::flat_hash_map<std::pair<std::uint64_t, std::uint32_t>, ContextId> contexts_;
  std::uint64_t entered_ = 0;
};

}  // namespace isosan
