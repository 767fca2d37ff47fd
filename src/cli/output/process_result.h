// The result of one process of a run, as one line: whoever watches the process writes it, the run
// reads it (live/run_results.h).
#pragma once

#include <optional>
#include <string>

#include "report/run_record.h"

namespace isosan {

std::string result_line(const WatchedProcess& process);
std::optional<WatchedProcess> read_result(const std::string& line);  // none: the line is damaged

}  // namespace isosan
