// `isosan cc`, `isosan c++`, isosan-cc, isosan-c++: a compiler driver in front of a compiler.
//
// Law: every command line that the compiler beneath takes is taken, and means the same; what comes
// out is instrumented (compile steps) and linked with our runtime (link steps). Probes (-E, -M,
// -print-*, --version, ...) are handed on as they are. The driver replaces itself by the compiler
// (execvp), so exit status, signals and output are the compiler's.
//
// Two fronts (docs/instrumentation.md): `pass`, our plugin in clang 19; `tsan`, objects compiled
// with -fsanitize=thread by gcc or clang.
#pragma once

#include <string>
#include <vector>

namespace isosan::driver {

enum class Language { kC, kCxx };

// Does not return where the compiler could be started. Otherwise one line on stderr, and 2.
int run_driver(Language language, const std::vector<std::string>& arguments);

}  // namespace isosan::driver
