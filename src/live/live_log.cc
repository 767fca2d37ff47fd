#include "live/live_log.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <string>
#include <vector>

#include "trace/order/log_decoder.h"

namespace isosan {
namespace {

constexpr long kShortestPause = 30;  // microseconds
constexpr long kLongestPause = 500;  // while threads log much, or end: pthread_create may wait
constexpr long kIdlePause = 2000;
constexpr std::uint32_t kMostLooksWithoutSleep = 4;

}  // namespace

PlaceResolver::RegionPlace LiveLog::Resolver::region_of(std::uint64_t place, RegionKind kind,
                                                        std::uint64_t name_address) {
  const auto [found, is_new] = regions_.try_emplace({place, kind});
  if (!is_new) return found->second;
  const SiteId site = modules_.site(place);
  const Site& record = tables_.sites[index(site)];
  std::string name = name_address != 0 ? modules_.text_at(name_address) : record.field;
  if (name.empty()) name = tables_.functions[index(record.function)].name;
  const FunctionId function = record.function;
  found->second = {static_cast<RegionId>(tables_.regions.size()), site};
  tables_.regions.push_back(
      {.kind = kind, .name = std::move(name), .function = function, .site = site});
  return found->second;
}

std::uint64_t LiveLog::look(const Take& take, const HasRoom& has_room) {
  fullest_ = 0;
  any_ended_ = false;
  try {
    if (damage_.empty()) answer_modules();
    child_ended_ = has_ended_();  // read first: then this look sees everything that it wrote
    if (child_ended_) log_.program_has_ended();
    if (!damage_.empty()) return 0;
    std::uint64_t taken = take_all(take, has_room);
    if (child_ended_ && log_.log_open_walks()) taken += take_all(take, has_room);
    return taken;
  } catch (const LogDamage& damage) {
    give_up(damage.what());
    return 0;
  }
}

void LiveLog::give_up(const std::string& why) {
  if (damage_.empty()) damage_ = why;
  log_.abandon();
}

std::uint64_t LiveLog::take_all(const Take& take, const HasRoom& has_room) {
  std::uint64_t taken = 0;
  for (const SharedLog::LiveThread& thread : log_.snapshot()) {
    if (!child_ended_ && !has_room(ThreadId{thread.thread})) continue;
    const std::uint64_t count = take_units(thread, take);
    fullest_ = std::max(fullest_, count);
    taken += count;
  }
  return taken;
}

// Copies what the thread has logged since the last look, up to the end of a whole record: a unit
// whose extension is missing is left for the next look.
void LiveLog::copy(const SharedLog::LiveThread& thread) {
  const SharedLog::Pieces pieces = log_.units(thread.block, thread.consumed, thread.position);
  units_.assign(pieces.first.begin(), pieces.first.end());
  units_.insert(units_.end(), pieces.second.begin(), pieces.second.end());
  if (!units_.empty() && log::has_extension(units_.back())) units_.pop_back();
}

std::uint64_t LiveLog::take_units(const SharedLog::LiveThread& thread, const Take& take) {
  copy(thread);
  const std::uint64_t to = thread.consumed + units_.size();
  if (!units_.empty()) {
    take(ThreadId{thread.thread}, thread.consumed, units_);
    log_.consume(thread.block, to);
  }
  if (thread.state == log::ThreadState::kEnded && to == thread.position) {
    log_.free_block(thread.block);
    any_ended_ = true;
  }
  return units_.size();
}

void LiveLog::answer_modules() {
  const std::uint32_t announced = log_.modules_announced();
  if (announced == modules_answered_) return;
  for (; modules_answered_ < announced; ++modules_answered_) {
    const log::ModuleRecord record = log_.module(modules_answered_);
    modules_.add(record);
    if (record.function_count == 0 && record.instrumented != 0) {
      log_.send_regions(modules_answered_, modules_.region_ranges_of_last(answers_));
    } else {
      const std::vector<std::uint8_t> flags = modules_.flags_of_last(answers_);
      log_.send_flags(modules_answered_, std::span(flags).first(std::min<std::size_t>(
                                             flags.size(), record.function_count)));
    }
  }
  log_.modules_are_answered(announced);
}

void LiveLog::wait(bool blocked) {
  constexpr std::uint64_t kMostBehind = 1u << 16;  // units: more no longer fit the caches
  const std::uint64_t ring = std::min<std::uint64_t>(log_.layout().ring_units, kMostBehind);
  if (fullest_ > ring / 2) return;
  looks_without_sleep_ = blocked ? looks_without_sleep_ + 1 : 0;
  if (looks_without_sleep_ > 0 && looks_without_sleep_ % kMostLooksWithoutSleep != 0) {
    ::sched_yield();
    return;
  }
  if (blocked || fullest_ > ring / 8) {
    pause_ = std::max(pause_ / 2, kShortestPause);
  } else {
    const bool busy = fullest_ > ring / 64 || any_ended_;
    pause_ = std::clamp(pause_ * 2, kShortestPause, busy ? kLongestPause : kIdlePause);
  }
  const timespec pause{0, pause_ * 1000};
  ::nanosleep(&pause, nullptr);
}

}  // namespace isosan
