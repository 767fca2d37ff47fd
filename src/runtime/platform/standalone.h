// An instrumented program that was started on its own behaves like `isosan run` with the options of
// ISOSAN_OPTIONS: it starts isosan in its place, with itself as the program to run.
#pragma once

namespace isosan::rt {

// Does not return if isosan was found. isosan is $ISOSAN, or stands beside this library
// (../bin/isosan from where the library is).
void run_under_isosan();

// Is it allowed to run unobserved where there is no room for the shadow? ISOSAN_OPTIONS or isosan run
// says so (--allow-unobserved); never to a program with more rights than its caller.
bool may_run_unobserved();

// Removes the variables of isosan from the environment, so that programs that this one starts do
// not see them either.
void forget_environment();

}  // namespace isosan::rt
