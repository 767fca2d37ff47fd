#include "trace/rapid/rapid_writer.h"

#include <algorithm>
#include <string_view>

#include "trace/rapid/rapid_format.h"
#include "trace/std/std_writer.h"

namespace isosan {

using rapid::Op;

RapidWriter::RapidWriter(const std::string& path) : file_(path) {
  file_.write(std::string(rapid::kHeaderSize, '\0'));
}

void RapidWriter::refuse(const Event& e, const std::string& why) const {
  cannot_express(TraceFormat::kRapid, file_.name(), ordinal_, e, why);
}

void RapidWriter::write(std::span<const Event> events, const Tables& tables) {
  for (const Event& e : events) {
    if (!orders_nothing(e)) write(e, tables);
    ++ordinal_;
  }
}

void RapidWriter::write(const Event& e, const Tables& tables) {
  const Coded event = coded(e, tables);
  if (index(e.thread) > rapid::kThread.max()) refuse(e, "it has 1024 threads at most");
  if (event.operand > rapid::kOperand.max()) refuse(e, "the operand needs more than 34 bits");
  threads_ = std::max<std::uint64_t>(threads_, index(e.thread) + std::uint64_t{1});
  char word[rapid::kEventSize];
  rapid::store_big(word,
                   rapid::kThread.put(index(e.thread)) | rapid::kOperation.put(event.op) |
                       rapid::kOperand.put(event.operand) |
                       rapid::kLocation.put(location(e, tables)),
                   sizeof word);
  file_.write({word, sizeof word});
  ++written_;
}

RapidWriter::Coded RapidWriter::coded(const Event& e, const Tables& tables) {
  const auto code = [](Op op, std::uint64_t operand) {
    return Coded{static_cast<std::uint64_t>(op), operand};
  };
  const auto number = [&](VariableNames& names, std::uint64_t size) -> std::uint64_t {
    const auto found = names.number_of(e.address, size, tables);
    if (!found) refuse(e, "it overlaps another access in part, and RapidBin knows no bytes");
    return *found;
  };
  const auto lock = [&] {
    if (mode_in(e.detail) != LockMode::kExclusive) refuse(e, "the lock is shared");
    return number(locks_, 1);
  };
  const auto region = [&] {
    if (e.detail != static_cast<std::uint8_t>(RegionKind::kAtomic))
      refuse(e, "the region is not atomic");
    return e.size;
  };
  const auto thread = [&] {
    if (e.address > rapid::kThread.max()) refuse(e, "it has 1024 threads at most");
    threads_ = std::max<std::uint64_t>(threads_, e.address + 1);
    return e.address;
  };
  if (e.kind == Kind::kRead) return code(Op::kRead, number(variables_, e.size));
  if (e.kind == Kind::kWrite) return code(Op::kWrite, number(variables_, e.size));
  if (e.kind == Kind::kAcquire) return code(Op::kAcquire, lock());
  if (e.kind == Kind::kRelease) return code(Op::kRelease, lock());
  if (e.kind == Kind::kFork) return code(Op::kFork, thread());
  if (e.kind == Kind::kJoin) return code(Op::kJoin, thread());
  if (e.kind == Kind::kBegin) return code(Op::kBegin, region());
  if (e.kind == Kind::kEnd) return code(Op::kEnd, region());
  refuse(e, "it has no such event");
}

// A site with a bare number keeps it; others get a free one.
std::uint64_t RapidWriter::location(const Event& e, const Tables& tables) {
  if (e.site == kNoSite) return 0;
  if (index(e.site) >= locations_.size()) locations_.resize(index(e.site) + 1, 0);
  std::uint32_t& given = locations_[index(e.site)];
  if (given != 0) return given;
  const Site& site = tables.sites.at(index(e.site));
  const std::uint32_t wish = site.file.empty() && site.line != 0 ? site.line : index(e.site);
  const auto limit = static_cast<std::uint32_t>(rapid::kLocation.max());
  if (used_locations_.size() >= limit) refuse(e, "it has 32767 locations at most");
  std::uint32_t free = wish <= limit ? wish : 1;
  while (!used_locations_.insert(free).second) free = free % limit + 1;
  return given = free;
}

void RapidWriter::finish(const Tables&) {
  char header[rapid::kHeaderSize];
  rapid::store_big(header, threads_, 2);
  rapid::store_big(header + 2, locks_.size(), 4);
  rapid::store_big(header + 6, variables_.size(), 4);
  rapid::store_big(header + 10, written_, 8);
  file_.rewrite(0, {header, sizeof header});
  file_.close();
}

}  // namespace isosan
