#include "pass/tables/records.h"

#include "event/found_by_pass.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/code/names.h"
#include "pass/code/noescape.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

using llvm::Constant;
using llvm::ConstantInt;
using llvm::GlobalVariable;
using llvm::StringRef;
using rt::FunctionRecord;
using rt::SiteRecord;

Constant* i8(llvm::LLVMContext& c, std::uint64_t v) {
  return ConstantInt::get(llvm::Type::getInt8Ty(c), v);
}
Constant* i16(llvm::LLVMContext& c, std::uint64_t v) {
  return ConstantInt::get(llvm::Type::getInt16Ty(c), v);
}
Constant* i32(llvm::LLVMContext& c, std::uint64_t v) {
  return ConstantInt::get(llvm::Type::getInt32Ty(c), v);
}

std::string class_name_of(const llvm::DISubprogram* subprogram) {
  const llvm::DICompositeType* type = subprogram != nullptr ? class_of(*subprogram) : nullptr;
  return type != nullptr ? qualified_name(*type) : "";
}

std::uint64_t class_size_of(const llvm::DISubprogram* subprogram) {
  const llvm::DICompositeType* type = subprogram != nullptr ? class_of(*subprogram) : nullptr;
  return type != nullptr ? type->getSizeInBits() / 8 : 0;
}

bool may_be_in_several_objects(const llvm::GlobalValue& value) {
  return value.hasComdat() || value.isDiscardableIfUnused() || value.hasAvailableExternallyLinkage()
             ? !value.hasLocalLinkage()
             : false;
}

}  // namespace

std::uint8_t attributes_of(const GlobalVariable& function_record) {
  constexpr unsigned kAttributes = 7;  // the member's index in FunctionRecord
  const auto* value = function_record.getInitializer()->getAggregateElement(kAttributes);
  return static_cast<std::uint8_t>(llvm::cast<ConstantInt>(value)->getZExtValue());
}

bool has_annotations(const GlobalVariable& function_record) {
  constexpr unsigned kAnnotations = 9;  // the member's index in FunctionRecord
  const auto* value = function_record.getInitializer()->getAggregateElement(kAnnotations);
  return (llvm::cast<ConstantInt>(value)->getZExtValue() & ~std::uint64_t{kAllFoundByPass}) != 0;
}

std::string path_of(const llvm::DIScope* scope) {
  if (scope == nullptr || scope->getFile() == nullptr) return "";
  const StringRef name = scope->getFilename();
  if (llvm::sys::path::is_absolute(name) || scope->getDirectory().empty()) return name.str();
  llvm::SmallString<256> path(scope->getDirectory());
  llvm::sys::path::append(path, name);
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/false);
  return path.str().str();
}

RecordWriter::RecordWriter(llvm::Module& module) : module_(module) {
  llvm::LLVMContext& c = module.getContext();
  auto* b = llvm::Type::getInt8Ty(c);
  auto* h = llvm::Type::getInt16Ty(c);
  auto* w = llvm::Type::getInt32Ty(c);
  function_type_ = llvm::StructType::get(c, {w, w, w, w, w, b, b, b, b, w, w});
  site_type_ = llvm::StructType::get(c, {w, w, w, h, b, b, w, w, w, w});
}

Constant* RecordWriter::string(StringRef text) {
  Constant*& known = strings_[text];
  if (known == nullptr) {
    Constant* bytes = llvm::ConstantDataArray::getString(module_.getContext(), text);
    auto* variable = new GlobalVariable(module_, bytes->getType(), true,
                                        llvm::GlobalValue::PrivateLinkage, bytes, "isosan.string");
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    variable->setAlignment(llvm::Align(1));
    known = variable;
  }
  return known;
}

Constant* RecordWriter::relative(Constant* target, GlobalVariable& table, std::uint64_t at) {
  llvm::LLVMContext& c = module_.getContext();
  llvm::Type* i64 = llvm::Type::getInt64Ty(c);
  Constant* here = llvm::ConstantExpr::getGetElementPtr(llvm::Type::getInt8Ty(c), &table,
                                                        ConstantInt::get(i64, at));
  Constant* distance = llvm::ConstantExpr::getSub(llvm::ConstantExpr::getPtrToInt(target, i64),
                                                  llvm::ConstantExpr::getPtrToInt(here, i64));
  return llvm::ConstantExpr::getTrunc(distance, llvm::Type::getInt32Ty(c));
}

Constant* RecordWriter::relative(StringRef text, GlobalVariable& table, std::uint64_t at) {
  return text.empty() ? i32(module_.getContext(), 0) : relative(string(text), table, at);
}

GlobalVariable& RecordWriter::write(const FunctionFacts& facts) {
  llvm::LLVMContext& c = module_.getContext();
  const std::string name = "__isosan_function." + facts.linkage_name;
  auto* record = new GlobalVariable(
      module_, function_type_, false,
      facts.shared ? llvm::GlobalValue::LinkOnceODRLinkage : llvm::GlobalValue::InternalLinkage,
      nullptr, name);
  if (facts.shared) {
    record->setVisibility(llvm::GlobalValue::HiddenVisibility);
    record->setComdat(module_.getOrInsertComdat(name));
  }
  record->setDSOLocal(true);
  const llvm::DISubprogram* subprogram = facts.subprogram;
  record->setInitializer(llvm::ConstantStruct::get(
      function_type_,
      {relative(facts.name, *record, offsetof(FunctionRecord, name)),
       relative(facts.linkage_name, *record, offsetof(FunctionRecord, linkage_name)),
       relative(class_name_of(subprogram), *record, offsetof(FunctionRecord, class_name)),
       relative(path_of(subprogram), *record, offsetof(FunctionRecord, file)),
       i32(c, subprogram != nullptr ? subprogram->getLine() : 0), i8(c, 0),
       i8(c, static_cast<std::uint8_t>(accessibility_of(subprogram))), i8(c, facts.attributes),
       i8(c, 0), i32(c, facts.annotations), i32(c, class_size_of(subprogram))}));
  record->setSection(rt::kFunctionSection);
  record->setAlignment(llvm::Align(alignof(FunctionRecord)));
  record->setExternallyInitialized(true);  // the runtime writes the flags: they are not constant
  llvm::appendToCompilerUsed(module_, {record});
  return *record;
}

GlobalVariable& RecordWriter::record_of(llvm::Function& function, std::uint8_t attributes,
                                        std::uint32_t annotations) {
  const StringRef name = original_name(function);
  if (GlobalVariable* known = module_.getNamedGlobal(("__isosan_function." + name).str()))
    return *known;
  return write(
      {qualified_name(function), name.str(), function.getSubprogram(),
       static_cast<std::uint8_t>(attributes | (function.hasLocalLinkage() ? 0 : rt::kExternal)),
       annotations, may_be_in_several_objects(function)});
}

GlobalVariable& RecordWriter::record_of(llvm::DISubprogram& subprogram) {
  const StringRef linkage_name =
      subprogram.getLinkageName().empty() ? subprogram.getName() : subprogram.getLinkageName();
  if (GlobalVariable* known = module_.getNamedGlobal(("__isosan_function." + linkage_name).str()))
    return *known;
  const bool external = !subprogram.isLocalToUnit();
  return write({qualified_name(subprogram), linkage_name.str(), &subprogram,
                static_cast<std::uint8_t>(rt::kNoEdges | (external ? rt::kExternal : 0)), 0,
                external});
}

SiteTable::SiteTable(RecordWriter& writer, llvm::Function& function,
                     GlobalVariable& function_record)
    : writer_(writer), function_(function), function_record_(function_record) {
  placeholder_ = new GlobalVariable(writer.module(), writer.site_type(), true,
                                    llvm::GlobalValue::ExternalLinkage, nullptr, "isosan.sites");
}

std::uint32_t SiteTable::call_site(const llvm::DILocation* location) {
  if (location == nullptr) return 0;
  if (const auto known = call_sites_.find(location); known != call_sites_.end())
    return known->second;
  const std::uint32_t outer = call_site(location->getInlinedAt());
  entries_.push_back({{llvm::DebugLoc(location), Kind::kCall, 0, {}}, outer});
  return call_sites_[location] = static_cast<std::uint32_t>(entries_.size());
}

Constant* SiteTable::add(const SiteRequest& request) {
  const std::uint32_t outer = request.location ? call_site(request.location->getInlinedAt()) : 0;
  llvm::Type* i64 = llvm::Type::getInt64Ty(function_.getContext());
  Constant* address = llvm::ConstantExpr::getGetElementPtr(
      llvm::Type::getInt8Ty(function_.getContext()), placeholder_,
      ConstantInt::get(i64, entries_.size() * sizeof(SiteRecord)));
  entries_.push_back({request, outer});
  return address;
}

Constant* SiteTable::record(GlobalVariable& table, std::uint32_t index) {
  llvm::LLVMContext& c = function_.getContext();
  const Entry& entry = entries_[index];
  const llvm::DILocation* location = entry.request.location.get();
  llvm::DISubprogram* subprogram =
      location != nullptr ? location->getScope()->getSubprogram() : nullptr;
  const std::uint64_t at = index * sizeof(SiteRecord);
  Constant* zero = i32(c, 0);
  GlobalVariable& function = subprogram != nullptr && subprogram != function_.getSubprogram()
                                 ? writer_.record_of(*subprogram)
                                 : function_record_;
  Constant* outer = &table;
  if (entry.inlined_at != 0)
    outer = llvm::ConstantExpr::getGetElementPtr(
        llvm::Type::getInt8Ty(c), &table,
        ConstantInt::get(llvm::Type::getInt64Ty(c), (entry.inlined_at - 1) * sizeof(SiteRecord)));
  const std::uint64_t size = entry.request.size < 256 ? entry.request.size : 0;
  return llvm::ConstantStruct::get(
      writer_.site_type(),
      {writer_.relative(&function, table, at + offsetof(SiteRecord, function)),
       writer_.relative(location != nullptr ? path_of(location->getScope()) : "", table,
                        at + offsetof(SiteRecord, file)),
       i32(c, location != nullptr ? location->getLine() : 0),
       i16(c, location != nullptr ? location->getColumn() : 0),
       i8(c, static_cast<std::uint8_t>(entry.request.kind)), i8(c, size),
       writer_.relative(entry.request.field.class_name, table,
                        at + offsetof(SiteRecord, class_name)),
       writer_.relative(entry.request.field.field, table, at + offsetof(SiteRecord, field)),
       i32(c, entry.request.field.offset),
       entry.inlined_at != 0 ? writer_.relative(outer, table, at + offsetof(SiteRecord, inlined_at))
                             : zero});
}

void SiteTable::finish() {
  if (!entries_.empty()) {
    auto* type = llvm::ArrayType::get(writer_.site_type(), entries_.size());
    auto* table = new GlobalVariable(writer_.module(), type, true,
                                     llvm::GlobalValue::PrivateLinkage, nullptr, "isosan.sites");
    llvm::SmallVector<Constant*> records;
    for (std::uint32_t i = 0; i < entries_.size(); ++i) records.push_back(record(*table, i));
    table->setInitializer(llvm::ConstantArray::get(type, records));
    table->setSection(rt::kSiteSection);
    table->setAlignment(llvm::Align(alignof(SiteRecord)));
    if (function_.hasComdat()) table->setComdat(function_.getComdat());
    placeholder_->replaceAllUsesWith(table);
  }
  placeholder_->eraseFromParent();
}

}  // namespace isosan::pass
