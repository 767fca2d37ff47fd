// Names for locks that are members of objects.
//
// Model: nothing in a log says what stands at an address on the heap or on a stack. But a finding
// has accesses whose field is known, so that it is known where their object begins and of which
// class it is; a lock inside that object is a member of that class (class_layouts.h). A lock that
// lies in objects of two classes, or in none, keeps its address.
//
// The name becomes a symbol of the tables: "Account::mutex_ (0x7ffc10)". The address stays part of
// it, since two objects have two locks.
#pragma once

#include <vector>

#include "event/finding.h"
#include "event/tables.h"

namespace isosan {

// `further`: locks that go with the findings.
void name_locks(const std::vector<Finding>& findings, const std::vector<Address>& further,
                Tables& tables);

}  // namespace isosan
