// Marathon: atomic-set serializability. (Sumner, Hammer, Dolby, "Marathon: Detecting Atomic-Set
// Serializability Violations with Conflict Graphs", RV 2012.)
//
// Model: locations form atomic sets (set_model.h), calls and annotated blocks are units of work on
// them (unit_stack.h). An access belongs to the outermost unit on its set; where none is, the
// function that makes it is a unit for that set from then on (unitfor), or, if the object is one
// that the function's own object made, the sets merge (owned). Units that conflict are ordered by
// edges (conflict_graph.h); a cycle is a violation: no order of the units explains the run.
//
// Law: something is reported iff the projection of the run on some atomic set is not conflict
// serializable (Definition 1), where sets that one unit works on together are one (a unit on
// several sets works on their union). Locks do not matter at all; nor do accesses of std::atomic.
// A condition wait ends a unit and begins another one; so do a barrier, fork and join (the paper's
// future work): a unit is not expected to be atomic across a wait for other threads, or their
// start. Accesses of a constructor to its own object do not count until a second thread uses it,
// those of a destructor never.
//
// Findings are handed over in finish(): each unique cycle once, with all accesses that induce it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "analysis/marathon/blocks.h"
#include "analysis/marathon/cell.h"
#include "analysis/marathon/conflict_graph.h"
#include "analysis/marathon/deferred.h"
#include "analysis/marathon/function_roles.h"
#include "analysis/marathon/open_units.h"
#include "analysis/marathon/options.h"
#include "analysis/marathon/rule_book.h"
#include "analysis/marathon/set_model.h"
#include "analysis/marathon/unit_stack.h"
#include "base/byte_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"
#include "event/tables.h"

namespace isosan {

class Marathon {
 public:
  using Options = MarathonOptions;
  using Handles = Events<Read, Write, Call, Return, Begin, End, WaitBegin, BarrierDepart,
                         SemaphoreWait, Fork, Join, ThreadEnd, Allocate, Free>;

  Marathon(FindingSink& sink, MarathonOptions options);
  Marathon(const Marathon&) = delete;
  Marathon& operator=(const Marathon&) = delete;

  void on(const Read& e);
  void on(const Write& e);
  void on(const Walk<Read>& walk);
  void on(const Walk<Write>& walk);
  void on(const Call& e);
  void on(const Return& e);
  void on(const Begin& e);
  void on(const End& e);
  void on(const WaitBegin& e) { split(e.where, options_.split_at_wait); }
  void on(const BarrierDepart& e) { split(e.where, options_.split_at_barrier); }
  void on(const SemaphoreWait& e) { split(e.where, options_.split_at_wait); }
  void on(const Fork& e) { split(e.where, options_.split_at_fork); }
  void on(const Join& e) { split(e.where, options_.split_at_join); }
  void on(const ThreadEnd& e);
  void on(const Allocate& e);
  void on(const Free& e);
  // Prefetching pays if the blocks do not fit into the cache.
  bool wants_prefetch() const { return blocks_.live_pages() > kManyPages; }
  void prefetch(std::span<const Event> soon) const {
    for (const Event& e : soon) blocks_.prefetch(e.address);
  }
  void finish();

  Stats stats() const;
  // The inferred sets, for --sets.
  const marathon::InferredSets& sets() const { return model_.descriptions(); }

 private:
  using Cell = marathon::Cell;
  using Touch = marathon::Touch;
  struct LastWalk {  // a walk over several blocks, all of which admitted its unit
    marathon::Deferred walk;
    marathon::UnitRef unit;
    std::uint64_t version = 0;    // Blocks::version() then
    std::uint64_t forgotten = 0;  // ThreadState::forgotten then
    Address begin = 0, end = 0;   // all of this is in the walk's set; 0: not looked up yet
  };
  struct ThreadState {
    ThreadState(marathon::OpenUnits& open, ThreadId thread) : stack(open, thread) {}

    marathon::UnitStack stack;
    std::uint32_t building = 0;  // constructors and destructors on the stack
    // The unit of the last access; forgotten whenever the stack or a set changes.
    marathon::SetId cached_set = marathon::kNoSet;
    marathon::UnitRef cached_unit;
    // An open unit of earlier accesses: its marks still hold. Not one
    // of the outermost `stale_frames`: sets were merged since they were opened.
    marathon::UnitRef recent_unit;
    bool cached_is_stale = false;
    std::size_t stale_frames = 0;
    std::array<LastWalk, 4> last_walks;  // by site; forgotten at the same time
    std::uint64_t forgotten = 0;         // how often these were forgotten

    void forget_cached() {
      cached_set = marathon::kNoSet;
      ++forgotten;
    }
  };
  struct Kept {  // a finding, and which further conflicts belong to it
    Finding finding;
    std::array<std::size_t, 2> closing{};  // the transactions of the edge that closed it
  };

  ThreadState& state_of(ThreadId thread) {
    while (index(thread) >= threads_.size())
      [[unlikely]] threads_.emplace_back(open_, static_cast<ThreadId>(threads_.size()));
    return threads_[index(thread)];
  }

  void count_accesses(const ThreadState& thread, std::uint64_t count) {
    accesses_ += count;
    frames_at_accesses_ += count * thread.stack.depth();
  }
  template <bool kWrite>
  void access(const Access& e);
  template <bool kWrite>
  void access_as_one(const Access& e);
  template <bool kWrite>
  void access_in_parts(const Access& e);
  template <bool kWrite>
  void walk(const Access& first, std::uint64_t count, std::uint64_t stride);
  template <bool kWrite>
  bool walk_beside(const ThreadState& thread, LastWalk& last, const Access& first);
  template <bool kWrite, class AsPart>
  marathon::UnitRef in_block(ThreadState& thread, marathon::Block& block, const Access& first,
                             marathon::SetId set, AsPart&& as_part, marathon::UnitRef single = {});
  template <bool kWrite>
  void access_without_unit(marathon::Block& block, const marathon::Deferred& part);
  marathon::SetId set_of(marathon::Block& block, Access& first, Address begin, Address end);
  marathon::SetId look_up_set(marathon::Block& block, marathon::SetId known, Access& first,
                              Address begin, Address end);
  void defer(marathon::UnitRef unit, marathon::Work& work, const Access& e, marathon::SetId set,
             bool write);
  void defer_in_block(marathon::UnitRef unit, marathon::Block& block,
                      const marathon::Deferred& part);
  void defer_walk(marathon::UnitRef unit, const marathon::Deferred& walk);
  // Enter deferred accesses of a unit at their locations.
  void enter_in_block(marathon::UnitRef unit, marathon::Work& work, Address in_block);
  void enter_in_blocks(marathon::UnitRef unit);
  void enter_walks(marathon::UnitRef unit);
  void enter_rest(marathon::UnitRef unit, const marathon::Deferred& access);
  void enter(marathon::UnitRef unit, const marathon::Deferred& access, Address from, Address to);
  void enter_one(marathon::UnitRef unit, const Access& e, marathon::SetId set, bool write);
  template <bool kWrite>
  void enter_one(marathon::UnitRef unit, const Access& e, marathon::SetId set);
  template <bool kWrite>
  void conflict(Cell& cell, const Access& e, PieceBytes bytes, marathon::UnitRef unit);
  void order(const Touch& before, Kind before_kind, Kind kind, const Access& e, PieceBytes bytes,
             const Cell& cell, marathon::UnitRef unit);
  bool still_building(ThreadState& thread, marathon::SetId set);
  marathon::UnitRef unit_of(ThreadState& thread, marathon::SetId set, const Access& access);
  bool adopt_if_owned(ThreadState& thread, marathon::SetId set, const Access& access);
  void describe_unit(marathon::SetId set, const marathon::Frame& frame);
  void split(const Where& where, bool asked);
  void finish_units(ThreadState& thread, marathon::Frame& frame);
  void finish_unit(marathon::UnitRef unit);
  void forget(Address address, std::uint64_t size);
  void push(ThreadState& thread);
  void pop(ThreadState& thread);
  // Pops down to the innermost frame for which `is_it` holds, that one included; nothing if none
  // is.
  template <class F>
  void pop_to(ThreadState& thread, F&& is_it);
  void look_up_merged();
  void keep(const marathon::Cycle& cycle);
  void keep_further(marathon::UnitRef from, marathon::UnitRef to,
                    const marathon::Conflict& conflict);

  static constexpr std::uint64_t kLargeAccess = 64;  // bytes
  static constexpr std::size_t kManyPages = 4;

  FindingSink& sink_;
  MarathonOptions options_;
  const Tables& tables_;
  marathon::RuleBook book_;
  marathon::SetModel model_;
  marathon::FunctionRoles roles_;
  marathon::ConflictGraph graph_;
  marathon::Blocks blocks_{graph_};
  marathon::DeferredAccesses deferred_;
  ByteMap<Cell> locations_;
  marathon::OpenUnits open_;
  std::vector<ThreadState> threads_;  // by ThreadId
  std::size_t merges_seen_ = 0;       // of the model, by the stacks
  // Units already passed to SetModel::describe_unit(), by the set's name.
  absl::flat_hash_set<std::tuple<marathon::NameId, FunctionId, RegionId>> described_;

  std::vector<Kept> kept_;
  absl::flat_hash_map<std::string, std::size_t> kept_by_key_;
  // Edges that closed the first instance of a kept finding: (from, to) as slots and generations.
  std::map<std::array<std::uint32_t, 4>, std::size_t> closing_edges_;
  std::array<std::uint64_t, 8> cycles_by_size_{};  // unique ones: 2, 3, ... 8, 9 and more
  std::uint64_t violations_ = 0;
  std::uint64_t accesses_ = 0, frames_at_accesses_ = 0;
};
static_assert(Analysis<Marathon>);

}  // namespace isosan
