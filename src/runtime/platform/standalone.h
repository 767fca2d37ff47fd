// An instrumented program that was started on its own behaves like `isosan run` with the options of
// ISOSAN_OPTIONS: it starts isosan in its place, with itself as the program to run.
#pragma once

namespace isosan::rt {

// Does not return if isosan was found. isosan is $ISOSAN, or stands beside this library
// (../bin/isosan from where the library is).
void run_under_isosan();

// What the environment says of isosan is taken out of it: nothing that this program starts sees it
// either.
void forget_environment();

}  // namespace isosan::rt
