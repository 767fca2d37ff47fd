// The identities that every layer shares. Dense, so that state lives in vectors.
#pragma once

#include <cstdint>

namespace isosan {

using Address =
    std::uint64_t;  // a location, a lock, an object: anything that has an address in the target

enum class ThreadId : std::uint32_t {};  // the order of birth in the trace; the main thread is 0
enum class SiteId : std::uint32_t {};    // one static program point
enum class FunctionId : std::uint32_t {};
enum class RegionId : std::uint32_t {};  // what should be atomic, deterministic or a unit of work
enum class ModuleId : std::uint32_t {};
enum class StringId : std::uint32_t {};
enum class ContextId : std::uint32_t {
};  // a node of the calling-context tree; 0 is the empty stack

inline constexpr SiteId kNoSite{0};
inline constexpr FunctionId kNoFunction{0};
inline constexpr RegionId kNoRegion{0};
inline constexpr StringId kNoString{0};  // the empty string
inline constexpr ContextId kEmptyStack{0};

template <class Id>
constexpr std::uint32_t index(Id id) {
  return static_cast<std::uint32_t>(id);
}

}  // namespace isosan
