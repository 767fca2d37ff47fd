// Predictions as text and as JSON, with the same names as in every other report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "event/tables.h"
#include "predict/prediction.h"
#include "report/names.h"

namespace isosan {

// "RWW of balance: T1 reads at deposit bank.cc:12, T2 writes at ..., T1 writes at ..."; for a
// deadlock: which thread holds which lock and waits for which.
std::string describe(const Prediction& prediction, const Names& names);

nlohmann::ordered_json to_json(const Prediction& prediction, const Names& names);

// A finding with the prediction's operations as steps, for resolve_places() and reports.
Finding as_finding(const Prediction& prediction);

}  // namespace isosan
