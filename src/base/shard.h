// A part of work that is split without anybody who deals it out.
//
// Law: each piece of work belongs to exactly one of the `count` shards, by a hash of what it is. The
// hash is FNV-1a with the finalizer of MurmurHash3, and part of the promise: shards of one piece of
// work may run on different machines.
#pragma once

#include <cstdint>
#include <string_view>

namespace isosan {

struct Shard {
  std::uint64_t index = 1;  // from 1
  std::uint64_t count = 1;

  bool owns(std::string_view work) const { return hash(work) % count == index - 1; }

  static constexpr std::uint64_t hash(std::string_view work) {
    std::uint64_t value = 0xcbf29ce484222325;
    for (const char c : work) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    value = (value ^ value >> 33) * 0xff51afd7ed558ccd;
    value = (value ^ value >> 33) * 0xc4ceb9fe1a85ec53;
    return value ^ value >> 33;
  }

  bool operator==(const Shard&) const = default;
};

}  // namespace isosan
