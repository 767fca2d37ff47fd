#include "spec/intent.h"

#include <algorithm>

namespace isosan {
namespace {

enum class At : std::uint8_t { kWhole, kBegin, kAnywhere, kEnd };

struct Pattern {
  At at;
  std::string_view text;
  LeftOut why;
};

// Of the qualified name. A lambda runs for whoever it was handed to: a thread, a task, an algorithm.
constexpr Pattern kNames[] = {
    {At::kWhole, "lambda", LeftOut::kLambda},
    {At::kEnd, "::lambda", LeftOut::kLambda},
    {At::kAnywhere, "::lambda::", LeftOut::kLambda},          // what it captured is destroyed
    {At::kEnd, "_Test::TestBody", LeftOut::kTest},            // GoogleTest
    {At::kAnywhere, "CATCH2_INTERNAL_TEST", LeftOut::kTest},  // Catch2
    {At::kAnywhere, "C_A_T_C_H_T_E_S_T_", LeftOut::kTest},    // Catch2, before 3.4
    {At::kAnywhere, "____C_A_T_C_H____T_E_S_T____", LeftOut::kTest},  // Catch2, 2.x
    {At::kAnywhere, "DOCTEST_ANON_FUNC", LeftOut::kTest},             // doctest
    {At::kEnd, "::test_method", LeftOut::kTest},                      // Boost.Test
    {At::kAnywhere, "omp_outlined", LeftOut::kOpenMp},                // clang
    {At::kAnywhere, "._omp_fn", LeftOut::kOpenMp},                    // gcc
    {At::kBegin, "__cxx_global_var_init", LeftOut::kInitializer},     //
    {At::kBegin, "_GLOBAL__sub_I_", LeftOut::kInitializer},           //
    {At::kBegin, "__static_initialization_and_destruction", LeftOut::kInitializer},
};

constexpr std::string_view kSystemFolders[] = {"/usr/include/", "/usr/lib/"};

bool matches(const Pattern& pattern, std::string_view name) {
  switch (pattern.at) {
    case At::kWhole:
      return name == pattern.text;
    case At::kBegin:
      return name.starts_with(pattern.text);
    case At::kAnywhere:
      return name.find(pattern.text) != std::string_view::npos;
    case At::kEnd:
      return name.ends_with(pattern.text);
  }
  return false;
}

// In a mangled name: a pointer to a function (PF), or to a member function (M, a class, F).
bool mentions_function_pointer(std::string_view mangled) {
  if (mangled.find("PF") != std::string_view::npos) return true;
  for (std::size_t i = 0; i + 1 < mangled.size(); ++i) {
    const char next = mangled[i + 1];
    const bool is_class = next == 'S' || next == 'N' || (next >= '1' && next <= '9');
    if (mangled[i] == 'M' && is_class && mangled.find('F', i) != std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

std::string_view left_out_text(LeftOut why) {
  return std::ranges::find(kLeftOutTexts, why, &LeftOutText::why)->one;
}

bool is_library_name(std::string_view qualified_name) {
  return qualified_name.starts_with("std::") || qualified_name.starts_with("__gnu_cxx::") ||
         qualified_name.starts_with("__cxxabiv1::") || qualified_name.starts_with("__gthread_") ||
         qualified_name.starts_with("__clang_") || qualified_name.starts_with("operator new") ||
         qualified_name.starts_with("operator delete");
}

bool is_trampoline(const Function& function) {
  constexpr std::string_view kPrefixes[] = {
      "std::thread::", "std::jthread::", "std::__invoke",        "std::invoke",
      "std::_Bind",    "std::_Mem_fn",   "std::__future_base::", "std::__async",
  };
  const auto is_prefix = [&](std::string_view prefix) { return function.name.starts_with(prefix); };
  if (!std::ranges::any_of(kPrefixes, is_prefix)) return false;
  const std::string_view types = function.linkage_name;  // of template arguments
  const bool is_of_lambda = types.find("Ul") != std::string_view::npos;
  return !is_of_lambda && mentions_function_pointer(types);
}

LeftOut not_meant(const Function& function) {
  for (const Pattern& pattern : kNames) {
    if (matches(pattern, function.name)) return pattern.why;
  }
  for (const std::string_view folder : kSystemFolders) {
    if (function.file.starts_with(folder)) return LeftOut::kSystemHeader;
  }
  return LeftOut::kNo;
}

}  // namespace isosan
