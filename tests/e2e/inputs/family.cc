// A program that starts others. The first argument says what it does; what it starts gets the rest as arguments.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "steps.h"

namespace {

int value;

[[gnu::noinline]] void torn(bool meets_other) {
  const int before = value;
  if (meets_other) {
    next_step();
    await_step(2);
  }
  value = before + 1;
}

void tear() {
  std::thread other([] {
    await_step(1);
    value = 7;
    next_step();
  });
  torn(true);
  other.join();
}

[[noreturn]] void become(char** arguments, char** environment) {
  execve("/proc/self/exe", arguments, environment);
  _exit(127);
}

// Says how the child ended, and that there is no other.
void await(pid_t child) {
  int status = 0;
  const bool same = waitpid(-1, &status, 0) == child;
  const bool other = waitpid(-1, &status, 0) > 0;
  std::printf("%s, %s %d\n", same && !other ? "one child" : "another child",
              WIFEXITED(status) ? "status" : "signal",
              WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  std::fflush(stdout);
}

// As daemons do: forks twice, so that nobody waits for the program. Returns when that has started.
void start_daemon(char** arguments, bool closes_streams) {
  int started[2];
  if (pipe(started) != 0) std::abort();
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    dup2(started[1], 3);
    if (closes_streams) {
      const int nothing = open("/dev/null", O_RDWR);
      for (const int fd : {0, 1, 2}) dup2(nothing, fd);
    }
    for (int fd = 4; fd < 20; ++fd) close(fd);
    become(arguments, environ);
  }
  close(started[1]);
  wait(nullptr);
  char byte;
  if (read(started[0], &byte, 1) != 1) std::abort();
}

// Does its work only when the file (a FIFO) says so.
void serve(const char* file) {
  if (write(3, "s", 1) != 1) std::abort();
  close(3);
  char byte;
  if (read(open(file, O_RDONLY), &byte, 1) != 1) std::abort();
  tear();
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view task = count > 1 ? arguments[1] : "clean";
  std::thread([] { ++value; }).join();
  torn(false);
  char* none[] = {nullptr};
  if (task == "tear") tear();
  if (task == "tear-7") return tear(), 7;
  if (task == "killed") tear(), kill(getpid(), SIGKILL);
  if (task == "pid") std::printf("%d\n", getpid());
  if (task == "serve") serve(arguments[2]);
  if (task == "becomes") become(arguments + 1, environ);
  if (task == "daemon" || task == "quiet-daemon") start_daemon(arguments + 1, task != "daemon");
  if (task == "starts" || task == "starts-mute" || task == "starts-bare" || task == "forks") {
    const pid_t child = fork();
    if (child == 0 && task == "forks") tear(), _exit(3);
    if (child == 0 && task == "starts-mute") close(2);
    if (child == 0) become(arguments + 1, task == "starts-bare" ? none : environ);
    await(child);
  }
  return 0;
}
