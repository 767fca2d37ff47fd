#include "oracle/sync_order.h"

#include <map>
#include <optional>
#include <utility>

#include "event/sync_effect.h"

namespace isosan::test {
namespace {

struct Slots {
  std::optional<std::size_t> w;
  std::vector<std::size_t> r;
};

// Barriers of different generations are different objects.
std::pair<Address, std::uint64_t> object_of(const Event& e) {
  const bool barrier = e.kind == Kind::kBarrierArrive || e.kind == Kind::kBarrierDepart;
  return {e.address, barrier ? e.size : 0};
}

bool has_own_rule(Kind kind) {  // fork and join, which need no ThreadStart and ThreadEnd
  return kind == Kind::kFork || kind == Kind::kJoin || kind == Kind::kThreadStart ||
         kind == Kind::kThreadEnd;
}

}  // namespace

std::vector<std::vector<std::size_t>> sync_order(std::span<const Event> events) {
  std::vector<std::vector<std::size_t>> after(events.size());
  std::map<std::pair<Address, std::uint64_t>, Slots> objects;
  std::map<ThreadId, std::size_t> last_event;
  std::map<ThreadId, std::vector<std::size_t>> forks;

  for (std::size_t f = 0; f < events.size(); ++f) {
    const Event& event = events[f];
    const auto comes_after = [&](std::size_t e) {
      if (events[e].thread != event.thread) after[f].push_back(e);
    };

    const bool first_of_thread = !last_event.contains(event.thread);
    if (first_of_thread)
      for (std::size_t fork : forks[event.thread]) comes_after(fork);
    const ThreadId other{static_cast<std::uint32_t>(event.address)};
    if (event.kind == Kind::kFork && !last_event.contains(other)) forks[other].push_back(f);
    if (event.kind == Kind::kJoin) {
      if (last_event.contains(other)) {
        comes_after(last_event[other]);
      } else {
        for (std::size_t fork : forks[other]) comes_after(fork);
      }
    }
    last_event[event.thread] = f;

    if (has_own_rule(event.kind)) continue;
    const SyncEffect effect = sync_effect(event.kind, event.detail, event.depth);
    Slots& slots = objects[object_of(event)];
    if (effect.observes_w && slots.w) comes_after(*slots.w);
    if (effect.observes_r)
      for (std::size_t e : slots.r) comes_after(e);
    if (effect.sets_w) slots = {f, {}};
    if (effect.joins_r) slots.r.push_back(f);
  }
  return after;
}

}  // namespace isosan::test
