/* The interleaving of a test program, fixed by a counter that the tool does not see: steps.c is compiled without
 * instrumentation and waits by raw futex calls. No sleeps, no retries. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

void await_step(int step); /* waits until the counter has reached `step` */
void spin_until_step(int step); /* the same without a system call: the tool does not see that it waits */
void yield_until_step(int step); /* the same with a system call that the tool takes for no wait */
void next_step(void);      /* advances the counter by one */
void let_other_in(void);   /* the first caller makes it step 1 and waits for step 2; later ones go on */
void await_futex_wait(int tid); /* waits until that thread of the process sleeps in a futex call */

#ifdef __cplusplus
}
#endif
