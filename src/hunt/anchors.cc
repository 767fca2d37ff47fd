#include "hunt/anchors.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "hunt/observation.h"
#include "hunt/sources.h"
#include "report/names.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

// Without a comment behind the code. A "//" in a string cuts it short, in both builds alike.
std::string without_comment(std::string line) {
  line.erase(std::min(line.find("//"), line.size()));
  line.erase(line.find_last_not_of(" \t\r") + 1);
  return line;
}

// The operations of one thread as anchors, in their order; without their occurrences.
class SourceView {
 public:
  SourceView(const std::vector<Event>& events, ThreadId thread, Tables& tables) {
    std::vector<Where> places;
    for (const Event& event : events) {
      if (event.thread != thread || !is_operation(event.kind)) continue;
      operations_.push_back(event);
      places.push_back({0, thread, event.site, event.context});
    }
    resolve_places({}, places, tables);
    for (const Function& function : tables.functions)
      lines_.try_emplace(function.name, function.line);
    const Names names(tables);
    for (const Event& event : operations_) anchors_.push_back(anchor_of(event, tables, names));
  }

  std::size_t size() const { return anchors_.size(); }

  // With its occurrence.
  Anchor at(std::size_t index, bool behind) const {
    Anchor anchor = anchors_[index];
    const auto is_alike = [&](Anchor one) {
      if (!anchor.source.empty()) one.line = anchor.line;  // lines move, their text does not
      return one == anchors_[index];
    };
    const auto here = anchors_.begin() + static_cast<std::ptrdiff_t>(index) + 1;
    anchor.occurrence = static_cast<std::uint64_t>(std::count_if(anchors_.begin(), here, is_alike));
    anchor.behind = behind;
    return anchor;
  }

  // The operation that the anchor stands at, not before `from`.
  std::optional<std::size_t> find(const Anchor& anchor, std::size_t from) const {
    const auto alike = [&](const Anchor& one) {
      const bool same_operand =
          one.operand.empty() || anchor.operand.empty() || one.operand == anchor.operand;
      return one.operation == anchor.operation && one.function == anchor.function && same_operand;
    };
    const auto same_text = [&](const Anchor& one) {
      return alike(one) && !one.source.empty() && one.source == anchor.source;
    };
    const auto same_line = [&](const Anchor& one) { return alike(one) && one.line == anchor.line; };
    if (const auto found = nth(same_text, anchor.occurrence, from)) return found;
    if (const auto found = nth(same_line, anchor.occurrence, from)) return found;
    return nearest(alike, anchor.line, from);
  }

 private:
  using Predicate = std::function<bool(const Anchor&)>;

  Anchor anchor_of(const Event& event, const Tables& tables, const Names& names) {
    const auto [known, is_new] = places_.try_emplace({event.site, event.context});
    if (is_new) {
      const Place place = names.spot({0, event.thread, event.site, event.context});
      const auto function = lines_.find(place.function);
      const std::uint32_t begin = function == lines_.end() ? 0 : function->second;
      known->second.function = place.function;
      known->second.line = place.line >= begin ? place.line - begin : place.line;
      known->second.source = without_comment(sources_.line(place.file, place.line));
    }
    Anchor anchor = known->second;
    anchor.operation = name_of(event.kind);
    anchor.operand = operand_of(event, tables, names);
    return anchor;
  }

  static std::string operand_of(const Event& event, const Tables& tables, const Names& names) {
    if (event.kind == Kind::kFork || event.kind == Kind::kJoin) return {};
    const Site& site = tables.sites[index(event.site)];
    if (!site.field.empty())
      return site.class_name.empty() ? site.field : site.class_name + "::" + site.field;
    const std::string name = names.location(event.address);  // "m", "Account::mutex_ (0x7f00)"
    if (name.starts_with("0x")) return {};
    return name.substr(0, name.find(" (0x"));
  }

  // The n-th one; where it stands before `from` or there are fewer, the first one from there on.
  std::optional<std::size_t> nth(const Predicate& matches, std::uint64_t n,
                                 std::size_t from) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
      if (!matches(anchors_[i])) continue;
      if (--n == 0 && i >= from) return i;
      if (!first && i >= from) first = i;
    }
    return first;
  }

  std::optional<std::size_t> nearest(const Predicate& matches, std::uint32_t line,
                                     std::size_t from) const {
    const auto distance = [&](std::size_t i) {
      return anchors_[i].line > line ? anchors_[i].line - line : line - anchors_[i].line;
    };
    std::optional<std::size_t> best;
    for (std::size_t i = from; i < anchors_.size(); ++i) {
      if (matches(anchors_[i]) && (!best || distance(i) < distance(*best))) best = i;
    }
    return best;
  }

  std::vector<Event> operations_;
  std::vector<Anchor> anchors_;
  std::map<std::string, std::uint32_t> lines_;  // on which functions are defined, by name
  std::map<std::pair<SiteId, ContextId>, Anchor> places_;
  Sources sources_;
};

std::optional<ThreadId> thread_of(const std::string& path, const Tables& tables) {
  for (std::uint32_t i = 0; i < tables.threads.size(); ++i) {
    if (tables.threads[i].birth_path == path) return ThreadId{i};
  }
  return std::nullopt;
}

std::string describe(const ScheduleStep& step) {
  const Anchor& at = step.anchors.front();
  return fmt::format("thread {} {} {}{}{} in {}{}", step.thread, at.behind ? "behind" : "before",
                     at.operation, at.operand.empty() ? "" : " of ", at.operand,
                     at.function.empty() ? "an unknown function" : at.function,
                     at.source.empty() ? "" : fmt::format(" ('{}')", at.source));
}

// Where the step ends among the operations of its thread.
std::optional<std::uint64_t> end_of(const ScheduleStep& step, const SourceView& view,
                                    std::uint64_t from) {
  for (const Anchor& anchor : step.anchors) {
    const std::uint64_t first = anchor.behind && from > 0 ? from - 1 : from;
    if (const auto found = view.find(anchor, first)) return *found + anchor.behind;
  }
  return std::nullopt;
}

}  // namespace

void add_anchors(Schedule& schedule, const std::vector<Event>& events, Tables& tables) {
  std::map<std::string, SourceView> views;
  for (ScheduleStep& step : schedule.steps) {
    const auto thread = thread_of(step.thread, tables);
    if (!thread) continue;
    const SourceView& view = views.try_emplace(step.thread, events, *thread, tables).first->second;
    if (step.until < view.size()) step.anchors.push_back(view.at(step.until, false));
    if (step.until > 0 && step.until <= view.size())
      step.anchors.push_back(view.at(step.until - 1, true));
    std::ranges::stable_partition(step.anchors, [](const Anchor& one) {
      return one.operation != name_of(Kind::kRead) && one.operation != name_of(Kind::kWrite);
    });
  }
}

bool has_anchors(const Schedule& schedule) {
  return std::ranges::none_of(schedule.steps,
                              [](const ScheduleStep& step) { return step.anchors.empty(); });
}

Relocated relocated(const Harness& harness, const Schedule& schedule, int cpu) {
  Relocated result;
  std::map<std::string, std::uint64_t> reached;
  for (const ScheduleStep& step : schedule.steps) {
    Schedule so_far{.steps = result.schedule.steps, .first_after = step.thread};
    RecordedRun run = record(harness, so_far, cpu);
    const auto thread = thread_of(step.thread, run.tables);
    std::optional<std::uint64_t> end;
    if (thread) {
      const SourceView view(run.events, *thread, run.tables);
      end = end_of(step, view, reached[step.thread]);
    }
    if (!end) {
      result.gone = describe(step);
      result.instrumented = run.execution.attached && run.execution.accesses != 0;
      return result;
    }
    reached[step.thread] = *end;
    result.schedule.steps.push_back({step.thread, *end, step.beyond});
  }
  result.schedule.first_after = schedule.first_after;
  std::ranges::copy_if(schedule.notes, std::back_inserter(result.schedule.notes),
                       [](const std::string& note) { return !note.starts_with(kIntruderNote); });
  return result;
}

std::vector<Schedule> neighbours(const Schedule& schedule) {
  std::vector<Schedule> all;
  for (const std::int64_t by : {1, -1, 2, -2, 3, -3}) {
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      const auto until = static_cast<std::int64_t>(schedule.steps[i].until) + by;
      if (until < 0) continue;
      Schedule other = schedule;
      other.steps[i].until = static_cast<std::uint64_t>(until);
      std::map<std::string, std::uint64_t> reached;
      const bool goes_back = std::ranges::any_of(other.steps, [&](const ScheduleStep& step) {
        return std::exchange(reached[step.thread], step.until) > step.until;
      });
      if (!goes_back) all.push_back(std::move(other));
    }
  }
  return all;
}

}  // namespace isosan
