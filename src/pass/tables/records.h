// The static tables (runtime/contract/records.h) as the pass writes them: FunctionRecords and
// SiteRecords as constants in their sections, strings by self-relative offset.
//
// Laws. A function that may be in several objects (inline, template) has one record for the linked
// module: the record is linkonce_odr under a name of its own, because an inlined copy of the
// function refers to it from outside the function's COMDAT. The sites of a function are one array
// in the function's own COMDAT: they are made after inlining, and only the function refers to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/kind.h"
#include "event/tables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "pass/tables/field_names.h"

namespace isosan::pass {

class RecordWriter {
 public:
  explicit RecordWriter(llvm::Module& module);

  // The record of a function that is defined here, made on first use.
  llvm::GlobalVariable& record_of(llvm::Function& function, std::uint8_t attributes,
                                  std::uint32_t annotations);

  // The record of a function known only by its debug info: it was inlined everywhere.
  llvm::GlobalVariable& record_of(llvm::DISubprogram& subprogram);

  // The 32-bit distance from byte `at` of `table` to `target`; for strings 0 where empty.
  llvm::Constant* relative(llvm::Constant* target, llvm::GlobalVariable& table, std::uint64_t at);
  llvm::Constant* relative(llvm::StringRef text, llvm::GlobalVariable& table, std::uint64_t at);

  llvm::Module& module() { return module_; }
  llvm::StructType* site_type() { return site_type_; }

 private:
  struct FunctionFacts {
    std::string name;
    std::string linkage_name;
    const llvm::DISubprogram* subprogram = nullptr;
    std::uint8_t attributes = 0;
    std::uint32_t annotations = 0;
    bool shared = false;  // may be in several objects
  };
  llvm::GlobalVariable& write(const FunctionFacts& facts);
  llvm::Constant* string(llvm::StringRef text);

  llvm::Module& module_;
  llvm::StructType* function_type_;
  llvm::StructType* site_type_;
  llvm::StringMap<llvm::Constant*> strings_;
};

struct SiteRequest {
  llvm::DebugLoc location;
  Kind kind{};
  std::uint64_t size = 0;  // 0: a range
  FieldName field;
};

// The sites of one function: handed out while it is instrumented, written at the end. A location
// that was inlined has a chain of further records, one for each call it was inlined through.
class SiteTable {
 public:
  SiteTable(RecordWriter& writer, llvm::Function& function, llvm::GlobalVariable& function_record);

  llvm::Constant* add(const SiteRequest& request);  // the address of its record
  void finish();                                    // writes the table; call once

 private:
  struct Entry {
    SiteRequest request;
    std::uint32_t inlined_at = 0;  // index + 1; 0: not inlined
  };

  std::uint32_t call_site(const llvm::DILocation* location);
  llvm::Constant* record(llvm::GlobalVariable& table, std::uint32_t index);

  RecordWriter& writer_;
  llvm::Function& function_;
  llvm::GlobalVariable& function_record_;
  llvm::GlobalVariable* placeholder_;
  std::vector<Entry> entries_;
  llvm::DenseMap<const llvm::DILocation*, std::uint32_t> call_sites_;
};

std::uint8_t attributes_of(const llvm::GlobalVariable& function_record);  // rt::FunctionAttribute
bool has_annotations(const llvm::GlobalVariable& function_record);

std::string path_of(const llvm::DIScope* scope);

}  // namespace isosan::pass
