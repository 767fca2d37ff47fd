// Looks at the test program itself: whatever the machine, the compiler has written its calls.
#include "symbolize/call_scan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "symbolize/call_lines.h"
#include "symbolize/callers.h"

// No optimisation may change who calls whom.
#define KEPT __attribute__((noinline, noclone, used))

extern "C" {
std::atomic<int> isosan_test_sink;
KEPT void isosan_test_leaf() { ++isosan_test_sink; }
KEPT void isosan_test_middle() {
  isosan_test_leaf();
  ++isosan_test_sink;
}
KEPT void isosan_test_twice() {
  isosan_test_middle();
  ++isosan_test_sink;
  isosan_test_middle();
  ++isosan_test_sink;
}
KEPT void isosan_test_pointed_at() { ++isosan_test_sink; }
std::atomic<void (*)()> isosan_test_pointer{isosan_test_pointed_at};
}

#ifdef __x86_64__
// The distance of an addition and the constant behind it look like a call of a function, both of
// which are there. Data in the code stand where that may be a call for all one knows.
asm(R"(
  .text
  .type isosan_test_adds, @function
isosan_test_adds:
  addq %rax, -24(%rbp)
1:
  movl $1, %edi
  ret
  .size isosan_test_adds, . - isosan_test_adds
  .fill 1b + 4 + 0x1bf - ., 1, 0x90
  .type isosan_test_not_called, @function
isosan_test_not_called:
  ret
  .size isosan_test_not_called, . - isosan_test_not_called
  .type isosan_test_data, @function
isosan_test_data:
  .byte 0x06
  call isosan_test_behind_data
  ret
  .size isosan_test_data, . - isosan_test_data
  .type isosan_test_behind_data, @function
isosan_test_behind_data:
  ret
  .size isosan_test_behind_data, . - isosan_test_behind_data
)");
#endif

namespace isosan {
namespace {

Tables tables_of_this_program() {
  Tables tables;
  const auto path = std::filesystem::read_symlink("/proc/self/exe");  // the symbolizer has its own
  tables.modules.push_back({.path = path, .build_id = "", .base = 0});
  return tables;
}

FunctionId add_function(const std::string& name, Tables& tables) {
  Function function;
  function.name = function.linkage_name = name;
  tables.functions.push_back(function);
  return static_cast<FunctionId>(tables.functions.size() - 1);
}

// A stack of functions, outermost first.
ContextId add_stack(const std::vector<std::string>& functions, Tables& tables) {
  ContextId at = kEmptyStack;
  for (const std::string& name : functions) {
    tables.contexts.push_back({.parent = at, .function = add_function(name, tables)});
    at = static_cast<ContextId>(tables.contexts.size() - 1);
  }
  return at;
}

SiteId call_in_stack(const std::vector<std::string>& functions, Tables& tables) {
  Where where;
  where.context = add_stack(functions, tables);
  resolve_calls({where}, tables);
  return tables.contexts[index(where.context)].call_site;
}

TEST(CallScan, FindsTheCallsOfAFunctionAndWhetherItsAddressIsTaken) {
  const ElfFile file("/proc/self/exe");
  std::map<std::string, FoundCalls> found;
  for (const ElfSymbol& symbol : file.symbols(SymbolKind::kFunction)) {
    if (symbol.name.starts_with("isosan_test_"))
      found[std::string(symbol.name)] = find_calls(file, {symbol.address}).begin()->second;
  }
  EXPECT_EQ(found["isosan_test_leaf"].calls.size(), 1u);
  EXPECT_FALSE(found["isosan_test_leaf"].address_taken);
  EXPECT_EQ(found["isosan_test_middle"].calls.size(), 2u);
  EXPECT_TRUE(found["isosan_test_pointed_at"].address_taken);
#ifdef __x86_64__
  ASSERT_TRUE(found.contains("isosan_test_not_called"));
  EXPECT_EQ(found["isosan_test_not_called"].calls.size(), 0u);
  EXPECT_EQ(found["isosan_test_behind_data"].calls.size(), 1u);
#endif
}

TEST(CallLines, ACallThatIsTheOnlyOneHasALine) {
  Tables tables = tables_of_this_program();
  const SiteId site = call_in_stack({"isosan_test_middle", "isosan_test_leaf"}, tables);
  ASSERT_NE(site, kNoSite);
  EXPECT_TRUE(tables.sites[index(site)].file.ends_with("call_scan_test.cc"));
  EXPECT_EQ(tables.functions[index(tables.sites[index(site)].function)].name, "isosan_test_middle");
}

TEST(CallLines, OneOfSeveralCallsHasNone) {
  Tables tables = tables_of_this_program();
  EXPECT_EQ(call_in_stack({"isosan_test_twice", "isosan_test_middle"}, tables), kNoSite);
}

TEST(CallLines, NoLineIsMadeUpForAFunctionThatDoesNotCallIt) {
  Tables tables = tables_of_this_program();
  EXPECT_EQ(call_in_stack({"isosan_test_twice", "isosan_test_leaf"}, tables), kNoSite);
  EXPECT_EQ(call_in_stack({"isosan_test_twice", "no_such_function"}, tables), kNoSite);
}

}  // namespace
}  // namespace isosan
