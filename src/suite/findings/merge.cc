#include "suite/findings/merge.h"

#include <algorithm>
#include <array>
#include <map>

namespace isosan::suite {
namespace {

struct Named {  // a sighting with its cause
  const Sighting* sighting;
  Cause cause;
  std::vector<Json> evidence;
};

bool are_related(const Cause& one, const Cause& other) {
  return (!one.of.empty() && one.of == other.of) || one.function == other.function;
}

// The findings about a failure, in the order in which they are asked for its cause.
std::vector<const Json*> witnesses(const Sighting& sighting) {
  std::vector<const Json*> all;
  const bool deadlock = sighting.finding.value("kind", "") == "deadlock";
  if (deadlock) all.push_back(&sighting.finding);
  const auto add = [&](std::string_view analysis) {
    for (const Json& one : sighting.explanations) {
      if (one.value("analysis", "") == analysis) all.push_back(&one);
    }
  };
  add("velodrome");
  if (!deadlock) all.push_back(&sighting.finding);
  for (const std::string_view analysis : {"marathon", "atomizer", "fasttrack"}) add(analysis);
  return all;
}

// Among exact cycles, one on the data that the forced schedule was about comes first.
void prefer_same_data(std::vector<const Json*>& all, const Json& failure) {
  const std::set<std::string> data = variables_of(failure);
  std::ranges::stable_partition(all, [&](const Json* one) {
    if (one->value("analysis", "") != "velodrome") return false;
    const std::set<std::string> own = variables_of(*one);
    return std::ranges::any_of(own, [&](const std::string& name) { return data.contains(name); });
  });
}

Named name(const Sighting& sighting) {
  Named named{&sighting, {"failure", "", sighting.test}, {}};
  std::vector<const Json*> all = witnesses(sighting);
  prefer_same_data(all, sighting.finding);
  const auto first =
      std::ranges::find_if(all, [](const Json* one) { return cause_of(*one).has_value(); });
  if (first != all.end()) {
    named.cause = *cause_of(**first);
    named.evidence.push_back(**first);
  }
  for (const Json* one : all) {
    if (first != all.end() && one == *first) continue;
    const std::optional<Cause> cause = cause_of(*one);
    const bool own = one == &sighting.finding;
    if (own || (cause && are_related(*cause, named.cause))) named.evidence.push_back(*one);
  }
  return named;
}

// What was seen in a test about the data of its failure is that failure.
void join_within_tests(std::vector<Named>& all) {
  for (Named& seen : all) {
    if (seen.sighting->failed()) continue;
    const auto failure = std::ranges::find_if(all, [&](const Named& one) {
      return one.sighting->failed() && one.sighting->test == seen.sighting->test &&
             are_related(one.cause, seen.cause);
    });
    if (failure != all.end()) seen.cause = failure->cause;
  }
}

MergedFinding merged(const std::vector<const Named*>& group) {
  MergedFinding finding;
  finding.cause = group.front()->cause;
  finding.evidence = group.front()->evidence;
  for (const Named* one : group) {
    const bool known = std::ranges::any_of(
        finding.tests, [&](const TestOfFinding& test) { return test.test == one->sighting->test; });
    if (known) continue;
    finding.tests.push_back({one->sighting->test, one->sighting->failure, one->sighting->schedule,
                             one->sighting->replay});
  }
  return finding;
}

}  // namespace

std::vector<MergedFinding> merge(const std::vector<Sighting>& sightings) {
  std::vector<Named> all;
  for (const Sighting& one : sightings) all.push_back(name(one));
  join_within_tests(all);
  std::map<Cause, std::vector<const Named*>> groups;
  for (const Named& one : all) groups[one.cause].push_back(&one);
  std::vector<MergedFinding> findings;
  for (auto& [cause, group] : groups) {
    std::ranges::stable_partition(group, [](const Named* one) { return one->sighting->failed(); });
    findings.push_back(merged(group));
  }
  std::ranges::stable_sort(findings, [](const MergedFinding& a, const MergedFinding& b) {
    return std::pair(!a.proved(), -static_cast<long>(a.tests.size())) <
           std::pair(!b.proved(), -static_cast<long>(b.tests.size()));
  });
  return findings;
}

}  // namespace isosan::suite
