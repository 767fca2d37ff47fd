#include "hunt/predicted.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hunt/site_key.h"
#include "symbolize/resolve.h"

namespace isosan {
namespace {

// Without --all.
constexpr unsigned kMostPerKey = 8;               // tried predictions with the same key_of()
constexpr std::uint64_t kMostPredictions = 1000;  // of one observed run
constexpr unsigned kMostInVain = 8;               // runs of the same places

// The same pattern at the same places in the same threads; `exact`: of the same operations, not in
// another round of a loop.
std::string key_of(const Prediction& prediction, const Tables& tables, bool exact) {
  std::string key(name_of(prediction.pattern));
  for (const PredictedOperation& one : prediction.operations) {
    const Site& site = tables.sites[index(one.site)];
    key += fmt::format("|{} {} {}:{}:{} {:x}", tables.threads[index(one.thread)].birth_path,
                       name_of(one.kind), site.file, site.line, site.column, site.pc);
    if (exact) key += fmt::format(" {} {:x}", one.index, one.address);
  }
  return key;
}

// The same pattern at the same places, in whichever threads.
std::string places_of(const Prediction& prediction, const Tables& tables) {
  std::string places(name_of(prediction.pattern));
  for (const PredictedOperation& one : prediction.operations)
    places += fmt::format("|{:x}", key_of(tables.sites[index(one.site)]));
  return places;
}

// How far the thread gets by the steps.
std::uint64_t reach_of(const std::vector<ScheduleStep>& steps, const std::string& thread) {
  std::uint64_t reach = 0;
  for (const ScheduleStep& step : steps) {
    if (step.thread == thread) reach = std::max(reach, step.until);
  }
  return reach;
}

// Does the first one's victim still wait where the first one has stopped it, with the intruder
// past its release?
bool is_nested(const Candidate& second, const Candidate& first) {
  if (!first.prediction || first.prediction->pattern == Pattern::kDeadlock) return false;
  const std::vector<ScheduleStep>& before = first.request.schedule.steps;
  const std::vector<ScheduleStep>& steps = second.request.schedule.steps;
  if (before.size() < 2) return false;
  const ScheduleStep& intruder = before.back();
  return reach_of(steps, intruder.thread) >= intruder.until &&
         reach_of(steps, first.victim) == reach_of(before, first.victim);
}

std::shared_ptr<const Tables> resolved(const Tables& tables,
                                       const std::vector<Prediction>& predictions) {
  std::vector<Where> places;
  for (const Prediction& prediction : predictions) {
    for (const PredictedOperation& one : prediction.operations) {
      places.push_back({0, one.thread, one.site, one.context});
    }
  }
  auto known = std::make_shared<Tables>(tables);
  resolve_places({}, places, *known);
  return known;
}

}  // namespace

void PredictedSchedules::add(Predictor& predictor, Tables& tables, const Candidate& along) {
  const std::vector<Prediction> all = predictor.predictions(limits());
  const auto names = options_.keeps_tried ? resolved(tables, all) : nullptr;
  for (const Prediction& prediction : all) {
    std::string key = key_of(prediction, tables, options_.all && !along.prediction);
    unsigned times = times_predicted(key);
    if (prediction.in_observed_run) {  // where it passed
      if (times > 1) continue;
      ++result_.counts.predicted;
      ++result_.counts.in_observed_run;
      keep(prediction, names, {}, Verdict::kObserved);
      continue;
    }
    Candidate candidate{.request = {.schedule = predictor.schedule(prediction)},
                        .prediction = prediction,
                        .key = key,
                        .places = places_of(prediction, tables),
                        .victim = tables.threads[index(prediction.cut[0].thread)].birth_path};
    if (is_barren(candidate)) continue;
    const bool nested = times > 1 && is_nested(candidate, along);
    if (nested) times = times_predicted(along.key + " then " + key);
    if (times > (nested ? 1 : most_per_key())) continue;
    ++result_.counts.predicted;
    add(candidate, names, nested ? kNested : times > 1 ? kRepeated : kFresh, times);
  }
}

void PredictedSchedules::add(const Candidate& candidate,
                             const std::shared_ptr<const Tables>& resolved, Rank rank,
                             unsigned times) {
  bool again = false;
  for (const Shape shape : kShapes) {
    std::optional<Candidate> one = reshaped(candidate, shape);
    if (!one) continue;
    one->number = keep(*candidate.prediction, resolved, shape, Verdict::kNotRun);
    one->again = std::exchange(again, true);
    waiting_[shape.late ? kReshaped : rank][times].push_back(std::move(*one));
  }
}

void PredictedSchedules::learn(const Candidate& run, std::uint64_t news) {
  if (options_.all) return;
  unsigned& in_vain = in_vain_[run.places];
  in_vain = news > 0 ? 0 : in_vain + 1;
  if (in_vain != kMostInVain) return;
  drop([&](const Candidate& one) { return one.places == run.places; });
}

bool PredictedSchedules::is_barren(const Candidate& candidate) const {
  const auto found = in_vain_.find(candidate.places);
  return found != in_vain_.end() && found->second >= kMostInVain;
}

std::optional<Candidate> PredictedSchedules::next(Rank rank) {
  auto& waiting = waiting_[rank];
  if (waiting.empty()) return std::nullopt;
  std::deque<Candidate>& first = waiting.begin()->second;
  Candidate candidate = std::move(first.front());
  first.pop_front();
  if (first.empty()) waiting.erase(waiting.begin());
  return candidate;
}

void PredictedSchedules::drop_like(const Candidate& infeasible) {
  drop([&](const Candidate& one) {
    return one.shape.late == infeasible.shape.late && one.prediction == infeasible.prediction;
  });
}

void PredictedSchedules::drop(const std::function<bool(const Candidate&)>& unwanted) {
  for (auto& waiting : waiting_) {
    for (auto& [times, candidates] : waiting) std::erase_if(candidates, unwanted);
    std::erase_if(waiting, [](const auto& entry) { return entry.second.empty(); });
  }
}

std::size_t PredictedSchedules::size(Rank rank) const {
  std::size_t sum = 0;
  for (const auto& [times, waiting] : waiting_[rank]) sum += waiting.size();
  return sum;
}
std::size_t PredictedSchedules::size() const {
  return size(kFresh) + size(kNested) + size(kReshaped) + size(kRepeated);
}

PredictLimits PredictedSchedules::limits() const {
  const std::uint64_t most = options_.all ? kNoLimit : kMostPredictions;
  const std::uint64_t predictions = std::min(options_.max_schedules, most);
  return {.predictions = predictions == kNoLimit ? 0 : predictions,
          .per_place = options_.all ? 0 : PredictLimits{}.per_place};
}

unsigned PredictedSchedules::most_per_key() const { return options_.all ? 1 : kMostPerKey; }

unsigned PredictedSchedules::times_predicted(const std::string& key) { return ++times_[key]; }

std::optional<std::size_t> PredictedSchedules::keep(const Prediction& prediction,
                                                    const std::shared_ptr<const Tables>& tables,
                                                    Shape shape, Verdict verdict) {
  if (!options_.keeps_tried) return std::nullopt;
  result_.tried.push_back({prediction, tables, shape, verdict, ""});
  return result_.tried.size() - 1;
}

}  // namespace isosan
