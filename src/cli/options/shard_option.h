// --shard I/N: a part of the work, and the header of a result of such a part.
#pragma once

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/shard.h"

namespace isosan {

void declare_shard(CLI::App& parser, std::string& text);
Shard parse_shard(const std::string& text);  // "3/7"; empty: all of it. Throws UserError

// What `isosan merge` compares (large-suites.md): the same program, by build ids, and options.
nlohmann::json shard_header(const Shard& shard, const std::string& program,
                            const std::vector<std::string>& builds, const nlohmann::json& options);

}  // namespace isosan
