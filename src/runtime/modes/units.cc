#include "runtime/modes/units.h"

#include "runtime/calls/call_stack.h"
#include "runtime/ownership/words.h"

namespace isosan::rt {
namespace {

constexpr std::uint64_t kMostUnits = 1024;  // looked at, of one call
constexpr std::uint32_t kMostForgotten = 256;
constexpr std::uint32_t kWorthAnEpoch = 8;
constexpr std::uint64_t kMostBytes = 2048;  // of one access
constexpr std::uint64_t kWrite = std::uint64_t{1} << 63;

// The bytes from the first to behind the last element.
std::uint64_t span_of(std::uint64_t count, std::uint64_t stride, std::uint64_t size) {
  return (count - 1) * stride + size;
}

// Calls f(bytes) for the plain accesses that were appended since the last edge; false: they are too
// many, or too large.
template <class F>
bool for_each_new(Thread& t, F&& f) {
  const log::ThreadBlock& block = *t.block;
  const std::uint64_t end = block.position;
  std::uint64_t at = t.logged_up_to;
  t.logged_up_to = end;
  if (end - at > kMostUnits) return false;
  const auto unit = [&](std::uint64_t position) -> const log::LogUnit& {
    return *reinterpret_cast<const log::LogUnit*>(block.ring + 16 * (position & block.ring_mask));
  };
  const auto is = [&](std::uint64_t position, log::Code code) {
    return position < end && log::code_of(unit(position)) == static_cast<std::uint8_t>(code);
  };
  for (; at < end; ++at) {
    const log::LogUnit& u = unit(at);
    const bool write = log::code_of(u) == log::code_of(Kind::kWrite);
    if (!write && log::code_of(u) != log::code_of(Kind::kRead)) continue;
    std::uint64_t address = log::address_of(u), size = log::detail_of(u);
    if (is(at + 1, log::Code::kExtension)) {
      const std::uint64_t number = unit(++at).word1;
      if (is(at + 1, log::Code::kRange)) {
        const std::uint64_t stride = unit(++at).word1;
        const bool down = static_cast<std::int64_t>(stride) < 0;
        if (down) address += (number - 1) * stride;
        size = span_of(number, down ? -stride : stride, size);
      } else {
        size = number;
      }
    }
    if (size > kMostBytes) return false;
    f(LoggedBytes{address, size | (write ? kWrite : 0)});
  }
  return true;
}

// A write counts as a read, too: both are forgotten, though an outer call may have logged the read.
void forget(Thread& t, const LoggedBytes& bytes) {
  const bool write = (bytes.size_and_kind & kWrite) != 0;
  const std::uint64_t end = bytes.address + (bytes.size_and_kind & ~kWrite);
  for (std::uint64_t at = bytes.address; at < end;) {
    const std::uint64_t step = granule_part(at, end);
    const Word mask = byte_mask(at, step);
    AtomicWord& word = shadow_word(at);
    Word w = word.load(std::memory_order_relaxed);
    if (!is_exclusive(w)) {
      t.slot->filter[filter_index(at)] &= ~kFilterMaskField;  // when that was stays known
    } else {
      const Word gone = write && is_written(w) ? mask | mask << kWriteMaskShift : mask;
      while (is_own(t, w) && rt::epoch_of(w) == epoch_of(t) &&
             !word.compare_exchange_weak(w, w & ~gone, std::memory_order_relaxed)) {
      }
    }
    at += step;
  }
}

}  // namespace

void keep_logged(Thread& t) {
  if (t.logged_up_to == t.block->position) return;
  bool room = true;
  const bool all = for_each_new(t, [&](const LoggedBytes& bytes) {
    const std::uint64_t count = t.logged_to - t.logged_from;
    room = count < kMaxLoggedBytes;
    if (!room) return;
    t.logged[count] = bytes;
    ++t.logged_to;
  });
  if (!all || !room) bump_epoch(t);
}

void forget_logged(Thread& t, std::uint64_t before) {
  const std::uint64_t count = t.logged_to - t.logged_from;
  const std::uint64_t kept = before > t.logged_from ? before - t.logged_from : 0;
  const std::uint64_t gone = count - kept + t.block->position - t.logged_up_to;
  const bool few = gone < kMostForgotten && gone <= kept + kWorthAnEpoch;
  bool any = false;
  const bool all = for_each_new(t, [&](const LoggedBytes& bytes) {
    if (few) forget(t, bytes);
    any = true;
  });
  if (!all || !few) return bump_epoch(t);
  for (std::uint64_t i = kept; i < count; ++i, any = true) forget(t, t.logged[i]);
  t.logged_to = t.logged_from + kept;
  if (any) forget_own_ranges(t);
}

void tell_open_calls(const log::ThreadBlock* block) {
  constexpr std::uint64_t kClaimed = 1;  // no thread yet (claim_block)
  if (block->runtime <= kClaimed) return;
  Thread& t = *reinterpret_cast<Thread*>(block->runtime);
  tell_untold_calls(t);
}

}  // namespace isosan::rt
