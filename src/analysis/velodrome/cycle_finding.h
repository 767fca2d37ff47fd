// From a cycle of dependences to a finding: pure data in, pure data out.
#pragma once

#include <span>
#include <string>

#include "analysis/velodrome/transaction_graph.h"
#include "event/finding.h"

namespace isosan::velodrome {

// The static regions on the cycle and its kind, as text: violations with the same are the same one.
std::string cycle_key(std::span<const Dependence> cycle);

// Three kinds of cycles are hardly ever bugs, and say so (Finding::unlikely):
// - locks alone: no dependence of the cycle is one of data;
// - looks alone: each one leads from an atomic load to another thread's store of the same variable,
//   and no variable is in two of them. What each thread saw was old by then, and nothing else.
//   Rings of one producer and one consumer do that all the time. (If a variable is in two, both
//   threads have looked at it and stored to it: an update is lost.)
// - only by message: the region had sent the other thread a message through a descriptor, and meets it
//   again only in atomic operations and locks. (Where it meets it in plain memory, it may have sent
//   the message too early.)
bool is_unlikely(std::span<const Dependence> cycle);

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
