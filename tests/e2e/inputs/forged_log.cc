// forged_log KIND PROGRAM...: runs the program with a log that no isosan made. Compiled without
// instrumentation.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "runtime/contract/log_layout.h"
#include "runtime/contract/run_socket.h"

using namespace isosan;

namespace {

constexpr std::uint64_t kPart = std::uint64_t{1} << 20;  // room for each table

// A log with room for 64 threads, 64 modules and no functions.
log::LogHeader* make_log(char* base) {
  auto* header = new (base) log::LogHeader;
  header->mode = log::Mode::kLogged;
  header->max_threads = 64;
  header->ring_units = 64;
  header->max_modules = 64;
  header->blocks_offset = kPart;
  header->modules_answered = 1000;  // nobody is waited for
  header->modules_offset = 2 * kPart;
  header->flags_area_offset = 3 * kPart;
  header->rings_offset = 4 * kPart;
  return header;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string kind = argv[1];
  const int fd = ::memfd_create("isosan-log", MFD_ALLOW_SEALING);
  const auto size = static_cast<off_t>(kind == "huge" ? std::uint64_t{1} << 60 : 8 * kPart);
  if (::ftruncate(fd, size) != 0) std::perror("forged_log");
  if (kind != "huge") {
    void* base = ::mmap(nullptr, 8 * kPart, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    log::LogHeader* header = make_log(static_cast<char*>(base));
    if (kind == "version") ++header->version;
    if (kind == "damaged") header->rings_offset = 9 * kPart;
    if (kind == "modules") header->max_modules = 0;
    if (kind == "schedule") header->schedule_offset = 7 * kPart;
    auto* blocks = reinterpret_cast<log::ThreadBlock*>(static_cast<char*>(base) + kPart);
    for (std::uint32_t i = 0; kind == "threads" && i < header->max_threads; ++i)
      blocks[i].state = log::ThreadState::kLive;
  }
  ::fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  ::setenv(log::kLogFdVariable, std::to_string(fd).c_str(), 1);
  ::setenv(log::kLogProcessVariable, std::to_string(::getpid()).c_str(), 1);
  ::execv(argv[2], argv + 2);
  std::perror(argv[2]);
  return 2;
}
