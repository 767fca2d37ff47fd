#include "live/drain.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace isosan {
namespace {

void take_in(OperationDigest& digest, std::span<const log::LogUnit> units) {
  for (const log::LogUnit& unit : units) {
    const std::uint8_t code = log::code_of(unit);
    if (!log::is_event(code) || !is_operation(log::kind_of(code))) continue;
    ++digest.operations;
    digest.hash = (digest.hash ^ unit.word1 ^ std::uint64_t{code} << 56) * 0x9e3779b97f4a7c15u;
    digest.hash ^= digest.hash >> 29;
  }
}

// Calls are of no interest: all flags stay 0.
void answer_modules(log::LogHeader& header) {
  const std::uint32_t announced = header.modules_announced.load(std::memory_order_acquire);
  if (announced == header.modules_answered.load(std::memory_order_relaxed)) return;
  header.modules_answered.store(announced, std::memory_order_release);
  ::syscall(SYS_futex, &header.modules_answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void pause(std::uint32_t idle_looks) {
  if (idle_looks < 4) {
    ::sched_yield();
    return;
  }
  const timespec moment{0, idle_looks < 50 ? 50000 : 500000};
  ::nanosleep(&moment, nullptr);
}

}  // namespace

std::map<std::uint32_t, OperationDigest> drain(SharedLog& log, Child& child,
                                               const std::function<void()>& each_look) {
  std::map<std::uint32_t, OperationDigest> digests;
  std::uint32_t idle_looks = 0;
  for (;;) {
    answer_modules(log.header());
    if (each_look) each_look();
    const bool ended = child.poll().has_value();
    bool any = false;
    for (const SharedLog::LiveThread& thread : log.snapshot()) {
      const auto pieces = log.units(thread.block, thread.consumed, thread.position);
      OperationDigest& digest = digests[thread.thread];
      take_in(digest, pieces.first);
      take_in(digest, pieces.second);
      log.consume(thread.block, thread.position);
      any |= thread.position != thread.consumed;
      if (thread.state == log::ThreadState::kEnded) log.free_block(thread.block);
    }
    if (ended && !any) return digests;
    idle_looks = any ? 0 : idle_looks + 1;
    if (!any) pause(idle_looks);
  }
}

}  // namespace isosan
