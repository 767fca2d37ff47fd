#include "runtime/session.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/check.h"

namespace isosan::test {
namespace {

constexpr std::uint64_t align(std::uint64_t n) { return (n + 4095) & ~std::uint64_t{4095}; }

class Reader {
 public:
  explicit Reader(const Options& options)
      : max_threads_(options.max_threads), ring_units_(options.ring_units) {
    const std::uint64_t blocks = align(sizeof(log::LogHeader));
    const std::uint64_t modules = align(blocks + options.max_threads * sizeof(log::ThreadBlock));
    const std::uint64_t flags = align(modules + kModules * sizeof(log::ModuleRecord));
    const std::uint64_t rings = align(flags + kFlags);
    size_ = rings + std::uint64_t{options.max_threads} * options.ring_units * sizeof(log::LogUnit);
    ISOSAN_CHECK(seteuid(options.owner) == 0);
    fd_ = memfd_create("isosan-log", MFD_ALLOW_SEALING);
    ISOSAN_CHECK(seteuid(getuid()) == 0);
    ISOSAN_CHECK(fd_ >= 0 && ftruncate(fd_, static_cast<off_t>(size_)) == 0);
    const int seals = options.sealed ? F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL : F_SEAL_SHRINK;
    ISOSAN_CHECK(fcntl(fd_, F_ADD_SEALS, seals) == 0);
    base_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0));
    ISOSAN_CHECK(base_ != MAP_FAILED);
    header_ = new (base_) log::LogHeader;
    header_->mode = options.mode;
    header_->strict = options.strict;
    header_->unlogged_outside = options.unlogged_outside;
    header_->reader_pid = static_cast<std::uint32_t>(getpid());
    header_->max_threads = options.max_threads;
    header_->ring_units = options.ring_units;
    header_->blocks_offset = blocks;
    header_->rings_offset = rings;
    header_->modules_offset = modules;
    header_->max_modules = kModules;
    header_->flags_area_offset = flags;
    header_->flags_area_size = kFlags;
    blocks_ = reinterpret_cast<log::ThreadBlock*>(base_ + blocks);
    modules_ = reinterpret_cast<log::ModuleRecord*>(base_ + modules);
    flags_ = base_ + flags;
    std::memset(flags_, options.function_flags, kFlags);
    std::copy(options.flags_in_order.begin(), options.flags_in_order.end(),
              reinterpret_cast<std::uint8_t*>(flags_));
    read_.resize(options.max_threads);
    if (options.forge != nullptr) options.forge(*header_);
  }
  ~Reader() {
    munmap(base_, size_);
    close(fd_);
  }

  int fd() const { return fd_; }
  log::LogHeader& header() { return *header_; }

  // Reads what there is; true if there was something.
  bool drain(Result& result) {
    answer_modules(result);
    bool any = false;
    std::vector<std::uint64_t> positions(max_threads_);
    std::vector<log::ThreadState> states(max_threads_);
    for (std::uint32_t i = 0; i < max_threads_; ++i) {
      states[i] = blocks_[i].state.load(std::memory_order_acquire);
      positions[i] = std::atomic_ref<std::uint64_t>(blocks_[i].position).load();
    }
    syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0);
    for (std::uint32_t i = 0; i < max_threads_; ++i) {
      if (states[i] == log::ThreadState::kFree) continue;
      any |= drain_block(i, positions[i], result);
      if (states[i] == log::ThreadState::kEnded) {
        read_[i] = 0;
        blocks_[i].state.store(log::ThreadState::kFree, std::memory_order_release);
        any = true;
      }
    }
    return any;
  }

 private:
  static constexpr std::uint32_t kModules = 64;
  static constexpr std::uint32_t kFlags = 1 << 16;

  bool drain_block(std::uint32_t i, std::uint64_t position, Result& result) {
    log::ThreadBlock& block = blocks_[i];
    const auto* ring = reinterpret_cast<const log::LogUnit*>(base_ + header_->rings_offset) +
                       std::uint64_t{i} * ring_units_;
    std::vector<log::LogUnit>& log = result.logs[block.thread];
    const bool any = read_[i] < position;
    for (; read_[i] < position; ++read_[i]) log.push_back(ring[read_[i] % ring_units_]);
    block.consumed.store(read_[i], std::memory_order_release);
    result.executed[block.thread] = std::atomic_ref<std::uint64_t>(block.executed).load();
    return any;
  }

  void answer_modules(Result& result) {
    const std::uint32_t announced = header_->modules_announced.load(std::memory_order_acquire);
    const std::uint32_t answered = header_->modules_answered.load();
    if (announced == answered) return;
    for (std::uint32_t i = answered; i < announced; ++i) {
      const std::string path(modules_[i].path, modules_[i].path_length);
      result.modules.push_back(path);
      if (modules_[i].instrumented) result.instrumented_modules.push_back(path);
    }
    header_->modules_answered.store(announced, std::memory_order_release);
    syscall(SYS_futex, &header_->modules_answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }

  const std::uint32_t max_threads_, ring_units_;
  std::uint64_t size_ = 0;
  int fd_ = -1;
  char* base_ = nullptr;
  char* flags_ = nullptr;
  log::LogHeader* header_ = nullptr;
  log::ThreadBlock* blocks_ = nullptr;
  log::ModuleRecord* modules_ = nullptr;
  std::vector<std::uint64_t> read_;
};

// A program that hangs is shown, thread by thread, and killed.
class Watchdog {
 public:
  explicit Watchdog(pid_t program) : program_(program) {}

  // Asked again and again while the program runs.
  void look() {
    if (killed_ || std::chrono::steady_clock::now() < latest_) return;
    killed_ = true;
    const std::string pid = std::to_string(program_);
    const std::string show = "gdb -p " + pid + " -batch -ex 'thread apply all bt' 2>&1; " +
                             "grep -H -E 'State|Sig(Pnd|Blk)' /proc/" + pid + "/task/*/status";
    std::fprintf(stderr, "the program %s does not end:\n", pid.c_str());
    if (std::system(show.c_str()) != 0) std::fprintf(stderr, "its threads cannot be shown\n");
    kill(program_, SIGKILL);
  }
  bool has_killed() const { return killed_; }

 private:
  static constexpr std::chrono::minutes kLongest{4};

  const pid_t program_;
  const std::chrono::steady_clock::time_point latest_ = std::chrono::steady_clock::now() + kLongest;
  bool killed_ = false;
};

std::string read_some(int fd) {
  char buffer[4096];
  const ssize_t n = read(fd, buffer, sizeof buffer);
  return n > 0 ? std::string(buffer, static_cast<std::size_t>(n)) : std::string();
}

}  // namespace

Result run(const std::string& program, const std::vector<std::string>& arguments,
           const Options& options) {
  Reader reader(options);
  Result result;
  int out[2];
  ISOSAN_CHECK(pipe2(out, O_CLOEXEC) == 0);
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], 1);
    if (options.fixed_addresses) personality(ADDR_NO_RANDOMIZE);
    setenv(log::kLogFdVariable, std::to_string(reader.fd()).c_str(), 1);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
      argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(out[1]);
  Watchdog watchdog(pid);
  if (options.reader_dies) {
    // A process that has ended stands for the reader; this one only answers the start-up.
    const pid_t gone = fork();
    if (gone == 0) _exit(0);  // nobody waits for it until the end
    while (reader.header().modules_answered.load() == 0 && !watchdog.has_killed()) {
      reader.drain(result);
      watchdog.look();
    }
    reader.header().reader_pid = static_cast<std::uint32_t>(gone);
    while (waitpid(pid, &result.status, WNOHANG) != pid) {
      watchdog.look();
      usleep(20);
    }
    waitpid(gone, nullptr, 0);
    close(out[0]);
    result.threads_started = reader.header().threads_started;
    return result;
  }
  for (bool ended = false; !ended;) {
    ended = waitpid(pid, &result.status, WNOHANG) == pid;
    const bool any = reader.drain(result);
    result.output += read_some(out[0]);
    if (options.kill_when_told && result.output.find('\n') != std::string::npos) kill(pid, SIGKILL);
    if (!any && !ended) {
      watchdog.look();
      usleep(20);
    }
  }
  while (reader.drain(result)) {
  }
  for (std::string more; !(more = read_some(out[0])).empty();) result.output += more;
  close(out[0]);
  result.threads_started = reader.header().threads_started;
  result.accesses_seen = reader.header().accesses_seen;
  result.racy_transfers = reader.header().racy_transfers;
  result.attached = reader.header().attached;
  return result;
}

namespace {

bool is_marker(const log::LogUnit& u) {
  const auto code = static_cast<log::Code>(log::code_of(u));
  return code == log::Code::kMarker || code == log::Code::kOrderMarker;
}

}  // namespace

// Each thread is read until a marker holds it back; then the thread it waits for is read first.
std::vector<Unit> Result::linear() const {
  std::vector<Unit> order;
  std::map<std::uint32_t, std::uint64_t> at;
  for (const auto& [first, unused] : logs) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> goals{{first, ~std::uint64_t{0}}};
    while (!goals.empty()) {
      if (goals.size() > logs.size()) return {};  // round in a circle
      const auto [thread, goal] = goals.back();
      const auto found = logs.find(thread);
      if (found == logs.end()) return {};
      std::uint64_t& i = at[thread];
      bool held = false;
      for (; i < found->second.size() && i < goal && !held; ++i) {
        const log::LogUnit& u = found->second[i];
        const auto other = static_cast<std::uint32_t>(log::place_of(u));
        if (is_marker(u)) {
          held = at[other] < log::address_of(u);
          if (held) goals.emplace_back(other, log::address_of(u));
          if (held) break;
        } else if (log::code_of(u) == static_cast<std::uint8_t>(log::Code::kExtension)) {
          order.back().number = u.word1;
        } else if (log::code_of(u) == static_cast<std::uint8_t>(log::Code::kRange)) {
          order.back().stride = u.word1;
        } else {
          order.push_back({thread, log::code_of(u), log::address_of(u), log::place_of(u),
                           log::detail_of(u), log::extra_of(u), 0, 0});
        }
      }
      if (held) continue;
      if (goal != ~std::uint64_t{0} && i < goal) return {};  // waits for what was never written
      goals.pop_back();
    }
  }
  return order;
}

std::uint64_t Result::count(Kind kind) const {
  std::uint64_t n = 0;
  for (const auto& [thread, units] : logs) {
    for (const log::LogUnit& u : units) n += log::code_of(u) == log::code_of(kind);
  }
  return n;
}

std::map<std::uint32_t, std::vector<Kind>> Result::operations() const {
  std::map<std::uint32_t, std::vector<Kind>> found;
  for (const auto& [thread, units] : logs) {
    std::vector<Kind>& kinds = found[thread];
    for (const log::LogUnit& u : units) {
      const std::uint8_t code = log::code_of(u);
      if (log::is_event(code) && is_operation(log::kind_of(code)))
        kinds.push_back(log::kind_of(code));
    }
  }
  return found;
}

std::uint64_t Result::address(const std::string& name) const {
  const std::size_t found = output.find(name + "=");
  ISOSAN_CHECK(found != std::string::npos);
  return std::strtoull(output.c_str() + found + name.size() + 1, nullptr, 16);
}

}  // namespace isosan::test
