#include "trace/order/linearizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace isosan {

using log::Code;
using log::LogUnit;

namespace {
// Our own code, never in a log: positions were left out, the log continues at position word1.
constexpr std::uint8_t kGap = 0xff;

constexpr std::size_t kCompactFrom = 4096;  // units read, before the rest is moved to the front
}  // namespace

Linearizer::Linearizer(PlaceResolver& resolver, std::vector<Context>& contexts, std::string name,
                       bool lenient)
    : decoder_(resolver, contexts),
      name_(std::move(name)),
      lenient_(lenient),
      staged_(kBatchEvents + decoder_.kMostPending) {}

Linearizer::ThreadLog& Linearizer::log_of(std::uint32_t thread) {
  while (logs_.size() <= thread) [[unlikely]] logs_.emplace_back();
  return logs_[thread];
}

void Linearizer::append(ThreadId thread, std::uint64_t first_position,
                        std::span<const LogUnit> units) {
  ThreadLog& log = log_of(index(thread));
  ISOSAN_CHECK(first_position >= log.appended);
  if (log.begin == log.units.size()) {
    log.units.clear();
    log.begin = 0;
  } else if (log.begin >= kCompactFrom && log.begin * 2 >= log.units.size()) {
    log.units.erase(log.units.begin(), log.units.begin() + static_cast<std::ptrdiff_t>(log.begin));
    log.begin = 0;
  }
  if (first_position != log.appended) {
    log.units.push_back({std::uint64_t{kGap} << 48, first_position});
    ++buffered_;
  }
  log.units.insert(log.units.end(), units.begin(), units.end());
  log.appended = first_position + units.size();
  buffered_ += units.size();
  if (!log.blocked) enqueue(index(thread));
}

std::uint64_t Linearizer::appended(ThreadId thread) const {
  return index(thread) < logs_.size() ? logs_[index(thread)].appended : 0;
}
std::uint64_t Linearizer::consumed(ThreadId thread) const {
  return index(thread) < logs_.size() ? logs_[index(thread)].position : 0;
}
std::uint64_t Linearizer::buffered(ThreadId thread) const {
  if (index(thread) >= logs_.size()) return 0;
  const ThreadLog& log = logs_[index(thread)];
  return log.units.size() - log.begin;
}

void Linearizer::enqueue(std::uint32_t thread) {
  ThreadLog& log = logs_[thread];
  if (log.queued) return;
  log.queued = true;
  runnable_.push_back(thread);
}

void Linearizer::drain(std::vector<Event>& out, std::size_t limit) {
  const std::size_t before = out.size();
  const std::size_t spare = decoder_.most_pending();
  while (!runnable_.empty() && out.size() < limit && !error_) {
    const std::size_t wanted = std::min(kBatchEvents, limit - out.size());
    EventRoom room{staged_.data(), staged_.data() + wanted + spare};
    handed_out_ = out.size();
    while (!runnable_.empty() && room.left() > spare && !error_) {
      const std::uint32_t thread = runnable_.front();
      runnable_.pop_front();
      logs_[thread].queued = false;
      run(thread, room);
    }
    out.insert(out.end(), staged_.data(), room.next);
  }
  if (error_ && out.size() == before) throw InputError(*error_);
}

// Reads the thread's log as far as possible.
void Linearizer::run(std::uint32_t thread, EventRoom& room) {
  ThreadLog& log = logs_[thread];
  const std::size_t first = log.begin;
  for (;;) {
    if (log.state.range.left > 0) LogDecoder::expand(log.state.range, room);
    const bool has_room = LogDecoder::has_room(log.state, room);
    if (log.state.range.left > 0 || (!has_room && log.begin < log.units.size())) {
      enqueue(thread);
      break;
    }
    if (log.begin == log.units.size()) break;
    const std::span<const LogUnit> rest = std::span(log.units).subspan(log.begin);
    std::size_t length = decoder_.decode_accesses(ThreadId{thread}, log.state, rest, room);
    if (length == 0) length = read_record(thread, log, rest, room);
    if (length == 0) break;
    log.begin += length;
    log.position += length;
  }
  buffered_ -= log.begin - first;
  if (!log.waiters.empty()) wake_waiters(log);
}

// The length of the record read; 0: the thread is blocked.
std::size_t Linearizer::read_record(std::uint32_t thread, ThreadLog& log,
                                    std::span<const LogUnit> rest, EventRoom& room) {
  const LogUnit& unit = rest.front();
  const std::uint8_t code = log::code_of(unit);
  if (log::is_event(code)) [[likely]] {
    const auto [length, damage] = decoder_.decode(ThreadId{thread}, log.state, rest, room);
    if (has_dependences_ && length > 0 && damage == nullptr && may_be_cut(log::kind_of(code))) {
      log.cuts.add(log.position);
    }
    return damage == nullptr || damaged(thread, damage) ? length : 0;
  }
  if (is_marker(code)) return pass_marker(thread, unit, room) ? 1 : 0;
  if (code == kGap) {
    log.position = unit.word1 - 1;  // the caller adds 1
    return 1;
  }
  if (code == static_cast<std::uint8_t>(Code::kEventIndex)) return 1;
  return damaged(thread, "no such unit") ? 1 : 0;
}

// False: the thread is blocked.
bool Linearizer::pass_marker(std::uint32_t thread, const LogUnit& marker, const EventRoom& room) {
  const std::uint64_t other = log::place_of(marker);
  const std::uint64_t position = log::address_of(marker);
  if (other > kMaxThread) return damaged(thread, "a marker of a thread that cannot be");
  ThreadLog& waited_for = log_of(static_cast<std::uint32_t>(other));
  if (waited_for.position >= position || other == thread) {
    if (has_dependences_) add_dependence(thread, waited_for, marker, room);
    return true;
  }
  waited_for.waiters.push_back({position, thread});
  logs_[thread].blocked = true;
  return false;
}

void Linearizer::add_dependence(std::uint32_t thread, const ThreadLog& other, const LogUnit& marker,
                                const EventRoom& room) {
  const auto from = static_cast<std::uint32_t>(log::place_of(marker));
  if (log::code_of(marker) != static_cast<std::uint8_t>(Code::kMarker) || from == thread) return;
  const std::uint64_t point = other.cuts.latest_below(log::address_of(marker));
  // A point that was forgotten is rounded up to what is kept, which is no longer exact.
  const bool kept = point >= other.cuts.oldest();
  dependences_.push_back({handed_out_ + static_cast<std::size_t>(room.next - staged_.data()),
                          ThreadId{thread}, ThreadId{from}, point,
                          kept && log::detail_of(marker) == 1});
}

void Linearizer::wake_waiters(ThreadLog& log) {
  std::erase_if(log.waiters, [&](const Waiter& waiter) {
    if (log.position < waiter.position) return false;
    logs_[waiter.thread].blocked = false;
    enqueue(waiter.thread);
    return true;
  });
}

// True: reading continues after it.
bool Linearizer::damaged(std::uint32_t thread, const char* what) {
  InputError error(fmt::format("{}: thread {}: position {} of its log: {}", name_, thread,
                               logs_[thread].position, what));
  if (lenient_) {
    passed_over_.add(error.what());
    return true;
  }
  error_.emplace(std::move(error));
  return false;
}

bool Linearizer::finish() {
  if (!runnable_.empty()) return false;
  for (std::uint32_t thread = 0; thread < logs_.size(); ++thread) {
    ThreadLog& log = logs_[thread];
    if (log.begin == log.units.size()) continue;
    if (!log.blocked) {  // its last record is not whole
      if (!damaged(thread, "the log ends within a record")) throw InputError(*error_);
      buffered_ -= log.units.size() - log.begin;
      log.begin = log.units.size();
      log.position = log.appended;
      wake_waiters(log);
      return false;
    }
  }
  // The missing end of a log was never written: no thread waits for it.
  for (ThreadLog& log : logs_) {
    const auto in_vain = std::ranges::find_if(
        log.waiters, [&](const Waiter& waiter) { return waiter.position > log.appended; });
    if (in_vain != log.waiters.end()) {
      unblock(log, in_vain);
      return false;
    }
  }
  for (std::size_t waited_for = 0; waited_for < logs_.size(); ++waited_for) {
    ThreadLog& log = logs_[waited_for];
    if (log.waiters.empty()) continue;
    const auto waiter = log.waiters.begin();
    const std::string what = fmt::format("it waits for position {} of thread {}, which waits too",
                                         waiter->position, waited_for);
    if (!damaged(waiter->thread, what.c_str())) throw InputError(*error_);
    unblock(log, waiter);
    return false;
  }
  return true;
}

// The waiter is read on after its marker.
void Linearizer::unblock(ThreadLog& log, std::vector<Waiter>::iterator waiter) {
  const std::uint32_t thread = waiter->thread;
  log.waiters.erase(waiter);
  ThreadLog& waiting = logs_[thread];
  waiting.blocked = false;
  ++waiting.begin;
  ++waiting.position;
  --buffered_;
  enqueue(thread);
}

}  // namespace isosan
