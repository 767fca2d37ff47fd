// Units of work of up to seven threads that overlap in every way in which a cycle of units can come about: each scenario has one,
// but for `ordered` and `before_barrier`. The interleaving is fixed step by step. A runtime that leaves out too much loses some.
// REQUIRES: pass
// RUN: %cxx %s %steps -o %t
// RUN: for s in open in_vain living third_open third_met third_open_now third_met_now crowd known half child anew unlogged reader locked marked \
// RUN:     last last_shared nested_last barrier nested_barrier first_behind shared twelve settled neighbour beside far three many column forgotten among written; do \
// RUN:   timeout 60 %isosan run --analysis marathon -- %t $s > %t.live 2>&1 || true; \
// RUN:   timeout 60 %isosan record --units -o %t.trace -- %t $s; \
// RUN:   %isosan check --analysis marathon %t.trace > %t.recorded || true; \
// RUN:   echo $s $(cat %t.live %t.recorded | grep -c 'units of work on Shared are not serializable'); \
// RUN: done | FileCheck %s
// CHECK-COUNT-34: {{^[a-z_]+}} 2
//
// A thread that takes the lock which guards a word has no race with the thread that gave it up.
// RUN: timeout 60 %isosan run --analysis marathon -- %t ordered 2>&1 | FileCheck --check-prefix=ORDERED --allow-empty %s
// ORDERED-NOT: data races
//
// A unit that keeps its lock when it ends: acquire and release are both recorded.
// RUN: timeout 60 %isosan record --units -o %t.trace -- %t kept
// RUN: %isosan trace stat %t.trace | FileCheck --check-prefix=KEPT %s
// KEPT: acquire events: 1
// KEPT: release events: 1
//
// A barrier ends units. Of calls that go on behind it both ends are recorded.
// RUN: timeout 60 %isosan run --analysis marathon -- %t before_barrier 2>&1 | FileCheck --check-prefix=BEFORE --allow-empty %s
// BEFORE-NOT: not serializable
// RUN: for s in left_barrier left_inner; do \
// RUN:   timeout 60 %isosan record --units -o %t.trace -- %t $s; \
// RUN:   %isosan trace stat %t.trace | FileCheck --check-prefix=BALANCED %s; \
// RUN: done
// BALANCED-DAG: call events: [[CALLS:[0-9]+]]
// BALANCED-DAG: return events: [[CALLS]]
#include <pthread.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "steps.h"

// The steps are made in this order: "T(" thread T begins a unit, "Twa" it writes field a, "Tra" it reads it, "T3a" it and the next
// two, "Tna" twelve of them, "T|a" each 24th, "T/a" it writes the fourth of these, "T=a" it writes those, "T*a" it writes it so often that the reader has read all before that, "Tla" it takes lock a, "Tua" it gives it up, "T!a" a unit writes it and the next one under lock a, "T?a" one reads them under a shared lock, "Tf" it starts thread C,
// "Tb" it passes a barrier that waits for nobody else, "Tm" it allocates memory, "T)" the unit ends.
struct Scenario {
  const char* name;
  const char* script;
};
constexpr Scenario kScenarios[] = {
    // A unit of R is open and comes before what S did; T reads that.
    {"open", "R( Rwq S( Srq Swp Swo S) T( Tro T) T( Trp Twc T) Rrc R)"},
    // The same, and R's unit ends; but it has read what a unit of S wrote that is still open.
    {"in_vain", "R( Rwq S( Srq Swp Swo S) T( Tro S( Swb Rrb R) T) T( Trp Twc T) Src S)"},
    // T reads what a unit of S wrote that has not ended.
    {"living", "T( Trh T) S( Swd T( Trd Twe T) T( Trh T) T( Trh T) T( Tre Twc T) Src S)"},
    // ... one that has ended, but comes after a unit of R that is open.
    {"third_open", "T( Trh T) R( Rwb S( Srb Swd S) S( Sri S) T( Trd Twe T) T( Trh T) T( Trh T) T( Tre Twc T) Rrc R)"},
    {"third_open_now", "T( Trh T) R( Rwb S( Srb Swd S) S( Sri S) T( Trd Twc T) Rrc R)"},
    // ... or comes after a unit of R that has ended, too, and which has read from an open one of S meanwhile.
    {"third_met", "T( Trh T) R( Rwa S( Sra Swd S) S( Swb Rrb R) T( Trd Twe T) T( Trh T) T( Trh T) T( Tre Twc T) Src S)"},
    {"third_met_now", "T( Trh T) R( Rwa S( Sra Swd S) S( Swb Rrb R) T( Trd Twc T) Src S)"},
    // ... or comes after units of many that have ended, and of X that has not.
    {"crowd", "T( Trh T) R( Rwa U( Uwb V( Vwc W( Wwd X( Xwe S( Sra Srb Src Srd Sre Swf S) R) U) V) W) T( Trf Twg T) Xrg X)"},
    // R has a unit open and then begins another one, which comes before a unit of S. T's clock covers that one (with p comes all
    // that S has done).
    {"known", "S( Swp S) R( Rrz T( Trh R) R( Rwb S( Srb Swd S) Trp T) T( Trd Twc T) Rrc R)"},
    // The same, but T reads what S did in its first unit, too.
    {"anew", "R( Rrz T( Trh R) R( Rwb S( Srb Swd S) Trd Twe T) T( Tre Twc T) Rrc R)"},
    // d is of a unit that is still open, though T's clock covers it.
    {"half", "T( Trh T) S( Swg S) S( Swd Slm Sum T( Tlm Tum T) T( Trh T) T( Trh T) T( Trg Trd Twc T) Src S)"},
    // T has read from an open unit, and starts C.
    {"child", "T( Trh T) S( Swd T( Trd Twe Tf T) C( Cre Cwc C) Src S)"},
    // S wrote x in a nested unit that has ended. T comes after S with p, which S wrote before.
    {"unlogged", "S( Swp S) S( Srp S) S( S( Swx S) T( Twz Trp Twx T*h Srz S) T)"},
    // The same where S has read x since: T does not come after S by what others know.
    // S wrote x under a lock that it has given up, in a unit that is open.
    {"locked", "S( Slm Swx Sum T( Twz Tlm Twx T*h Tum Srz S) T)"},
    // T takes S's lock in a unit of its own before the one that writes x.
    {"marked", "T( Trh T) R( Rwb S( Srb Slm Swx Sum T( Tlm Tum T) T( Twz Twx T) Srz S) R)"},
    {"ordered", "S( Slm Swx Sum T( Tlm Twx Tum T) S)"},
    {"kept", "S( Slm S) S( Sum S)"},
    // T's unit ends with its unlock; and: it lies in another unit, which goes on.
    {"last", "T( Trh T) S( Swx T!x Srx S)"},
    {"last_shared", "T( Trh T) S( Swx T?x Swx S)"},
    {"nested_last", "T( Trh T) T( Twy T!x S( Srx Swz S) Trz T)"},
    // T reads what S wrote behind a barrier.
    {"barrier", "S( Srh S) S( Swa Sb Swx T( Trx Twz T) Srz S)"},
    {"nested_barrier", "S( Srh S) S( S( Swa Sb Swx S) Swy T( Try Twz T) Srz S)"},
    // ... and the first thing that S does there conflicts with an open unit of T.
    {"first_behind", "T( Trh T) S( Srh S) S( Sb T( Trx Swx Swy S) Try T)"},
    {"before_barrier", "S( Srh S) S( Swx Sb T( Trx Twz T) Srz S)"},
    {"left_inner", "S( Srh S) S( S( Swa Sb S) S( Swx Sb Sm Sb S) Swy S)"},
    {"left_barrier", "S( Srh S) S( Swa Sb S( Swx Sb S) Swy S)"},
    // S and R have read x, which is read-shared then. T writes to it.
    {"shared", "T( Twx Twq T) S( Srq S) R( Rrq R) S( Srx R( Rrx R) T( Twx Twz T*h T) Srz S)"},
    // The same of twelve words; and S comes after T, and R after both, by a lock.
    {"twelve", "T( T=m Tlm Tum T) S( Slm Sum Snm R( Rlm Rum Rnm R) T( Tws Twz T*h T) Srz S)"},
    // The same where S wrote x before, and R and T come after that by a lock.
    {"settled", "S( Swx S) S( Slm S) S( Sum S) R( Rlm Rum R) T( Tlm Tum T) S( Srx R( Rrx R) T( Twx Twz T*h T) Srz S)"},
    // ... and of y, which S has read and which lies beside x, that T has.
    {"neighbour", "S( Swu Swv S) S( Slm S) S( Sum S) R( Rlm Rum R) T( Tlm Tum Tru T) S( Srv R( Rru R) T( Twv Twz T*h T) Srz S)"},
    // R comes after S by a lock. It reads v, as T did: that and u, which S wrote and R did not read, become read-shared. T writes
    // u and has to come after S.
    {"beside", "T( Trv T) S( Swu Slm Sum R( Rlm Rum Rrv R) T( Twu Twz T*h T) Srz S)"},
    // The same of c, which is far from q: around the third word of a page that becomes read-shared many do.
    {"far", "T( Tra Tri Trq T) R( Rra Rri R) S( Swc Slm Sum R( Rlm Rum Rrq R) T( Twc Twz T*h T) Srz S)"},
    // S has read the third of three words, the seventh of twelve, the fourth of a column, the last of twelve of which T writes all; or p
    // in a call that has returned. They were read-shared before.
    {"three", "T( Twp Twq Twr T) S( S3p S) R( R3p R) S( S3p S) R( R3p R) S( S3p S) S( Slm S) S( Sum S) R( Rlm R) R( Rum R) T( Tlm Tum T) T( Trp T) T( Trh T) T( Trh T) T( Trh T) T( Trh T) S( Sra S) S( S3p T( Twr Twz T*h T) Srz S)"},
    {"many", "T( T=m T) S( Snm S) R( Rnm R) S( Srm S) S( Slm S) S( Sum S) R( Rlm R) R( Rum R) T( Tlm Tum T) T( Trm T) T( Trh T) T( Trh T) T( Trh T) T( Trh T) S( Sra S) S( Snm T( Tws Twz T*h T) Srz S)"},
    {"column", "S( S|a S) R( R|a R) S( S|a S) R( R|a R) S( S|a S) S( Slm S) S( Sum S) R( Rlm R) R( Rum R) T( Tlm Tum T) T( Tra T) T( Trh T) T( Trh T) T( Trh T) T( Trh T) S( Srb S) S( S|a T( T/a Twz T*h T) Srz S)"},
    {"among", "T( T=m T) S( Snm S) R( Rnm R) S( Srm S) S( Slm S) S( Sum S) R( Rlm R) R( Rum R) T( Tlm Tum T) T( Trm T) T( Trh T) T( Trh T) T( Trh T) T( Trh T) S( Sra S) S( Srx T( T=m Twz T*h T) Srz S)"},
    {"forgotten", "T( Twp T) S( Srp S) R( Rrp R) S( Slm S) S( Sum S) R( Rlm R) R( Rum R) T( Tlm Tum T) T( Trh T) R( Rwb S( Srb S( Srp S) T( Twp Twz T) Srz S) R)"},
    // T has written x before it read it, in a nested unit. S knows all that T knows by synchronization.
    {"written", "T( Trp T) T( T( Twx T) Trx S( Swz Srx S*h Trz T) S)"},
    {"reader", "S( Srp S) S( S( Swx S) Srx T( Twz Trx T*h Srz S) T)"},
};

// Nothing is to be accessed to know what the next step is.
#define UNSEEN [[gnu::noinline, clang::disable_sanitizer_instrumentation]]
constexpr char kNames[] = "TRSUVWXC";
constexpr std::intptr_t kThreads = sizeof kNames - 2;  // C is started by another
const char* script;
UNSEEN void set_script(const char* name) {
  for (const Scenario& each : kScenarios)
    if (std::strcmp(each.name, name) == 0) script = each.script;
}
UNSEEN int packed_step(int number) {  // -1: there is none
  const char* at = script;
  for (; number > 0; --number) {
    while (*at != ' ' && *at != 0) ++at;
    if (*at++ == 0) return -1;
  }
  int thread = 0;
  while (kNames[thread] != at[0]) ++thread;
  return thread | at[1] << 8 | (at[1] == '(' || at[1] == ')' || at[1] == 'f' || at[1] == 'b' || at[1] == 'm' ? 0 : at[2] - 'a') << 16;
}
inline char what_of(int step) { return static_cast<char>(step >> 8); }
inline int field_of(int step) { return step >> 16; }
UNSEEN int next_of(int thread, int number) {  // -1: it has no more steps
  for (;; ++number) {
    const int step = packed_step(number);
    if (step < 0 || (step & 0xff) == thread) return step < 0 ? -1 : number;
  }
}

void* interpret(void* number_of_thread);
UNSEEN void start_child() {
  pthread_t child;
  pthread_create(&child, nullptr, interpret, reinterpret_cast<void*>(kThreads));
}
void* (*volatile allocate)(std::size_t) = std::malloc;
pthread_mutex_t locks[26];
pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
class Shared {
 public:
  // The steps of this thread until its unit ends, from the one that began it; the number of the last one.
  [[gnu::noinline]] int work(int me, int number) {
    for (;;) {
      next_step();
      number = next_of(me, number + 1);
      const int step = packed_step(number);
      yield_until_step(static_cast<int>(kThreads) + number);
      if (what_of(step) == ')') return number;
      if (what_of(step) == '(') number = work(me, number);
      if (what_of(step) == '!') write_locked(field_of(step));
      if (what_of(step) == '?') read_sharing(field_of(step));
      if (what_of(step) == 'r') (void)fields[field_of(step)];
      if (what_of(step) == 'w') fields[field_of(step)] = 1;
      if (what_of(step) == '3') read_three(field_of(step));
      if (what_of(step) == 'n') read_twelve(field_of(step));
      if (what_of(step) == '|') read_column(field_of(step), kRows);
      if (what_of(step) == '/') fields[field_of(step) + 3 * kColumns] = 1;
      if (what_of(step) == '=') std::memset(const_cast<std::int64_t*>(fields) + field_of(step), 0, 96);
      if (what_of(step) == 'f') start_child();
      if (what_of(step) == 'b') pthread_barrier_wait(&barrier);
      if (what_of(step) == 'm') std::free(allocate(4248));
      if (what_of(step) == 'l') pthread_mutex_lock(&locks[field_of(step)]);
      if (what_of(step) == 'u') pthread_mutex_unlock(&locks[field_of(step)]);
      for (int i = 0; what_of(step) == '*' && i < 50'000; ++i) touch(field_of(step));
    }
  }

  [[gnu::noinline]] void write_locked(int field) {
    pthread_mutex_lock(&locks[field]);
    fields[field] = 1;
    fields[field + 1] = 1;
    pthread_mutex_unlock(&locks[field]);
  }

  [[gnu::noinline]] void read_sharing(int field) {
    pthread_rwlock_rdlock(&shared_lock);
    (void)fields[field];
    (void)fields[field + 1];
    pthread_rwlock_unlock(&shared_lock);
  }

  [[gnu::noinline]] void touch(int field) {  // no setter: those are logged once
    fields[field] = 1;
    fields[field + 1] = 1;
  }

 private:
  struct Three {
    std::int64_t first, second, third;
  };
  [[gnu::always_inline]] void read_three(int field) {
    const Three all = *reinterpret_cast<const Three*>(const_cast<const std::int64_t*>(fields) + field);
    asm volatile("" ::"r"(all.first), "r"(all.second), "r"(all.third));
  }
  [[gnu::always_inline]] void read_twelve(int field) {
    std::int64_t all[12];
    std::memcpy(all, const_cast<const std::int64_t*>(fields) + field, sizeof all);
    asm volatile("" ::"r"(all) : "memory");
  }

  [[gnu::noinline]] void read_column(int field, int rows) {
    const std::int64_t* at = const_cast<const std::int64_t*>(fields) + field;
    std::int64_t sum = 0;
    for (int i = 0; i < rows; ++i) sum += at[kColumns * i];
    asm volatile("" ::"r"(sum));
  }

  static constexpr int kColumns = 24, kRows = 5;
  alignas(256) volatile std::int64_t fields[26 + kColumns * kRows] = {};
};
Shared shared;

void* interpret(void* number_of_thread) {  // what a thread starts with is no unit
  const int me = static_cast<int>(reinterpret_cast<std::intptr_t>(number_of_thread));
  if (me < kThreads) next_step();  // it is there
  for (int number = next_of(me, 0); number >= 0; number = next_of(me, number + 1)) {
    yield_until_step(static_cast<int>(kThreads) + number);
    const int step = packed_step(number);
    if (what_of(step) == '!') {
      shared.write_locked(field_of(step));
    } else if (what_of(step) == '?') {
      shared.read_sharing(field_of(step));
    } else {
      number = shared.work(me, number);
    }
    next_step();
  }
  return nullptr;
}

int main(int, char** arguments) {
  set_script(arguments[1]);
  pthread_barrier_init(&barrier, nullptr, 1);
  pthread_t threads[kThreads];
  for (std::intptr_t i = 0; i < kThreads; ++i) pthread_create(&threads[i], nullptr, interpret, reinterpret_cast<void*>(i));
  for (const pthread_t each : threads) pthread_join(each, nullptr);
}
