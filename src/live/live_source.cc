#include "live/live_source.h"

#include <algorithm>

#include "trace/stream/trace_source.h"

namespace isosan {
namespace {

constexpr std::uint64_t kMostBuffered = 1u << 20;  // units of a thread

}  // namespace

LiveSource::LiveSource(SharedLog& log, Child& child, const FunctionAnswers& answers)
    : log_(log, child, answers),
      linearizer_(log_.resolver(), log_.tables().contexts, "the live log", /*lenient=*/true) {}

std::span<const Event> LiveSource::next() {
  batch_.clear();
  linearizer_.forget_dependences();
  while (batch_.empty()) {
    linearizer_.drain(batch_, kBatchEvents);
    if (!batch_.empty()) break;
    if (finished_) return {};
    if (std::exchange(looked_, true) && !log_.child_ended()) {
      log_.wait(linearizer_.buffered() > 0);
    }
    if (look() || !log_.child_ended()) continue;
    // Whatever a killed thread did not write is missing for ever: nobody may wait for it.
    finished_ = linearizer_.finish();
  }
  note_threads();
  return batch_;
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

void LiveSource::note_threads() {
  std::vector<Thread>& threads = log_.tables().threads;
  for (const Event& event : batch_) {
    if (event.kind != Kind::kFork) continue;
    const std::uint64_t last = std::max<std::uint64_t>(event.address, index(event.thread));
    if (last >= threads.size()) threads.resize(last + 1);
    births_.note(event, threads);
  }
}

}  // namespace isosan
