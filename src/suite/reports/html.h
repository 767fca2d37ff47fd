// The result as one page for a browser: everything is in the file, nothing is loaded.
//
// Model: the page is a template (page/) with a place for data. The data is the JSON result, and the
// source files that its evidence quotes. A file is quoted only if a run has done so: it has checked
// that the file is source, and as old as the program (report/source_lines.h).
#pragma once

#include <string>

#include "suite/findings/result.h"

namespace isosan::suite {

std::string html_report(const SuiteResult& result);

}  // namespace isosan::suite
