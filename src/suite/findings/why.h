// Why a finding is one, in sentences for a person: made from its evidence.
#pragma once

#include <string>
#include <vector>

#include "suite/findings/merge.h"

namespace isosan::suite {

// "inventory.cc:13": the file without its folders; empty: not known.
std::string line_of(const Json& place);

// One step: "T1 reads stock_ in shop::Inventory::stock (inventory.cc:7)".
std::string step_text(const Json& finding, const Json& step);

// The sentences, the first one about the evidence that names the cause.
std::vector<std::string> why(const MergedFinding& finding);

}  // namespace isosan::suite
