#include "predict/ranking.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace isosan::predict {
namespace {

std::uint32_t cost_of(Pattern pattern) {
  switch (pattern) {
    case Pattern::kDeadlock:
    case Pattern::kRww:
    case Pattern::kRwr:
      return 0;
    case Pattern::kWwr:
    case Pattern::kWrw:
    case Pattern::kWww:
      return 1;
    case Pattern::kPairWritten:
    case Pattern::kPairRead:
      return 2;
    case Pattern::kRw:
      return 3;
    case Pattern::kWr:
      return 5;
  }
  return 0;
}

std::uint32_t cost_of(Closeness closeness) {
  switch (closeness) {
    case Closeness::kSameExecution:
      return 0;
    case Closeness::kCommonRegion:
      return 2;
    case Closeness::kLoop:
      return 4;
    case Closeness::kThread:
      return 6;
  }
  return 0;
}

std::uint32_t own_cost(const Candidate& c) {
  return cost_of(c.pattern) + cost_of(c.closeness) + (c.observed ? 10 : 0) + (c.alternate ? 3 : 0);
}

}  // namespace

void rank(const ObservedRun& run, const Tables& tables, std::vector<Candidate>& candidates) {
  const auto site = [&](const Candidate& c, std::size_t i) {
    return run.operations()[c.operations[i].number].site;
  };
  const auto function = [&](SiteId id) {
    return index(id) < tables.sites.size() ? tables.sites[index(id)].function : kNoFunction;
  };
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    const std::uint32_t cost_a = own_cost(a), cost_b = own_cost(b);
    return cost_a != cost_b ? cost_a < cost_b : a.operations < b.operations;
  });
  // The cost of a repetition grows more and more slowly.
  absl::flat_hash_map<std::tuple<SiteId, SiteId, SiteId, Pattern>, std::uint32_t> places;
  absl::flat_hash_map<std::pair<FunctionId, FunctionId>, std::uint32_t> functions;
  std::vector<std::pair<std::uint32_t, std::size_t>> order;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& c = candidates[i];
    const SiteId third = c.operations.size() > 2 ? site(c, 2) : kNoSite;
    const std::uint32_t same_place = places[{site(c, 0), site(c, 1), third, c.pattern}]++;
    const std::uint32_t same_functions = functions[{function(site(c, 0)), function(site(c, 1))}]++;
    const auto repeated = static_cast<std::uint32_t>(2 * std::bit_width(same_place) +
                                                     std::bit_width(same_functions) / 2);
    order.emplace_back(own_cost(c) + repeated, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Candidate> ranked;
  ranked.reserve(candidates.size());
  for (const auto& [cost, i] : order) ranked.push_back(std::move(candidates[i]));
  candidates = std::move(ranked);
}

}  // namespace isosan::predict
