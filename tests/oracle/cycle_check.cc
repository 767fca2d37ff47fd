#include "oracle/cycle_check.h"

#include <set>

namespace isosan::test {
namespace {

std::string step_error(const FindingStep& step, const Finding& finding,
                       std::span<const Event> events, const SerializabilityOracle& oracle) {
  const std::size_t at = step.where.ordinal;
  if (at >= events.size()) return "a step is no event of the trace";
  const Event& e = events[at];
  const std::string name = "the step at event " + std::to_string(at);
  if (step.where != Where{at, e.thread, e.site, e.context}) return name + " has the wrong place";
  if (step.operation != e.kind) return name + " has the wrong operation";
  const bool access = e.kind == Kind::kRead || e.kind == Kind::kWrite ||
                      e.kind == Kind::kAtomicLoad || e.kind == Kind::kAtomicStore ||
                      e.kind == Kind::kAtomicRmw;
  if (access && (step.address != e.address || step.size != e.size))
    return name + " has the wrong bytes";
  if (step.transaction >= finding.transactions.size()) return name + " has no transaction";
  const FindingTransaction& reported = finding.transactions[step.transaction];
  const OracleTransaction& real = oracle.transactions()[oracle.transaction_of(at)];
  if (reported.thread != real.thread) return name + " has a transaction of another thread";
  if (reported.region != real.region) return name + " has a transaction of another region";
  if (reported.begin.ordinal != real.first) return name + " has a transaction that began elsewhere";
  return "";
}

}  // namespace

std::string cycle_error(const Finding& finding, std::span<const Event> events,
                        const SerializabilityOracle& oracle) {
  if (finding.edges.size() < 2) return "fewer than two edges are no cycle";
  for (const FindingStep& step : finding.steps)
    if (std::string error = step_error(step, finding, events, oracle); !error.empty()) return error;
  std::set<std::size_t> visited;
  for (std::size_t i = 0; i < finding.edges.size(); ++i) {
    const FindingEdge& edge = finding.edges[i];
    const FindingEdge& next = finding.edges[(i + 1) % finding.edges.size()];
    if (edge.from >= finding.steps.size() || edge.to >= finding.steps.size())
      return "an edge has no step";
    const std::size_t from = finding.steps[edge.from].where.ordinal;
    const std::size_t to = finding.steps[edge.to].where.ordinal;
    const std::string name = "edge " + std::to_string(from) + " -> " + std::to_string(to);
    if (!oracle.depends(from, to, edge.reason)) return name + " is no dependence of its reason";
    if (oracle.transaction_of(to) != oracle.transaction_of(finding.steps[next.from].where.ordinal))
      return name + " and the next one do not meet in a transaction";
    if (!visited.insert(oracle.transaction_of(from)).second) return name + " starts a second round";
  }
  return "";
}

}  // namespace isosan::test
