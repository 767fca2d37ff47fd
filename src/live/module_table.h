// The modules of the target: from the addresses in the log (`place`) to sites and functions.
//
// Model: a module is announced with its path and load bias; its static tables are read from the
// file. A place is an address in a module: of a record that the pass emitted (sections
// isosan_sites, isosan_functions), or a program counter (the __tsan_* front), which gets a site and
// the function of the ELF symbol around it. Ids are assigned when a place is first seen; Tables
// grow, and entries never change.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "event/tables.h"
#include "live/code_traits.h"
#include "runtime/contract/log_format.h"
#include "spec/region_rules.h"
#include "spec/suspects.h"
#include "symbolize/elf_file.h"

namespace isosan {

// The reader's answers to the runtime about functions.
struct FunctionAnswers {
  // Which of them are regions; null: what is logged is enough for every selection of regions.
  const RegionRules* rules = nullptr;
  // Regions whose accesses are logged when they are outermost; null: all.
  const SuspectedNames* suspects = nullptr;
  // If only units of work are needed (runtime/modes/units.h): is every access in a call
  // of this function, or in the calls inside it, part of some unit? Empty: other analyses run, too.
  std::function<bool(const Tables&, FunctionId)> is_within_units;
  // Is a region inside another one judged, too, even if it has no calls?
  bool nested = false;
};

class ModuleTable {
 public:
  explicit ModuleTable(Tables& tables) : tables_(tables) {}

  // Reads the module's tables. A file that cannot be read makes a module without names, not an
  // error.
  void add(const log::ModuleRecord& record);

  // The answer to the record added last: one byte per function record, in table order.
  std::vector<std::uint8_t> flags_of_last(const FunctionAnswers& answers) const;

  // The same for a module that has no records and calls __tsan_*. A missing function costs log
  // entries, a wrong one would lose accesses: so only functions that are certainly regions.
  std::vector<log::RegionRange> region_ranges_of_last(const FunctionAnswers& answers);

  std::string text_at(std::uint64_t address);  // the C string in a module there, or empty

  SiteId site(std::uint64_t place);
  FunctionId function(std::uint64_t place);

 private:
  struct SymbolRange {
    std::uint64_t begin = 0;  // module-relative
    std::uint64_t end = 0;
    FunctionId function = kNoFunction;  // assigned when first used
    bool global = false;
    std::string_view linkage_name;  // in the module's file
  };
  struct LoadedModule {
    ModuleId id{};
    std::uint64_t base = 0;
    std::uint64_t end = 0;
    std::uint64_t functions_begin = 0;  // module-relative; empty where the module has no records
    std::uint64_t sites_begin = 0, sites_end = 0;
    FunctionId first_function{};  // of the records, in table order
    std::uint32_t function_count = 0;
    bool functions_read = false;
    // Functions, sorted by address: of an instrumented module all, read when first
    // needed; of another one those that were needed.
    std::vector<SymbolRange> symbols;
    absl::flat_hash_map<std::uint64_t, CodeTraits>
        traits;  // by address; none where there are records
    std::unique_ptr<ElfFile> file;
  };

  LoadedModule* module_at(std::uint64_t address);
  void read_functions(LoadedModule& module);
  void doubt_sharing(const LoadedModule& module);
  void read_classes(const LoadedModule& module);
  void read_annotations(const LoadedModule& module);
  bool lies_in_a_class(const Function& function) const;
  void read_variables(const LoadedModule& module);
  void read_function_symbols(LoadedModule& module);
  static void note_function(LoadedModule& module, const ElfSymbol& symbol);
  void note_class(const std::string& name, std::uint64_t size);
  SiteId make_site(std::uint64_t place);
  SiteId site_of_record(LoadedModule& module, std::uint64_t address);
  FunctionId make_function(std::uint64_t place);
  FunctionId function_of_record(const LoadedModule& module, std::uint64_t address) const;
  FunctionId function_of_pc(LoadedModule& module, std::uint64_t pc);
  static Function function_of_symbol(const LoadedModule& module, const SymbolRange& symbol);
  std::string text(const LoadedModule& module, std::uint64_t field_address,
                   std::int32_t offset) const;

  Tables& tables_;
  std::vector<LoadedModule> modules_;
  absl::flat_hash_map<std::uint64_t, SiteId> sites_;
  static constexpr int kMostInlined =
      200;           // a damaged file may say that a call is inlined in itself
  int inlined_ = 0;  // in how many calls site_of_record() is
  struct RecentSite {
    std::uint64_t place = 0;
    SiteId id = kNoSite;
  };
  std::array<RecentSite, 256> recent_sites_;
  absl::flat_hash_map<std::uint64_t, FunctionId> functions_;
  absl::flat_hash_set<std::pair<std::string, std::uint64_t>> class_sizes_;  // in the tables already
  absl::flat_hash_set<std::string> class_names_;  // of functions and sites
};

}  // namespace isosan
