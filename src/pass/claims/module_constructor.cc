#include "pass/claims/module_constructor.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include "pass/claims/runtime_calls.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

// The linker defines it at the edge of a section, if the module has one.
llvm::Constant* section_edge(llvm::Module& module, const std::string& name) {
  auto* edge = new llvm::GlobalVariable(module, llvm::Type::getInt8Ty(module.getContext()), false,
                                        llvm::GlobalValue::ExternalWeakLinkage, nullptr, name);
  edge->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return edge;
}

}  // namespace

void add_module_constructor(llvm::Module& module) {
  constexpr const char* kName = "isosan.module_constructor";  // one for the whole linked module
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  llvm::Function* constructor = llvm::Function::createWithDefaultAttr(
      type, llvm::GlobalValue::LinkOnceODRLinkage, 0, kName, &module);
  constructor->setVisibility(llvm::GlobalValue::HiddenVisibility);
  constructor->setComdat(module.getOrInsertComdat(kName));
  constructor->setDoesNotThrow();
  llvm::IRBuilder<> at(llvm::BasicBlock::Create(context, "", constructor));
  llvm::SmallVector<llvm::Value*, 4> edges;
  for (const char* section : {rt::kFunctionSection, rt::kSiteSection})
    for (const char* edge : {"__start_", "__stop_"})
      edges.push_back(section_edge(module, std::string(edge) + section));
  call_runtime(at, "__isosan_module", edges);
  at.CreateRetVoid();
  llvm::appendToGlobalCtors(module, constructor, 0, constructor);
}

}  // namespace isosan::pass
