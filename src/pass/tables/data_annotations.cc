#include "pass/tables/data_annotations.h"

#include <algorithm>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/code/names.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

using llvm::StringRef;
using rt::AnnotationRecord;

struct Annotation {
  StringRef text;
  FieldName field;
  StringRef symbol;
  StringRef function;
  std::uint32_t parameter = 0;
};

constexpr const char* kRecordName = "isosan.annotation";

bool is_ours(StringRef text) { return text.starts_with("isosan:"); }

void write(const Annotation& annotation, RecordWriter& writer) {
  llvm::Module& module = writer.module();
  auto* word = llvm::Type::getInt32Ty(module.getContext());
  auto* type = llvm::StructType::get(word, word, word, word, word, word, word, word);
  auto* record = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::PrivateLinkage,
                                          nullptr, kRecordName);
  auto text = [&](StringRef value, std::uint64_t at) {
    return writer.relative(value, *record, at);
  };
  auto number = [&](std::uint64_t value) -> llvm::Constant* {
    return llvm::ConstantInt::get(word, value);
  };
  record->setInitializer(llvm::ConstantStruct::get(
      type,
      {text(annotation.text, offsetof(AnnotationRecord, text)),
       text(annotation.field.class_name, offsetof(AnnotationRecord, class_name)),
       text(annotation.field.field, offsetof(AnnotationRecord, field)),
       number(annotation.field.offset), text(annotation.symbol, offsetof(AnnotationRecord, symbol)),
       text(annotation.function, offsetof(AnnotationRecord, function)),
       number(annotation.parameter), number(0)}));
  record->setSection(rt::kAnnotationSection);
  record->setAlignment(llvm::Align(alignof(AnnotationRecord)));
  llvm::appendToUsed(module, {record});
}

// The parameter that a local holds: clang stores it there at the entry. -1: none.
int parameter_in(const llvm::Value* local) {
  for (const llvm::User* user : local->users())
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      if (const auto* argument = llvm::dyn_cast<llvm::Argument>(store->getValueOperand()))
        return static_cast<int>(argument->getArgNo());
  return -1;
}

// The class that a parameter is, points to or refers to; empty: none, or not known.
std::string class_of_parameter(const llvm::Function& function, unsigned parameter) {
  const llvm::DISubprogram* subprogram = function.getSubprogram();
  const llvm::DISubroutineType* type = subprogram != nullptr ? subprogram->getType() : nullptr;
  const auto types = type != nullptr ? type->getTypeArray() : llvm::DITypeRefArray();
  const unsigned result = function.hasStructRetAttr() ? 1 : 0;  // an argument that is no parameter
  const unsigned at = parameter - result + 1;
  const llvm::DIType* named = types && at < types.size() ? types[at] : nullptr;
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(named))
    named = derived->getBaseType();
  const auto* composite = llvm::dyn_cast_or_null<llvm::DICompositeType>(named);
  return composite != nullptr ? qualified_name(*composite) : "";
}

// The field as its class declares it: of a field that is a class itself, an access would name the
// first one inside.
FieldName annotated(FieldName field, const llvm::Value& pointer) {
  const auto* gep = llvm::dyn_cast<llvm::GEPOperator>(&pointer);
  if (gep != nullptr && gep->getSourceElementType()->isStructTy())
    field.field.resize(std::min(field.field.find('.'), field.field.size()));
  return field;
}

void visit(llvm::IntrinsicInst& intrinsic, const FieldNames& fields, RecordWriter& writer) {
  StringRef text;
  if (!llvm::getConstantStringInfo(intrinsic.getArgOperand(1), text) || !is_ours(text)) return;
  llvm::Value* pointer = intrinsic.getArgOperand(0);
  if (intrinsic.getIntrinsicID() == llvm::Intrinsic::ptr_annotation) {
    write({text, annotated(fields.of_access(intrinsic, *pointer), *pointer), {}, {}, 0}, writer);
    intrinsic.replaceAllUsesWith(pointer);
  } else if (const int parameter = parameter_in(pointer); parameter >= 0) {
    const auto number = static_cast<std::uint32_t>(parameter);
    FieldName referred;
    referred.class_name = class_of_parameter(*intrinsic.getFunction(), number);
    write({text, referred, {}, intrinsic.getFunction()->getName(), number}, writer);
  }
  intrinsic.eraseFromParent();
}

}  // namespace

std::vector<GlobalAnnotation> global_annotations(const llvm::Module& module) {
  std::vector<GlobalAnnotation> found;
  const llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global.annotations");
  const auto* entries =
      list != nullptr ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (entries == nullptr) return found;
  for (const llvm::Use& entry : entries->operands()) {
    const auto* parts = llvm::cast<llvm::ConstantStruct>(entry);
    StringRef text;
    const auto* target =
        llvm::dyn_cast<llvm::GlobalValue>(parts->getOperand(0)->stripPointerCasts());
    if (target == nullptr || !llvm::getConstantStringInfo(parts->getOperand(1), text) ||
        !is_ours(text))
      continue;
    found.push_back({target, text});
  }
  return found;
}

void write_data_annotations(llvm::Module& module, RecordWriter& writer) {
  for (const GlobalAnnotation& annotation : global_annotations(module))
    if (llvm::isa<llvm::GlobalVariable>(annotation.target))
      write({annotation.text, {}, annotation.target->getName(), {}, 0}, writer);
  llvm::SmallVector<llvm::IntrinsicInst*, 8> intrinsics;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (intrinsic->getIntrinsicID() == llvm::Intrinsic::ptr_annotation ||
            intrinsic->getIntrinsicID() == llvm::Intrinsic::var_annotation)
          intrinsics.push_back(intrinsic);
  if (intrinsics.empty()) return;
  const FieldNames fields(module);
  for (llvm::IntrinsicInst* intrinsic : intrinsics) visit(*intrinsic, fields, writer);
}

bool has_data_annotations(const llvm::Module& module) {
  return module.getGlobalVariable(kRecordName, /*AllowInternal=*/true) != nullptr;
}

}  // namespace isosan::pass
