// What a program prints when its threads run one after another: an oracle for programs that have none
// of their own.
//
// Model: in a serial run a thread goes on until it ends or has to wait. There are several such runs:
// another thread goes last in each. If all of them print the same lines, in whatever order, a run
// that prints others is a failure (FailureKind::kSerial). If they do not, the program's output depends
// on the order of its threads, and nothing can be judged by it.
//
// Not a proof: a program may mean to print something else where its threads meet. So it is asked for
// (--serial-output), never the default.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hunt/execution.h"

namespace isosan {

// Enters what serial runs print into the harness, if it wants that. Returns why the program cannot be
// judged by it; empty: it can.
std::string take_serial_output(Harness& harness, int cpu);

std::vector<std::string> sorted_lines(std::string_view text);

// How a run's output differs from that of serial runs: the first lines of each kind.
struct LineDifference {
  std::vector<std::string> more, fewer;
};
LineDifference difference(const Harness& harness, std::string_view output, std::size_t most);

}  // namespace isosan
