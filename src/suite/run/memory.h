// What is known of a test from an earlier run: kept beside its reports, by test and build.
//
// Law: it is valid as long as the command, the options and the contents of every instrumented
// program and library that took part are the same.
#pragma once

#include <optional>
#include <string>

#include "suite/run/options.h"
#include "suite/run/steps.h"

namespace isosan::suite {

// Of a test whose hunt, if it has one, was done.
void remember(const Progressing& one, const WorkOptions& options);

// With result, modules, sightings and failures; none: nothing is known, or it is not valid any more.
std::optional<Progressing> recall(const TestCase& test, const std::string& file,
                                  const WorkOptions& options);

}  // namespace isosan::suite
