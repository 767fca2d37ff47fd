#include "live/drain.h"

#include <sched.h>
#include <time.h>

#include <utility>

#include "live/schedule_room.h"

namespace isosan {
namespace {

void watch(Stillness& stillness, std::uint8_t code, const log::LogUnit& unit) {
  const Kind kind = log::kind_of(code);
  const auto detail =
      is_access(kind) ? static_cast<std::uint8_t>(log::extra_of(unit)) : log::detail_of(unit);
  stillness.take(kind, detail, log::address_of(unit));
}

void take_in(OperationDigest& digest, Stillness& stillness, std::span<const log::LogUnit> units) {
  for (const log::LogUnit unit : units) {
    const std::uint8_t code = log::code_of(unit);
    if (stillness.is_wanted() && log::is_event(code)) watch(stillness, code, unit);
    if (!log::is_event(code) || !is_operation(log::kind_of(code))) continue;
    ++digest.operations;
    digest.hash = (digest.hash ^ unit.word1 ^ std::uint64_t{code} << 56) * 0x9e3779b97f4a7c15u;
    digest.hash ^= digest.hash >> 29;
  }
}

// Calls are not needed: all flags stay 0.
void answer_modules(const SharedLog& log, std::uint32_t& answered) {
  const std::uint32_t announced = log.modules_announced();
  if (announced != std::exchange(answered, announced)) log.modules_are_answered(announced);
}

// True: there were new units.
bool take_all(SharedLog& log, std::map<std::uint32_t, OperationDigest>& digests,
              Stillness& stillness) {
  bool any = false;
  for (const SharedLog::LiveThread& thread : log.snapshot()) {
    const auto pieces = log.units(thread.block, thread.consumed, thread.position);
    OperationDigest& digest = digests[thread.thread];
    take_in(digest, stillness, pieces.first);
    take_in(digest, stillness, pieces.second);
    log.consume(thread.block, thread.position);
    any |= thread.position != thread.consumed;
    if (thread.state == log::ThreadState::kEnded) log.free_block(thread.block);
  }
  return any;
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

Drained drain(SharedLog& log, Child& child, const DrainOptions& options) {
  Drained drained;
  Stillness stillness(options.most_still);
  std::uint32_t answered = 0;
  std::uint32_t idle_looks = 0;
  bool damaged = false;
  for (;;) {
    if (options.each_look) options.each_look();
    bool any = false;
    bool ended = false;
    try {
      if (!damaged) answer_modules(log, answered);
      ended = child.poll().has_value();
      const bool by_steps = stillness.is_wanted() && has_steps_left(log);
      any = !damaged && take_all(log, drained.digests, stillness);
      if (by_steps) stillness.start_again();
    } catch (const LogDamage&) {
      damaged = true;
      log.abandon();
    }
    if (ended && !any) return drained;
    if (!ended && !drained.was_still && goes_round(log, stillness)) {
      drained.was_still = true;
      child.kill();
    }
    idle_looks = any ? 0 : idle_looks + 1;
    if (!any) pause(idle_looks);
  }
}

}  // namespace isosan
