#include "spec/region_stage.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "runtime/contract/log_format.h"

namespace isosan {

namespace {

template <class T>
void append_new(const std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(to.size()), from.end());
}

// The kinds that pass() handles; walks are handled, too. All others are only passed on.
constexpr std::array<bool, kKindCount> kStaged = [] {
  std::array<bool, kKindCount> staged{};
  for (std::size_t kind = 0; kind < kKindCount; ++kind) {
    staged[kind] = waiting_of(static_cast<Kind>(kind)) != Waiting::kNone;
  }
  for (const Kind kind : {Kind::kCall, Kind::kReturn, Kind::kBegin, Kind::kEnd, Kind::kThreadEnd}) {
    staged[static_cast<std::size_t>(kind)] = true;
  }
  return staged;
}();
constexpr std::uint64_t kMostTakenApart = 1024;

}  // namespace

std::span<const Event> RegionStage::next() {
  batch_.clear();
  dependences_.clear();
  while (batch_.empty()) {
    if (is_walk(walk_)) {
      take_apart();
    } else if (!input_.empty()) {
      source_.has_dependences() ? pass_with_dependences() : pass_run();
    } else {
      input_ = source_.next();
      events_read_ = dependences_read_ = 0;
      take_tables();
      if (input_.empty()) return {};
      if (tables_.functions.size() == 1 && !source_.keeps_walks()) return std::exchange(input_, {});
    }
  }
  return batch_;
}

bool RegionStage::is_staged(const Event& event) const {
  return kStaged[static_cast<std::size_t>(event.kind)] | is_walk(event) |
         (has_scopes_ & (payload_of(event.kind) == Payload::kLock));
}

// Copies runs of events that the stage does not change.
void RegionStage::pass_run() {
  while (!input_.empty() && !is_walk(walk_)) {
    auto staged = std::ranges::find_if(input_, [&](const Event& e) { return is_staged(e); });
    batch_.insert(batch_.end(), input_.begin(), staged);
    if (staged != input_.end()) pass(*staged++);
    input_ = {staged, input_.end()};
  }
}

void RegionStage::pass_with_dependences() {
  const std::span<const Dependence> all = source_.dependences();
  while (!input_.empty() && !is_walk(walk_)) {
    for (; dependences_read_ < all.size() && all[dependences_read_].before <= events_read_;
         ++dependences_read_) {
      renumber(all[dependences_read_]);
    }
    std::size_t run = input_.size();
    if (dependences_read_ < all.size())
      run = std::min(run, all[dependences_read_].before - events_read_);
    pass_until_cut(run);
  }
  if (!input_.empty()) return;
  for (; dependences_read_ < all.size(); ++dependences_read_) renumber(all[dependences_read_]);
}

// Passes the accesses at the front of the next `count` events, which are no cuts, and one event
// more.
void RegionStage::pass_until_cut(std::size_t count) {
  const auto plain = [](const Event& e) { return is_access(e.kind) && !is_walk(e); };
  const auto end = input_.begin() + static_cast<std::ptrdiff_t>(count);
  auto at = std::find_if_not(input_.begin(), end, plain);
  batch_.insert(batch_.end(), input_.begin(), at);
  if (at != end) pass_counting_cuts(*at++);
  events_read_ += static_cast<std::size_t>(at - input_.begin());
  input_ = {at, input_.end()};
}

void RegionStage::pass_counting_cuts(const Event& event) {
  const std::size_t first = batch_.size();
  pass(event);
  if (is_access(event.kind)) return;
  const auto cuts_of = [&](ThreadId thread) -> Cuts& {
    while (cuts_.size() <= index(thread)) cuts_.emplace_back();
    return cuts_[index(thread)];
  };
  for (std::size_t j = first; j < batch_.size(); ++j) {
    if (is_cut(batch_[j].kind)) ++cuts_of(batch_[j].thread).made;
  }
  Cuts& cuts = cuts_of(event.thread);
  if (may_be_cut(event.kind)) cuts.passed.add(cuts.made);
}

// At most kMostTakenApart accesses of the walk at a time: it may be long.
void RegionStage::take_apart() {
  const WalkSteps steps = steps_of(walk_);
  const std::uint64_t count = std::min(steps.count, kMostTakenApart);
  Event access = walk_;
  access.depth = 0;
  access.size = steps.size;
  for (std::uint64_t i = 0; i < count; ++i, access.address += steps.stride) {
    batch_.push_back(access);
  }
  walk_.address = access.address;
  if (count == steps.count) {
    walk_ = {};
  } else {
    make_walk(walk_, {steps.size, steps.count - count, steps.stride});
  }
}

void RegionStage::renumber(const Dependence& dependence) {
  while (cuts_.size() <= index(dependence.other)) cuts_.emplace_back();
  const Cuts& other = cuts_[index(dependence.other)];
  Dependence made = dependence;
  made.before = batch_.size();
  const bool kept = dependence.point >= other.passed.oldest();
  made.exact = dependence.exact && kept;
  made.point = dependence.point == 0
                   ? 0
                   : other.passed.at(std::max(dependence.point, other.passed.oldest()));
  dependences_.push_back(made);
}

void RegionStage::take_tables() {
  has_scopes_ = rules_.has_lock_scopes();
  const Tables& from = source_.tables();
  const std::size_t known_functions = tables_.functions.size();
  const std::size_t known_sites = tables_.sites.size();
  append_new(from.sites, tables_.sites);
  append_new(from.functions, tables_.functions);
  rules_.assumptions().annotate(tables_, known_functions, known_sites);
  append_new(from.contexts, tables_.contexts);
  append_new(from.modules, tables_.modules);
  append_new(from.classes, tables_.classes);
  append_new(from.annotations, tables_.annotations);
  if (from.threads.size() != tables_.threads.size()) tables_.threads = from.threads;
  if (from.symbols.size() != tables_.symbols.size()) {
    tables_.symbols = from.symbols;
    rules_.assumptions().annotate(tables_.symbols);
  }
  while (numbers_.size() < from.regions.size()) {
    tables_.regions.push_back(from.regions[numbers_.size()]);
    numbers_.push_back(static_cast<RegionId>(tables_.regions.size() - 1));
  }
}

void RegionStage::pass(const Event& event) {
  if (event.kind == Kind::kCall) return call(event, state_of(event.thread));
  if (event.kind == Kind::kReturn) return leave(event, state_of(event.thread));
  if (event.kind == Kind::kBegin || event.kind == Kind::kEnd) return renumber(event);
  if (takes_walks_apart_ && is_access(event.kind) && is_walk(event) &&
      state_of(event.thread).atomic == 0) {
    walk_ = event;
    return;
  }
  if (event.kind == Kind::kThreadEnd) {
    ThreadState& thread = state_of(event.thread);
    while (!thread.stack.empty()) close_top(event, thread);
    thread.scopes.leave_all(scope_end(event, thread));
  }
  if (const Waiting waiting = waiting_of(event.kind); waiting != Waiting::kNone) {
    note_wait(event, state_of(event.thread), waiting);
  }
  if (has_scopes_ && event.kind == Kind::kAcquire) begin_scope(event, state_of(event.thread));
  batch_.push_back(event);
  if (has_scopes_ && event.kind == Kind::kRelease) end_scopes(event, state_of(event.thread));
}

void RegionStage::renumber(const Event& event) {
  append_edge(event, state_of(event.thread));
  batch_.back().size = index(numbers_[event.size]);
}

void RegionStage::append_edge(const Event& event, ThreadState& thread) {
  batch_.push_back(event);
  if (event.detail != static_cast<std::uint8_t>(RegionKind::kAtomic)) return;
  if (event.kind == Kind::kBegin) {
    ++thread.atomic;
  } else if (thread.atomic > 0) {
    --thread.atomic;
  }
}

void RegionStage::call(const Event& event, ThreadState& thread) {
  const auto function = static_cast<FunctionId>(event.size);
  const bool entry = is_inside_trampolines(event.thread, thread.stack);
  if (entry) note_entry(event, function);
  const FunctionRegions regions = entry ? regions_of_entry(function) : regions_of(function);
  const bool left_out = leaves_out_nested_ && thread.functions > 0;
  thread.stack.push_back({function, event.context, event.address, regions.atomic,
                          regions.deterministic, left_out, regions.passes_call});
  if (left_out) return;
  thread.functions += regions.atomic != kNoRegion;
  if (regions.passes_call) batch_.push_back(event);
  edge(Kind::kBegin, event, thread, event.address, regions.deterministic,
       RegionKind::kDeterministic);
  edge(Kind::kBegin, event, thread, event.address, regions.atomic, RegionKind::kAtomic);
}

void RegionStage::leave(const Event& event, ThreadState& thread) {
  const auto function = static_cast<FunctionId>(event.size);
  std::size_t depth = thread.stack.size();
  while (depth > 0 && thread.stack[depth - 1].function != function) --depth;
  if (depth == 0) return;  // a return whose call was before the recording
  while (thread.stack.size() >= depth) close_top(event, thread);
}

// Ends the regions of the innermost call and passes its Return on.
void RegionStage::close_top(const Event& event, ThreadState& thread) {
  const Frame frame = thread.stack.back();
  thread.stack.pop_back();
  if (frame.left_out) return;
  if (frame.atomic != kNoRegion) {
    --thread.functions;
    thread.scopes.leave_call(thread.stack.size(), scope_end(event, thread));
  }
  edge(Kind::kEnd, event, thread, frame.object, frame.atomic, RegionKind::kAtomic);
  edge(Kind::kEnd, event, thread, frame.object, frame.deterministic, RegionKind::kDeterministic);
  if (!frame.passes_call) return;
  Event leaving = event;
  leaving.kind = Kind::kReturn;
  leaving.address = frame.object;
  leaving.size = index(frame.function);
  leaving.context = frame.context;
  batch_.push_back(leaving);
}

// A Begin or End at the place of `at`; nothing where the function is no region of that kind.
void RegionStage::edge(Kind kind, const Event& at, ThreadState& thread, Address object,
                       RegionId region, RegionKind region_kind) {
  if (region == kNoRegion) return;
  Event event = at;
  event.kind = kind;
  event.detail = static_cast<std::uint8_t>(region_kind);
  event.address = object;
  event.size = index(region);
  append_edge(event, thread);
}

RegionStage::FunctionRegions& RegionStage::regions_of(FunctionId function) {
  if (index(function) >= functions_.size()) functions_.resize(tables_.functions.size());
  FunctionRegions& regions = functions_[index(function)];
  if (!regions.decided) decide(regions, function, tables_.functions[index(function)]);
  return regions;
}

// Nothing but trampolines is open, as the runtime decides it (runtime/calls/call_stack.cc).
bool RegionStage::is_inside_trampolines(ThreadId thread, std::span<const Frame> stack) const {
  constexpr std::size_t kMostTrampolines = 32;
  if (thread == ThreadId{0} || stack.size() > kMostTrampolines) return false;
  return std::ranges::all_of(stack, [&](const Frame& frame) {
    return is_trampoline(tables_.functions[index(frame.function)]);
  });
}

// Whoever else calls it, it is the body of a thread. The pass knows that beforehand.
void RegionStage::note_entry(const Event& event, FunctionId id) {
  Function& function = tables_.functions[index(id)];
  if (function.pc == 0 || is_trampoline(function)) return;
  if (std::exchange(function.thread_entry, true) || rules_.choose(function).atomic) return;
  if (std::exchange(regions_of(id).atomic, kNoRegion) == kNoRegion) return;
  Event at = event;
  at.site = kNoSite;
  at.context = kEmptyStack;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    at.thread = ThreadId{static_cast<std::uint32_t>(i)};
    for (Frame& frame : threads_[i].stack) {
      if (frame.function == id) end_region(at, threads_[i], frame);
    }
    if (threads_[i].functions == 0) begin_left_out(at, threads_[i]);
  }
}

RegionStage::FunctionRegions RegionStage::regions_of_entry(FunctionId function) {
  Function entry = tables_.functions[index(function)];
  entry.thread_entry = true;
  FunctionRegions regions = regions_of(function);  // as far as the rules still choose it
  const RegionChoice choice = rules_.choose(entry);
  if (!choice.atomic) regions.atomic = kNoRegion;
  if (!choice.deterministic) regions.deterministic = kNoRegion;
  return regions;
}

void RegionStage::decide(FunctionRegions& regions, FunctionId id, const Function& function) {
  const RegionChoice choice = rules_.choose(function);
  regions.decided = true;
  regions.passes_call = !passed_annotations_ || (function.annotations & *passed_annotations_) != 0;
  if (choice.atomic) regions.atomic = new_region(id, RegionKind::kAtomic);
  if (choice.deterministic) regions.deterministic = new_region(id, RegionKind::kDeterministic);
}

// By the final choice: a function that waited is not counted.
std::uint64_t RegionStage::regions_entered() const {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    if (functions_[i].decided && rules_.choose(tables_.functions[i]).any()) ++count;
  }
  return count;
}

// The innermost function that is not the library's is the one that waits or notifies. Those that
// called it wait, too.
void RegionStage::note_wait(const Event& event, ThreadState& thread, Waiting waiting) {
  for (auto frame = thread.stack.rbegin(); frame != thread.stack.rend(); ++frame) {
    if (is_library_name(tables_.functions[index(frame->function)].name)) continue;
    end_by_heuristic(event, thread, *frame);
    if (waiting == Waiting::kFunction) break;
  }
  if (thread.functions == 0) begin_left_out(event, thread);
}

// The innermost function that is not the library's, of the open calls or of the site; else the
// innermost one: a lambda may be inlined into the library's code that calls it.
FunctionId RegionStage::function_at(const Event& event, const Stack& stack) const {
  const auto is_library = [&](FunctionId id) {
    return is_library_name(tables_.functions[index(id)].name);
  };
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
    if (!is_library(frame->function)) return frame->function;
  }
  const FunctionId function = tables_.sites[index(event.site)].function;
  if (function != kNoFunction && !is_library(function)) return function;
  return stack.empty() ? function : stack.back().function;
}

void RegionStage::begin_scope(const Event& event, ThreadState& thread) {
  if (event.depth > 0) return;
  const FunctionId function = function_at(event, thread.stack);
  if (function == kNoFunction || !rules_.scopes_in(tables_.functions[index(function)])) return;
  RegionId& region = scopes_[{function, event.site}];
  if (region == kNoRegion) region = new_region(function, RegionKind::kAtomic, event.site);
  thread.scopes.begin({event.address, region, thread.stack.size()});
  edge(Kind::kBegin, event, thread, 0, region, RegionKind::kAtomic);
}

void RegionStage::end_scopes(const Event& event, ThreadState& thread) {
  if (event.depth == 0) thread.scopes.release(event.address, scope_end(event, thread));
}

void RegionStage::end_by_heuristic(const Event& event, ThreadState& thread, Frame& frame) {
  Function& function = tables_.functions[index(frame.function)];
  if (!std::exchange(function.waits_or_notifies, true) && !rules_.choose(function).atomic) {
    RegionId& region = regions_of(frame.function).atomic;
    if (region != kNoRegion) ended_by_waiting_.push_back(frame.function);
    region = kNoRegion;
  }
  if (!rules_.choose(function).atomic) end_region(event, thread, frame);
}

// Before its call returns: the function turned out to be no region.
void RegionStage::end_region(const Event& event, ThreadState& thread, Frame& frame) {
  const RegionId open = std::exchange(frame.atomic, kNoRegion);
  if (open == kNoRegion || frame.left_out) return;
  --thread.functions;
  const auto outer = static_cast<std::size_t>(&frame - thread.stack.data());
  thread.scopes.leave_call(outer, scope_end(event, thread));
  edge(Kind::kEnd, event, thread, frame.object, open, RegionKind::kAtomic);
}

// The enclosing region has ended by heuristic: regions nested in it are outermost now.
void RegionStage::begin_left_out(const Event& event, ThreadState& thread) {
  const auto outermost = std::ranges::find_if(
      thread.stack, [](const Frame& frame) { return frame.left_out && frame.atomic != kNoRegion; });
  if (outermost == thread.stack.end()) return;
  outermost->left_out = false;
  ++thread.functions;
  edge(Kind::kBegin, event, thread, outermost->object, outermost->atomic, RegionKind::kAtomic);
}

RegionId RegionStage::new_region(FunctionId function, RegionKind kind, SiteId site) {
  const auto id = static_cast<RegionId>(tables_.regions.size());
  tables_.regions.push_back({.kind = kind,
                             .name = tables_.functions[index(function)].name,
                             .function = function,
                             .site = site});
  return id;
}

}  // namespace isosan
