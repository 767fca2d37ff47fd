// x86-64 machine code, instruction by instruction: as much as it takes to know where the next one
// begins, and whether this one calls, jumps or takes an address relative to itself.
//
// Model (the processor's manual, volume 2, "Instruction format"): prefixes, an opcode of one of four
// maps, an operand byte with what belongs to it, a constant. VEX and EVEX say the map in a prefix.
// Law: an instruction that is not known has length 0, and nothing behind it is believed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace isosan {

enum class RefersTo : std::uint8_t {
  kNothing,
  kCode,     // call, jmp, jcc with a distance of 32 bits
  kAddress,  // lea of one
};

struct X86Instruction {
  std::size_t length = 0;
  RefersTo refers_to = RefersTo::kNothing;  // by its last four bytes
};

X86Instruction x86_instruction(std::span<const std::byte> code);

}  // namespace isosan
