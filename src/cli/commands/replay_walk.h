// isosan replay --step: a run, change of thread by change of thread.
//
// Model: the run was recorded, so each change can be shown at once, forwards and backwards. Only a
// debugger needs the program again: it is replayed up to the change that is shown.
//
// Commands are read from a terminal, one line each, or from a pipe. A file is the program's input.
// Where there are no commands, or no more, all changes are shown.
#pragma once

#include <cstdint>
#include <functional>

#include "hunt/observation.h"

namespace isosan {

// `debug` runs the program again and stops it at that change, from 1. Completes the tables of the
// run. Throws UserError: what is read from a pipe is no command.
void walk_switches(RecordedRun& run, const std::function<void(std::uint64_t)>& debug);

}  // namespace isosan
