#include "cli/commands/debugger.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>

#include "base/shell_word.h"
#include "live/schedule_room.h"

namespace isosan {
namespace {

// For gdb: goes to the thread with that number of the kernel, and to its innermost frame that has a
// line of the user's source: neither the runtime's nor the system's headers'.
constexpr char kGoToThread[] = R"(python exec("""
for thread in gdb.selected_inferior().threads():
  if thread.ptid[1] == {}: thread.switch()
frame = gdb.newest_frame()
while frame is not None and frame.is_valid():
  place = frame.find_sal().symtab
  library = gdb.solib_name(frame.pc()) or ''
  if place and 'libisosan_rt' not in library and not place.filename.startswith('/usr/'):
    frame.select()
    break
  frame = frame.older()
"""))";

std::string gdb_command(pid_t pid, std::uint32_t thread) {
  return shell_words({"gdb", "-q", "-p", std::to_string(pid), "-ex", "info threads", "-ex",
                      fmt::format(fmt::runtime(kGoToThread), thread), "-ex", "frame"});
}

}  // namespace

void StopWatch::look() {
  const std::uint32_t thread = stopped_thread(log_);
  if (reported_ || thread == 0) return;
  reported_ = true;
  const pid_t pid = child_.pid();
  const bool terminal = ::isatty(0) == 1;
  fmt::print(stderr, "isosan replay: stopped {}, process {}, thread {}: gdb -p {}{}\n", where_, pid,
             thread, pid, terminal ? "" : fmt::format("; it goes on after kill -CONT {}", pid));
  if (!terminal) return;
  if (std::system(gdb_command(pid, thread).c_str()) != 0)
    fmt::print(stderr, "isosan replay: gdb could not be run\n");
  ::kill(pid, SIGCONT);  // gdb leaves it stopped
}

}  // namespace isosan
