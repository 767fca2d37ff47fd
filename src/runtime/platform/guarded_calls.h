// Calls that read the thread's signal mask, or hand it on, inside libc. Each has a guard before it
// (platform/guards.S) that delivers a deferred signal first. Read by the assembler, too: only names
// here.
#pragma once

// clang-format off
#define ISOSAN_GUARDED_CALLS(X) \
  X(setjmp) X(__sigsetjmp) X(getcontext) X(swapcontext) X(sigpending) \
  X(execve) X(execv) X(execvp) X(execvpe) X(execl) X(execlp) X(execle) X(fexecve) \
  X(posix_spawn) X(posix_spawnp) X(system) X(popen)
// clang-format on
