// usage REPORT PROGRAM ARGS...: runs the program and writes one line of what it used to REPORT:
//   user seconds, system seconds, peak resident KiB, exit code (or 128 + signal), peak resident
//   KiB, so far, of the largest process that analyses: the one that started us, or one that it or
//   its other children have started
// Model: a process small enough to vanish beside what it measures, so that the peak is the
// program's own (the peak of a child starts at its parent's) and its processor time is told apart
// from that of the analyser that started us.
#include <dirent.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
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

// The parent of a process, from /proc; 0: it is gone.
static pid_t parent_of(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE* stat = fopen(path, "r");
  int parent = 0;
  if (stat != NULL && fscanf(stat, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
  if (stat != NULL) fclose(stat);
  return parent;
}

// isosan watches what its program starts by processes of its own, two generations below it.
static long peak_of_analysers(pid_t first) {
  long peak = peak_of(first);
  DIR* all = opendir("/proc");
  for (struct dirent* entry; all != NULL && (entry = readdir(all)) != NULL;) {
    const pid_t process = atoi(entry->d_name);
    const pid_t parent = process > 0 ? parent_of(process) : 0;
    if (parent <= 0 || process == getpid() || parent == getpid()) continue;
    if (parent != first && parent_of(parent) != first) continue;
    const long other = peak_of(process);
    if (other > peak) peak = other;
  }
  if (all != NULL) closedir(all);
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
          used.ru_maxrss, code, peak_of_analysers(getppid()));
  return fclose(report) == 0 ? code : 2;
}
