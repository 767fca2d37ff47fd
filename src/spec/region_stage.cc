#include "spec/region_stage.h"

#include <cstddef>
#include <utility>

namespace isosan {

RegionStage::RegionStage(EventSource& source, Tables& tables, const RegionRules& rules)
    : source_(source), tables_(tables), rules_(rules) {}

std::span<const Event> RegionStage::next() {
  batch_.clear();
  while (batch_.empty()) {
    const std::span<const Event> input = source_.next();
    if (input.empty()) return {};
    for (const Event& event : input) pass(event);
  }
  return batch_;
}

void RegionStage::pass(const Event& event) {
  ThreadStack& stack = stack_of(event.thread);
  if (event.kind == Kind::kCall) return call(event, stack);
  if (event.kind == Kind::kReturn) return leave(event, stack);
  if (event.kind == Kind::kThreadEnd) {
    while (!stack.frames.empty()) close_top(event, stack);
  }
  if (event.kind == Kind::kWaitBegin || event.kind == Kind::kNotify) note_wait(event, stack);
  batch_.push_back(event);
  batch_.back().context = stack.context;
}

void RegionStage::call(const Event& event, ThreadStack& stack) {
  const auto function = static_cast<FunctionId>(event.size);
  const bool entry = stack.frames.empty() && event.thread != ThreadId{0};
  const FunctionRegions regions = entry ? regions_of_entry(function) : regions_of(function);
  stack.frames.push_back(
      {function, stack.context, event.address, regions.atomic, regions.deterministic});
  stack.context = child_context(stack.context, function, event.site);
  batch_.push_back(event);
  batch_.back().context = stack.context;
  edge(Kind::kBegin, event, event.address, regions.deterministic, RegionKind::kDeterministic);
  edge(Kind::kBegin, event, event.address, regions.atomic, RegionKind::kAtomic);
}

void RegionStage::leave(const Event& event, ThreadStack& stack) {
  const auto function = static_cast<FunctionId>(event.size);
  std::size_t depth = stack.frames.size();
  while (depth > 0 && stack.frames[depth - 1].function != function) --depth;
  if (depth == 0) return;  // a return whose call was before the recording
  while (stack.frames.size() >= depth) close_top(event, stack);
}

// Ends the regions of the innermost call and tells its Return.
void RegionStage::close_top(const Event& event, ThreadStack& stack) {
  const Frame frame = stack.frames.back();
  edge(Kind::kEnd, event, frame.object, frame.atomic, RegionKind::kAtomic);
  edge(Kind::kEnd, event, frame.object, frame.deterministic, RegionKind::kDeterministic);
  Event leaving = event;
  leaving.kind = Kind::kReturn;
  leaving.address = frame.object;
  leaving.size = index(frame.function);
  leaving.context = stack.context;
  batch_.push_back(leaving);
  stack.context = frame.outer;
  stack.frames.pop_back();
}

// A Begin or End at the place of `at`; nothing where the function is no region of that kind.
void RegionStage::edge(Kind kind, const Event& at, Address object, RegionId region,
                       RegionKind region_kind) {
  if (region == kNoRegion) return;
  Event event = at;
  event.kind = kind;
  event.detail = static_cast<std::uint8_t>(region_kind);
  event.address = object;
  event.size = index(region);
  event.context = stack_of(at.thread).context;
  batch_.push_back(event);
}

RegionStage::ThreadStack& RegionStage::stack_of(ThreadId thread) {
  if (index(thread) >= stacks_.size()) stacks_.resize(index(thread) + 1);
  return stacks_[index(thread)];
}

RegionStage::FunctionRegions& RegionStage::regions_of(FunctionId function) {
  if (index(function) >= functions_.size()) functions_.resize(tables_.functions.size());
  FunctionRegions& regions = functions_[index(function)];
  if (!regions.decided) decide(regions, function, tables_.functions[index(function)]);
  return regions;
}

RegionStage::FunctionRegions RegionStage::regions_of_entry(FunctionId function) {
  Function entry = tables_.functions[index(function)];
  entry.thread_entry = true;
  FunctionRegions regions =
      regions_of(function);  // the same regions, as far as the rules still choose it
  const RegionChoice choice = rules_.choose(entry);
  if (!choice.atomic) regions.atomic = kNoRegion;
  if (!choice.deterministic) regions.deterministic = kNoRegion;
  return regions;
}

void RegionStage::decide(FunctionRegions& regions, FunctionId id, const Function& function) {
  const RegionChoice choice = rules_.choose(function);
  regions.decided = true;
  if (choice.atomic) regions.atomic = new_region(id, RegionKind::kAtomic);
  if (choice.deterministic) regions.deterministic = new_region(id, RegionKind::kDeterministic);
  if (choice.any()) ++entered_;
}

// The innermost function that is not the library's is the one that waits or notifies.
void RegionStage::note_wait(const Event& event, ThreadStack& stack) {
  for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
    Function& function = tables_.functions[index(frame->function)];
    if (is_library_name(function.name)) continue;
    if (function.waits_or_notifies) return;
    function.waits_or_notifies = true;
    if (rules_.choose(function).atomic) return;
    regions_of(frame->function).atomic = kNoRegion;
    edge(Kind::kEnd, event, frame->object, std::exchange(frame->atomic, kNoRegion),
         RegionKind::kAtomic);
    return;
  }
}

RegionId RegionStage::new_region(FunctionId function, RegionKind kind) {
  const auto id = static_cast<RegionId>(tables_.regions.size());
  tables_.regions.push_back({.kind = kind,
                             .name = tables_.functions[index(function)].name,
                             .function = function,
                             .site = kNoSite});
  return id;
}

ContextId RegionStage::child_context(ContextId parent, FunctionId function, SiteId call_site) {
  const std::pair key{std::uint64_t{index(parent)} << 32 | index(function), index(call_site)};
  const auto [found, inserted] =
      contexts_.try_emplace(key, static_cast<ContextId>(tables_.contexts.size()));
  if (inserted) tables_.contexts.push_back({parent, function, call_site});
  return found->second;
}

}  // namespace isosan
