#include "live/live_source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "trace/order/event_checks.h"
#include "trace/stream/trace_source.h"

namespace isosan {
namespace {

constexpr std::uint64_t kMostBuffered = 1u << 20;  // units of a thread

constexpr std::array<std::uint8_t, kKindCount> kHighestDetail = [] {
  std::array<std::uint8_t, kKindCount> highest{};
  for (std::size_t kind = 0; kind < kKindCount; ++kind)
    highest[kind] = highest_detail(static_cast<Kind>(kind));
  return highest;
}();

}  // namespace

LiveSource::LiveSource(SharedLog& log, LiveLog::HasEnded has_ended, const FunctionAnswers& answers)
    : log_(log, std::move(has_ended), answers),
      linearizer_(log_.resolver(), log_.tables().contexts, "the live log", /*lenient=*/true) {}

LiveSource::LiveSource(SharedLog& log, Child& child, const FunctionAnswers& answers)
    : LiveSource(
          log, [&child] { return child.poll().has_value(); }, answers) {}

std::span<const Event> LiveSource::next() {
  batch_.clear();
  linearizer_.forget_dependences();
  while (batch_.empty()) {
    if (invalid_event_) {
      await_end();
      return {};
    }
    linearizer_.drain(batch_, kBatchEvents);
    accept_batch();
    if (!batch_.empty()) break;
    if (finished_) return {};
    if (std::exchange(looked_, true) && !log_.child_ended()) {
      if (while_waiting_) while_waiting_();
      log_.wait(linearizer_.buffered() > 0);
    }
    if (look() || !log_.child_ended()) continue;
    // What a killed thread did not write will never come: no other thread may wait for it.
    finished_ = linearizer_.finish();
  }
  return batch_;
}

// The analyses rely on what makes_sense() says. A thread without a known fork gets its entry with
// its first event, not before: a stage that copies the tables copies each entry once.
void LiveSource::accept_batch() {
  std::uint32_t highest = 0;
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    const Event& event = batch_[i];
    if (event.detail > kHighestDetail[static_cast<std::size_t>(event.kind)] &&
        !is_detail_of(event.kind, event.detail)) [[unlikely]] {
      log_.give_up(LogDamage("an event that cannot be").what());
      invalid_event_ = true;
      batch_.resize(i);
      break;
    }
    highest = std::max(highest, index(event.thread));
    if (names_thread(event.kind)) note_thread(event);
  }
  std::vector<Thread>& threads = log_.tables().threads;
  if (highest >= threads.size()) threads.resize(std::size_t{highest} + 1);
}

void LiveSource::await_end() {
  while (!log_.child_ended()) {
    log_.wait(/*blocked=*/false);
    look();
  }
}

bool LiveSource::look() {
  const auto append = [&](ThreadId thread, std::uint64_t position,
                          std::span<const log::LogUnit> units) {
    linearizer_.append(thread, position, units);
  };
  const auto has_room = [&](ThreadId thread) {
    return linearizer_.buffered(thread) <= kMostBuffered;
  };
  return log_.look(append, has_room) > 0;
}

void LiveSource::note_thread(const Event& event) {
  std::vector<Thread>& threads = log_.tables().threads;
  const std::uint64_t last = std::max<std::uint64_t>(event.address, index(event.thread));
  if (last >= threads.size()) threads.resize(last + 1);
  if (event.kind == Kind::kFork) births_.note(event, threads);
}

}  // namespace isosan
