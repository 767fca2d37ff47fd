// Lengths as the assembler makes them, one or more for each form of an instruction.
#include "symbolize/x86_instruction.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace isosan {
namespace {

// "48 01 45 e8"
std::vector<std::byte> bytes_of(const std::string& text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < text.size(); i += 3)
    bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
  return bytes;
}

struct Known {
  const char* text;  // in assembler
  const char* bytes;
  RefersTo refers_to = RefersTo::kNothing;
};

constexpr Known kKnown[] = {
    {"ret", "c3"},
    {"add %rax,-0x18(%rbp)", "48 01 45 e8"},
    {"mov $1,%edi", "bf 01 00 00 00"},
    {"mov $1,%di", "66 bf 01 00"},
    {"movabs $1,%rdi", "48 bf 01 00 00 00 00 00 00 00"},
    {"mov %eax,(%rsp)", "89 04 24"},
    {"mov 0x0(,%rax,8),%rax", "48 8b 04 c5 00 00 00 00"},
    {"mov 0x100(%rax,%rcx,1),%al", "8a 84 08 00 01 00 00"},
    {"movl $1,-0x18(%rbp)", "c7 45 e8 01 00 00 00"},
    {"movw $1,(%rax)", "66 c7 00 01 00"},
    {"test $1,%al", "f6 c0 01"},
    {"not %al", "f6 d0"},
    {"testl $1,(%rax)", "f7 00 01 00 00 00"},
    {"testw $1,(%rax)", "66 f7 00 01 00"},
    {"neg %eax", "f7 d8"},
    {"movabs 0x1122334455667788,%al", "a0 88 77 66 55 44 33 22 11"},
    {"enter $8,$0", "c8 08 00 00"},
    {"ret $8", "c2 08 00"},
    {"je .+2", "74 00"},
    {"je .+6", "0f 84 00 00 00 00", RefersTo::kCode},
    {"call .+5", "e8 00 00 00 00", RefersTo::kCode},
    {"data16 data16 rex.W call .+8", "66 66 48 e8 00 00 00 00", RefersTo::kCode},
    {"call *0x0(%rip)", "ff 15 00 00 00 00"},
    {"lea 0x0(%rip),%rax", "48 8d 05 00 00 00 00", RefersTo::kAddress},
    {"lea 0x8(%rax),%rax", "48 8d 40 08"},
    {"lock cmpxchg %ecx,(%rdx)", "f0 0f b1 0a"},
    {"endbr64", "f3 0f 1e fa"},
    {"pshufd $0,%xmm0,%xmm1", "66 0f 70 c8 00"},
    {"pshufb %xmm0,%xmm1", "66 0f 38 00 c8"},
    {"palignr $1,%xmm0,%xmm1", "66 0f 3a 0f c8 01"},
    {"vzeroupper", "c5 f8 77"},
    {"vpshufd $0,%xmm0,%xmm1", "c5 f9 70 c8 00"},
    {"vfmadd213ps %xmm0,%xmm1,%xmm2", "c4 e2 71 a8 d0"},
    {"vpalignr $1,%xmm0,%xmm1,%xmm2", "c4 e3 71 0f d0 01"},
    {"vmovdqu64 0x40(%rdi),%zmm16", "62 e1 fe 48 6f 47 01"},
    {"vpternlogd $0xff,%zmm0,%zmm0,%zmm0", "62 f3 7d 48 25 c0 ff"},
};

TEST(X86Instruction, HasTheLengthThatTheAssemblerGaveIt) {
  for (const Known& known : kKnown) {
    std::vector<std::byte> bytes = bytes_of(known.bytes);
    const std::size_t length = bytes.size();
    bytes.resize(length + 15);  // what follows does not count
    const X86Instruction found = x86_instruction(bytes);
    EXPECT_EQ(found.length, length) << known.text;
    EXPECT_EQ(found.refers_to, known.refers_to) << known.text;
  }
}

TEST(X86Instruction, HasNoLengthWhereItIsCutOffOrNone) {
  for (const Known& known : kKnown) {
    std::vector<std::byte> bytes = bytes_of(known.bytes);
    bytes.pop_back();
    EXPECT_EQ(x86_instruction(bytes).length, 0u) << known.text;
  }
  for (const char* none :
       {"06", "0f 04", "82 00 00", "66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90"})
    EXPECT_EQ(x86_instruction(bytes_of(none)).length, 0u) << none;
}

}  // namespace
}  // namespace isosan
