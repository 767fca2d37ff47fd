// For pthread_once and C's call_once the initializer is the function itself. libstdc++ passes the
// same function always, __once_proxy, and leaves two thread-local pointers: __once_call, a function
// of its own for each type of initializer, and __once_callable, the closure that this calls. Two
// lambdas differ in type. Two functions of one signature do not: the closure then begins with the
// function's address. Not distinguished: what a pointer variable holds, arguments, captures.
#include "runtime/front/intercept/initializers.h"

#include <dlfcn.h>

#include "runtime/front/modules.h"

namespace isosan::rt {
namespace {

using Function = void (*)();

struct OnceOfLibstdcxx {
  bool looked_up = false;
  Function proxy = nullptr;
  Function* call = nullptr;  // this thread's, as the next one
  std::uint64_t** callable = nullptr;
};
constinit thread_local OnceOfLibstdcxx libstdcxx [[gnu::tls_model("initial-exec")]];

// What libstdc++.so does not export, as where it is linked statically, stays null.
void look_up() {
  libstdcxx.looked_up = true;
  libstdcxx.proxy = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "__once_proxy"));
  libstdcxx.call = static_cast<Function*>(dlsym(RTLD_DEFAULT, "_ZSt11__once_call"));
  libstdcxx.callable = static_cast<std::uint64_t**>(dlsym(RTLD_DEFAULT, "_ZSt15__once_callable"));
}

}  // namespace

std::uint64_t initializer_of(void (*function)()) {
  if (!libstdcxx.looked_up) look_up();
  if (function != libstdcxx.proxy || libstdcxx.call == nullptr || libstdcxx.callable == nullptr) {
    return reinterpret_cast<std::uint64_t>(function);
  }
  const auto call = reinterpret_cast<std::uint64_t>(*libstdcxx.call);
  const std::uint64_t* closure = *libstdcxx.callable;
  if (closure == nullptr || !is_of_program(*closure)) return call;
  return call ^ *closure << 1;
}

}  // namespace isosan::rt
