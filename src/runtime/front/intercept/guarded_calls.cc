#include "runtime/platform/guarded_calls.h"

#include "runtime/front/intercept/intercept.h"
#include "runtime/platform/guards.h"

namespace isosan::rt {
namespace {

#define ISOSAN_NAME(name) #name,
const char* const names[] = {ISOSAN_GUARDED_CALLS(ISOSAN_NAME)};
#undef ISOSAN_NAME
void* functions[sizeof names / sizeof names[0]];

}  // namespace
}  // namespace isosan::rt

using namespace isosan::rt;

// From a guard: the function behind it. Behind the last poll a signal runs at once, since this
// function is part of the guard.
extern "C" ISOSAN_IN_GUARD void* isosan_pass_guard(unsigned long index) {
  if (functions[index] == nullptr) functions[index] = function_behind(names[index]);
  if (Thread* t = observed_if_started()) {
    RuntimeScope scope(t);
    poll(*t);
  }
  return functions[index];
}
