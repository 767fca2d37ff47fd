// Which accesses are of elements of arrays: what `--arrays off` leaves out.
//
// Model: DoubleChecker (5.4) looks at fields, not at the elements of arrays. An access to no known
// field is one of an array if its length is not known (memcpy and the like), or if its address has
// an index that is no constant, or advances in a loop. `*p` and named variables are none.
#pragma once

#include "pass/code/accesses.h"

namespace isosan::pass {

class FieldNames;

bool is_of_array(const Access& access, const FieldNames& fields);

}  // namespace isosan::pass
