// The program's exit status, signals and streams are its own; the report comes however it ends.
// RUN: %cxx %s -o %t
// RUN: %isosan run -- %t clean > %t.out 2> %t.err
// RUN: grep -q 'to stdout' %t.out && grep -q 'to stderr' %t.err
// RUN: sh -c '%isosan run -- %t seven; test $? -eq 7'
// RUN: sh -c '%isosan run -- %t quick; test $? -eq 3'
// RUN: sh -c '%isosan run -- %t thread; test $? -eq 9'
// RUN: sh -c '%isosan run -- %t abort; test $? -eq 134'
// RUN: sh -c '%isosan run -- %t killed; test $? -eq 137' 2>&1 | FileCheck %s
// RUN: sh -c '%isosan run -- %t exec; test $? -eq 5'
// RUN: sh -c '%isosan run -- %t fork; test $? -eq 0'
// RUN: echo input | %isosan run -- %t stdin
// CHECK: SUMMARY: IsoSan: 0 findings; the program was ended by SIGKILL
//
// A program that is not instrumented has no clean bill; one that is not there is a slip.
// RUN: sh -c '%isosan run -- /bin/true; test $? -eq 68' 2>&1 | FileCheck --check-prefix=BLIND %s
// BLIND: isosan: nothing of '/bin/true' was instrumented
// RUN: sh -c '%isosan run -- %t.none; test $? -eq 2' 2>&1 | FileCheck --check-prefix=GONE %s
// GONE: isosan: cannot run '{{.*}}.none': No such file or directory
//
// Limits: few descriptors will do; a log that would be too long is a line, not a signal.
// RUN: sh -c 'ulimit -n 9; %isosan run -- %t clean'
// RUN: sh -c 'ulimit -f 1; %isosan run -- %t clean; test $? -eq 2' 2>&1 | FileCheck --check-prefix=LIMIT %s
// LIMIT: isosan: {{.*}}: File too large
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

int work(int n) {
  static int* memory = new int[16];
  for (int i = 0; i < 16; ++i) memory[i] += n;
  return memory[3];
}

int table[100];
[[gnu::noinline]] int add_up(int n) {
  for (int i = 0; i < n; ++i) table[i % 100] += i;
  return table[3];
}

int main(int, char** argv) {
  const auto is = [&](const char* name) { return std::strcmp(argv[1], name) == 0; };
  std::thread([] { work(1); }).join();
  if (work(2) != 3) return 1;
  std::puts("to stdout");
  std::fputs("to stderr\n", stderr);
  std::fflush(nullptr);
  if (is("seven")) return 7;
  if (is("quick")) std::quick_exit(3);
  if (is("thread")) std::thread([] { std::exit(9); }).join();
  if (is("abort")) std::abort();
  if (is("killed")) kill(getpid(), SIGKILL);
  if (is("exec")) execl("/bin/sh", "sh", "-c", "exit 5", nullptr);
  if (is("stdin")) return std::getchar() == 'i' ? 0 : 1;
  if (is("fork")) {
    const pid_t child = fork();
    if (child == 0) _exit(work(3) == 6 && add_up(200) == 106 ? 0 : 1);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
  }
  return 0;
}
