// Checks of our own slips, inside the target. ISOSAN_CHECK stays on in release and stands in slow
// paths; ISOSAN_DEBUG_CHECK is for the checked runtime (ISOSAN_CHECKED_RUNTIME), with which tests
// run, too. A check that fails says so in one line and aborts the program.
#pragma once

namespace isosan::rt {

[[noreturn, gnu::cold]] void check_failed(const char* what);

}  // namespace isosan::rt

#define ISOSAN_STRING_OF(number) #number
#define ISOSAN_LINE(number) ISOSAN_STRING_OF(number)
#define ISOSAN_CHECK(condition)                         \
  (__builtin_expect(static_cast<bool>(condition), true) \
       ? void(0)                                        \
       : ::isosan::rt::check_failed(#condition " at " __FILE__ ":" ISOSAN_LINE(__LINE__)))

#ifdef ISOSAN_CHECKED_RUNTIME
#define ISOSAN_IS_CHECKED true
#define ISOSAN_DEBUG_CHECK(condition) ISOSAN_CHECK(condition)
#else
#define ISOSAN_IS_CHECKED false
#define ISOSAN_DEBUG_CHECK(condition) (void)sizeof(static_cast<bool>(condition))
#endif
