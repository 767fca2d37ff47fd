#include "live/live_log.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "trace/order/log_decoder.h"

namespace isosan {
namespace {

constexpr long kShortestPause = 30;  // microseconds
constexpr long kLongestPause = 500;  // while threads log much, or end: who starts others may wait
constexpr long kIdlePause = 2000;
constexpr std::uint32_t kMostHurried = 4;

// A piece must end with a whole record: a unit whose extension is not there yet stays behind.
std::uint64_t whole_records(const SharedLog& log, const SharedLog::LiveThread& thread) {
  if (thread.position == thread.consumed) return thread.position;
  const auto last = log.units(thread.block, thread.position - 1, thread.position);
  return log::has_extension(last.first[0]) ? thread.position - 1 : thread.position;
}

// Piece by piece; a record that goes over the end of the ring is a piece of its own.
void hand_on(SharedLog::Pieces pieces, const SharedLog::LiveThread& thread,
             const LiveLog::Take& take) {
  auto& [first, second] = pieces;
  std::vector<log::LogUnit> over;
  if (!second.empty() && continues_record(second.front())) {
    std::size_t whole = first.size() - 1;
    while (whole > 0 && continues_record(first[whole])) --whole;
    over.assign(first.begin() + static_cast<std::ptrdiff_t>(whole), first.end());
    first = first.first(whole);
    for (; !second.empty() && continues_record(second.front()); second = second.subspan(1)) {
      over.push_back(second.front());
    }
  }
  std::uint64_t position = thread.consumed;
  for (const std::span<const log::LogUnit> piece :
       {first, std::span<const log::LogUnit>(over), second}) {
    if (!piece.empty()) take(ThreadId{thread.thread}, position, piece);
    position += piece.size();
  }
}

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
  answer_modules();
  child_ended_ = child_.poll().has_value();  // first: then this look sees everything it wrote
  fullest_ = 0;
  any_ended_ = false;
  std::uint64_t taken = take_all(take, has_room);
  if (child_ended_ && log_.log_open_walks()) taken += take_all(take, has_room);
  return taken;
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

std::uint64_t LiveLog::take_units(const SharedLog::LiveThread& thread, const Take& take) {
  const std::uint64_t to = whole_records(log_, thread);
  const std::uint64_t count = to - thread.consumed;
  if (count > 0) {
    hand_on(log_.units(thread.block, thread.consumed, to), thread, take);
    log_.consume(thread.block, to);
  }
  if (thread.state == log::ThreadState::kEnded && to == thread.position) {
    log_.free_block(thread.block);
    any_ended_ = true;
  }
  return count;
}

void LiveLog::answer_modules() {
  log::LogHeader& header = log_.header();
  const std::uint32_t announced = header.modules_announced.load(std::memory_order_acquire);
  if (announced == modules_answered_) return;
  for (; modules_answered_ < announced; ++modules_answered_) {
    log::ModuleRecord& record = log_.module(modules_answered_);
    modules_.add(record);
    if (record.function_count == 0 && record.instrumented != 0) {
      log_.tell_regions(record, modules_.region_ranges_of_last(answers_));
      continue;
    }
    const std::vector<std::uint8_t> flags = modules_.flags_of_last(answers_);
    const auto answer = log_.flags(record.flags_offset, record.function_count);
    std::copy_n(flags.begin(), std::min(flags.size(), answer.size()), answer.begin());
  }
  header.modules_answered.store(announced, std::memory_order_release);
  ::syscall(SYS_futex, &header.modules_answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void LiveLog::wait(bool held_back) {
  const std::uint64_t ring = log_.header().ring_units;
  if (fullest_ > ring / 2) return;
  hurried_ = held_back ? hurried_ + 1 : 0;
  if (hurried_ > 0 && hurried_ % kMostHurried != 0) {
    ::sched_yield();
    return;
  }
  if (held_back || fullest_ > ring / 8) {
    pause_ = std::max(pause_ / 2, kShortestPause);
  } else {
    const bool busy = fullest_ > ring / 64 || any_ended_;
    pause_ = std::clamp(pause_ * 2, kShortestPause, busy ? kLongestPause : kIdlePause);
  }
  const timespec pause{0, pause_ * 1000};
  ::nanosleep(&pause, nullptr);
}

}  // namespace isosan
