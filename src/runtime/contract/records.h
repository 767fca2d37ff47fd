// The static tables of the pass: one record for each access site and each function. Records have a
// fixed size, so that a section is an array. Strings are 32-bit self-relative offsets (0: none), so
// that the sections need no relocation. The reader finds the tables in the file by section name;
// `place` in a log unit is the address of a record.
#pragma once

#include <cstddef>
#include <cstdint>

namespace isosan::rt {

inline constexpr const char* kSiteSection = "isosan_sites";
inline constexpr const char* kFunctionSection = "isosan_functions";
inline constexpr const char* kAnnotationSection = "isosan_annotations";

enum FunctionAttribute : std::uint8_t {
  kExternal = 1,
  kThreadEntry = 2,
  kWaitsOrNotifies = 4,
  kSynchronizes = 8,
  kNoEdges = 16,  // known by name only, never logged: a trivial leaf, library code
};

// Writable: the runtime fills `flags` before the module's constructors run; the edges of the
// function test that byte and call only if it is not 0.
struct alignas(32) FunctionRecord {
  std::int32_t name = 0;  // demangled, qualified, without parameters and template arguments
  std::int32_t linkage_name = 0;
  std::int32_t class_name = 0;
  std::int32_t file = 0;
  std::uint32_t line = 0;
  std::uint8_t flags = 0;          // log::FunctionFlags
  std::uint8_t accessibility = 0;  // isosan::Accessibility
  std::uint8_t attributes = 0;     // FunctionAttribute
  std::uint8_t call_logged = 0;    // the runtime's: a call of it is in the log (modes/locksets.cc)
  std::uint32_t annotations = 0;   // isosan::Annotation
  std::uint32_t class_size = 0;    // bytes of an object of the class; 0: no member, or not known
};
static_assert(sizeof(FunctionRecord) == 32);
static_assert(offsetof(FunctionRecord, flags) == 20);

struct alignas(32) SiteRecord {
  std::int32_t function = 0;  // self-relative offset of its FunctionRecord
  std::int32_t file = 0;
  std::uint32_t line = 0;
  std::uint16_t column = 0;
  std::uint8_t access = 0;  // isosan::Kind; for the edges of an annotated block kBegin
  std::uint8_t size = 0;    // bytes where fixed, 0: a range
  std::int32_t class_name = 0;
  std::int32_t field = 0;  // an annotated block: its name
  std::uint32_t field_offset = 0;
  std::int32_t inlined_at =
      0;  // self-relative offset of the SiteRecord of the call that was inlined
};
static_assert(sizeof(SiteRecord) == 32);

// What <isosan/isosan.h> says of data: a field (class_name, field, field_offset), a global (symbol)
// or a parameter (function, parameter, and class_name of what it refers to). Several records may
// say the same.
struct alignas(32) AnnotationRecord {
  std::int32_t text = 0;  // "isosan:atomic_set:name", "isosan:owned", ...
  std::int32_t class_name = 0;
  std::int32_t field = 0;
  std::uint32_t field_offset = 0;
  std::int32_t symbol = 0;      // linkage name
  std::int32_t function = 0;    // linkage name
  std::uint32_t parameter = 0;  // from 0; `this` counts
  std::uint32_t reserved = 0;
};
static_assert(sizeof(AnnotationRecord) == 32);

}  // namespace isosan::rt
