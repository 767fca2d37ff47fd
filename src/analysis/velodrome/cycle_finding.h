// From a cycle of dependences to a finding: pure data in, pure data out.
#pragma once

#include <span>
#include <string>

#include "analysis/velodrome/transaction_graph.h"
#include "event/finding.h"

namespace isosan::velodrome {

// The set of static regions on the cycle, as text: violations with the same set are the same one.
std::string regions_key(std::span<const Dependence> cycle);

// `cycle` leads round: the first edge leaves the transaction that closes the cycle, the last one
// enters it again; edges meet in a thread, and where they do not meet in a transaction the finding
// gets an edge of program order. Transactions stand in the order of the cycle, from the closing
// one.
//
// Blame: a transaction whose outgoing edge is older than its incoming one (what it did first had to
// come before what it did last came after). The closing transaction always is one. If no
// other is, the cycle is *increasing*, and the closing transaction cannot be serialized on its
// own.
Finding cycle_finding(std::span<const Dependence> cycle);

// The program was aborted before a cycle could close. `path` leads out of an open transaction, to
// the thread that aborted or from it; that transaction is blamed.
Finding broken_off_finding(std::span<const Dependence> path, bool by_itself);

}  // namespace isosan::velodrome
