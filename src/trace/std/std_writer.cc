#include "trace/std/std_writer.h"

#include <fmt/format.h>

#include <iterator>

#include "base/input_error.h"

namespace isosan {

void cannot_express(TraceFormat format, const std::string& file, std::uint64_t ordinal,
                    const Event& e, const std::string& why) {
  throw InputError(fmt::format("{}: event {} ({} by thread {}) cannot be expressed in {}: {}", file,
                               ordinal, name_of(e.kind), index(e.thread), name_of(format), why));
}

namespace {
std::string loc_text(const Site& site) {
  if (site.file.empty()) return fmt::format("{}", site.line);
  const std::string file = without_separators(site.file);
  return site.line == 0 ? file : fmt::format("{}:{}", file, site.line);
}
}  // namespace

void StdWriter::write(std::span<const Event> events, const Tables& tables) {
  for (const Event& e : events) {
    if (!orders_nothing(e)) write(e, tables);
    ++ordinal_;
  }
}

void StdWriter::finish(const Tables&) { file_.close(); }

const std::string& StdWriter::thread_name(ThreadId thread, const Tables& tables) {
  while (threads_.size() <= index(thread)) {
    const std::size_t number = threads_.size();
    std::string name =
        number < tables.threads.size() ? without_separators(tables.threads[number].name) : "";
    if (name.empty()) name = fmt::format("T{}", number);
    while (!used_thread_names_.insert(name).second) name += "'";
    threads_.push_back(std::move(name));
  }
  return threads_[index(thread)];
}

const std::string& StdWriter::loc(SiteId site, const Tables& tables) {
  while (locs_.size() <= index(site)) locs_.push_back(loc_text(tables.sites[locs_.size()]));
  return locs_[index(site)];
}

void StdWriter::write(const Event& e, const Tables& tables) {
  const auto refuse = [&](const std::string& why) {
    cannot_express(TraceFormat::kStd, file_.name(), ordinal_, e, why);
  };
  const auto operand = [&](VariableNames& names, std::uint64_t size) -> const std::string& {
    const auto number = names.number_of(e.address, size, tables);
    if (!number) refuse("it overlaps another access in part, and STD knows variables, not bytes");
    return names.name(*number);
  };
  line_ = thread_name(e.thread, tables);
  const Payload payload = payload_of(e.kind);
  if (payload == Payload::kAccess && !is_atomic(e.kind)) {
    fmt::format_to(std::back_inserter(line_), "|{}({})|", e.kind == Kind::kRead ? 'r' : 'w',
                   operand(variables_, e.size));
  } else if (payload == Payload::kLock) {
    if (mode_in(e.detail) != LockMode::kExclusive) refuse("the lock is shared");
    fmt::format_to(std::back_inserter(line_), "|{}({})|", e.kind == Kind::kAcquire ? "acq" : "rel",
                   operand(locks_, 1));
  } else if (payload == Payload::kThread) {
    fmt::format_to(std::back_inserter(line_), "|{}({})|", name_of(e.kind),
                   thread_name(ThreadId{static_cast<std::uint32_t>(e.address)}, tables));
  } else if (payload == Payload::kRegion) {
    if (e.detail != static_cast<std::uint8_t>(RegionKind::kAtomic))
      refuse("the region is not atomic");
    const std::string& region = tables.regions.at(e.size).name;
    const bool named = e.kind == Kind::kBegin && !region.empty() &&
                       region != fmt::format("region@{}", loc(e.site, tables));
    line_ += e.kind == Kind::kBegin ? "|begin" : "|end";
    if (named) fmt::format_to(std::back_inserter(line_), "({})", without_separators(region));
    line_ += '|';
  } else {
    refuse("it has no such event");
  }
  line_ += loc(e.site, tables);
  line_ += '\n';
  file_.write(line_);
}

}  // namespace isosan
