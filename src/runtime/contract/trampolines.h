// Trampolines: library code that calls the function that a thread was started with
// (std::thread::_State_impl::_M_run and what it calls). Through the __tsan_* front they are functions like others. The reader sends
// their code ranges among those of the regions, with this bit in `end`. The first function of a
// thread inside trampolines is its entry.
#pragma once

#include <cstdint>

namespace isosan::log {

inline constexpr std::uint64_t kTrampolineBit = std::uint64_t{1} << 63;  // of RegionRange::end

}  // namespace isosan::log
