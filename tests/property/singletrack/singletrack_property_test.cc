// SingleTrack against the definition, on random traces with nested blocks: conflicts block by
// block, cycles among the outermost ones, and the filter of section 5 changes no block's verdict.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analysis/singletrack/singletrack.h"
#include "oracle/property.h"
#include "singletrack_oracle.h"

namespace isosan::test {
namespace {

DeterminismVerdict singletrack(const std::vector<Event>& events, bool filter) {
  FindingSink sink;
  SingleTrack analysis(sink, {.filter = filter});
  feed(analysis, events, 0);
  analysis.finish();
  DeterminismVerdict answer;
  for (const Finding& finding : sink.findings()) {
    answer.cyclic |= finding.kind == FindingKind::kNotExternallySerializable;
    if (finding.kind != FindingKind::kConflict) continue;
    answer.conflicting_blocks.insert(finding.transactions.at(0).begin.ordinal);
  }
  return answer;
}

bool is_over(const Event& e) { return e.kind == Kind::kThreadEnd || e.kind == Kind::kJoin; }

// Turns a random trace into one about blocks: every region deterministic and of its own, sites of
// their own, threads forked (most of them) by the thread that was at work before, no events of a
// thread that is over, an end before each join, no join of a thread that has no events, no
// semaphores. Some waits that timed out are failed tries for the lock that was used last.
std::vector<Event> prepared(const std::vector<Event>& events) {
  std::vector<Event> result;
  std::set<ThreadId> seen, over;
  Address lock = 0;
  for (Event e : events) {
    const ThreadId other{static_cast<std::uint32_t>(e.address)};
    if (over.contains(e.thread) || e.kind == Kind::kSemaphorePost ||
        e.kind == Kind::kSemaphoreWait || e.kind == Kind::kFork ||
        (e.kind == Kind::kJoin &&
         (!seen.contains(other) || over.contains(other) || other == e.thread))) {
      continue;
    }
    if (!seen.contains(e.thread) && !result.empty() && (events.size() + index(e.thread)) % 4 != 0) {
      const ThreadId parent = result.back().thread;
      if (!over.contains(parent)) {
        result.push_back({.kind = Kind::kFork, .thread = parent, .address = index(e.thread)});
      }
    }
    seen.insert(e.thread);
    if (e.kind == Kind::kJoin) result.push_back({.kind = Kind::kThreadEnd, .thread = other});
    if (is_over(e)) over.insert(e.kind == Kind::kJoin ? other : e.thread);
    if (e.kind == Kind::kBegin || e.kind == Kind::kEnd) {
      e.detail = static_cast<std::uint8_t>(RegionKind::kDeterministic);
      e.size = result.size() + 1;
    }
    if (e.kind == Kind::kAcquire) lock = e.address;
    const bool timed_out =
        e.kind == Kind::kWaitEnd && e.detail == static_cast<std::uint8_t>(WaitOutcome::kTimedOut);
    if (timed_out && lock != 0 && result.size() % 3 != 0) e.address = lock;
    result.push_back(e);
  }
  std::uint32_t site = 1;
  for (Event& e : result) e.site = SiteId{site++};
  return result;
}

std::string told(const std::set<std::size_t>& numbers) {
  std::string text = "{";
  for (const std::size_t n : numbers) text += " " + std::to_string(n);
  return text + " }";
}

std::string difference(const char* what, const std::set<std::size_t>& answer,
                       const std::set<std::size_t>& truth) {
  if (answer == truth) return "";
  return std::string(what) + ": " + told(answer) + ", by the definition " + told(truth) + "\n";
}

std::string shown(const std::vector<Event>& events) {
  std::string text = "prepared:\n";
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    text += std::to_string(i) + " T" + std::to_string(index(e.thread)) + " " +
            std::string(name_of(e.kind)) + " " + std::to_string(e.address) + " " +
            std::to_string(e.size) + " " + std::to_string(e.detail) + "\n";
  }
  return text;
}

std::string with_trace(std::string error, const std::vector<Event>& events) {
  return error.empty() ? error : error + shown(events);
}

TEST(SingleTrackProperty, FindsTheConflictsOfEveryBlock) {
  EXPECT_TRUE(holds_on_random_traces({}, [](const Trace& trace) {
    const std::vector<Event> events = prepared(trace.events);
    return with_trace(
        difference("conflicting blocks", singletrack(events, false).conflicting_blocks,
                   judge_determinism(events).conflicting_blocks),
        events);
  }));
}

TEST(SingleTrackProperty, FindsACycleExactlyWhenThereIsOne) {
  EXPECT_TRUE(holds_on_random_traces({}, [](const Trace& trace) {
    const std::vector<Event> events = prepared(trace.events);
    const bool truth = judge_determinism(events).cyclic;
    for (const bool filter : {false, true}) {
      if (singletrack(events, filter).cyclic == truth) continue;
      return std::string(truth ? "a cycle missed" : "there is no cycle") +
             (filter ? ", with" : ", without") + " the filter\n" + shown(events);
    }
    return std::string();
  }));
}

// Each block by itself: all others taken out of the trace.
std::vector<Event> with_only_block(std::vector<Event> events, std::size_t begin) {
  std::size_t end = events.size();
  std::size_t depth = 0;
  for (std::size_t i = begin; i < events.size() && end == events.size(); ++i) {
    if (events[i].thread != events[begin].thread) continue;
    if (events[i].kind == Kind::kBegin) ++depth;
    if (events[i].kind == Kind::kEnd && --depth == 0) end = i;
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    const bool edge = events[i].kind == Kind::kBegin || events[i].kind == Kind::kEnd;
    if (edge && i != begin && i != end) events[i].kind = Kind::kCall;
  }
  return events;
}

TEST(SingleTrackProperty, TheFilterChangesNoVerdict) {
  const auto error_of = [](const Trace& trace) -> std::string {
    const std::vector<Event> all = prepared(trace.events);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].kind != Kind::kBegin) continue;
      const std::vector<Event> events = with_only_block(all, i);
      const auto violated = [](const DeterminismVerdict& verdict) {
        return !verdict.conflicting_blocks.empty() || verdict.cyclic;
      };
      const bool truth = violated(judge_determinism(events));
      for (const bool filter : {false, true}) {
        if (violated(singletrack(events, filter)) == truth) continue;
        return "block " + std::to_string(i) + (truth ? " missed" : " is fine") +
               (filter ? " with" : " without") + " the filter\n" + shown(events);
      }
    }
    return "";
  };
  EXPECT_TRUE(holds_on_random_traces({}, error_of, {.default_count = 10000, .long_count = 300000}));
}

}  // namespace
}  // namespace isosan::test
