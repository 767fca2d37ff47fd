#include "suite/findings/hint.h"

#include <fmt/format.h>

#include <algorithm>

#include "suite/findings/why.h"

namespace isosan::suite {
namespace {

struct Torn {  // the two accesses of what is blamed, and who came between
  const Json* finding = nullptr;
  const Json* first = nullptr;
  const Json* last = nullptr;
  std::vector<const Json*> others;
};

Torn torn(const Json& finding) {
  Torn torn{.finding = &finding};
  for (const Json* step : telling_steps(finding)) {
    const auto number = step->at("transaction").get<std::size_t>();
    if (!finding.at("transactions").at(number).value("blamed", false)) {
      torn.others.push_back(step);
    } else {
      (torn.first == nullptr ? torn.first : torn.last) = step;
    }
  }
  return torn;
}

std::string at(const Torn& torn, const Json& step) {
  return line_of(own_place(*torn.finding, step));
}

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
  const Torn torn = isosan::suite::torn(finding);
  if (torn.first == nullptr || torn.last == nullptr) return nullptr;
  std::vector<const Json*> own;
  for (const Json& step : finding.at("steps")) {
    const bool between = &step > torn.first && &step < torn.last;
    if (between && step.at("transaction") == torn.first->at("transaction")) own.push_back(&step);
  }
  const auto wait = std::ranges::adjacent_find(
      own, [](const Json* one, const Json* next) { return are_one_wait(*one, *next); });
  return wait == own.end() ? nullptr : *wait;
}

std::string about_locks(const Torn& torn) {
  const Json first = locks_of(*torn.first), last = locks_of(*torn.last);
  const std::string from = at(torn, *torn.first), to = at(torn, *torn.last);
  if (common_lock(*torn.first, *torn.last) != nullptr)
    return fmt::format("Hold the lock from {} to {}, not twice.", from, to);
  if (!first.empty() && !last.empty())
    return fmt::format("{} and {} hold different locks: one lock has to guard both.", from, to);
  if (first.empty() && !last.empty())
    return fmt::format("Take the lock of {} before {}, or look again under it.", to, from);
  const bool nobody =
      std::ranges::all_of(torn.others, [](const Json* step) { return locks_of(*step).empty(); });
  if (first.empty() && last.empty() && nobody)
    return fmt::format(
        "Nobody holds a lock from {} to {}: guard it with one, or use one atomic "
        "operation (fetch_add, exchange, compare_exchange).",
        from, to);
  return {};
}

}  // namespace

std::string hint(const MergedFinding& finding) {
  if (finding.cause.kind == "deadlock")
    return "Take these locks in one order everywhere, or all at once (std::scoped_lock).";
  for (const Json& one : finding.evidence) {
    if (one.value("analysis", "") != "hunt") continue;
    if (const Json* wait = wait_between(one))
      return fmt::format("Look again after the wait: while, not if ({}).",
                         line_of(own_place(one, *wait)));
  }
  if (finding.cause.kind != "atomicity" || finding.evidence.empty()) return {};
  const Torn torn = isosan::suite::torn(finding.evidence.front());
  if (torn.first == nullptr || torn.last == nullptr || torn.others.empty()) return {};
  if (is_atomic(*torn.first) && is_atomic(*torn.last))
    return fmt::format(
        "Make one atomic operation (exchange, compare_exchange, fetch_add) of {} and {}.",
        at(torn, *torn.first), at(torn, *torn.last));
  // Only the evidence of a run has the locks.
  if (finding.evidence.front().value("analysis", "") != "velodrome") return {};
  return about_locks(torn);
}

}  // namespace isosan::suite
