#include "trace/native/table_codec.h"

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "trace/stream/trace_source.h"

namespace isosan {

namespace {

constexpr std::size_t kPayloadBytes = std::size_t{1}
                                      << 20;  // a payload is closed when it has so many

enum TableNumber : std::uint32_t {
  kModules = 1,
  kFunctions,
  kSites,
  kRegions,
  kThreads,
  kContexts,
  kSymbols,
  kClasses,
  kAnnotations,
  kSelection,
};

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  void operator()(const std::string& text) {
    number(text.size());
    out_ += text;
  }
  template <class T>
  void operator()(const T& value) {
    number(static_cast<std::uint64_t>(value));
  }
  template <class Enum>
  void limited(const Enum& value, Enum) {
    number(static_cast<std::uint64_t>(value));
  }

 private:
  std::string& out_;
};

class Reader {
 public:
  explicit Reader(std::string_view rest) : rest_(rest) {}

  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  void operator()(std::string& text) {
    const std::uint64_t length = number();
    if (length > rest_.size()) good_ = false;
    if (!good_) return;
    text = rest_.substr(0, length);
    rest_.remove_prefix(length);
  }
  template <class T>
  void operator()(T& value) {
    const std::uint64_t read = number();
    value = static_cast<T>(read);
    if (static_cast<std::uint64_t>(value) != read) good_ = false;
  }
  template <class Enum>
  void limited(Enum& value, Enum highest) {
    const std::uint64_t read = number();
    if (read > static_cast<std::uint64_t>(highest)) good_ = false;
    value = static_cast<Enum>(read);
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

// The fields of each table, in the order of the file: one list for both directions.
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Module>
void fields(F& f, E& e) { f(e.path), f(e.build_id), f(e.base), f(e.instrumented); }
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Function>
void fields(F& f, E& e) {
  f(e.name), f(e.linkage_name), f(e.class_name), f(e.file), f(e.line);
  f.limited(e.accessibility, Accessibility::kPrivate);
  f(e.external), f(e.thread_entry), f(e.waits_or_notifies), f(e.synchronizes);
  f(e.annotations), f(e.module), f(e.pc);
}
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Site>
void fields(F& f, E& e) {
  f(e.function), f(e.file), f(e.line), f(e.column);
  f.limited(e.access, static_cast<Kind>(kKindCount - 1));
  f(e.size), f(e.class_name), f(e.field), f(e.field_offset), f(e.inlined_at), f(e.module), f(e.pc);
}
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Region>
void fields(F& f, E& e) {
  f.limited(e.kind, RegionKind::kUnit);
  f(e.name), f(e.function), f(e.site);
}
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Thread>
void fields(F& f, E& e) { f(e.birth_path), f(e.name), f(e.parent); }
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Context>
void fields(F& f, E& e) { f(e.parent), f(e.function), f(e.call_site); }
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Symbol>
void fields(F& f, E& e) { f(e.address), f(e.size), f(e.name); }

template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, Class>
void fields(F& f, E& e) { f(e.name), f(e.size); }
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, DataAnnotation>
void fields(F& f, E& e) { f(e.text), f(e.class_name), f(e.field), f(e.symbol), f(e.function); }
template <class F, class E>
requires std::is_same_v<std::remove_const_t<E>, SelectionRule>
void fields(F& f, E& e) { f(e.option), f(e.value); }

bool same(const Thread& a, const Thread& b) {
  return a.birth_path == b.birth_path && a.name == b.name && a.parent == b.parent;
}

// Entries of `entries` at `numbers`, which follow each other, as sections.
template <class Entry>
void append_section(std::uint32_t table, const std::vector<Entry>& entries, std::size_t first,
                    std::size_t end, std::vector<std::string>& payloads) {
  while (first < end) {
    if (payloads.empty() || payloads.back().size() >= kPayloadBytes) payloads.emplace_back();
    std::string section;
    Writer writer(section);
    std::size_t next = first;
    for (; next < end && section.size() < kPayloadBytes; ++next) fields(writer, entries[next]);
    Writer header(payloads.back());
    header.number(table);
    header.number(first);
    header.number(next - first);
    payloads.back() += section;
    first = next;
  }
}

}  // namespace

template <class Entry>
void TableEncoder::add(std::uint32_t table, const std::vector<Entry>& entries, std::size_t& written,
                       std::vector<std::string>& payloads) {
  append_section(table, entries, written, entries.size(), payloads);
  written = std::max(written, entries.size());
}

void TableEncoder::add_changed_threads(const Tables& tables, std::vector<std::string>& payloads) {
  const std::vector<Thread>& now = tables.threads;
  for (std::size_t i = 0; i < std::min(threads_, now.size()); ++i) {
    if (same(now[i], written_threads_[i])) continue;
    append_section(kThreads, now, i, i + 1, payloads);
    written_threads_[i] = now[i];
  }
  for (std::size_t i = threads_; i < now.size(); ++i) written_threads_.push_back(now[i]);
  add(kThreads, now, threads_, payloads);
}

// Symbols are sorted by address, so new ones may be anywhere.
void TableEncoder::add_symbols(const Tables& tables, std::vector<std::string>& payloads) {
  if (tables.symbols.size() == symbols_) return;
  std::vector<Symbol> fresh;
  for (const Symbol& symbol : tables.symbols) {
    if (symbol_addresses_.insert(symbol.address).second) fresh.push_back(symbol);
  }
  symbols_ = tables.symbols.size();
  append_section(kSymbols, fresh, 0, fresh.size(), payloads);
}

std::vector<std::string> TableEncoder::take_new(const Tables& tables) {
  std::vector<std::string> payloads;
  add(kModules, tables.modules, modules_, payloads);
  add(kFunctions, tables.functions, functions_, payloads);
  add(kSites, tables.sites, sites_, payloads);
  add(kRegions, tables.regions, regions_, payloads);
  add_changed_threads(tables, payloads);
  add(kContexts, tables.contexts, contexts_, payloads);
  add_symbols(tables, payloads);
  add(kClasses, tables.classes, classes_, payloads);
  add(kAnnotations, tables.annotations, annotations_, payloads);
  add(kSelection, tables.selection, selection_, payloads);
  return payloads;
}

namespace {

template <class Id, class Entry>
bool in(Id id, const std::vector<Entry>& table) {
  return index(id) < table.size();
}
bool known(ModuleId module, const Tables& t) { return index(module) == 0 || in(module, t.modules); }

// Are the ids in entry number `self` valid?
bool has_valid_ids(const Module&, std::size_t, const Tables&) { return true; }
bool has_valid_ids(const Class&, std::size_t, const Tables&) { return true; }
bool has_valid_ids(const DataAnnotation&, std::size_t, const Tables&) { return true; }
bool has_valid_ids(const SelectionRule&, std::size_t, const Tables&) { return true; }
bool has_valid_ids(const Function& e, std::size_t, const Tables& t) { return known(e.module, t); }
bool has_valid_ids(const Site& e, std::size_t, const Tables& t) {
  return known(e.module, t) && in(e.function, t.functions);
}
bool has_valid_ids(const Region& e, std::size_t, const Tables& t) {
  return in(e.function, t.functions) && in(e.site, t.sites);
}
bool has_valid_ids(const Thread& e, std::size_t self, const Tables&) {
  return self <= kMaxThread && (index(e.parent) < self || index(e.parent) == 0);
}
bool has_valid_ids(const Context& e, std::size_t self, const Tables& t) {
  return index(e.parent) < self && in(e.function, t.functions) && in(e.call_site, t.sites);
}

template <class Entry>
bool read_section(Reader& reader, std::vector<Entry>& table, const Tables& tables) {
  const std::uint64_t first = reader.number();
  const std::uint64_t count = reader.number();
  if (!reader.good() || first > table.size()) return false;
  for (std::uint64_t i = first; i < first + count; ++i) {
    Entry entry;
    fields(reader, entry);
    if (!reader.good() || !has_valid_ids(entry, i, tables)) return false;
    if (i < table.size()) {
      table[i] = std::move(entry);
    } else {
      table.push_back(std::move(entry));
    }
  }
  return true;
}

bool read_symbols(Reader& reader, std::vector<Symbol>& symbols) {
  reader.number();  // symbols have no numbers
  const std::uint64_t count = reader.number();
  std::vector<Symbol> fresh;
  for (std::uint64_t i = 0; i < count && reader.good(); ++i) fields(reader, fresh.emplace_back());
  if (!reader.good()) return false;
  const auto by_address = [](const Symbol& a, const Symbol& b) { return a.address < b.address; };
  std::sort(fresh.begin(), fresh.end(), by_address);
  std::vector<Symbol> merged;
  merged.reserve(symbols.size() + fresh.size());
  std::merge(std::make_move_iterator(symbols.begin()), std::make_move_iterator(symbols.end()),
             std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()),
             std::back_inserter(merged), by_address);
  symbols = std::move(merged);
  return true;
}

}  // namespace

bool decode_tables(std::string_view raw, Tables& tables) {
  Reader reader(raw);
  while (!reader.at_end()) {
    bool good = false;
    switch (reader.number()) {
      case kModules:
        good = read_section(reader, tables.modules, tables);
        break;
      case kFunctions:
        good = read_section(reader, tables.functions, tables);
        break;
      case kSites:
        good = read_section(reader, tables.sites, tables);
        break;
      case kRegions:
        good = read_section(reader, tables.regions, tables);
        break;
      case kThreads:
        good = read_section(reader, tables.threads, tables);
        break;
      case kContexts:
        good = read_section(reader, tables.contexts, tables);
        break;
      case kSymbols:
        good = read_symbols(reader, tables.symbols);
        break;
      case kClasses:
        good = read_section(reader, tables.classes, tables);
        break;
      case kAnnotations:
        good = read_section(reader, tables.annotations, tables);
        break;
      case kSelection:
        good = read_section(reader, tables.selection, tables);
        break;
    }
    if (!good) return false;
  }
  return reader.good();
}

bool inlining_ends(const Tables& tables, std::size_t first) {
  constexpr int kDeepest = 256;
  for (std::size_t i = first; i < tables.sites.size(); ++i) {
    SiteId outer = tables.sites[i].inlined_at;
    for (int depth = 0; outer != kNoSite; outer = tables.sites[index(outer)].inlined_at) {
      if (index(outer) >= tables.sites.size() || ++depth > kDeepest) return false;
    }
  }
  return true;
}

}  // namespace isosan
