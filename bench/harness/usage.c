// usage REPORT PROGRAM ARGS...: runs the program and writes one line of what it used to REPORT:
//   user seconds, system seconds, peak resident KiB, exit code (or 128 + signal), peak resident
//   KiB of the process that started us, so far
// Model: a process small enough to vanish beside what it measures, so that the peak is the
// program's own (the peak of a child starts at its parent's) and its processor time is told apart
// from that of the analyser that started us.
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static double seconds(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec / 1e6; }

static long peak_of(pid_t process) {
  char line[256];
  snprintf(line, sizeof line, "/proc/%d/status", (int)process);
  FILE* status = fopen(line, "r");
  long peak = 0;
  while (status != NULL && fgets(line, sizeof line, status) != NULL)
    if (sscanf(line, "VmHWM: %ld", &peak) == 1) break;
  if (status != NULL) fclose(status);
  return peak;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: usage REPORT PROGRAM ARGS...\n");
    return 2;
  }
  pid_t child;
  const int failed = posix_spawnp(&child, argv[2], NULL, NULL, argv + 2, environ);
  if (failed != 0) {
    fprintf(stderr, "usage: cannot run '%s': %s\n", argv[2], strerror(failed));
    return 2;
  }
  int status;
  struct rusage used;
  if (wait4(child, &status, 0, &used) != child) {
    perror("usage: wait4");
    return 2;
  }
  const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  FILE* report = fopen(argv[1], "w");
  if (report == NULL) {
    perror(argv[1]);
    return 2;
  }
  fprintf(report, "%.6f %.6f %ld %d %ld\n", seconds(used.ru_utime), seconds(used.ru_stime),
          used.ru_maxrss, code, peak_of(getppid()));
  return fclose(report) == 0 ? code : 2;
}
