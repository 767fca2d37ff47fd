// Fixes an interleaving: steps happen in the order of their numbers. step.cc is compiled without
// instrumentation: the tool does not see it.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void step_wait(int number);  // returns when all steps below `number` are done
void step_spin(int number);  // the same without any call that the runtime could notice
void step_done(void);        // one more step is done
#ifdef __cplusplus
}
inline void step(int number, void (*body)()) {
  step_wait(number);
  body();
  step_done();
}
#endif
