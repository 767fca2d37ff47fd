#include "suite/findings/hint.h"

#include <fmt/format.h>

#include <algorithm>

#include "suite/findings/why.h"

namespace isosan::suite {
namespace {

bool is_atomic(const Json& step) { return step.value("operation", "").starts_with("atomic"); }

Json locks_of(const Json& step) { return step.value("held", Json::array()); }

// Where the first took a lock that the last holds, too; null: nowhere.
const Json* common_lock(const Json& first, const Json& last) {
  if (!first.contains("held") || !last.contains("held")) return nullptr;
  for (const Json& one : first.at("held")) {
    const bool both = std::ranges::any_of(
        last.at("held"), [&](const Json& other) { return other.at("lock") == one.at("lock"); });
    if (both) return &one;
  }
  return nullptr;
}

bool are_one_wait(const Json& release, const Json& acquire) {
  return release.value("operation", "") == "release" &&
         acquire.value("operation", "") == "acquire" &&
         release.at("operand") == acquire.at("operand") &&
         release.at("place") == acquire.at("place");
}

// The wait of the blamed thread between its two accesses, in a failing run as hunt describes it: a
// lock is given up and taken again at one place. Null: there is none.
const Json* wait_between(const Json& finding) {
  const Torn parts = torn(finding);
  if (parts.last == nullptr) return nullptr;
  std::vector<const Json*> own;
  for (const Json& step : finding.at("steps")) {
    const bool between = &step > parts.first && &step < parts.last;
    if (between && step.at("transaction") == parts.first->at("transaction")) own.push_back(&step);
  }
  const auto wait = std::ranges::adjacent_find(
      own, [](const Json* one, const Json* next) { return are_one_wait(*one, *next); });
  return wait == own.end() ? nullptr : *wait;
}

std::string in_all_of(const std::string& function) {
  return fmt::format("Hold the lock in all of {}, not anew for each access.", function);
}

// The program was aborted before the region went on: its lock was free in the middle.
std::string about_broken_off(const Torn& parts, const std::string& function) {
  const bool given_up = std::ranges::any_of(parts.others, [&](const Json* other) {
    return common_lock(*parts.first, *other) != nullptr;
  });
  return given_up ? in_all_of(function) : "";
}

std::string about_locks(const Json& finding, const Torn& parts, const std::string& function) {
  const Json first = locks_of(*parts.first), last = locks_of(*parts.last);
  const Json start = place_in(finding, *parts.first, function),
             end = place_in(finding, *parts.last, function);
  const std::string from = line_of(start), to = line_of(end);
  const bool lines_known = !start.value("definition", false) && !end.value("definition", false);
  if (common_lock(*parts.first, *parts.last) != nullptr) {
    return lines_known && start.value("line", 0) < end.value("line", 0)
               ? fmt::format("Hold the lock from {} to {}, not twice.", from, to)
               : in_all_of(function);
  }
  if (!lines_known) return {};
  if (!first.empty() && !last.empty())
    return fmt::format("{} and {} hold different locks: one lock has to guard both.", from, to);
  if (first.empty() && !last.empty())
    return fmt::format("Take the lock of {} before {}, or look again under it.", to, from);
  const bool nobody =
      std::ranges::all_of(parts.others, [](const Json* step) { return locks_of(*step).empty(); });
  if (first.empty() && last.empty() && nobody)
    return fmt::format(
        "Nobody holds a lock from {} to {}: guard it with one, or use one atomic "
        "operation (fetch_add, exchange, compare_exchange).",
        from, to);
  return {};
}

// A wait for a condition gives a lock up, and nobody notifies any more.
std::string about_hang(const Json& finding, const Json& last) {
  if (last.at("operation") != "release") return {};
  return fmt::format(
      "Nobody notifies the wait at {} any more: look at what it waits for under the lock that the "
      "wait gives up, and let nobody notify before.",
      line_of(own_place(finding, last)));
}

}  // namespace

std::string hint(const MergedFinding& finding) {
  if (!finding.evidence.empty()) {
    const Json& first = finding.evidence.front();
    if (const Json* last = last_before_hang(first)) return about_hang(first, *last);
  }
  if (finding.cause.kind == "deadlock")
    return "Take these locks in one order everywhere, or all at once (std::scoped_lock).";
  for (const Json& one : finding.evidence) {
    if (one.value("analysis", "") != "hunt") continue;
    if (const Json* wait = wait_between(one))
      return fmt::format("Look again after the wait: while, not if ({}).",
                         line_of(own_place(one, *wait)));
  }
  if (finding.cause.kind != "atomicity" || finding.evidence.empty()) return {};
  const Json& first = finding.evidence.front();
  const Torn parts = torn(first);
  if (parts.first == nullptr || parts.others.empty()) return {};
  const bool has_locks = first.value("analysis", "") == "velodrome";  // only a run knows them
  const std::string& function = finding.cause.function;
  if (parts.last == nullptr) return has_locks ? about_broken_off(parts, function) : "";
  if (is_atomic(*parts.first) && is_atomic(*parts.last))
    return fmt::format(
        "Make one atomic operation (exchange, compare_exchange, fetch_add) of {} and {}.",
        line_of(place_in(first, *parts.first, function)),
        line_of(place_in(first, *parts.last, function)));
  return has_locks ? about_locks(first, parts, function) : "";
}

}  // namespace isosan::suite
