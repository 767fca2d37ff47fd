#include "hunt/stall.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "report/names.h"
#include "runtime/contract/log_format.h"

namespace isosan {
namespace {

// Operations at the end of a run that goes round: all its threads have had their turns in them.
constexpr std::size_t kRound = 500'000;
constexpr std::size_t kMostParts = 4;  // of a round that are listed

// By lock: the acquires of its holders at the end of the run.
std::map<Address, std::vector<std::size_t>> locks_at_end(const std::vector<Event>& order) {
  std::map<Address, std::vector<std::size_t>> held;  // by lock: the acquires
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Event& event = order[i];
    if (event.kind == Kind::kAcquire && event.depth == 0) held[event.address].push_back(i);
    if (event.kind != Kind::kRelease || event.depth != 0) continue;
    std::erase_if(held[event.address],
                  [&](std::size_t at) { return order[at].thread == event.thread; });
  }
  return held;
}

std::string_view what_of(log::Waits waits) {
  switch (waits) {
    case log::Waits::kNot:
      return "could run";
    case log::Waits::kLock:
      return "waits for the lock";
    case log::Waits::kSharedLock:
      return "waits for a share of the lock";
    case log::Waits::kCondition:
      return "waits for a notification of the condition";
    case log::Waits::kBarrier:
      return "waits at the barrier";
    case log::Waits::kSemaphore:
      return "waits for the semaphore";
    case log::Waits::kOnce:
      return "waits for the one-time initialization";
    case log::Waits::kJoin:
      return "waits for the end of";
    case log::Waits::kFutex:
      return "waits for the word";
    case log::Waits::kSleep:
      return "sleeps";
    case log::Waits::kOutside:
      return "is in a system call";
    case log::Waits::kEnded:
      return "has ended";
  }
  return "";
}

bool is_stuck(const ThreadAtEnd& thread) {
  return thread.waits != log::Waits::kEnded && thread.waits != log::Waits::kNot;
}

// "T1 waits for the lock 0x7f00, held by T2"
std::string line_of(const ThreadAtEnd& thread, const Names& names) {
  std::string line =
      fmt::format("{} {}", names.thread(ThreadId{thread.thread}), what_of(thread.waits));
  const std::string blocker = thread.blocker ? names.thread(ThreadId{*thread.blocker}) : "";
  if (thread.waits == log::Waits::kJoin)
    return line + " " + (blocker.empty() ? "a thread" : blocker);
  const bool has_object = thread.waits != log::Waits::kOutside && thread.object != 0;
  if (has_object) line += " " + names.location(thread.object);
  return blocker.empty() ? line : line + ", held by " + blocker;
}

// The threads that wait for each other, each for the next and the last for the first; empty: none.
std::vector<const ThreadAtEnd*> wait_cycle(const std::vector<ThreadAtEnd>& threads) {
  std::map<std::uint32_t, const ThreadAtEnd*> by_id;
  for (const ThreadAtEnd& thread : threads) by_id[thread.thread] = &thread;
  for (const ThreadAtEnd& first : threads) {
    std::vector<const ThreadAtEnd*> walk;
    const ThreadAtEnd* at = &first;
    while (is_stuck(*at) && at->blocker && walk.size() < threads.size()) {
      walk.push_back(at);
      at = by_id.at(*at->blocker);
      if (at == &first) return walk;
    }
  }
  return {};
}

// What is known of the last notification of the condition that the thread waits for.
std::string missed_notification(const std::vector<Event>& order, const ThreadAtEnd& thread,
                                const Names& names) {
  if (thread.waits != log::Waits::kCondition) return {};
  bool waits = false;
  const Event* last = nullptr;
  bool came_before = false;
  for (const Event& event : order) {
    if (event.address != thread.object) continue;
    if (event.kind == Kind::kWaitBegin && event.thread == ThreadId{thread.thread}) waits = true;
    if (event.kind == Kind::kWaitEnd && event.thread == ThreadId{thread.thread}) waits = false;
    if (event.kind != Kind::kNotify) continue;
    last = &event;
    came_before = !waits;
  }
  if (last == nullptr) return "; nobody has notified it";
  return fmt::format("; lost wake-up: the last one, by {}, {}", names.thread(last->thread),
                     came_before ? "came before it waited" : "woke another thread");
}

}  // namespace

Deadlock deadlock_of(const std::vector<Event>& order, const Tables& tables,
                     const std::vector<ThreadAtEnd>& threads) {
  const auto held = locks_at_end(order);
  const Names names(tables);
  Deadlock result;
  const std::vector<const ThreadAtEnd*> cycle = wait_cycle(threads);
  for (const ThreadAtEnd* thread : cycle) result.cycle.push_back(line_of(*thread, names));
  std::set<std::size_t> marked;
  for (const ThreadAtEnd& thread : threads) {
    const bool in_cycle = std::ranges::find(cycle, &thread) != cycle.end();
    if (is_stuck(thread) && !in_cycle) {
      result.waiting.push_back(line_of(thread, names) + missed_notification(order, thread, names));
    }
    const bool lock = thread.waits == log::Waits::kLock || thread.waits == log::Waits::kSharedLock;
    const auto holders = held.find(thread.object);
    if (!lock || holders == held.end() || (!cycle.empty() && !in_cycle)) continue;
    marked.insert(holders->second.begin(), holders->second.end());
  }
  result.holds.assign(marked.begin(), marked.end());
  return result;
}

std::vector<std::string> rounds_of(const std::vector<Event>& order, const Tables& tables) {
  const Names names(tables);
  std::map<std::uint32_t, std::vector<std::string>> rounds;  // by thread
  for (std::size_t i = order.size() - std::min(order.size(), kRound); i < order.size(); ++i) {
    std::vector<std::string>& parts = rounds[index(order[i].thread)];
    if (parts.size() > kMostParts) continue;
    const std::string part =
        fmt::format("{} {}", name_of(order[i].kind), names.location(order[i].address));
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  }
  std::vector<std::string> lines;
  for (auto& [thread, parts] : rounds) {
    if (parts.size() > kMostParts) parts.back() = "...";
    lines.push_back(fmt::format("{}: {}", names.thread(ThreadId{thread}), fmt::join(parts, ", ")));
  }
  return lines;
}

}  // namespace isosan
