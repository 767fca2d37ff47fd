// The plugin of clang 19: two passes over the module.
//
// EdgePass, at the start of the pipeline, sees functions as they were written: it makes the
// function records, places region edges and turns the C++20 synchronization members into events.
// AccessPass, after inlining and scalar optimisation and before the vectorisers, expands the edges
// and checks accesses. Both skip a module that was done before (link-time optimisation runs them
// again).
#include "event/found_by_pass.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "pass/checks/atomics.h"
#include "pass/checks/called_checks.h"
#include "pass/checks/check_emitter.h"
#include "pass/checks/comparisons.h"
#include "pass/checks/merge.h"
#include "pass/checks/parts.h"
#include "pass/checks/polls.h"
#include "pass/checks/read_blocks.h"
#include "pass/checks/vtable_pointers.h"
#include "pass/claims/module_constructor.h"
#include "pass/code/candidates.h"
#include "pass/code/names.h"
#include "pass/code/noescape.h"
#include "pass/edges/blocks.h"
#include "pass/edges/edges.h"
#include "pass/edges/last_releases.h"
#include "pass/edges/leaf_regions.h"
#include "pass/edges/sync_members.h"
#include "pass/loops/counted_loops.h"
#include "pass/loops/unbounded_walks.h"
#include "pass/tables/arrays.h"
#include "pass/tables/data_annotations.h"
#include "pass/tables/function_traits.h"
#include "pass/tables/records.h"
#include "runtime/contract/records.h"

namespace isosan::pass {
namespace {

// Of the driver (driver/flags.cc).
llvm::cl::opt<bool> leaves_out_arrays(
    "isosan-leave-out-arrays", llvm::cl::init(false),
    llvm::cl::desc("accesses to elements of arrays are no events"));

// Is this the first time that a pass of this name sees the module? Marks the module.
bool first_visit(llvm::Module& module, llvm::StringRef flag) {
  if (module.getModuleFlag(flag) != nullptr) return false;
  module.addModuleFlag(llvm::Module::Max, flag, 1);
  return true;
}

// The optimiser moves a load to where the program does not execute it, if it cannot trap there. That
// is no access of the program. LLVM leaves loads in place in functions that ThreadSanitizer is to
// instrument: all functions look like that until their accesses are checked. All, because only
// functions that agree in this are inlined into each other.
void keep_loads_in_place(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(llvm::Attribute::SanitizeThread);
}
void let_loads_move(llvm::Module& module) {
  for (llvm::Function& function : module) function.removeFnAttr(llvm::Attribute::SanitizeThread);
}

class EdgePass : public llvm::PassInfoMixin<EdgePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    if (!first_visit(module, "isosan.edges")) return llvm::PreservedAnalyses::all();
    auto traits = function_traits(module);
    RecordWriter writer(module);
    write_data_annotations(module, writer);
    keep_loads_in_place(module);
    for (llvm::Function& function : module) {
      if (may_instrument(function)) mark_sync_members(function);
      if (!may_instrument(function) || is_library_code(function)) continue;
      const FunctionTraits trait = traits.lookup(&function);
      const bool candidate =
          (trait.annotations & ~kAllFoundByPass) != 0 || is_region_candidate(function);
      const auto attributes =
          static_cast<std::uint8_t>(trait.attributes | (candidate ? 0 : rt::kNoEdges));
      llvm::GlobalVariable& record = writer.record_of(function, attributes, trait.annotations);
      insert_resyncs(function);
      if (candidate) insert_edges(function, record);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

SiteRequest request_of(const Access& access, const FieldNames& fields) {
  const llvm::Instruction& described =
      access.described_by != nullptr ? *access.described_by : *access.instruction;
  const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&described);
  return {described.getDebugLoc(), access.is_write ? Kind::kWrite : Kind::kRead, access.size,
          fields.of_access(described, pointer != nullptr ? *pointer : *access.pointer)};
}

Operations operations_of(llvm::Function& function, const FieldNames& fields) {
  Operations all = find_operations(function);
  if (leaves_out_arrays)
    llvm::erase_if(all.accesses, [&](const Access& access) { return is_of_array(access, fields); });
  return all;
}

std::vector<llvm::Constant*> sites_of(const std::vector<llvm::Instruction*>& members,
                                      const FieldNames& fields, SiteTable& sites) {
  std::vector<llvm::Constant*> all;
  for (llvm::Instruction* member : members) {
    llvm::Type* type = llvm::getLoadStoreType(member);
    const Access access{.instruction = member,
                        .pointer = llvm::getLoadStorePointerOperand(member),
                        .size = member->getDataLayout().getTypeStoreSize(type),
                        .is_write = llvm::isa<llvm::StoreInst>(member)};
    all.push_back(sites.add(request_of(access, fields)));
  }
  return all;
}

// Loops are split first, while the analyses are those of the uninstrumented program.
std::vector<Walk> split_loops(llvm::Function& function, const FieldNames& fields,
                              llvm::FunctionAnalysisManager& analyses) {
  if (function.hasOptNone()) return {};
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  std::vector<Walk> walks =
      split_counted_loops(function, operations_of(function, fields).accesses,
                          {analyses.getResult<llvm::LoopAnalysis>(function),
                           analyses.getResult<llvm::DominatorTreeAnalysis>(function),
                           analyses.getResult<llvm::ScalarEvolutionAnalysis>(function)});
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return walks;
}

void check_function(llvm::Function& function, RecordWriter& writer, const FieldNames& fields,
                    llvm::FunctionAnalysisManager& analyses) {
  llvm::GlobalVariable& record = writer.record_of(function, rt::kNoEdges, 0);
  {
    llvm::DominatorTree before(function);
    remove_idle_regions(function, before);
  }
  const std::vector<Walk> walks = split_loops(function, fields, analyses);
  mark_last_releases(function);
  llvm::DominatorTree tree(function);
  const auto leaves = find_leaf_regions(function, tree);
  SiteTable sites(writer, function, record);
  fill_sync_places(function, sites);
  fill_block_places(function, sites);
  keep_comparisons(function);
  Operations operations = operations_of(function, fields);
  if (!function.hasOptNone() && !has_data_annotations(*function.getParent())) {
    merge_neighbours(function, operations.accesses, analyses.getResult<llvm::AAManager>(function));
    join_reads(function, operations.accesses);
  }
  if (!function.hasOptNone()) {
    const llvm::LoopInfo loops(tree);
    mark_unbounded_walks(operations.accesses, loops);
    mark_called_checks(operations.accesses, loops);
  }
  Polls polls(function);
  ThreadState state(function);
  CheckEmitter emitter(state);
  for (const Walk& walk : walks) {
    llvm::Constant* site = sites.add(request_of(walk.access, fields));
    Access write = walk.access;
    write.instruction = walk.updates;
    write.is_write = true;
    emitter.emit(walk, site,
                 walk.updates != nullptr ? sites.add(request_of(write, fields)) : nullptr);
  }
  PartEmitter parts(state);
  for (const Access& access : operations.accesses) {
    llvm::CallInst* claim = emitter.emit(access, sites.add(request_of(access, fields)));
    if (!access.members.empty()) parts.add(access, *claim, sites_of(access.members, fields, sites));
  }
  for (llvm::Instruction* instruction : operations.vtable_pointers) {
    const Access access = guard_vtable_pointer(*instruction, state);
    emitter.emit(access, sites.add(request_of(access, fields)));
  }
  for (llvm::Instruction* atomic : operations.atomics) instrument_atomic(*atomic, sites, fields);
  for (llvm::LoadInst* guard : operations.guards) instrument_guard(*guard, sites);
  polls.emit(state);
  for (const LeafRegion& leaf : leaves) expand_leaf(leaf, state);
  expand_edges(function, state);
  parts.emit();
  sites.finish();
  state.finish();
  function.removeFnAttr(llvm::Attribute::Memory);
  function.removeFnAttr(llvm::Attribute::Speculatable);
}

// Runs many times while a function is simplified, so that edges that turned out idle stop being
// barriers early.
class IdlePass : public llvm::PassInfoMixin<IdlePass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
    if (!has_edges(function)) return llvm::PreservedAnalyses::all();
    bool changed = weaken_inner_edges(function);
    changed |=
        remove_idle_regions(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function));
    if (!changed) return llvm::PreservedAnalyses::all();
    llvm::PreservedAnalyses preserved;
    preserved.preserveSet<llvm::CFGAnalyses>();
    return preserved;
  }
  static bool isRequired() { return true; }
};

class AccessPass : public llvm::PassInfoMixin<AccessPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    if (!first_visit(module, "isosan.accesses")) return llvm::PreservedAnalyses::all();
    auto& functions =
        analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    const FieldNames fields(module);
    RecordWriter writer(module);
    make_private_copies(module);
    let_loads_move(module);
    for (llvm::Function& function : llvm::make_early_inc_range(module))
      if (may_instrument(function)) check_function(function, writer, fields, functions);
    add_module_constructor(module);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void register_passes(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& manager, llvm::OptimizationLevel) {
        manager.addPass(EdgePass());
      });
  builder.registerPeepholeEPCallback([](llvm::FunctionPassManager& manager,
                                        llvm::OptimizationLevel) { manager.addPass(IdlePass()); });
  builder.registerOptimizerEarlyEPCallback(
      [](llvm::ModulePassManager& manager, llvm::OptimizationLevel) {
        manager.addPass(AccessPass());
      });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& manager,
                                             llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
    if (name == "isosan-edges") manager.addPass(EdgePass());
    if (name == "isosan-accesses") manager.addPass(AccessPass());
    return name == "isosan-edges" || name == "isosan-accesses";
  });
}

}  // namespace
}  // namespace isosan::pass

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "isosan", "1", isosan::pass::register_passes};
}
