#include "cli/output/prediction_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace isosan {
namespace {

using Json = nlohmann::ordered_json;

FindingStep step_of(const PredictedOperation& operation) {
  return {.transaction = 0,
          .where = {0, operation.thread, operation.site, operation.context},
          .operation = operation.kind,
          .address = operation.address,
          .size = operation.size};
}

std::string_view verb_of(Kind kind) {
  if (kind == Kind::kRead || kind == Kind::kAtomicLoad) return "reads";
  if (kind == Kind::kAtomicRmw) return "updates";
  return "writes";
}

std::string at(const PredictedOperation& operation, const Names& names) {
  const Place place = names.place(operation.site);
  return place.known() ? to_string(place) : fmt::format("operation {}", operation.index);
}

std::string operands_of(const Prediction& prediction, const Names& names) {
  std::string text = names.operand(step_of(prediction.operations[0]));
  if (is_pair(prediction.pattern))
    text += " and " + names.operand(step_of(prediction.operations[2]));
  return text;
}

std::string describe_deadlock(const Prediction& prediction, const Names& names) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i + 1 < prediction.operations.size(); i += 2) {
    const PredictedOperation& held = prediction.operations[i];
    const PredictedOperation& wanted = prediction.operations[i + 1];
    parts.push_back(fmt::format("{} holds {} ({}) and wants {} ({})", names.thread(held.thread),
                                names.operand(step_of(held)), at(held, names),
                                names.operand(step_of(wanted)), at(wanted, names)));
  }
  return fmt::format("deadlock: {}", fmt::join(parts, ", "));
}

}  // namespace

std::string describe(const Prediction& prediction, const Names& names) {
  if (prediction.pattern == Pattern::kDeadlock) return describe_deadlock(prediction, names);
  std::vector<std::string> parts;
  for (const PredictedOperation& operation : prediction.operations) {
    parts.push_back(fmt::format("{} {} at {}", names.thread(operation.thread),
                                verb_of(operation.kind), at(operation, names)));
  }
  return fmt::format("{} of {}: {}", name_of(prediction.pattern), operands_of(prediction, names),
                     fmt::join(parts, ", "));
}

Json to_json(const Prediction& prediction, const Names& names) {
  Json operations = Json::array();
  for (const PredictedOperation& operation : prediction.operations) {
    const Place place = names.place(operation.site);
    Json json{{"thread", names.thread(operation.thread)},
              {"birth", names.birth_path(operation.thread)},
              {"operation", operation.index},
              {"kind", name_of(operation.kind)}};
    if (!place.function.empty()) json["function"] = place.function;
    if (!place.file.empty()) json["file"] = place.file;
    if (place.line != 0) json["line"] = place.line;
    operations.push_back(std::move(json));
  }
  Json cut = Json::array();
  for (const CutPoint& point : prediction.cut) {
    cut.push_back({{"birth", names.birth_path(point.thread)}, {"until", point.until}});
  }
  return {{"pattern", name_of(prediction.pattern)},
          {"location", operands_of(prediction, names)},
          {"region", names.region(prediction.region)},
          {"message", describe(prediction, names)},
          {"operations", operations},
          {"cut", cut},
          {"observed", prediction.in_observed_run}};
}

Finding as_finding(const Prediction& prediction) {
  Finding finding{.analysis = "predict",
                  .kind = prediction.pattern == Pattern::kDeadlock
                              ? FindingKind::kDeadlock
                              : FindingKind::kAtomicityViolation,
                  .region = prediction.region};
  for (const PredictedOperation& operation : prediction.operations) {
    finding.steps.push_back(step_of(operation));
  }
  return finding;
}

}  // namespace isosan
