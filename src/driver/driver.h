// `isosan cc`, `isosan c++`, isosan-cc, isosan-c++: a compiler driver in front of a compiler.
//
// Law: every command line of the underlying compiler is accepted, and means the same; the output
// is instrumented (compile steps) and linked with our runtime (link steps). Probes (-E, -M,
// -print-*, --version, ...) are passed on unchanged. The driver replaces itself by the compiler
// (execvp), so exit status, signals and output are the compiler's.
//
// Two fronts (instrumentation.md): `pass`, our plugin in clang 19; `tsan`, objects compiled
// with -fsanitize=thread by gcc or clang.
#pragma once

#include <string>
#include <vector>

namespace isosan::driver {

enum class Language { kC, kCxx };

// Does not return if the compiler was started. Otherwise one line on stderr, and 2.
int run_driver(Language language, const std::vector<std::string>& arguments);

}  // namespace isosan::driver
