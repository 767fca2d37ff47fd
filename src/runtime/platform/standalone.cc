#include "runtime/platform/standalone.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/contract/log_format.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

constexpr std::size_t kMaxArguments = 4096;
constexpr std::size_t kMaxText = std::size_t{1} << 20;

struct CommandLine {
  char* text = nullptr;  // where the strings are
  std::size_t used = 0;
  char** arguments = nullptr;
  std::size_t count = 0;

  void begin_argument() {
    if (count + 1 < kMaxArguments) arguments[count++] = text + used;
  }
  void add(char c) {
    if (used + 1 < kMaxText) text[used++] = c;
  }
  void end_argument() { add(0); }
  void add_whole(const char* argument) {
    begin_argument();
    for (; *argument != 0; ++argument) add(*argument);
    end_argument();
  }
};

// Words at white space; quotes of both kinds keep what is between them together.
void add_words(CommandLine& line, const char* options) {
  char quote = 0;
  bool in_word = false;
  for (; *options != 0; ++options) {
    const char c = *options;
    const bool space = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && space) {
      if (in_word) line.end_argument();
      in_word = false;
      continue;
    }
    if (!in_word) line.begin_argument();
    in_word = true;
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else {
      line.add(c);
    }
  }
  if (in_word) line.end_argument();
}

// The program's own arguments without its name: what stands in /proc/self/cmdline behind the first
// 0.
void add_own_arguments(CommandLine& line) {
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/cmdline"),
                              O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  char buffer[4096];
  bool name = true;
  bool fresh = true;
  for (long n;
       (n = raw_syscall(SYS_read, fd, reinterpret_cast<long>(buffer), sizeof buffer)) > 0;) {
    for (long i = 0; i < n; ++i) {
      if (!name && fresh) line.begin_argument();
      fresh = buffer[i] == 0;
      if (!name) line.add(buffer[i]);
      if (fresh) name = false;
    }
  }
  raw_syscall(SYS_close, fd);
}

// Into `path`: the isosan that belongs to this library.
bool find_isosan(char* path, std::size_t size) {
  const char* named = secure_getenv("ISOSAN");
  Dl_info self;
  if (named == nullptr && dladdr(reinterpret_cast<const void*>(&run_under_isosan), &self) == 0) {
    return false;
  }
  const char* base = named != nullptr ? named : self.dli_fname;
  std::size_t n = 0;
  for (; base[n] != 0 && n + 32 < size; ++n) path[n] = base[n];
  if (named == nullptr) {
    while (n > 0 && path[n - 1] != '/') --n;
    for (const char* rest = "../bin/isosan"; *rest != 0; ++rest) path[n++] = *rest;
  }
  path[n] = 0;
  return raw_syscall(SYS_faccessat, AT_FDCWD, reinterpret_cast<long>(path), X_OK) == 0;
}

}  // namespace

void run_under_isosan() {
  if (std::getenv(log::kLogFdVariable) != nullptr) return;  // started by an observed program
  if (std::getenv(log::kStartedByProgram) != nullptr) return;
  static char isosan[4096];
  static char program[4096];
  if (!find_isosan(isosan, sizeof isosan)) {
    warn("the isosan command was not found (set ISOSAN to its path): the program runs unobserved");
    return;
  }
  const long n = raw_syscall(SYS_readlinkat, AT_FDCWD, reinterpret_cast<long>("/proc/self/exe"),
                             reinterpret_cast<long>(program), sizeof program - 1);
  if (n <= 0) return;
  CommandLine line;
  line.text = static_cast<char*>(map_pages(kMaxText));
  line.arguments = static_cast<char**>(map_pages(kMaxArguments * sizeof(char*)));
  line.add_whole(isosan);
  line.add_whole("run");
  if (const char* options = std::getenv("ISOSAN_OPTIONS")) add_words(line, options);
  line.add_whole("--");
  line.add_whole(program);
  add_own_arguments(line);
  line.arguments[line.count] = nullptr;
  setenv(log::kStartedByProgram, "1", 1);
  execv(isosan, line.arguments);
  unsetenv(log::kStartedByProgram);
  warn("cannot start the isosan command, the program runs unobserved: ", isosan);
}

}  // namespace isosan::rt
