// What a function by its name and place is for: code that drives others is not meant to be atomic,
// whatever it touches. For the heuristic `auto` (region_rules.h).
#pragma once

#include <cstdint>
#include <string_view>

#include "event/tables.h"

namespace isosan {

// Why a function is no region by heuristic. The order is that of the summary.
enum class LeftOut : std::uint8_t {
  kNo,  // it is one
  kByRule,
  kMain,
  kThreadEntry,
  kWaits,
  kLambda,
  kTest,
  kOpenMp,
  kInitializer,
  kSystemHeader,
  kSharesNothing,
  kLibrary,
  kOther,
};

struct LeftOutText {
  LeftOut why;
  std::string_view one, many;  // "1 lambda", "2 lambdas"
};
inline constexpr LeftOutText kLeftOutTexts[] = {
    {LeftOut::kByRule, "excluded by a rule", "excluded by a rule"},
    {LeftOut::kMain, "main", "main"},
    {LeftOut::kThreadEntry, "thread entry", "thread entries"},
    {LeftOut::kWaits, "that waits or notifies", "that wait or notify"},
    {LeftOut::kLambda, "lambda", "lambdas"},
    {LeftOut::kTest, "test body", "test bodies"},
    {LeftOut::kOpenMp, "OpenMP body", "OpenMP bodies"},
    {LeftOut::kInitializer, "static initializer", "static initializers"},
    {LeftOut::kSystemHeader, "of system headers", "of system headers"},
    {LeftOut::kSharesNothing, "without locks and atomics", "without locks and atomics"},
    {LeftOut::kLibrary, "of the C++ library", "of the C++ library"},
    {LeftOut::kOther, "not chosen", "not chosen"},
};
std::string_view left_out_text(LeftOut why);  // for one function

// Names of the C++ library and of the compiler: never a region by heuristic.
bool is_library_name(std::string_view qualified_name);

// Library code that calls the function, or the member, that a thread was started with: that one is
// the thread's entry. Not where it was started with a lambda: that may be inlined into library code,
// and what it calls is an operation of the thread.
bool is_trampoline(const Function& function);

// kNo: nothing speaks against it.
LeftOut not_meant(const Function& function);

}  // namespace isosan
