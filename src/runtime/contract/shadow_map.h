// Where the shadow word of an address lives. The only law: the shadow of user memory is not itself
// user memory. Flipping one high bit does that on aarch64 (48 bits: 0x0000.., 0xaaaa.., 0xffff..
// become 0x4000.., 0xeaaa.., 0xbfff..) and on x86-64 (47 bits) at every setting of mmap
// randomisation; a lower bit collides at the widest setting on x86-64.
#pragma once

#include <cstdint>

namespace isosan::rt {

inline constexpr std::uint64_t kGranule = 8;  // bytes of memory for one 8-byte shadow word
inline constexpr std::uint64_t kShadowXor = std::uint64_t{1} << 46;
// Where the last writer of a granule, and a former reader, are kept (shadow/granule_tags.h). The
// first flips two bits (0xcaaa.., 0x9fff.. on aarch64), the second one (0x8aaa.., 0xdfff..). At the
// widest setting on x86-64 such a place may be taken; the runtime works without these two maps.
inline constexpr std::uint64_t kWritersXor = std::uint64_t{3} << 45;
inline constexpr std::uint64_t kReadersXor = std::uint64_t{1} << 45;

constexpr std::uint64_t granule_of(std::uint64_t address) { return address & ~(kGranule - 1); }
constexpr std::uint64_t shadow_address(std::uint64_t address) {
  return granule_of(address) ^ kShadowXor;
}

}  // namespace isosan::rt
