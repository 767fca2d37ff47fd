#include "runtime/platform/standalone.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "runtime/contract/log_format.h"
#include "runtime/contract/run_socket.h"
#include "runtime/platform/arch.h"
#include "runtime/platform/os.h"

namespace isosan::rt {
namespace {

constexpr const char* kIsosanPath = "ISOSAN";
constexpr const char* kIsosanOptions = "ISOSAN_OPTIONS";

// Gathered twice: the first time to learn how much room it takes, the second time into that room.
struct CommandLine {
  char* text = nullptr;        // where the strings are; null: only counted
  char** arguments = nullptr;  // one more than there are: the last is null
  std::size_t used = 0;
  std::size_t count = 0;

  void make_room() {
    text = static_cast<char*>(map_pages(used));
    arguments = static_cast<char**>(map_pages((count + 1) * sizeof(char*)));
    used = count = 0;
  }
  void begin_argument() {
    if (arguments != nullptr) arguments[count] = text + used;
    ++count;
  }
  void add(char c) {
    if (text != nullptr) text[used] = c;
    ++used;
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

void gather(CommandLine& line, const char* isosan, const char* program) {
  line.add_whole(isosan);
  line.add_whole("run");
  if (const char* options = std::getenv(kIsosanOptions)) add_words(line, options);
  line.add_whole("--");
  line.add_whole(program);
  add_own_arguments(line);
}

// Into `path`: the isosan that belongs to this library.
bool find_isosan(char* path, std::size_t size) {
  const char* named = std::getenv(kIsosanPath);
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

bool may_run_unobserved() {
  if (has_more_rights_than_caller()) return false;
  if (std::getenv(log::kAllowUnobserved) != nullptr) return true;
  const char* options = std::getenv(kIsosanOptions);
  if (options == nullptr) return false;
  CommandLine line;
  add_words(line, options);
  line.make_room();
  add_words(line, options);
  for (std::size_t i = 0; i < line.count; ++i) {
    if (std::strcmp(line.arguments[i], "--allow-unobserved") == 0) return true;
  }
  return false;
}

void forget_environment() {
  for (const char* name :
       {kIsosanPath, kIsosanOptions, log::kLogFdVariable, log::kStartedByProgram,
        log::kRunFolderVariable, log::kLogProcessVariable, log::kAllowUnobserved})
    unsetenv(name);
}

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
  gather(line, isosan, program);
  line.make_room();
  gather(line, isosan, program);
  setenv(log::kStartedByProgram, "1", 1);
  execv(isosan, line.arguments);
  unsetenv(log::kStartedByProgram);
  warn("cannot start the isosan command, the program runs unobserved: ", isosan);
}

}  // namespace isosan::rt
