#include "trace/rapid/rapid_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "trace/rapid/rapid_format.h"

namespace isosan {

using rapid::Op;

RapidReader::RapidReader(InputFile file, const TraceOptions& options)
    : file_(std::move(file)), lenient_(options.lenient) {
  batch_.reserve(kBatchEvents);
  offsets_.reserve(kBatchEvents);
}

std::string RapidReader::where(std::size_t i) const {
  return fmt::format("{}: offset {}", file_.name(),
                     i < offsets_.size() ? offsets_[i] : file_.offset());
}

// In strict mode `what` ends the trace; otherwise it is counted.
void RapidReader::damaged(const std::string& what) {
  InputError error(fmt::format("{}: offset {}: {}", file_.name(), file_.offset(), what));
  if (lenient_) {
    passed_over_.add(error.what());
  } else {
    error_.emplace(std::move(error));
  }
}

void RapidReader::read_header() {
  header_read_ = true;
  const std::string_view header = file_.peek(rapid::kHeaderSize);
  if (header.size() < rapid::kHeaderSize) {
    ended_ = true;
    error_.emplace(fmt::format("{}: offset 0: the RapidBin header is cut short", file_.name()));
    return;
  }
  events_expected_ = rapid::load_big(header.data() + 10, 8);
  file_.skip(rapid::kHeaderSize);
}

std::span<const Event> RapidReader::next() {
  batch_.clear();
  offsets_.clear();
  if (!header_read_) read_header();
  while (batch_.size() < kBatchEvents && !error_ && !ended_) {
    const std::string_view window = file_.peek(rapid::kEventSize);
    if (words_read_ == events_expected_ || window.size() < rapid::kEventSize) {
      ended_ = true;
      if (!window.empty() || words_read_ != events_expected_) {
        damaged(fmt::format("the header says {} events, the file has {}{}", events_expected_,
                            words_read_, window.empty() ? "" : " and more bytes"));
      }
      break;
    }
    const std::uint64_t wanted =
        std::min<std::uint64_t>(kBatchEvents - batch_.size(), events_expected_ - words_read_);
    const std::uint64_t count = std::min<std::uint64_t>(wanted, window.size() / rapid::kEventSize);
    for (std::uint64_t i = 0; i < count && !error_; ++i) {
      read_event(rapid::load_big(window.data() + i * rapid::kEventSize, rapid::kEventSize));
      file_.skip(rapid::kEventSize);
      ++words_read_;
    }
  }
  if (batch_.empty() && error_) throw InputError(*error_);
  implied_.publish_symbols();
  return batch_;
}

void RapidReader::read_event(std::uint64_t word) {
  const std::uint64_t op = rapid::kOperation.get(word);
  if (op >= rapid::kOps || word >> 63 != 0) {
    return damaged(fmt::format("{:#018x} is no event", word));
  }
  const std::uint64_t operand = rapid::kOperand.get(word);
  const std::uint64_t location = rapid::kLocation.get(word);
  const ThreadId thread = thread_of(rapid::kThread.get(word));
  const SiteId site = site_of(location);
  const auto emit = [&](Kind kind, Address address, std::uint64_t size, std::uint16_t depth = 0) {
    batch_.push_back({kind, 0, depth, thread, address, size, site, kEmptyStack});
    offsets_.push_back(file_.offset());
  };
  switch (static_cast<Op>(op)) {
    case Op::kAcquire: {
      const std::uint32_t lock = lock_of(operand);
      return emit(Kind::kAcquire, Implied::lock_address(lock), 0, implied_.acquire(thread, lock));
    }
    case Op::kRelease: {
      const std::uint32_t lock = lock_of(operand);
      return emit(Kind::kRelease, Implied::lock_address(lock), 0, implied_.release(thread, lock));
    }
    case Op::kRead:
      return emit(Kind::kRead, variable_of(operand), kVariableSize);
    case Op::kWrite:
      return emit(Kind::kWrite, variable_of(operand), kVariableSize);
    case Op::kFork:
    case Op::kJoin: {
      if (operand > rapid::kThread.max())
        return damaged(fmt::format("no thread has number {}", operand));
      const ThreadId other = thread_of(operand);
      if (static_cast<Op>(op) == Op::kJoin) return emit(Kind::kJoin, index(other), 0);
      implied_.fork(thread, other);
      return emit(Kind::kFork, index(other), 0);
    }
    case Op::kBegin: {
      const RegionId region = region_of(operand, location, site);
      implied_.begin(thread, region);
      return emit(Kind::kBegin, 0, index(region));
    }
    case Op::kEnd:
      return emit(Kind::kEnd, 0, index(implied_.end(thread)));
    case Op::kRequest:
    case Op::kBranch:
      return;
  }
}

ThreadId RapidReader::thread_of(std::uint64_t number) {
  return ThreadId{
      threads_.of(number, [&] { return index(implied_.add_thread(fmt::format("T{}", number))); })};
}

Address RapidReader::variable_of(std::uint64_t number) {
  return Implied::variable_address(
      variables_.of(number, [&] { return implied_.add_variable(fmt::format("V{}", number)); }));
}

std::uint32_t RapidReader::lock_of(std::uint64_t number) {
  return locks_.of(number, [&] { return implied_.add_lock(fmt::format("L{}", number)); });
}

SiteId RapidReader::site_of(std::uint64_t location) {
  if (location == 0) return kNoSite;
  return SiteId{sites_.of(location, [&] {
    return index(implied_.add_site({.line = static_cast<std::uint32_t>(location)}));
  })};
}

RegionId RapidReader::region_of(std::uint64_t operand, std::uint64_t location, SiteId site) {
  const bool named = operand != 0;
  const std::uint64_t key = named ? operand << rapid::kLocation.width : location;
  return RegionId{regions_.of(key, [&] {
    return index(implied_.add_region(
        named ? fmt::format("region{}", operand) : fmt::format("region@{}", location), site));
  })};
}

}  // namespace isosan
