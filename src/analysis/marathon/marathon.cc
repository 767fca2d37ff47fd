#include "analysis/marathon/marathon.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/marathon/report.h"
#include "analysis/marathon/shortcuts.h"
#include "base/check.h"

namespace isosan {

using namespace marathon;  // NOLINT: the analysis's own parts

Marathon::Marathon(FindingSink& sink, MarathonOptions options)
    : sink_(sink),
      options_(std::move(options)),
      tables_((ISOSAN_CHECK(options_.tables != nullptr), *options_.tables)),
      book_(tables_, std::move(options_.rules)),
      model_(tables_, book_),
      roles_(tables_, book_, model_),
      deferred_(options_.most_deferred) {}

// ---- the unit of an access ----------------------------------------------------------------------

// No other thread can reach an object in its constructor before it is shared, or in its destructor.
bool Marathon::still_building(ThreadState& thread, SetId set) {
  for (const Frame& frame : thread.stack.frames()) {
    if (frame.building == kNoSet || model_.find(frame.building) != set) continue;
    if (frame.role->destructor || !model_.state(set).shared) return true;
  }
  return false;
}

// The unit that an access to the set belongs to; none: the access is a unit by itself.
UnitRef Marathon::unit_of(ThreadState& thread, SetId set, const Access& access) {
  std::uint32_t at = thread.stack.unit_on(set, model_);
  if (at == kNoFrame && adopt_if_owned(thread, set, access)) {
    set = model_.find(set);
    at = thread.stack.unit_on(set, model_);
  }
  if (at == kNoFrame) {
    at = thread.stack.unitfor(set, model_, tables_);
    if (at == kNoFrame) return {};
    thread.stack.declare(at, set);
  }
  Frame& frame = thread.stack.frames()[at];
  UnitRef& unit = frame.unit_on(set, model_.state(set).named);
  if (!graph_.alive(unit)) unit = graph_.add(frame.info);
  describe_unit(set, frame);
  thread.cached_set = set;
  thread.cached_unit = unit;
  thread.cached_is_stale = at < thread.stale_frames;
  return unit;
}

void Marathon::describe_unit(SetId set, const Frame& frame) {
  const NameId name = model_.at(set).name;
  auto& recent = frame.role->described_for;
  if (frame.info.function != kNoFunction && std::ranges::find(recent, name) != recent.end()) return;
  recent[static_cast<std::size_t>(name) % recent.size()] = name;
  if (described_.emplace(name, frame.info.function, frame.info.region).second) {
    model_.describe_unit(set, unit_name(frame.info, tables_));
  }
}

// Merges the set into that of the object that uses it directly now, if that object's functions made
// it or keep it (owned). True: it did.
bool Marathon::adopt_if_owned(ThreadState& thread, SetId set, const Access& access) {
  const Frame* user = thread.stack.innermost_member();
  if (user == nullptr) return false;
  const FunctionRole& role = *user->role;
  if (!model_.adopt(set, access, thread.stack.keeper(), user->info.object, role.class_name,
                    role.class_size))
    return false;
  look_up_merged();
  return true;
}

// ---- units --------------------------------------------------------------------------------------

void Marathon::push(ThreadState& thread) {
  thread.forget_cached();
  thread.stack.push();
  if (thread.stack.top().building != kNoSet) ++thread.building;
}

void Marathon::pop(ThreadState& thread) {
  Frame& frame = thread.stack.top();
  thread.forget_cached();
  if (frame.building != kNoSet) --thread.building;
  finish_units(thread, frame);
  thread.stack.pop(model_);
  thread.stale_frames = std::min(thread.stale_frames, thread.stack.depth());
}

template <class F>
void Marathon::pop_to(ThreadState& thread, F&& is_it) {
  if (std::ranges::none_of(thread.stack.frames(), is_it)) return;
  while (!is_it(thread.stack.top())) pop(thread);
  pop(thread);
}

void Marathon::finish_units(ThreadState& thread, Frame& frame) {
  if (frame.unit == thread.recent_unit || !frame.named_units.empty()) thread.recent_unit = {};
  finish_unit(frame.unit);
  frame.unit = {};
  for (const auto& [set, unit] : frame.named_units) finish_unit(unit);
  frame.named_units.clear();
}

// A unit that stays in the graph can still conflict: its deferred accesses are entered.
void Marathon::finish_unit(UnitRef unit) {
  graph_.finish(unit);
  if (!deferred_.any(unit)) return;
  if (graph_.alive(unit)) {
    enter_in_blocks(unit);
    enter_walks(unit);
  }
  deferred_.clear(unit);
}

// Sets with no open unit on them, as most that are allocated, need no more than the merge.
void Marathon::look_up_merged() {
  const std::vector<SetId>& merged = model_.merged();
  if (merges_seen_ == merged.size()) return;
  bool in_use = false;
  for (; merges_seen_ < merged.size(); ++merges_seen_) in_use |= open_.any(merged[merges_seen_]);
  for (ThreadState& thread : threads_) thread.forget_cached();
  if (!in_use) return;
  open_.clear();
  for (ThreadState& thread : threads_) {
    thread.stack.rebuild(model_);
    thread.recent_unit = {};
    thread.stale_frames = thread.stack.depth();
  }
}

void Marathon::on(const Call& e) {
  ThreadState& thread = state_of(e.where.thread);
  const FunctionRole& role = roles_.of(e.function);
  Frame& frame = thread.stack.next();
  frame.begin({.function = e.function, .object = e.object, .begin = e.where}, &role);
  const bool first = thread.stack.empty() && e.where.thread != ThreadId{0};
  frame.entry = role.entry || (role.entry_if_first && first);
  const auto own_set = [&] {
    return model_.set_of_object(e.object, role.class_name, role.class_size);
  };
  if ((role.constructor || role.destructor) && e.object != 0) {
    const bool inner = std::ranges::any_of(thread.stack.frames(), [&](const Frame& outer) {
      return outer.building != kNoSet && outer.info.object == e.object;
    });
    if (role.constructor && !inner) {
      model_.construct(e.object, role.class_name, role.class_size);
    }
    frame.building = own_set();
  }
  if (!frame.entry) {
    frame.on_all = role.unit_on_all;
    if (role.unit_on_object && e.object != 0) frame.on_object = own_set();
    if (role.unit_on_class && role.has_statics(model_)) {
      frame.on_class = model_.set_of_class(role.class_name);
    }
    if (role.unit_on_object && !book_.rules().fields.empty()) {
      frame.unitfor = model_.sets_across(tables_.functions[index(e.function)].class_name);
    }
  }
  look_up_merged();
  push(thread);
}

void Marathon::on(const Return& e) {
  ThreadState& thread = state_of(e.where.thread);
  if (!thread.stack.empty() && thread.stack.top().info.function == e.function) [[likely]]
    return pop(thread);
  // longjmp left the frames further in.
  pop_to(thread, [&](const Frame& frame) { return frame.info.function == e.function; });
}

void Marathon::on(const Begin& e) {
  if (e.kind != RegionKind::kUnit) return;
  ThreadState& thread = state_of(e.where.thread);
  Frame& frame = thread.stack.next();
  frame.begin({.region = e.region, .object = e.object, .begin = e.where}, &kBlockRole);
  frame.on_all = e.object == 0;
  if (e.object != 0) frame.on_object = model_.set_of_object(e.object, kNoName, 0);
  look_up_merged();
  push(thread);
}

void Marathon::on(const End& e) {
  if (e.kind != RegionKind::kUnit) return;
  pop_to(state_of(e.where.thread), [&](const Frame& frame) {
    return frame.info.region == e.region && frame.info.function == kNoFunction;
  });
}

// The thread's later accesses belong to new units.
void Marathon::split(const Where& where, bool asked) {
  if (!asked) return;
  ThreadState& thread = state_of(where.thread);
  thread.forget_cached();
  for (Frame& frame : thread.stack.frames()) finish_units(thread, frame);
}

void Marathon::on(const ThreadEnd& e) {
  ThreadState& thread = state_of(e.where.thread);
  while (!thread.stack.empty()) pop(thread);
}

// ---- memory -------------------------------------------------------------------------------------

void Marathon::on(const Allocate& e) {
  ThreadState& thread = state_of(e.where.thread);
  forget(e.address, e.size);
  const Frame* maker = thread.stack.innermost_member();
  Address owner = thread.stack.container();
  if (maker != nullptr && owner == 0) {
    const Function& function = tables_.functions[index(maker->info.function)];
    if (book_.rules().owning_classes.contains(function.class_name)) owner = maker->info.object;
  }
  model_.allocate(e, owner, maker == nullptr ? 0 : maker->info.object);
}

void Marathon::on(const Free& e) {
  forget(e.address, e.size);
  model_.forget(e.address, e.size);
}

// ---- verdicts -----------------------------------------------------------------------------------

void Marathon::keep(const Cycle& cycle) {
  ++violations_;
  const Cycle shorter = shortened(cycle);
  Finding finding = cycle_finding(shorter, graph_, model_, tables_);
  finding.key = cycle_key(cycle, finding.subject, graph_, tables_);
  const auto [place, is_new] = kept_by_key_.try_emplace(finding.key, kept_.size());
  if (!is_new) {
    ++kept_[place->second].finding.times;
    return;
  }
  ++cycles_by_size_[std::min<std::size_t>(cycle.size(), 9) - 2];
  const CycleEdge& closing = cycle.back();
  closing_edges_[{closing.from.slot, closing.from.generation, closing.to.slot,
                  closing.to.generation}] = kept_.size();
  kept_.push_back({std::move(finding), {shorter.size() - 1, 0}});
}

// A further conflict on the edge that closed a cycle is one of that cycle's accesses.
void Marathon::keep_further(UnitRef from, UnitRef to, const Conflict& conflict) {
  const auto found = closing_edges_.find({from.slot, from.generation, to.slot, to.generation});
  if (found == closing_edges_.end()) return;
  Kept& kept = kept_[found->second];
  for (const FindingEdge& edge : kept.finding.edges) {
    const FindingStep &before = kept.finding.steps[edge.from], &after = kept.finding.steps[edge.to];
    if (before.where.site == conflict.from.site && after.where.site == conflict.to.site &&
        before.address == conflict.address) {
      return;
    }
  }
  add_conflict(kept.finding, conflict, kept.closing[0], kept.closing[1]);
}

void Marathon::finish() {
  for (Kept& kept : kept_) sink_.report(std::move(kept.finding));
  kept_.clear();
  kept_by_key_.clear();
  closing_edges_.clear();
}

Stats Marathon::stats() const {
  Stats stats{
      {"threads", threads_.size()},
      {"units", graph_.units()},
      {"conflict_edges", graph_.edges()},
      {"largest_graph", graph_.max_live_units()},
      {"violations", violations_},
      {"stack_depth_x100", accesses_ == 0 ? 0 : 100 * frames_at_accesses_ / accesses_},
  };
  for (std::size_t i = 0; i < cycles_by_size_.size(); ++i) {
    const std::string size = i + 2 == 9 ? "9_or_more" : std::to_string(i + 2);
    stats.push_back({"cycles_of_" + size, cycles_by_size_[i]});
  }
  return stats;
}

}  // namespace isosan
