#include "runtime/front/intercept/real.h"

#include <dlfcn.h>

namespace isosan::rt {

RealFunctions real;

namespace {

// glibc kept an old pthread_cond_* on x86-64 under the base version; the look-up by name finds the
// default (new) one, the version makes it certain.
void* look_up(const char* name) {
  const char* prefix = "pthread_cond_";
  bool is_condition = true;
  for (int i = 0; prefix[i] != 0 && is_condition; ++i) is_condition = name[i] == prefix[i];
  if (is_condition) {
    if (void* found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return found;
  }
  return function_behind(name);
}

bool is_ours(void* function) {
  Dl_info mine, found;
  return dladdr(reinterpret_cast<void*>(&real), &mine) != 0 && dladdr(function, &found) != 0 &&
         mine.dli_fbase == found.dli_fbase;
}

}  // namespace

// Where only a library of the program is linked with the runtime, libc may stand before it.
void* function_behind(const char* name) {
  if (void* found = dlsym(RTLD_NEXT, name)) return found;
  void* found = dlsym(RTLD_DEFAULT, name);
  return found == nullptr || is_ours(found) ? nullptr : found;
}

void resolve_real_functions() {
#define ISOSAN_RESOLVE(result, name, parameters, arguments) \
  real.name = reinterpret_cast<decltype(real.name)>(look_up(#name));
  ISOSAN_INTERCEPTED(ISOSAN_RESOLVE)
#undef ISOSAN_RESOLVE
}

}  // namespace isosan::rt
