#include "pass/claims/runtime_calls.h"

namespace isosan::pass {

llvm::CallInst* call_runtime(llvm::IRBuilder<>& at, llvm::StringRef name,
                             llvm::ArrayRef<llvm::Value*> arguments, llvm::Type* result) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result != nullptr ? result : at.getVoidTy(), types, false);
  llvm::FunctionCallee callee = at.GetInsertBlock()->getModule()->getOrInsertFunction(name, type);
  llvm::cast<llvm::Function>(callee.getCallee())->setDoesNotThrow();
  llvm::CallInst* call = at.CreateCall(callee, arguments);
  call->setDoesNotThrow();
  return call;
}

llvm::CallInst* call_slow_path(llvm::IRBuilder<>& at, llvm::StringRef name,
                               llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::CallInst* call = call_runtime(at, name, arguments);
  llvm::Function* callee = call->getCalledFunction();
  callee->setCallingConv(llvm::CallingConv::PreserveMost);
  callee->addFnAttr(llvm::Attribute::NonLazyBind);  // lazy binding would not keep the registers
  callee->addFnAttr(llvm::Attribute::Cold);
  call->setCallingConv(llvm::CallingConv::PreserveMost);
  return call;
}

bool is_runtime_function(const llvm::Function* function) {
  return function != nullptr && (function->getName().starts_with("__isosan_") ||
                                 function->getName().starts_with("isosan."));
}

}  // namespace isosan::pass
