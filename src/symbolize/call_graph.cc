#include "symbolize/call_graph.h"

#include <elf.h>

#include <algorithm>
#include <set>

#include "absl/container/flat_hash_map.h"
#include "symbolize/bytes.h"
#include "symbolize/call_scan.h"

namespace isosan {
namespace {

std::uint64_t moved(std::uint64_t address, std::int64_t distance) {
  return address + static_cast<std::uint64_t>(distance);
}

// aarch64: the address that `adrp` and a load with an offset read from; 0: these are others.
std::uint64_t loaded_from(const ElfSection& code, std::size_t i) {
  if (i + 8 > code.bytes.size()) return 0;
  const auto adrp = read_as<std::uint32_t>(code.bytes, i),
             load = read_as<std::uint32_t>(code.bytes, i + 4);
  if ((adrp & 0x9f000000) != 0x90000000 || (load & 0xffc00000) != 0xf9400000) return 0;
  const std::uint64_t pages = (adrp >> 29 & 3) | (adrp >> 5 & 0x7ffff) << 2;
  const std::int64_t distance = static_cast<std::int64_t>(pages << 43) >> 31;
  return moved((code.address + i) & ~0xfffull, distance) + (load >> 10 & 0xfff) * 8;
}

class Graph {
 public:
  explicit Graph(const ElfFile& file) : file_(file), x86_(file.machine() == EM_X86_64) {
    add_functions();
    for (const ElfImport& import : file.imports()) imports_[import.slot] = import;
    for (const char* name : {".plt", ".plt.sec", ".plt.got"}) add_stubs(file.section(name));
  }

  std::vector<CodeFunction> take() {
    add_direct_calls();
    const ElfSection text = file_.section(".text");
    if (x86_) add_calls_by_pointer_x86(text);
    if (file_.machine() == EM_AARCH64) add_calls_by_pointer_aarch64(text);
    for (const CodeFunction& function : functions_)
      for (const FoundCall& call : function.calls)
        if (call.callee != FoundCall::kNowhere) ++functions_[call.callee].callers;
    return std::move(functions_);
  }

 private:
  void add_functions() {
    for (const ElfSymbol& symbol : file_.symbols(SymbolKind::kFunction))
      functions_.push_back({symbol.address,
                            symbol.address + symbol.size,
                            symbol.name,
                            symbol.global,
                            false,
                            0,
                            {},
                            {}});
    std::ranges::stable_sort(functions_, {}, &CodeFunction::begin);
    const auto same = std::ranges::unique(functions_, {}, &CodeFunction::begin);
    functions_.erase(same.begin(), same.end());
  }

  // A stub jumps to what its slot has.
  void add_stubs(const ElfSection& section) {
    constexpr std::size_t kStub = 16;
    for (std::size_t i = 0; i + kStub <= section.bytes.size(); i += x86_ ? kStub : 4) {
      std::uint64_t slot = x86_ ? 0 : loaded_from(section, i);
      for (std::size_t k = i; x86_ && k + 6 <= i + kStub; ++k) {
        if (read_as<std::uint16_t>(section.bytes, k) != 0x25ff) continue;  // jmp *slot(%rip)
        slot = moved(section.address + k + 6, read_as<std::int32_t>(section.bytes, k + 2));
        break;
      }
      if (imports_.contains(slot)) stubs_[section.address + i] = slot;
    }
  }

  void add_direct_calls() {
    std::set<std::uint64_t> targets;
    for (const CodeFunction& function : functions_) targets.insert(function.begin);
    for (const auto& [stub, slot] : stubs_) targets.insert(stub);
    for (const auto& [target, found] : find_calls(file_, targets)) {
      const std::uint32_t callee = function_at(target);
      if (callee != FoundCall::kNowhere) functions_[callee].address_taken = found.address_taken;
      for (const std::uint64_t place : found.taken) {
        CodeFunction* const taker = function_around(place);
        if (taker != nullptr && callee != FoundCall::kNowhere) taker->takes.push_back(callee);
      }
      const auto stub = stubs_.find(target);
      for (const std::uint64_t behind : found.calls) {
        if (stub != stubs_.end()) {
          add(behind, call_through(stub->second));
        } else {
          add(behind, {.callee = callee, .import_name = {}});
        }
      }
    }
  }

  // Instructions begin anywhere: a pointer's call may be seen where there is none.
  void add_calls_by_pointer_x86(const ElfSection& text) {
    for (std::size_t i = 0; i + 6 <= text.bytes.size(); ++i) {
      if (std::to_integer<unsigned>(text.bytes[i]) != 0xff) continue;
      const auto operand = std::to_integer<unsigned>(text.bytes[i + 1]);
      if (operand == 0x15 || operand == 0x25) {  // call or jmp *slot(%rip)
        const std::uint64_t behind = text.address + i + 6;
        const std::uint64_t slot = moved(behind, read_as<std::int32_t>(text.bytes, i + 2));
        if (imports_.contains(slot)) add(behind, call_through(slot));
      } else if ((operand & 0x38) == 0x10 && is_whole_call(text, i)) {
        add(text.address + i + 2, {});
      }
    }
  }

  // Behind the byte 0xff of a distance or a constant there is no call.
  static bool is_whole_call(const ElfSection& text, std::size_t i) {
    return i == 0 || std::to_integer<unsigned>(text.bytes[i - 1]) != 0xff;
  }

  void add_calls_by_pointer_aarch64(const ElfSection& text) {
    for (std::size_t i = 0; i + 4 <= text.bytes.size(); i += 4) {
      const std::uint64_t slot = loaded_from(text, i);
      if (imports_.contains(slot)) add(text.address + i + 4, call_through(slot));
      if ((read_as<std::uint32_t>(text.bytes, i) & 0xfffffc1f) == 0xd63f0000)  // blr
        add(text.address + i + 4, {});
    }
  }

  FoundCall call_through(std::uint64_t slot) const {
    const ElfImport& import = imports_.at(slot);
    if (import.address != 0) return {.callee = function_at(import.address), .import_name = {}};
    return {.import_name = import.name};
  }

  void add(std::uint64_t behind, const FoundCall& call) {
    if (CodeFunction* const caller = function_around(behind)) caller->calls.push_back(call);
  }

  CodeFunction* function_around(std::uint64_t behind) {
    const auto after = std::ranges::upper_bound(functions_, behind - 1, {}, &CodeFunction::begin);
    if (after == functions_.begin()) return nullptr;
    CodeFunction& function = *std::prev(after);
    return behind <= function.end ? &function : nullptr;
  }

  std::uint32_t function_at(std::uint64_t address) const {
    const auto found = std::ranges::lower_bound(functions_, address, {}, &CodeFunction::begin);
    if (found == functions_.end() || found->begin != address) return FoundCall::kNowhere;
    return static_cast<std::uint32_t>(found - functions_.begin());
  }

  const ElfFile& file_;
  const bool x86_;
  std::vector<CodeFunction> functions_;
  absl::flat_hash_map<std::uint64_t, ElfImport> imports_;    // by slot
  absl::flat_hash_map<std::uint64_t, std::uint64_t> stubs_;  // slot of each
};

}  // namespace

std::vector<CodeFunction> call_graph(const ElfFile& file) { return Graph(file).take(); }

}  // namespace isosan
