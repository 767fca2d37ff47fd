#include "small_program.h"

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

namespace isosan::test {
namespace {

constexpr int kObjects = 3;  // of each sort
constexpr const char* kNames[] = {"read", "write",  "rmw",    "skip", "acquire", "release", "post",
                                  "wait", "arrive", "depart", "fork", "join",    "begin",   "end"};

bool is_access(Act act) {
  return act == Act::kRead || act == Act::kWrite || act == Act::kAtomicRmw;
}

Event event_of(const Op& op, std::size_t thread, std::uint64_t generation) {
  const auto object = static_cast<std::uint64_t>(op.object);
  Event e{.thread = ThreadId{static_cast<std::uint32_t>(thread)}};
  switch (op.act) {
    case Act::kRead:
      return e.kind = Kind::kRead, e.address = 0x1000 + object * 8, e.size = 8, e;
    case Act::kWrite:
      return e.kind = Kind::kWrite, e.address = 0x1000 + object * 8, e.size = 8, e;
    case Act::kAtomicRmw:
      e.detail = static_cast<std::uint8_t>(MemoryOrder::kSeqCst);
      return e.kind = Kind::kAtomicRmw, e.address = 0x1000 + object * 8, e.size = 8, e;
    case Act::kAcquire:
      return e.kind = Kind::kAcquire, e.address = 0x2000 + object * 8, e;
    case Act::kRelease:
      return e.kind = Kind::kRelease, e.address = 0x2000 + object * 8, e;
    case Act::kPost:
      return e.kind = Kind::kSemaphorePost, e.address = 0x3000 + object * 8, e;
    case Act::kWait:
      return e.kind = Kind::kSemaphoreWait, e.address = 0x3000 + object * 8, e;
    case Act::kArrive:
      return e.kind = Kind::kBarrierArrive, e.address = 0x4000 + object * 8, e.size = generation, e;
    case Act::kDepart:
      return e.kind = Kind::kBarrierDepart, e.address = 0x4000 + object * 8, e.size = generation, e;
    case Act::kFork:
      return e.kind = Kind::kFork, e.address = object, e;
    case Act::kJoin:
      return e.kind = Kind::kJoin, e.address = object, e;
    case Act::kBegin:
    case Act::kEnd:
      e.detail = static_cast<std::uint8_t>(RegionKind::kDeterministic);
      e.size = 1 + thread;
      return e.kind = op.act == Act::kBegin ? Kind::kBegin : Kind::kEnd, e;
    case Act::kSkip:
      break;
  }
  return e;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const SmallProgram& raw) {
  const SmallProgram program = well_formed(raw);
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    out << "\nT" << t << ":";
    for (const Op& op : program.threads[t]) {
      out << " " << kNames[static_cast<int>(op.act)] << "(" << op.object << ")";
    }
  }
  return out << "\n";
}

SmallProgram well_formed(const SmallProgram& raw) {
  SmallProgram result{{}, raw.barrier_parties};
  std::set<int> forked{0};
  for (std::size_t t = 0; t < raw.threads.size(); ++t) {
    std::vector<Op> ops;
    std::set<int> held, children;
    bool in_block = false;
    for (const Op& op : raw.threads[t]) {
      if (op.act == Act::kAcquire && !held.insert(op.object).second) continue;
      if (op.act == Act::kRelease && held.erase(op.object) == 0) continue;
      if (op.act == Act::kFork) {  // by a thread of a lower number only: no thread forks itself
        if (op.object <= static_cast<int>(t) || op.object >= static_cast<int>(raw.threads.size()) ||
            !forked.insert(op.object).second) {
          continue;
        }
        children.insert(op.object);
      }
      if (op.act == Act::kJoin && children.erase(op.object) == 0) continue;
      if (op.act == Act::kBegin && std::exchange(in_block, true)) continue;
      if (op.act == Act::kEnd && !std::exchange(in_block, false)) continue;
      if (op.act == Act::kDepart) continue;
      ops.push_back(op);
      if (op.act == Act::kArrive) ops.push_back({Act::kDepart, op.object});
    }
    for (const int lock : held) ops.push_back({Act::kRelease, lock});
    if (in_block) ops.push_back({Act::kEnd});
    result.threads.push_back(std::move(ops));
  }
  return result;
}

ProgramState initial_state(const SmallProgram& program) {
  const std::size_t n = program.threads.size();
  ProgramState state;
  state.next.assign(n, ProgramState::kNotStarted);
  state.next[0] = 0;
  for (std::size_t t = 0; t < n; ++t) state.registers.push_back(static_cast<std::uint32_t>(t + 1));
  state.memory.assign(kObjects, 0);
  state.lock_holders.assign(kObjects, -1);
  state.posts.assign(kObjects, 0);
  state.arrived.assign(kObjects, 0);
  state.waiting_for.assign(n, std::vector<int>(kObjects, 0));
  return state;
}

bool is_final(const SmallProgram& program, const ProgramState& state) {
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (state.next[t] != ProgramState::kNotStarted && state.next[t] < program.threads[t].size()) {
      return false;
    }
  }
  return true;
}

bool is_enabled(const SmallProgram& program, const ProgramState& state, std::size_t t) {
  if (state.next[t] == ProgramState::kNotStarted) return false;
  if (state.next[t] >= program.threads[t].size()) return false;
  const Op& op = program.threads[t][state.next[t]];
  const auto object = static_cast<std::size_t>(op.object);
  if (op.act == Act::kAcquire) return state.lock_holders[object] == -1;
  if (op.act == Act::kWait) return state.posts[object] > 0;
  if (op.act == Act::kDepart) {
    return state.arrived[object] / program.barrier_parties > state.waiting_for[t][object];
  }
  if (op.act == Act::kJoin) return state.next[object] >= program.threads[object].size();
  return true;
}

void step(const SmallProgram& program, ProgramState& state, std::size_t t,
          std::vector<Event>& events) {
  const std::vector<Op>& ops = program.threads[t];
  const Op& op = ops[state.next[t]++];
  const auto object = static_cast<std::size_t>(op.object);
  const auto constant = static_cast<std::uint32_t>(7 * t + state.next[t]);
  std::uint32_t& mine = state.registers[t];
  if (op.act == Act::kSkip) {
    const bool access = state.next[t] < ops.size() && is_access(ops[state.next[t]].act);
    if (access && mine % 2 == 1) ++state.next[t];
    return;
  }
  if (op.act == Act::kArrive) {
    state.waiting_for[t][object] = state.arrived[object]++ / program.barrier_parties;
  }
  const auto generation = static_cast<std::uint64_t>(state.waiting_for[t][object % kObjects]);
  if (op.act == Act::kRead) mine = mine * 31 + state.memory[object];
  if (op.act == Act::kWrite) state.memory[object] = mine * 17 + constant;
  if (op.act == Act::kAtomicRmw) {
    mine = mine * 31 + state.memory[object];
    state.memory[object] = mine * 17 + constant;
  }
  if (op.act == Act::kAcquire) state.lock_holders[object] = static_cast<int>(t);
  if (op.act == Act::kRelease) state.lock_holders[object] = -1;
  if (op.act == Act::kPost) ++state.posts[object];
  if (op.act == Act::kWait) --state.posts[object];
  if (op.act == Act::kFork) state.next[object] = 0;
  events.push_back(event_of(op, t, generation));
}

bool final_states(const SmallProgram& program, std::size_t most_states,
                  std::vector<ProgramState>& finals) {
  std::set<ProgramState> seen{initial_state(program)}, ends;
  std::vector<ProgramState> stack{*seen.begin()};
  std::vector<Event> ignored;
  while (!stack.empty()) {
    const ProgramState state = std::move(stack.back());
    stack.pop_back();
    if (is_final(program, state)) ends.insert(state);
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      if (!is_enabled(program, state, t)) continue;
      ProgramState after = state;
      step(program, after, t, ignored);
      if (seen.insert(after).second) stack.push_back(std::move(after));
      if (seen.size() > most_states) return false;
    }
  }
  finals.assign(ends.begin(), ends.end());
  return true;
}

namespace {

bool schedules_from(const SmallProgram& program, const ProgramState& state, std::size_t& left,
                    std::vector<Event>& events,
                    const std::function<void(const std::vector<Event>&, const ProgramState&)>& f) {
  if (is_final(program, state)) {
    if (left-- == 0) return false;
    f(events, state);
    return true;
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    if (!is_enabled(program, state, t)) continue;
    ProgramState after = state;
    const std::size_t length = events.size();
    step(program, after, t, events);
    if (!schedules_from(program, after, left, events, f)) return false;
    events.resize(length);
  }
  return true;
}

}  // namespace

bool for_each_schedule(
    const SmallProgram& program, std::size_t most,
    const std::function<void(const std::vector<Event>&, const ProgramState&)>& f) {
  std::vector<Event> events;
  return schedules_from(program, initial_state(program), most, events, f);
}

}  // namespace isosan::test
