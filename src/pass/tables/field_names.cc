#include "pass/tables/field_names.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "pass/code/names.h"

namespace isosan::pass {
namespace {

using llvm::StringRef;

// `_ZTS7Account` -> `Account`; names of C types stand as they are.
std::string type_name(StringRef key) {
  std::string name = key.str();
  if (key.starts_with("_ZTS")) {
    name = llvm::demangle(key.str());
    StringRef text = name;
    text.consume_front("typeinfo name for ");
    name = text.str();
  }
  std::string plain = without_template_arguments(name);
  for (std::size_t at; (at = plain.find("(anonymous namespace)::")) != std::string::npos;)
    plain.erase(at, StringRef("(anonymous namespace)::").size());
  return plain;
}

const llvm::DIType* without_qualifiers(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const auto tag = derived->getTag();
    if (tag != llvm::dwarf::DW_TAG_typedef && tag != llvm::dwarf::DW_TAG_const_type &&
        tag != llvm::dwarf::DW_TAG_volatile_type)
      break;
    type = derived->getBaseType();
  }
  return type;
}

// `inner.x` for the member at `offset`, through bases and members that are classes themselves.
std::string member_at(const llvm::DICompositeType& type, std::uint64_t offset, int depth = 0) {
  constexpr int kDeepest = 8;
  if (depth > kDeepest) return "";
  for (const llvm::DINode* element : type.getElements()) {
    const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(element);
    if (member == nullptr || member->isStaticMember()) continue;
    if (member->getTag() != llvm::dwarf::DW_TAG_member &&
        member->getTag() != llvm::dwarf::DW_TAG_inheritance)
      continue;
    const std::uint64_t begin = member->getOffsetInBits() / 8;
    const llvm::DIType* member_type = without_qualifiers(member->getBaseType());
    const std::uint64_t size = member_type != nullptr ? member_type->getSizeInBits() / 8 : 0;
    if (offset < begin || offset >= begin + size) continue;
    std::string inner;
    if (const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(member_type))
      inner = member_at(*composite, offset - begin, depth + 1);
    const StringRef name = member->getTag() == llvm::dwarf::DW_TAG_member ? member->getName() : "";
    if (name.empty() || inner.empty()) return name.empty() ? inner : name.str();
    return (name + "." + inner).str();
  }
  return "";
}

}  // namespace

FieldNames::FieldNames(const llvm::Module& module) : layout_(module.getDataLayout()) {
  llvm::DebugInfoFinder finder;
  finder.processModule(module);
  for (const llvm::DIType* type : finder.types()) {
    const auto* composite = llvm::dyn_cast<llvm::DICompositeType>(type);
    if (composite == nullptr || composite->isForwardDecl()) continue;
    if (!composite->getIdentifier().empty()) types_[composite->getIdentifier()] = composite;
    if (!composite->getName().empty()) types_.try_emplace(qualified_name(*composite), composite);
  }
}

FieldName FieldNames::lookup(StringRef key, std::uint64_t offset) const {
  FieldName name{type_name(key), "", static_cast<std::uint32_t>(offset)};
  auto found = types_.find(key);
  if (found == types_.end()) found = types_.find(name.class_name);
  if (found != types_.end()) name.field = member_at(*found->second, offset);
  return name;
}

FieldName FieldNames::of_access(const llvm::Instruction& access, const llvm::Value& pointer) const {
  if (const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
      tag != nullptr && tag->getNumOperands() >= 3) {
    const auto* base = llvm::dyn_cast_or_null<llvm::MDNode>(tag->getOperand(0));
    const auto* offset = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(tag->getOperand(2));
    if (base == nullptr || offset == nullptr || base == tag->getOperand(1) ||
        base->getNumOperands() == 0)
      return {};
    const auto* name = llvm::dyn_cast_or_null<llvm::MDString>(base->getOperand(0));
    return name != nullptr ? lookup(name->getString(), offset->getZExtValue()) : FieldName{};
  }
  return of_pointer(pointer);
}

namespace {

// The class around a field that `pointer` is computed of, or null.
const llvm::StructType* class_around(const llvm::Value& pointer) {
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  return gep != nullptr ? llvm::dyn_cast<llvm::StructType>(gep->getSourceElementType()) : nullptr;
}

}  // namespace

FieldName FieldNames::of_pointer(const llvm::Value& pointer) const {
  llvm::APInt offset(layout_.getIndexTypeSizeInBits(pointer.getType()), 0);
  const llvm::StructType* type = nullptr;
  if (class_around(pointer) != nullptr) {  // a field of a field has two, without optimisation
    const llvm::Value* at = &pointer;
    for (const llvm::StructType* around; (around = class_around(*at)) != nullptr;) {
      llvm::APInt inside(offset.getBitWidth(), 0);
      const auto& gep = llvm::cast<llvm::GEPOperator>(*at);
      if (!gep.accumulateConstantOffset(layout_, inside)) break;
      offset += inside;
      type = around;
      at = gep.getPointerOperand();
    }
  } else {  // of a global, the first field has no GEP, and others have one of bytes
    const llvm::Value* base = pointer.stripAndAccumulateConstantOffsets(layout_, offset, true);
    const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base);
    if (global != nullptr) type = llvm::dyn_cast<llvm::StructType>(global->getValueType());
  }
  if (type == nullptr || !type->hasName()) return {};
  StringRef name = type->getName();
  if (!name.consume_front("class.") && !name.consume_front("struct.")) return {};
  return lookup(name, offset.getZExtValue());
}

}  // namespace isosan::pass
