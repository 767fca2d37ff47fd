// An instrumented program that was started on its own behaves like `isosan run` with the options of
// ISOSAN_OPTIONS: it starts isosan in its place, with itself as the program to run.
#pragma once

namespace isosan::rt {

// Does not return if isosan was found. isosan is $ISOSAN, or stands beside this library
// (../bin/isosan from where the library is).
void run_under_isosan();

// Removes the variables of isosan from the environment, so that programs that this one starts do
// not see them either.
void forget_environment();

}  // namespace isosan::rt
