// Names for locks that are members of objects, and for members of library types (a map, a string).
//
// Model: nothing in a log says what stands at an address on the heap or on a stack. But a finding
// has accesses whose field is known, and a log has calls of member functions; both show where an
// object begins and of which class it is. What lies inside that object belongs to a member of that
// class (class_layouts.h). What lies in objects of two classes, or in none, keeps its name.
//
// The name becomes a symbol of the tables: "Account::mutex_ (0x7ffc10)". The address stays part of
// it, since two objects have two locks.
#pragma once

#include <span>
#include <vector>

#include "event/finding.h"
#include "event/tables.h"

namespace isosan {

// `further`: locks that go with the findings.
void name_members(const std::vector<Finding>& findings, const std::vector<Address>& further,
                  Tables& tables);

// What these events acquire and access, by the calls among them.
void name_members(std::span<const Event> events, Tables& tables);

}  // namespace isosan
