// The functions behind the intercepted ones, from one table; and what the interceptors offer to
// start-up.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <threads.h>

#include <cstddef>

#include "runtime/front/intercept/table.h"

namespace isosan::rt {

struct Thread;

// real.pthread_mutex_lock(...): what would have been called without us.
struct RealFunctions {
#define ISOSAN_POINTER(result, name, parameters, arguments) result(*name) parameters = nullptr;
  ISOSAN_INTERCEPTED(ISOSAN_POINTER)
#undef ISOSAN_POINTER
};
extern RealFunctions real;

void resolve_real_functions();
// What a function of ours stands before; null: nothing.
void* function_behind(const char* name);
void start_threads_support();
void start_signals_support();
void start_fault_support();  // of a program whose shadow is by need
void start_process_support();
void note_thread_exit(Thread& t);  // have end_thread() called when the calling thread ends

}  // namespace isosan::rt
