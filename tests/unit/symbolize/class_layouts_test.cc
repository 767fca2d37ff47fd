#include "symbolize/class_layouts.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

constexpr char kDump[] = R"(bank:	file format elf64-x86-64

0x00001e6f: DW_TAG_class_type
              DW_AT_name	("Account<int (*)(long)>")
              DW_AT_byte_size	(0x38)

0x00001e70:   DW_TAG_inheritance
                DW_AT_type	(0x00000a4b "Base")
                DW_AT_data_member_location	(0x00)

0x00001e7e:   DW_TAG_member
                DW_AT_name	("balance_")
                DW_AT_type	(0x00001c85 "int")
                DW_AT_data_member_location	(0x30)

0x00001e75:   DW_TAG_member
                DW_AT_name	("mutex_")
                DW_AT_type	(0x00000a4b "std::mutex")
                DW_AT_data_member_location	(0x08)

0x00001e80:   DW_TAG_member
                DW_AT_name	("count_of_all_")
                DW_AT_external	(true)

0x00001e87:   DW_TAG_subprogram
                DW_AT_name	("deposit")

0x00002000: DW_TAG_subprogram
              DW_AT_name	("Account")

0x00003000: DW_TAG_structure_type
              DW_AT_name	("Empty")
)";

TEST(ClassLayouts, HoldTheMembersOfEachClass) {
  const std::vector<ClassLayout> all = parse_class_layouts(kDump);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "Account");
  EXPECT_EQ(all[0].size, 0x38u);
  ASSERT_EQ(all[0].members.size(), 2u);
  EXPECT_EQ(all[0].member_at(0), nullptr);
  EXPECT_EQ(all[0].member_at(8)->name, "mutex_");
  EXPECT_EQ(all[0].member_at(0x2f)->name, "mutex_");
  EXPECT_EQ(all[0].member_at(0x30)->name, "balance_");
  EXPECT_EQ(all[1].name, "Empty");
  EXPECT_EQ(all[1].member_at(0), nullptr);
}

TEST(ClassLayouts, WhatIsNoDumpHasNone) {
  EXPECT_TRUE(parse_class_layouts("").empty());
  EXPECT_TRUE(parse_class_layouts("0x1: DW_TAG_class_type").at(0).members.empty());
  EXPECT_TRUE(
      parse_class_layouts("              DW_AT_name	(\"x\")\n0x:   DW_TAG_member").empty());
  EXPECT_TRUE(class_layouts("/no/such/file", {"Account"}).empty());
  EXPECT_TRUE(class_layouts("/proc/self/exe", {"a'b", ""}).empty());
}

}  // namespace
}  // namespace isosan
