// Leaves that may be run without a log.
//
// Model. A thread that is alone and at rest (runtime/ownership/lone_units.h) calls a leaf that only
// reads. Were it withheld, it would be thrown away at its end if all that it reads is the thread's
// own, or read-shared and ordered, and if nobody asks for anything before. So the leaf is made
// twice. The copy asks of each word no more than whose it is, and marks nothing; what it finds to
// be another's, or somebody who asks at the entry or a back edge, sends it back to the start: into
// the leaf as it is for all others. It has stored nothing by then, so nobody can tell that it ran.
// So does, at its end, whatever came to the runtime in between: a signal handler.
//
// Law. A word that is the thread's own when it is read is read before whoever takes it afterwards
// has it: nothing comes before such a unit, and what comes after it meets nothing. That needs no
// mark in the word: a mark is for those who would come into the midst of a unit that is told.
#pragma once

#include "llvm/IR/Function.h"

namespace isosan::pass {

// Makes the copies. What is in them, and their back edges, has the metadata `nosanitize`. Changes
// the control flow.
void copy_lone_leaves(llvm::Function& function);

}  // namespace isosan::pass
