#include "driver/doctor.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "driver/toolchain.h"

extern char** environ;

namespace isosan::driver {
namespace {

// Exit status of a program with its output thrown away; -1: it could not be started.
int quiet_status(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int fd : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

DoctorLine program(const std::string& label, const std::string& name, const std::string& package) {
  const auto path = find_program(name);
  if (path) return {true, label + ": " + path->string(), ""};
  return {false, label + ": no '" + name + "' on PATH", "install " + package};
}

DoctorLine file(const std::string& label, const std::filesystem::path& path) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(path, ignored);
  return {there, label + ": " + path.string(),
          there ? "" : "not there: build or install IsoSan whole"};
}

DoctorLine plugin_loads(const Parts& parts) {
  const std::string compiler = compiler_name(Language::kCxx, Front::kPass);
  const int status = quiet_status(compiler, {"-fpass-plugin=" + parts.plugin.string(), "-x", "c++",
                                             "-c", "/dev/null", "-o", "/dev/null"});
  return {status == 0, "the pass plugin loads into " + compiler,
          status == 0 ? "" : "the plugin belongs to clang 19 (19.1); set ISOSAN_CXX to it"};
}

DoctorLine membarrier() {
  const long supported = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  const bool ok = supported > 0 && (supported & MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0;
  return {ok, "kernel: membarrier",
          ok ? "" : "not there (old kernel or seccomp): runs work, a little slower"};
}

DoctorLine memfd() {
  const int fd = memfd_create("isosan-doctor", MFD_CLOEXEC);
  const bool ok = fd >= 0;
  if (ok) close(fd);
  return {ok, "kernel: memfd_create", ok ? "" : std::string("fails: ") + std::strerror(errno)};
}

// A child that asks to be traced: seccomp profiles of containers often forbid it.
DoctorLine ptrace_works() {
  const pid_t child = fork();
  if (child == 0) _exit(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0 ? 0 : 1);
  int status = 1;
  const bool ok = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
                  WEXITSTATUS(status) == 0;
  return {ok, "kernel: ptrace",
          ok ? "" : "forbidden here; in a container allow it (--cap-add SYS_PTRACE)"};
}

DoctorLine personality_works() {
  const int old = personality(0xffffffff);
  const bool ok =
      old != -1 && personality(static_cast<unsigned long>(old) | ADDR_NO_RANDOMIZE) != -1;
  if (ok) personality(static_cast<unsigned long>(old));
  return {ok, "kernel: personality (address randomisation off for replay)",
          ok ? "" : "forbidden here; in a container use a seccomp profile that allows it"};
}

DoctorLine address_space() {
  rlimit limit{};
  const bool ok = getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
  return {ok, "limit: address space (ulimit -v)",
          ok ? ""
             : "limited: the shadow needs terabytes of address space (not of memory); ulimit -v "
               "unlimited"};
}

}  // namespace

std::vector<DoctorLine> doctor() {
  const Parts parts = find_parts();
  const std::string symbolizer =
      find_program("llvm-symbolizer-19") ? "llvm-symbolizer-19" : "llvm-symbolizer";
  return {program("C compiler of the pass front", compiler_name(Language::kC, Front::kPass),
                  "clang-19"),
          program("C++ compiler of the pass front", compiler_name(Language::kCxx, Front::kPass),
                  "clang-19"),
          program("C++ compiler of the tsan front", compiler_name(Language::kCxx, Front::kTsan),
                  "g++ or clang"),
          file("pass plugin", parts.plugin),
          plugin_loads(parts),
          file("runtime", parts.runtime),
          file("header", parts.include / "isosan/isosan.h"),
          program("symbolizer", symbolizer, "llvm-19"),
          membarrier(),
          memfd(),
          ptrace_works(),
          personality_works(),
          address_space()};
}

}  // namespace isosan::driver
