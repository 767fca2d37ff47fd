#include "hunt/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "hunt/stall.h"

namespace isosan {
namespace {

bool is_heap(const BrokenAt& broken) {
  return broken.what == log::Broken::kUseAfterFree || broken.what == log::Broken::kDoubleFree;
}

bool overlap(const Event& event, const BrokenAt& broken) {
  const std::uint64_t size = std::max<std::uint64_t>(event.size, 1);
  return event.address < broken.address + broken.size && broken.address < event.address + size;
}

// The exact order: stretch by stretch. Where freed memory was used, with its frees.
std::vector<Event> exact_order(const std::vector<Event>& events, const Tables& tables,
                               const Execution& execution) {
  const BrokenAt& broken = execution.schedule.broken;
  const auto is_told = [&](const Event& event) {
    return is_operation(event.kind) ||
           (event.kind == Kind::kFree && is_heap(broken) && overlap(event, broken));
  };
  struct Thread {
    std::vector<Event> events;
    std::size_t next = 0;
    std::uint64_t executed = 0;
  };
  std::map<std::string, Thread> by_path;
  for (const Event& event : events) {
    if (!is_told(event) || index(event.thread) >= tables.threads.size()) continue;
    by_path[tables.threads[index(event.thread)].birth_path].events.push_back(event);
  }
  std::vector<Event> order;
  const auto run_until = [&](const std::string& path, std::uint64_t until) {
    Thread& mine = by_path[path];
    for (; mine.next < mine.events.size(); ++mine.next) {
      const Event& event = mine.events[mine.next];
      if (is_operation(event.kind) && mine.executed++ == until) return void(--mine.executed);
      order.push_back(event);
    }
  };
  for (const ScheduleStep& step : execution.schedule.taken) run_until(step.thread, step.until);
  run_until(execution.schedule.ran_last, ~std::uint64_t{0});
  return order;
}

std::optional<Pattern> pattern_of(Kind e1, Kind f, Kind e2) {
  if (reads(e1) && writes(f) && reads(e2) && !writes(e2)) return Pattern::kRwr;
  if (reads(e1) && writes(f) && writes(e2)) return Pattern::kRww;
  if (writes(e1) && writes(f) && reads(e2)) return Pattern::kWwr;
  if (writes(e1) && reads(f) && writes(e2)) return Pattern::kWrw;
  if (writes(e1) && writes(f) && writes(e2)) return Pattern::kWww;
  return std::nullopt;
}

struct Triple {
  std::size_t e1, f, e2;
  Pattern pattern;
};

// The predicted operations, where this run has them in that order.
std::optional<Triple> predicted_triple(const std::vector<Event>& order, const Prediction& wanted) {
  if (wanted.operations.size() != 3) return std::nullopt;
  std::map<std::uint32_t, std::uint64_t> executed;
  std::array<std::optional<std::size_t>, 3> found;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint64_t at = executed[index(order[i].thread)]++;
    for (std::size_t k = 0; k < 3; ++k) {
      const PredictedOperation& one = wanted.operations[k];
      if (one.thread == order[i].thread && one.index == at && one.kind == order[i].kind) {
        found[k] = i;
      }
    }
  }
  if (!found[0] || !found[1] || !found[2]) return std::nullopt;
  if (!(*found[0] < *found[1] && *found[1] < *found[2])) return std::nullopt;
  return Triple{*found[0], *found[1], *found[2], wanted.pattern};
}

// The first three accesses that break something.
std::optional<Triple> first_triple(const std::vector<Event>& order) {
  struct Last {
    std::size_t at;
    std::uint32_t thread;
  };
  std::map<Address, std::vector<Last>> last;       // by address: each thread's last access
  std::map<std::uint32_t, std::size_t> last_edge;  // by thread: its last fork or join
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Event& e2 = order[i];
    const std::uint32_t me = index(e2.thread);
    if (e2.kind == Kind::kFork || e2.kind == Kind::kJoin) last_edge[me] = i;
    if (!is_access(e2.kind)) continue;
    std::vector<Last>& accesses = last[e2.address];
    const auto mine = std::ranges::find_if(accesses, [&](const Last& l) { return l.thread == me; });
    if (mine != accesses.end() && (!last_edge.contains(me) || last_edge[me] < mine->at)) {
      for (const Last& other : accesses) {
        if (other.thread == me || other.at < mine->at) continue;
        const auto pattern = pattern_of(order[mine->at].kind, order[other.at].kind, e2.kind);
        if (pattern) return Triple{mine->at, other.at, i, *pattern};
      }
    }
    if (mine != accesses.end()) {
      mine->at = i;
    } else {
      accesses.push_back({i, me});
    }
  }
  return std::nullopt;
}

// Marks the last free before the use, and the use; or the last two frees.
void add_heap_misuse(Story& story, const BrokenAt& broken) {
  const bool again = broken.what == log::Broken::kDoubleFree;
  const auto find_back = [&](std::size_t from, auto wanted) {
    while (from > 0 && !wanted(story.order[from - 1])) --from;
    return from;
  };
  const auto is_free = [](const Event& event) { return event.kind == Kind::kFree; };
  const std::size_t use = find_back(story.order.size(), [&](const Event& event) {
    return event.thread == ThreadId{broken.thread} && is_free(event) == again &&
           overlap(event, broken);
  });
  const std::size_t freed = use == 0 ? 0 : find_back(use - 1, is_free);
  if (freed == 0) return;
  story.rows.push_back({freed - 1, std::string(kFreeMark), false});
  story.rows.push_back({use - 1, std::string(again ? kFreeAgainMark : kUseMark), false});
}

// Operations worth a line: those next to changes of thread, nearest to the marked ones first.
void choose_rows(Story& story, std::size_t most) {
  const std::vector<Event>& order = story.order;
  const bool shows_end = !story.cycle.empty() || !story.waiting.empty() || !story.rounds.empty();
  std::set<std::size_t> chosen;
  for (const StoryRow& row : story.rows) chosen.insert(row.event);
  std::set<std::uint32_t> involved;
  for (const StoryRow& row : story.rows) involved.insert(index(order[row.event].thread));
  const std::size_t from = chosen.empty() ? 0 : *chosen.begin();
  const std::size_t to = chosen.empty() || shows_end ? order.size() : *chosen.rbegin() + 1;
  const auto add = [&](std::size_t at) {
    if (chosen.size() < most && (involved.empty() || involved.contains(index(order[at].thread)))) {
      chosen.insert(at);
    }
  };
  for (std::size_t i = from; i < to; ++i) {  // locks between the marked accesses
    if (order[i].kind == Kind::kAcquire || order[i].kind == Kind::kRelease) add(i);
  }
  for (std::size_t i = to; i > std::max<std::size_t>(from, 1); --i) {  // the last changes first
    if (i < order.size() && order[i].thread != order[i - 1].thread) {
      add(i);
      add(i - 1);
    }
  }
  for (std::size_t i = order.size(); i > 0 && chosen.size() < 8; --i) add(i - 1);  // the end
  std::map<std::size_t, std::string> marks;
  for (const StoryRow& row : story.rows) marks[row.event] = row.mark;  // the last one, if several
  story.rows.clear();
  std::size_t before = ~std::size_t{0};
  for (const std::size_t at : chosen) {
    story.rows.push_back({at, marks[at], before != ~std::size_t{0} && before + 1 != at});
    before = at;
  }
}

// The innermost region whose one execution has both operations of the thread.
RegionId region_around(const std::vector<Event>& events, ThreadId thread, std::uint64_t e1,
                       std::uint64_t e2) {
  struct Open {
    RegionId region;
    std::uint64_t since;  // operations before
  };
  std::vector<Open> open;
  std::uint64_t executed = 0;
  for (const Event& event : events) {
    if (event.thread != thread) continue;
    if (event.kind == Kind::kBegin) {
      open.push_back({RegionId{static_cast<std::uint32_t>(event.size)}, executed});
    } else if (event.kind == Kind::kEnd && !open.empty()) {
      open.pop_back();
    }
    if (!is_operation(event.kind)) continue;
    if (executed++ != e2) continue;
    const auto around = std::ranges::find_if(open.rbegin(), open.rend(),
                                             [&](const Open& o) { return o.since <= e1; });
    return around == open.rend() ? kNoRegion : around->region;
  }
  return kNoRegion;
}

std::uint64_t index_in_thread(const std::vector<Event>& order, std::size_t at) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < at; ++i) count += order[i].thread == order[at].thread;
  return count;
}

}  // namespace

Story make_story(const std::vector<Event>& events, const Tables& tables, const Execution& execution,
                 const Prediction* prediction, std::size_t most_rows) {
  Story story;
  story.order = exact_order(events, tables, execution);
  if (execution.schedule.state == log::RunState::kDeadlock) {
    Deadlock deadlock = deadlock_of(story.order, tables, execution.schedule.threads);
    story.cycle = std::move(deadlock.cycle);
    story.waiting = std::move(deadlock.waiting);
    for (const std::size_t at : deadlock.holds) story.rows.push_back({at, "holds", false});
  } else if (execution.was_still) {
    story.rounds = rounds_of(story.order, tables);
  } else {
    std::optional<Triple> triple;
    const BrokenAt& broken = execution.schedule.broken;
    if (prediction != nullptr) triple = predicted_triple(story.order, *prediction);
    if (!triple && !is_heap(broken)) triple = first_triple(story.order);
    if (triple) {
      story.pattern = triple->pattern;
      story.address = story.order[triple->e2].address;
      story.region = region_around(events, story.order[triple->e1].thread,
                                   index_in_thread(story.order, triple->e1),
                                   index_in_thread(story.order, triple->e2));
      story.rows = {{triple->e1, "e1", false}, {triple->f, "f", false}, {triple->e2, "e2", false}};
    }
    if (is_heap(broken)) add_heap_misuse(story, broken);
  }
  choose_rows(story, most_rows);
  return story;
}

std::optional<Intruder> intruder_of(const Story& story, const Tables& tables) {
  const auto row = std::ranges::find_if(
      story.rows, [](const StoryRow& one) { return one.mark == "f" || one.mark == kUseMark; });
  if (row == story.rows.end()) return std::nullopt;
  const ThreadId thread = story.order[row->event].thread;
  Intruder intruder{tables.threads[index(thread)].birth_path, 0};
  for (std::size_t i = 0; i < row->event; ++i) {
    const Event& event = story.order[i];
    intruder.until += event.thread == thread && is_operation(event.kind);
  }
  return intruder;
}

namespace {
FindingKind kind_of(const Story& story, const Execution& execution) {
  if (execution.schedule.state == log::RunState::kDeadlock) return FindingKind::kDeadlock;
  if (execution.was_still) return FindingKind::kLivelock;
  if (is_heap(execution.schedule.broken)) return FindingKind::kHeapMisuse;
  return story.pattern ? FindingKind::kAtomicityViolation : FindingKind::kFailingSchedule;
}
}  // namespace

Finding finding_of(const Story& story, const Failure& failure, const Execution& execution) {
  Finding finding;
  finding.analysis = "hunt";
  finding.kind = kind_of(story, execution);
  finding.region = story.region;
  std::map<std::uint32_t, std::size_t> transactions;
  for (const StoryRow& row : story.rows) {
    const Event& event = story.order[row.event];
    const auto [found, is_new] =
        transactions.try_emplace(index(event.thread), finding.transactions.size());
    const Where where{row.event, event.thread, event.site, event.context};
    if (is_new) {
      finding.transactions.push_back(
          {event.thread, row.mark == "e1" ? story.region : kNoRegion, where, false, false});
    }
    if (row.mark == "e1") finding.transactions[found->second].blamed = true;
    finding.steps.push_back(
        {found->second, where, event.kind, event.address, event.size, row.mark, {}});
  }
  finding.message =
      fmt::format("a schedule was found in which the program fails: {}", failure.text);
  finding.notes = story.cycle;
  for (const auto& lines : {story.waiting, story.rounds})
    finding.notes.insert(finding.notes.end(), lines.begin(), lines.end());
  return finding;
}

}  // namespace isosan
