// The socket of the run that this program belongs to (contract/run_socket.h), from inside.
//
// Law: the program finds its descriptors as it would without IsoSan: each is closed again before
// the call returns, except the log's, which the caller closes.
#pragma once

namespace isosan::rt {

bool belongs_to_run();  // the environment names a run

// The descriptor of a log for this process; negative: there is none, and one line has said why.
int ask_for_log();

// Tells the run that this process starts threads and is not watched.
void report_unobserved();

}  // namespace isosan::rt
