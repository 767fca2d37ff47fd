#include "driver/flags.h"

namespace isosan::driver {
namespace {

using Arguments = std::vector<std::string>;

void add(Arguments& to, const Arguments& more) { to.insert(to.end(), more.begin(), more.end()); }

// Clang's own pass drops the read of x++ and, after the vectorisers, every access of odd size.
const Arguments kClangTsan = {"-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1",
                              "-fno-vectorize", "-fno-slp-vectorize"};
// GCC expands small calls of these inline, after its pass: their accesses would not be logged. A
// call per access through the linkage table would be a second jump.
const Arguments kGccTsan = {"-fsanitize=thread",    "-fno-plt",
                            "-fno-builtin-memcpy",  "-fno-builtin-memmove",
                            "-fno-builtin-memset",  "-fno-builtin-memcmp",
                            "-fno-builtin-strcmp",  "-fno-builtin-strncmp",
                            "-fno-builtin-strcpy",  "-fno-builtin-stpcpy",
                            "-fno-builtin-strncpy", "-fno-builtin-strcat",
                            "-fno-builtin-strncat", "-fno-builtin-sprintf",
                            "-fno-builtin-snprintf"};

Arguments compile_flags(const CommandLine& line, const Invocation& invocation) {
  Arguments flags;
  if (!line.debug_info) flags.push_back("-g");  // class, field and line of every site
  switch (invocation.front) {
    case Front::kPass:
      flags.push_back("-fstandalone-debug");  // fields of classes whose constructors are elsewhere
      if (!line.arrays) {                     // loaded before options of LLVM are read
        add(flags,
            {"-fplugin=" + invocation.parts.plugin.string(), "-mllvm", "-isosan-leave-out-arrays"});
      }
      flags.push_back("-fpass-plugin=" + invocation.parts.plugin.string());
      break;
    case Front::kTsan:
      add(flags, invocation.clang ? kClangTsan : kGccTsan);
      if (invocation.gcc_plugin) flags.push_back("-fplugin=" + invocation.gcc_plugin->string());
      break;
  }
  return flags;
}

// The runtime comes first, so that its interceptors stand before libc's; --as-needed must not drop
// it.
Arguments link_flags(const Invocation& invocation) {
  const std::string folder = invocation.parts.runtime.parent_path().string();
  return {"-Wl,--push-state,--no-as-needed", invocation.parts.runtime.string(), "-Wl,--pop-state",
          "-Wl,-rpath," + folder};
}

// Keeps libtsan out where -fsanitize=thread is on a line that links, ours or the user's own.
Arguments without_libtsan(const CommandLine& line, const Invocation& invocation) {
  if (invocation.front != Front::kTsan && !line.mentions_tsan) return {};
  if (invocation.clang) return {"-fno-sanitize-link-runtime"};
  return {"-B" + invocation.parts.tsan_overlay.string()};
}

}  // namespace

Arguments compiler_arguments(const CommandLine& line, const Invocation& invocation) {
  if (!line.has_input) return line.arguments;
  Arguments flags = {"-D__ISOSAN__=1", "-isystem", invocation.parts.include.string()};
  if (line.compiles) add(flags, compile_flags(line, invocation));
  if (line.links) add(flags, without_libtsan(line, invocation));
  if (line.links && !line.static_link) add(flags, link_flags(invocation));
  Arguments all;
  if (invocation.clang) all.push_back("--start-no-unused-arguments");
  add(all, flags);
  if (invocation.clang) all.push_back("--end-no-unused-arguments");
  add(all, line.arguments);
  return all;
}

}  // namespace isosan::driver
