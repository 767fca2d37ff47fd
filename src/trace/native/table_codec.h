// The tables of a trace as bytes: the raw payload of table chunks.
//
// Model: a payload is a sequence of sections: which table, number of the first entry, how many,
// then the entries, field after field; numbers are varints, a string is its length and its bytes. A
// section continues its table, or repeats earlier entries with changes (a thread gets
// its name late). Symbols have no numbers; they are kept sorted by address.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "event/tables.h"

namespace isosan {

// Keeps track of the entries already written, and encodes new ones.
class TableEncoder {
 public:
  // Payloads with everything new since the last call; none if nothing is.
  std::vector<std::string> take_new(const Tables& tables);

 private:
  template <class Entry>
  void add(std::uint32_t table, const std::vector<Entry>& entries, std::size_t& written,
           std::vector<std::string>& payloads);
  void add_changed_threads(const Tables& tables, std::vector<std::string>& payloads);
  void add_symbols(const Tables& tables, std::vector<std::string>& payloads);

  std::size_t modules_ = 0, functions_ = 1, sites_ = 1, regions_ = 1, threads_ = 0, contexts_ = 1;
  std::size_t symbols_ = 0, classes_ = 0, annotations_ = 0, selection_ = 0;
  absl::flat_hash_set<Address> symbol_addresses_;
  std::vector<Thread> written_threads_;
};

// Adds the entries of a payload to `tables`. False: it is no such payload, or ids in it are
// invalid; `tables` may then hold some of its entries. A site may be inlined at one that comes
// later.
bool decode_tables(std::string_view raw, Tables& tables);

// Do the inlining chains of the sites from `first` on end (no cycles)?
bool inlining_ends(const Tables& tables, std::size_t first);

}  // namespace isosan
