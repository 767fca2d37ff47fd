#include "live/standstill.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace isosan {
namespace {

constexpr int kLooks = 5;

// Handlers of these wake nobody: the process gets them from a terminal, or by a fault of its own.
// SIGURG is the runtime's.
constexpr int kMayBeCaught[] = {SIGHUP, SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,
                                SIGFPE, SIGSEGV, SIGPIPE, SIGTERM, SIGSYS,  SIGURG};
constexpr int kFirstOfLibc = 32, kFirstOfUsers = 34;  // real-time signals

std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }

bool may_be_woken_by_signal(const std::string& folder) {
  std::uint64_t harmless = 0;
  for (const int signal : kMayBeCaught) harmless |= bit_of(signal);
  for (int signal = kFirstOfLibc; signal < kFirstOfUsers; ++signal) harmless |= bit_of(signal);
  std::ifstream status(folder + "/status");
  constexpr std::string_view kCaught = "SigCgt:";
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with(kCaught)) continue;
    return (std::stoull(line.substr(kCaught.size()), nullptr, 16) & ~harmless) != 0;
  }
  return true;
}

// What a thread sleeps in: the system call's number and arguments. Empty: it runs, or is gone.
std::optional<std::array<std::uint64_t, 5>> system_call_of(const std::string& task) {
  std::ifstream file(task + "/syscall");
  std::array<std::uint64_t, 5> call{};
  if (!(file >> call[0])) return std::nullopt;
  for (std::size_t i = 1; i < call.size(); ++i) {
    if (!(file >> std::hex >> call[i])) return std::nullopt;
  }
  return call;
}

std::optional<std::uint64_t> sleeps_of(const std::string& task) {
  std::ifstream status(task + "/status");
  constexpr std::string_view kSleeps = "voluntary_ctxt_switches:";
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(kSleeps)) return std::stoull(line.substr(kSleeps.size()));
  }
  return std::nullopt;
}

bool exists(const std::string& folder, std::uint64_t thread) {
  std::error_code none;
  return std::filesystem::exists(folder + "/task/" + std::to_string(thread), none);
}

bool waits_for_thread(const std::string& folder, const std::array<std::uint64_t, 5>& call) {
  const auto [number, word, operation, value, time_limit] = call;
  if (number != SYS_futex || time_limit != 0) return false;
  const std::uint64_t command = operation & FUTEX_CMD_MASK;
  if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET) return false;
  const bool is_join = exists(folder, value & 0xffffffff);
  return (operation & FUTEX_PRIVATE_FLAG) != 0 || is_join;
}

}  // namespace

Standstill::Sleepers Standstill::look() const {
  const std::string folder = "/proc/" + std::to_string(process_);
  if (may_be_woken_by_signal(folder)) return {};
  Sleepers sleepers;
  std::error_code none;
  for (const auto& task : std::filesystem::directory_iterator(folder + "/task", none)) {
    const auto call = system_call_of(task.path());
    if (!call || !waits_for_thread(folder, *call)) return {};
    const auto sleeps = sleeps_of(task.path());
    if (!sleeps) return {};
    sleepers.emplace(std::stoi(task.path().filename()), *sleeps);
  }
  return sleepers;
}

bool Standstill::reached() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_look_) return equal_looks_ >= kLooks;
  next_look_ = now + between_looks_;
  Sleepers sleepers = look();
  equal_looks_ = !sleepers.empty() && sleepers == before_ ? equal_looks_ + 1 : 0;
  before_ = std::move(sleepers);
  return equal_looks_ >= kLooks;
}

}  // namespace isosan
