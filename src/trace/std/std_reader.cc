#include "trace/std/std_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <iterator>
#include <utility>

namespace isosan {

static_assert(std::endian::native == std::endian::little, "fields are found by byte order");

namespace {

constexpr std::size_t kMaxLine = std::size_t{1} << 20;

// Why a line cannot be read; never leaves this file.
struct Unreadable {
  std::string why;
};

constexpr std::uint64_t repeated(char c) {
  return 0x0101010101010101u * static_cast<unsigned char>(c);
}
// The high bit of the lowest byte of `word` that is c is set, and of no byte below it.
std::uint64_t bytes_equal(std::uint64_t word, char c) {
  const std::uint64_t x = word ^ repeated(c);
  return (x - repeated(1)) & ~x & repeated('\x80');
}

// The first '|' or newline (there is one: InputFile pads with newlines).
const char* field_end(const char* p) {
  for (;; p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    const std::uint64_t hit = bytes_equal(word, '|') | bytes_equal(word, '\n');
    if (hit != 0) return p + std::countr_zero(hit) / 8;
  }
}
const char* line_end(const char* p) {
  for (;; p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, sizeof word);
    const std::uint64_t hit = bytes_equal(word, '\n');
    if (hit != 0) return p + std::countr_zero(hit) / 8;
  }
}

[[gnu::always_inline]] inline std::uint32_t find(const NameTable& table, const char* begin,
                                                 const char* end) {
  const auto length = static_cast<std::size_t>(end - begin);
  return table.find(NameTable::key_of(begin, length), begin, length);
}

bool starts_with(const char* p, std::string_view text) {
  return std::memcmp(p, text.data(), text.size()) == 0;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r'; }
bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

void check_name(std::string_view name, std::string_view what) {
  if (name.empty()) throw Unreadable{fmt::format("the {} is empty", what)};
  if (std::any_of(name.begin(), name.end(), is_space)) {
    throw Unreadable{fmt::format("white space in the {}", what)};
  }
}

// The operand of `op`: between the first '(' and the last ')'.
std::string_view operand_of(std::string_view op) {
  const std::size_t open = op.find('(');
  if (open == std::string_view::npos || op.back() != ')') throw Unreadable{"no operand in (...)"};
  return op.substr(open + 1, op.size() - open - 2);
}

std::string quoted(std::string_view line) {
  constexpr std::size_t kShown = 60;
  std::string text;
  for (const char c : line.substr(0, kShown)) text += ' ' <= c && c <= '~' ? c : '?';
  return fmt::format("\"{}{}\"", text, line.size() > kShown ? "..." : "");
}

Site parse_loc(std::string_view loc) {
  Site site;
  if (is_number(loc) &&
      std::from_chars(loc.data(), loc.data() + loc.size(), site.line).ec == std::errc{}) {
    return site;
  }
  const std::size_t colon = loc.rfind(':');
  if (colon != std::string_view::npos && colon > 0 && is_number(loc.substr(colon + 1)) &&
      std::from_chars(loc.data() + colon + 1, loc.data() + loc.size(), site.line).ec ==
          std::errc{}) {
    site.file = loc.substr(0, colon);
    return site;
  }
  site.line = 0;
  site.file = loc;
  return site;
}

}  // namespace

StdReader::StdReader(InputFile file, const TraceOptions& options)
    : file_(std::move(file)), lenient_(options.lenient), batch_(kBatchEvents) {}

std::string StdReader::where(std::size_t i) const {
  const auto after =
      std::upper_bound(runs_.begin(), runs_.end(), i,
                       [](std::size_t e, const LineRun& run) { return e < run.first_event; });
  const LineRun& run = *std::prev(after);
  return fmt::format("{}:{}", file_.name(), run.first_line + (i - run.first_event));
}

std::span<const Event> StdReader::next() {
  count_ = 0;
  runs_.assign(1, {0, line_ + 1});
  while (count_ < kBatchEvents && !error_ && fill()) {
  }
  if (count_ == 0 && error_) throw InputError(*error_);
  implied_.publish_symbols();
  return {batch_.data(), count_};
}

bool StdReader::fill() {
  std::string_view window = file_.peek(1);
  if (window.empty()) return false;
  std::size_t complete = window.rfind('\n') + 1;
  if (complete == 0) {  // no whole line: the window is too small, or this is the last line
    const std::size_t had = window.size();
    if (had > kMaxLine) {
      ++line_;
      error_.emplace(unreadable_message(window, fmt::format("longer than {} bytes", kMaxLine)));
      return false;
    }
    window = file_.peek(had + 1);
    complete = window.size() == had ? had : window.rfind('\n') + 1;
    if (complete == 0) return true;
  }
  const char* p = window.data();
  const char* const end = p + complete;
  while (p < end && count_ < kBatchEvents && !error_) {
    if (const char* after = read_fast(p); after != nullptr) [[likely]] {
      ++line_;
      p = after;
      continue;
    }
    const char* const newline = line_end(p);
    const std::size_t before = count_;
    ++line_;
    read_slow({p, static_cast<std::size_t>(newline - p)});
    if (count_ == before) runs_.push_back({count_, line_ + 1});
    p = newline + 1;
  }
  file_.skip(static_cast<std::size_t>(std::min(p, end) - window.data()));
  return true;
}

// The line at p if every name in it is known.
const char* StdReader::read_fast(const char* p) {
  const char* const thread_end = field_end(p);
  const std::uint32_t thread_number = find(threads_, p, thread_end);
  if (thread_number == NameTable::kMissing || *thread_end != '|') return nullptr;
  const ThreadId thread{thread_number};
  const char* const op = thread_end + 1;
  const char* const op_end = field_end(op);
  const char* const loc = op_end + 1;
  if (*op_end != '|') return nullptr;
  const char* const newline = line_end(loc);
  const std::uint32_t site_number = find(sites_, loc, newline);
  if (site_number == NameTable::kMissing) return nullptr;
  const SiteId site{site_number};
  const char* const name_end = op_end - 1;  // of an operand in (...)
  const bool has_operand = *name_end == ')';

  if (op[1] == '(' && (op[0] == 'r' || op[0] == 'w')) {
    if (!has_operand || name_end < op + 2) return nullptr;
    const std::uint32_t variable = find(variables_, op + 2, name_end);
    if (variable == NameTable::kMissing) return nullptr;
    emit(op[0] == 'r' ? Kind::kRead : Kind::kWrite, thread, Implied::variable_address(variable),
         kVariableSize, site);
  } else if (starts_with(op, "acq(") || starts_with(op, "rel(")) {
    if (!has_operand || name_end < op + 4) return nullptr;
    const std::uint32_t lock = find(locks_, op + 4, name_end);
    if (lock == NameTable::kMissing) return nullptr;
    if (op[0] == 'a') {
      emit(Kind::kAcquire, thread, Implied::lock_address(lock), 0, site,
           implied_.acquire(thread, lock));
    } else {
      emit(Kind::kRelease, thread, Implied::lock_address(lock), 0, site,
           implied_.release(thread, lock));
    }
  } else if (starts_with(op, "begin|")) {
    emit_begin(thread, region_at(site, {loc, static_cast<std::size_t>(newline - loc)}), site);
  } else if (starts_with(op, "begin(")) {
    if (!has_operand || name_end < op + 6) return nullptr;
    const std::uint32_t region = find(regions_, op + 6, name_end);
    if (region == NameTable::kMissing) return nullptr;
    emit_begin(thread, RegionId{region}, site);
  } else if (starts_with(op, "end|")) {
    emit_end(thread, site);
  } else {
    return nullptr;
  }
  return newline + 1;
}

void StdReader::read_slow(std::string_view line) {
  if (line.empty() || is_space(line.front())) return;  // blank, or a stack frame
  try {
    if (line.size() > kMaxLine) throw Unreadable{fmt::format("longer than {} bytes", kMaxLine)};
    if (line.back() == '\r') line.remove_suffix(1);
    const Fields fields = split(line);
    read_operation(thread_of(fields.thread), fields.op, fields.loc);
  } catch (const Unreadable& unreadable_line) {
    unreadable(line, unreadable_line.why);
  }
}

std::string StdReader::unreadable_message(std::string_view line, std::string_view why) const {
  return fmt::format("{}:{}: cannot read {}: {}", file_.name(), line_, quoted(line), why);
}

void StdReader::unreadable(std::string_view line, std::string_view why) {
  const std::string message = unreadable_message(line, why);
  if (lenient_) {
    passed_over_.add(message);
  } else {
    error_.emplace(message);
  }
}

StdReader::Fields StdReader::split(std::string_view line) {
  const std::size_t first = line.find('|');
  if (first == std::string_view::npos) throw Unreadable{"no '|': an event is thread|op|loc"};
  Fields fields{.thread = line.substr(0, first), .op = line.substr(first + 1), .loc = {}};
  const std::size_t second = fields.op.find('|');
  if (second != std::string_view::npos) {
    fields.loc = fields.op.substr(second + 1);
    fields.op = fields.op.substr(0, second);
  }
  check_name(fields.thread, "thread");
  check_name(fields.op, "operation");
  if (!fields.loc.empty()) check_name(fields.loc, "location");
  if (fields.loc.find('|') != std::string_view::npos) throw Unreadable{"more than three fields"};
  return fields;
}

void StdReader::read_operation(ThreadId thread, std::string_view op, std::string_view loc) {
  // What follows the name must be "(...)", but for begin and end, where anything may.
  const auto is = [&](std::string_view name) { return op.substr(0, op.find('(')) == name; };
  if (is("r") || is("w")) {
    const std::uint32_t variable = variable_of(operand_of(op));
    emit(is("r") ? Kind::kRead : Kind::kWrite, thread, Implied::variable_address(variable),
         kVariableSize, site_of(loc));
  } else if (is("acq")) {
    const std::uint32_t lock = lock_of(operand_of(op));
    emit(Kind::kAcquire, thread, Implied::lock_address(lock), 0, site_of(loc),
         implied_.acquire(thread, lock));
  } else if (is("rel")) {
    const std::uint32_t lock = lock_of(operand_of(op));
    emit(Kind::kRelease, thread, Implied::lock_address(lock), 0, site_of(loc),
         implied_.release(thread, lock));
  } else if (is("fork") || is("join")) {
    const ThreadId other = other_thread(thread, operand_of(op));
    if (is("fork")) implied_.fork(thread, other);
    emit(is("fork") ? Kind::kFork : Kind::kJoin, thread, index(other), 0, site_of(loc));
  } else if (op.starts_with("begin")) {
    const SiteId site = site_of(loc);
    emit_begin(thread, region_of(op, loc, site), site);
  } else if (op.starts_with("end")) {
    emit_end(thread, site_of(loc));
  } else if (!is("req") && !is("branch")) {
    throw Unreadable{"no such operation"};
  }
}

ThreadId StdReader::thread_of(std::string_view name) {
  std::uint32_t number = threads_.find(name);
  if (number == NameTable::kMissing) {
    check_name(name, "thread");
    number = index(implied_.add_thread(std::string(name)));
    threads_.insert(name, number);
  }
  return ThreadId{number};
}

ThreadId StdReader::other_thread(ThreadId self, std::string_view operand) {
  const std::string_view own = implied_.tables.threads[index(self)].name;
  if (is_number(operand) && own.starts_with('T') && is_number(own.substr(1))) {
    return thread_of(fmt::format("T{}", operand));
  }
  return thread_of(operand);
}

std::uint32_t StdReader::variable_of(std::string_view name) {
  std::uint32_t number = variables_.find(name);
  if (number == NameTable::kMissing) {
    check_name(name, "variable");
    number = implied_.add_variable(std::string(name));
    variables_.insert(name, number);
  }
  return number;
}

std::uint32_t StdReader::lock_of(std::string_view name) {
  std::uint32_t number = locks_.find(name);
  if (number == NameTable::kMissing) {
    check_name(name, "lock");
    number = implied_.add_lock(std::string(name));
    locks_.insert(name, number);
  }
  return number;
}

SiteId StdReader::site_of(std::string_view loc) {
  if (loc.empty()) return kNoSite;
  std::uint32_t number = sites_.find(loc);
  if (number == NameTable::kMissing) {
    Site site = parse_loc(loc);
    const bool none = site.file.empty() && site.line == 0;
    number = index(none ? kNoSite : implied_.add_site(std::move(site)));
    sites_.insert(loc, number);
  }
  return SiteId{number};
}

RegionId StdReader::region_of(std::string_view op, std::string_view loc, SiteId site) {
  const bool bare = op.find('(') == std::string_view::npos || op.back() != ')';
  const std::string_view name = bare ? std::string_view{} : operand_of(op);
  if (name.empty()) return region_at(site, loc);
  std::uint32_t number = regions_.find(name);
  if (number == NameTable::kMissing) {
    number = index(implied_.add_region(std::string(name), site));
    regions_.insert(name, number);
  }
  return RegionId{number};
}

RegionId StdReader::region_at(SiteId site, std::string_view loc) {
  if (index(site) >= region_at_site_.size()) region_at_site_.resize(index(site) + 1, kNoRegion);
  RegionId& region = region_at_site_[index(site)];
  if (region == kNoRegion) region = implied_.add_region(fmt::format("region@{}", loc), site);
  return region;
}

void StdReader::emit_begin(ThreadId thread, RegionId region, SiteId site) {
  implied_.begin(thread, region);
  emit(Kind::kBegin, thread, 0, index(region), site);
}

void StdReader::emit_end(ThreadId thread, SiteId site) {
  emit(Kind::kEnd, thread, 0, index(implied_.end(thread)), site);
}

}  // namespace isosan
