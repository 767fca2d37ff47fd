// Prints how it was started: with which rights, what the environment says of isosan, how many
// arguments it got and the last of them, and whether it still has the descriptor of the log.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>

namespace {

const char* variable(const char* name) {
  const char* value = getenv(name);
  return value == nullptr ? "-" : value;
}

}  // namespace

int main(int argc, char** argv) {
  const char* fd = getenv("ISOSAN_LOG_FD");
  const bool open = fd != nullptr && fcntl(atoi(fd), F_GETFD) >= 0;
  printf("secure=%lu path=%s options=%s run=%s log=%s\n", getauxval(AT_SECURE), variable("ISOSAN"),
         variable("ISOSAN_OPTIONS"), variable("ISOSAN_RUN"),
         fd == nullptr ? "-"
         : open        ? "open"
                       : "closed");
  printf("arguments=%d last=%s\n", argc, argv[argc - 1]);
  return 0;
}
