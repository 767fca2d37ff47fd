// The paper's lemmas and its theorem on small random programs, over all their schedules.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/singletrack/singletrack.h"
#include "oracle/property.h"
#include "singletrack_oracle.h"
#include "small_program.h"

namespace isosan::test {
namespace {

using Random = std::minstd_rand;

std::size_t below(Random& random, std::size_t n) { return random() % n; }

// ---- random programs ----

Op draw_op(Random& random, const std::vector<Act>& menu, std::size_t threads) {
  const Act act = menu[below(random, menu.size())];
  const std::size_t objects = act == Act::kFork || act == Act::kJoin ? threads : 2;
  const bool sync = act == Act::kAcquire || act == Act::kRelease || act == Act::kArrive;
  return {act, static_cast<int>(below(random, sync ? 1 : objects))};
}

// All in one block of thread 0.
SmallProgram draw_one_block(Random& random) {
  std::vector<Act> menu{Act::kRead, Act::kWrite, Act::kRead, Act::kWrite, Act::kSkip};
  const auto add = [&](std::initializer_list<Act> acts) {
    if (below(random, 2) == 0) menu.insert(menu.end(), acts);
  };
  add({Act::kAcquire, Act::kRelease});
  add({Act::kPost, Act::kWait});
  add({Act::kPost, Act::kPost, Act::kWait, Act::kWait});
  add({Act::kArrive});
  add({Act::kAtomicRmw});
  SmallProgram program{std::vector<std::vector<Op>>(2 + below(random, 2))};
  const std::size_t n = program.threads.size();
  program.threads[0].push_back({Act::kBegin});
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t i = 1 + below(random, 5); i > 0; --i) {
      program.threads[t].push_back(draw_op(random, menu, n));
    }
  }
  for (std::size_t u = n - 1; u > 0; --u) {  // somewhere a fork, and as a rule a join after it
    std::vector<Op>& ops = program.threads[below(random, u)];
    const auto fork = 1 + below(random, ops.size());
    ops.insert(ops.begin() + static_cast<std::ptrdiff_t>(std::min(fork, ops.size())),
               {Act::kFork, static_cast<int>(u)});
    if (below(random, 3) > 0) ops.push_back({Act::kJoin, static_cast<int>(u)});
  }
  return program;
}

// One block: two threads that work and post, and one that forks them, waits and works.
SmallProgram draw_semaphores(Random& random) {
  const std::vector<Act> waits{Act::kWait, Act::kWait,  Act::kWait,
                               Act::kRead, Act::kWrite, Act::kPost};
  const std::vector<Act> posts{Act::kPost, Act::kPost,  Act::kPost,
                               Act::kRead, Act::kWrite, Act::kWait};
  SmallProgram program{{{{Act::kBegin}, {Act::kFork, 1}, {Act::kFork, 2}}, {}, {}}};
  for (std::size_t t = 0; t < 3; ++t) {
    for (std::size_t i = 2 + below(random, 3); i > 0; --i) {
      Op op = draw_op(random, t == 0 ? waits : posts, 3);
      if ((op.act == Act::kPost || op.act == Act::kWait) && below(random, 4) > 0) op.object = 0;
      program.threads[t].push_back(op);
    }
  }
  return program;
}

// Thread 0 forks two threads that run blocks, one of which may fork a thread of its own.
SmallProgram draw_several_blocks(Random& random) {
  const std::vector<Act> menu{Act::kRead,    Act::kWrite,   Act::kRead,
                              Act::kWrite,   Act::kAcquire, Act::kRelease,
                              Act::kRelease, Act::kSkip,    Act::kAtomicRmw};
  SmallProgram program{{{{Act::kFork, 1}, {Act::kFork, 2}}, {}, {}, {}}};
  for (std::size_t t = 1; t <= 3; ++t) {
    std::vector<Op>& ops = program.threads[t];
    for (std::size_t blocks = t == 3 ? 1 : 1 + below(random, 2); blocks > 0; --blocks) {
      if (t != 3 && below(random, 5) > 0) ops.push_back({Act::kBegin});
      if (t == 1 && blocks == 1 && below(random, 2) == 0) ops.push_back({Act::kFork, 3});
      for (std::size_t i = 1 + below(random, t == 3 ? 2 : 3); i > 0; --i) {
        ops.push_back(draw_op(random, menu, 4));
      }
      if (below(random, 2) == 0) ops.push_back({Act::kJoin, 3});
      ops.push_back({Act::kEnd});
    }
  }
  return program;
}

rc::Seq<SmallProgram> simpler_programs(const SmallProgram& program) {
  std::vector<SmallProgram> result;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
      SmallProgram without = program;
      without.threads[t].erase(without.threads[t].begin() + static_cast<std::ptrdiff_t>(i));
      result.push_back(std::move(without));
    }
  }
  return rc::seq::fromContainer(std::move(result));
}

struct Drawn {
  SmallProgram program;
  std::uint32_t schedule = 1;  // seed
};
std::ostream& operator<<(std::ostream& out, const Drawn& drawn) {
  return out << drawn.program << "schedule " << drawn.schedule << "\n";
}

rc::Gen<Drawn> programs(SmallProgram (*draw)(Random&)) {
  return [draw](const rc::Random& source, int /*size*/) {
    Random random(static_cast<Random::result_type>(rc::Random(source).next()));
    SmallProgram program = draw(random);
    Drawn drawn{std::move(program), static_cast<std::uint32_t>(random())};
    return rc::shrinkable::shrinkRecur(std::move(drawn), [](const Drawn& d) {
      return rc::seq::map(simpler_programs(d.program), [seed = d.schedule](SmallProgram p) {
        return Drawn{std::move(p), seed};
      });
    });
  };
}

// ---- one schedule, and what SingleTrack says of it ----

struct Run {
  std::vector<Event> events;
  ProgramState end;
};

std::optional<Run> run_one_schedule(const SmallProgram& program, std::uint32_t seed) {
  Random random(seed);
  Run run{{}, initial_state(program)};
  while (!is_final(program, run.end)) {
    std::vector<std::size_t> enabled;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      if (is_enabled(program, run.end, t)) enabled.push_back(t);
    }
    if (enabled.empty()) return std::nullopt;  // a deadlock: no final state
    step(program, run.end, enabled[below(random, enabled.size())], run.events);
  }
  return run;
}

bool has_finding(const std::vector<Event>& events, bool filter) {
  FindingSink sink;
  SingleTrack analysis(sink, {.filter = filter});
  feed(analysis, events, 0);
  analysis.finish();
  return !sink.findings().empty();
}

// `error_of` says what is wrong, or "".
testing::AssertionResult holds(SmallProgram (*draw)(Random&), int count,
                               const std::function<std::string(const Drawn&)>& error_of) {
  const char* mode = std::getenv("ISOSAN_TEST_MODE");
  if (mode != nullptr && std::string_view(mode) == "long") count *= 50;
  const auto law = [&] {
    const std::string error = error_of(*programs(draw));
    if (!error.empty()) RC_FAIL(error);
  };
  const rc::detail::TestParams parameters{.seed = 20090329, .maxSuccess = count};
  const auto result = rc::detail::checkTestable(law, rc::detail::TestMetadata{}, parameters);
  if (result.template is<rc::detail::SuccessResult>()) return testing::AssertionSuccess();
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  return testing::AssertionFailure() << message.str();
}

// ---- Lemma 1: a conflict-free trace of a single block: every schedule ends in the same state ----

void check_lemma_1(SmallProgram (*draw)(Random&)) {
  constexpr std::size_t kMostStates = 20'000;
  int judged_deterministic = 0, found_conflicting = 0;
  EXPECT_TRUE(holds(draw, 20'000, [&](const Drawn& drawn) -> std::string {
    const SmallProgram program = well_formed(drawn.program);
    const auto run = run_one_schedule(program, drawn.schedule);
    if (!run || program.threads[0].empty() || program.threads[0][0].act != Act::kBegin) return "";
    const bool conflicting = has_finding(run->events, true);
    if (conflicting != has_finding(run->events, false)) return "the filter changes the verdict";
    if (conflicting) {
      ++found_conflicting;
      return "";
    }
    std::vector<ProgramState> finals;
    if (!final_states(program, kMostStates, finals)) return "";
    ++judged_deterministic;
    if (finals.size() == 1) return "";
    return "judged deterministic, but " + std::to_string(finals.size()) + " final states";
  }));
  EXPECT_GT(judged_deterministic, 1'000);
  EXPECT_GT(found_conflicting, 1'000);
}

TEST(SingleTrackTheory, Lemma1) { check_lemma_1(draw_one_block); }

TEST(SingleTrackTheory, Lemma1WithSemaphores) { check_lemma_1(draw_semaphores); }

// ---- Lemma 2: acyclic exactly when some equivalent trace is externally serial ----

bool conflict(const Event& a, const Event& b) {
  const auto is_lock = [](const Event& e) {
    return (e.kind == Kind::kAcquire || e.kind == Kind::kRelease) && e.depth == 0;
  };
  const auto touches = [](const Event& sync, const Event& other) {
    return (sync.kind == Kind::kFork || sync.kind == Kind::kJoin) &&
           sync.address == index(other.thread);
  };
  if (a.thread == b.thread || touches(a, b) || touches(b, a)) return true;
  if (is_lock(a) && is_lock(b)) return a.address == b.address;
  const Event pair[] = {a, b};
  return conflict_inside(pair, 0, 1);
}

// Equivalent traces are the linear orders of the happens-before relation: tries them all, as far as
// each block can stay in one piece.
class SerialTraces {
 public:
  explicit SerialTraces(const std::vector<Event>& events)
      : events_(events), blocks_(blocks_of_events(events)), placed_(events.size(), false) {}

  bool exist() { return extend(0, std::nullopt); }

 private:
  std::size_t transaction(std::size_t e) const { return blocks_[e].empty() ? e : blocks_[e][0]; }

  bool may_come(std::size_t f) const {
    if (placed_[f]) return false;
    for (std::size_t e = 0; e < f; ++e) {
      if (!placed_[e] && conflict(events_[e], events_[f])) return false;
    }
    return true;
  }
  bool is_complete(std::size_t block) const {
    for (std::size_t e = 0; e < events_.size(); ++e) {
      if (!placed_[e] && transaction(e) == block) return false;
    }
    return true;
  }
  bool extend(std::size_t length, std::optional<std::size_t> open) {
    if (length == events_.size()) return true;
    for (std::size_t f = 0; f < events_.size(); ++f) {
      if (!may_come(f) || (open && transaction(f) != *open)) continue;
      placed_[f] = true;
      const std::size_t now = transaction(f);
      const bool found = extend(length + 1, is_complete(now) ? std::nullopt : std::optional(now));
      placed_[f] = false;
      if (found) return true;
    }
    return false;
  }

  const std::vector<Event>& events_;
  std::vector<std::vector<std::size_t>> blocks_;
  std::vector<bool> placed_;
};

TEST(SingleTrackTheory, Lemma2) {
  int serial = 0, not_serial = 0;
  EXPECT_TRUE(holds(draw_several_blocks, 10'000, [&](const Drawn& drawn) -> std::string {
    const auto run = run_one_schedule(well_formed(drawn.program), drawn.schedule);
    if (!run || run->events.size() > 18) return "";
    FindingSink sink;
    SingleTrack analysis(sink);
    feed(analysis, run->events, 0);
    const bool acyclic =
        std::none_of(sink.findings().begin(), sink.findings().end(), [](const Finding& finding) {
          return finding.kind == FindingKind::kNotExternallySerializable;
        });
    const bool serializable = SerialTraces(run->events).exist();
    ++(serializable ? serial : not_serial);
    if (acyclic == serializable) return "";
    return serializable ? "a serial trace exists" : "no serial trace exists";
  }));
  EXPECT_GT(serial, 500);
  EXPECT_GT(not_serial, 300);
}

// ---- Theorem 1: same commit order, same final state ----

// A transaction is known by its thread and its number there: the same one in every schedule.
using Transaction = std::pair<std::size_t, std::size_t>;
struct CommitGraph {
  std::set<Transaction> nodes;
  std::set<std::pair<Transaction, Transaction>> edges;
};

CommitGraph commit_graph(const std::vector<Event>& events) {
  const auto blocks = blocks_of_events(events);
  std::map<std::size_t, Transaction> names;  // by the ordinal of begin, or of the unary operation
  std::map<ThreadId, std::size_t> count;
  CommitGraph graph;
  std::vector<Transaction> of;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const std::size_t first = blocks[e].empty() ? e : blocks[e][0];
    if (first == e) names[e] = {index(events[e].thread), count[events[e].thread]++};
    of.push_back(names.at(first));
    graph.nodes.insert(of.back());
    for (std::size_t d = 0; d < e; ++d) {
      if (of[d] != of[e] && conflict(events[d], events[e])) graph.edges.emplace(of[d], of[e]);
    }
  }
  return graph;
}

bool is_acyclic(const std::set<Transaction>& nodes,
                std::set<std::pair<Transaction, Transaction>> edges) {
  std::set<Transaction> left = nodes;
  for (bool removed = true; removed;) {
    removed = false;
    for (const Transaction& node : std::set<Transaction>(left)) {
      const bool has_predecessor = std::any_of(
          edges.begin(), edges.end(), [&](const auto& edge) { return edge.second == node; });
      if (has_predecessor) continue;
      std::erase_if(edges, [&](const auto& edge) { return edge.first == node; });
      left.erase(node);
      removed = true;
    }
  }
  return left.empty();
}

// Both have a serial order in common exactly when the two orders together are one.
bool same_commit_order(const CommitGraph& a, const CommitGraph& b) {
  auto edges = a.edges;
  edges.insert(b.edges.begin(), b.edges.end());
  return a.nodes == b.nodes && is_acyclic(a.nodes, edges);
}

TEST(SingleTrackTheory, Theorem1) {
  constexpr std::size_t kMostSchedules = 2'000;
  int programs_judged = 0, same_end = 0, other_end = 0;
  EXPECT_TRUE(holds(draw_several_blocks, 1'000, [&](const Drawn& drawn) -> std::string {
    const SmallProgram program = well_formed(drawn.program);
    const auto run = run_one_schedule(program, drawn.schedule);
    if (!run || has_finding(run->events, true)) return "";
    const CommitGraph order = commit_graph(run->events);
    std::string error;
    const bool all = for_each_schedule(
        program, kMostSchedules, [&](const std::vector<Event>& events, const ProgramState& end) {
          const bool same = end == run->end;
          ++(same ? same_end : other_end);
          if (same || !error.empty() || !same_commit_order(order, commit_graph(events))) return;
          error = "same commit order, another final state";
        });
    programs_judged += all;
    return error;
  }));
  EXPECT_GT(programs_judged, 100);
  EXPECT_GT(same_end, 1'000);
  EXPECT_GT(other_end, 1'000);
}

}  // namespace
}  // namespace isosan::test
