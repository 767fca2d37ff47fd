#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/input_error.h"
#include "symbolize/elf_file.h"
#include "symbolize/names.h"
#include "symbolize/symbolizer.h"

extern "C" int isosan_test_landmark(int x);
[[gnu::noinline]] int isosan_test_landmark(int x) { return x + 1; }  // line 12: asked for below

namespace isosan {
namespace {

struct NameCase {
  const char* demangled;
  const char* qualified;
};

TEST(QualifiedName, DropsEverythingButTheName) {
  constexpr NameCase kCases[] = {
      {"main", "main"},
      {"f(int)", "f"},
      {"int ns::f<int>(int)", "ns::f"},
      {"ns::(anonymous namespace)::V<std::pair<int, long> >::f(int) const", "ns::V::f"},
      {"(anonymous namespace)::f()", "f"},
      {"std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back"},
      {"A::operator()(int) const", "A::operator()"},
      {"A::operator<<(int)", "A::operator<<"},
      {"std::ostream& operator<< <char>(std::ostream&, char)", "operator<<"},
      {"A::operator int() const", "A::operator int"},
      {"A::operator new[](unsigned long)", "A::operator new[]"},
      {"A::operator->() const", "A::operator->"},
      {"main::{lambda(int)#1}::operator()(int) const", "main::lambda"},
      {"main::$_0::operator()() const", "main::lambda"},
      {"f(int)::Local::g(char)", "f::Local::g"},
      {"A::f(int) const::{lambda()#1}::operator()() const", "A::f::lambda"},
      {"A::name[abi:cxx11]() const", "A::name"},
      {"decltype(auto) A::f()", "A::f"},
      {"A<(E)1>::f()", "A::f"},
      {"A::~A()", "A::~A"},
  };
  for (const NameCase& c : kCases)
    EXPECT_EQ(qualified_name(c.demangled), c.qualified) << c.demangled;
}

TEST(Demangled, LeavesNamesOfCAlone) {
  EXPECT_EQ(demangled("a"), "a");
  EXPECT_EQ(demangled("_Z1fi"), "f(int)");
  EXPECT_EQ(demangled("_ZN12_GLOBAL__N_14busyE.0"), "(anonymous namespace)::busy");
  EXPECT_EQ(demangled("_Znonsense.0"), "_Znonsense");
}

TEST(ElfFile, KnowsItsSymbolsAndSections) {
  const ElfFile self("/proc/self/exe");
  EXPECT_FALSE(self.section(".text").bytes.empty());
  EXPECT_TRUE(self.section(".no-such-section").bytes.empty());
  const auto has_landmark = [&](SymbolKind kind) {
    const auto symbols = self.symbols(kind);
    return std::any_of(symbols.begin(), symbols.end(),
                       [](const ElfSymbol& s) { return s.name == "isosan_test_landmark"; });
  };
  EXPECT_TRUE(has_landmark(SymbolKind::kFunction));
  EXPECT_FALSE(has_landmark(SymbolKind::kObject));
  EXPECT_TRUE(self.needs_symbol("malloc") || self.needs_symbol("_Zn"));
  EXPECT_FALSE(self.needs_symbol("__tsan_"));
}

TEST(ElfFile, FindsTheFunctionAroundAnAddressAsAllItsFunctionsDo) {
  const ElfFile self("/proc/self/exe");
  const auto functions = self.symbols(SymbolKind::kFunction);
  for (std::size_t i = 0; i < functions.size(); i += functions.size() / 16 + 1) {
    const std::uint64_t inside = functions[i].address + functions[i].size / 2;
    std::uint64_t last = 0;
    for (const ElfSymbol& other : functions)
      if (other.address <= inside) last = std::max(last, other.address);
    const auto found = self.function_before(inside);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->address, last);
  }
  EXPECT_FALSE(self.function_before(0));
}

TEST(ElfFile, RefusesWhatIsNone) {
  const std::string path = testing::TempDir() + "/not-elf";
  std::ofstream(path) << "hello";
  EXPECT_THROW(ElfFile{path}, InputError);
  EXPECT_THROW(ElfFile{"/no/such/file"}, InputError);
}

TEST(Symbolizer, FindsFunctionFileAndLine) {
  ASSERT_FALSE(symbolizer_path().empty());
  const ElfFile self("/proc/self/exe");
  for (const ElfSymbol& symbol : self.symbols(SymbolKind::kFunction)) {
    if (symbol.name != "isosan_test_landmark") continue;
    const auto frames =
        symbolize({{"/proc/self/exe", 0}, {testing::internal::GetArgvs()[0], symbol.address}});
    ASSERT_EQ(frames.size(), 2u);
    ASSERT_FALSE(frames[1].empty());
    EXPECT_EQ(frames[1][0].function, "isosan_test_landmark");
    EXPECT_TRUE(frames[1][0].file.ends_with("symbolize_test.cc"));
    EXPECT_EQ(frames[1][0].line, 12u);
  }
  EXPECT_EQ(isosan_test_landmark(1), 2);
}

}  // namespace
}  // namespace isosan
