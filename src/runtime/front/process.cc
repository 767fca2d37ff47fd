#include "runtime/front/process.h"

#include <unistd.h>

#include "runtime/front/intercept/real.h"
#include "runtime/front/modules.h"
#include "runtime/log/log.h"
#include "runtime/modes/choose.h"
#include "runtime/ownership/coordinate.h"
#include "runtime/platform/os.h"
#include "runtime/platform/run_socket.h"
#include "runtime/platform/standalone.h"
#include "runtime/schedule/schedule.h"
#include "runtime/shadow/shadow.h"
#include "runtime/sync/sync.h"
#include "runtime/thread/thread.h"

namespace isosan::rt {

namespace {

std::atomic<bool> resolved{false};
std::atomic<int> started{0};               // 0: no, 1: under way, 2: yes
std::atomic<bool> unreported_fork{false};  // a forked child that has started no threads so far

void run_without_shadow() {
  map_shadow_by_need();
  start_fault_support();
  warn(
      "no room for the shadow memory under this limit on address space (ulimit -v): the program "
      "runs unobserved, as --allow-unobserved asks");
}

}  // namespace

void start_runtime() {
  if (!resolved.exchange(true)) {
    prepare_stand_ins();
    resolve_real_functions();
  }
  // The loader allocates before libc has its environment: too early to know what is asked of us.
  if (environ == nullptr) return;
  int expected = 0;
  if (!started.compare_exchange_strong(expected, 1)) return;
  g_process_id = process_id();
  const bool has_shadow = map_shadow_of_process();  // instrumented code looks there in any case
  if (!has_shadow && !may_run_unobserved()) die_without_shadow();
  if (!has_shadow) {
    run_without_shadow();
  } else if (has_more_rights_than_caller()) {
    forget_environment();
    warn_if_safe("a program with more rights than its caller (setuid, setgid) runs unobserved");
  } else if (attach_log()) {
    choose_mode(*g_log.header, g_log.layout);
    Thread* main_thread = create_thread(nullptr);
    if (main_thread == nullptr) die("the log has no room for a single thread");
    start_thread(*main_thread);
    start_threads_support();
    note_thread_exit(*main_thread);  // it may end by pthread_exit, before the process
    start_signals_support();
    start_process_support();
    g_observed.store(true, std::memory_order_release);  // order: table
    log_thread_start(*main_thread, 0);
    start_schedule(*main_thread);
    announce_loaded_modules();
  } else {
    run_under_isosan();  // returns if that is not to be had, or not wanted
  }
  started.store(2);
}

Thread* attach_thread() {
  if (!g_observed.load(std::memory_order_acquire)) {  // order: table
    if (started.load() == 2) __isosan_self = &g_ignored_block;
    return nullptr;
  }
  // A thread that pthread_create did not make, or for which there was no room then: no thread is
  // known to have forked it.
  __isosan_self = &g_ignored_block;
  if (g_serialized) refuse_threads(log::LeftBecause::kUnseen);
  Thread* t = create_thread(nullptr);
  if (t == nullptr) {
    g_log.header->threads_unobserved.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  start_thread(*t);
  note_thread_exit(*t);
  log_thread_start(*t, 0);
  return t;
}

void end_observation() {
  stop_schedule();
  g_observed.store(false, std::memory_order_release);  // order: table
  g_log.header = nullptr;
  __isosan_self = &g_ignored_block;
  unreported_fork.store(true);
}

void note_unobserved_threads() {
  if (!unreported_fork.load() || !unreported_fork.exchange(false)) return;
  if (belongs_to_run()) report_unobserved();
}

namespace {

[[gnu::constructor(101)]] void on_load() { start_runtime(); }

[[gnu::destructor]] void on_exit() {
  if (!g_observed.load()) return;
  if (Thread* t = current()) {
    g_log.header->accesses_seen.fetch_add(t->accesses % 4096, std::memory_order_relaxed);
  }
}

}  // namespace
}  // namespace isosan::rt
