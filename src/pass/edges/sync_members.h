// std::barrier, std::latch, std::counting_semaphore, std::atomic::wait and notify, and the
// operations that make futures ready.
//
// In libstdc++ they are headers over atomics and a raw futex; seen as such they would be dozens of
// atomic operations and false dependences. Before inlining the calls are still calls: each becomes
// one event (publish-like before the call, observe-like after it), and what runs inside is ignored
// by the runtime (__isosan_ignore_begin, _end). The completion function of a barrier is the
// program's own code: it is not ignored, and stands between a departure and another arrival. The
// place of an event is filled in by fill_sync_places(), after inlining.
#pragma once

#include "llvm/IR/Function.h"
#include "pass/tables/records.h"

namespace isosan::pass {

void mark_sync_members(llvm::Function& function);

void fill_sync_places(llvm::Function& function, SiteTable& sites);

}  // namespace isosan::pass
