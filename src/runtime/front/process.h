// The process as a whole: start-up, the end, and what a forked child does (it runs on unobserved).
#pragma once

namespace isosan::rt {

void start_runtime();  // idempotent; from the constructor, or from the first entry point before it
void end_observation();  // of this process: a forked child
// A thread starts in a process that nobody watches. One thread alone can violate nothing, so a
// forked child is reported to the run only then.
void note_unobserved_threads();

}  // namespace isosan::rt
