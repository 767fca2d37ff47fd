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
    {At::kEnd, "_Test::TestBody", LeftOut::kTest},                    // GoogleTest
    {At::kAnywhere, "CATCH2_INTERNAL_TEST", LeftOut::kTest},          // Catch2
    {At::kAnywhere, "C_A_T_C_H_T_E_S_T_", LeftOut::kTest},            // Catch2, before 3.4
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

}  // namespace

std::string_view left_out_text(LeftOut why) {
  return std::ranges::find(kLeftOutTexts, why, &LeftOutText::why)->one;
}

bool is_library_name(std::string_view qualified_name) {
  return qualified_name.starts_with("std::") || qualified_name.starts_with("__gnu_cxx::") ||
         qualified_name.starts_with("__cxxabiv1::") || qualified_name.starts_with("__gthread_");
}

bool is_trampoline_name(std::string_view qualified_name) {
  constexpr std::string_view kPrefixes[] = {
      "std::thread::",        "std::jthread::",     "std::__invoke",   "std::invoke",
      "std::_Bind",           "std::function",      "std::_Function_", "std::_Mem_fn",
      "std::__future_base::", "std::packaged_task", "std::call_once",  "std::__async",
  };
  return std::ranges::any_of(
      kPrefixes, [&](std::string_view prefix) { return qualified_name.starts_with(prefix); });
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
