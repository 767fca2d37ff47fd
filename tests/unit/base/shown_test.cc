#include "base/shown.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

TEST(Shown, OrdinaryTextStaysAsItIs) {
  for (const char* text :
       {"", "Account::deposit(int)", "caf\u00e9", "\u65e5\u672c", "\U0001f600"}) {
    EXPECT_EQ(shown(text), text);
  }
}

TEST(Shown, ControlCharactersAreEscaped) {
  EXPECT_EQ(shown("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(shown("one\ntwo\tthree\r"), "one\\ntwo\\tthree\\x0d");
  EXPECT_EQ(shown(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(shown("\u009b31m"), "\\xc2\\x9b31m") << "an escape sequence of one character";
  EXPECT_EQ(shown("\u202egnp"), "\\xe2\\x80\\xaegnp") << "right to left";
}

TEST(Shown, WhatIsNoUtf8IsEscaped) {
  EXPECT_EQ(shown("\x9b\xff"), "\\x9b\\xff");
  EXPECT_EQ(shown("\xc3"), "\\xc3");
  EXPECT_EQ(shown("\xc0\x8a"), "\\xc0\\x8a") << "a line end in two bytes";
  EXPECT_EQ(shown("\xed\xa0\x80"), "\\xed\\xa0\\x80");
}

TEST(ShownLines, LineEndsStay) { EXPECT_EQ(shown_lines("a\x1b\n\tb\n"), "a\\x1b\n\tb\n"); }

}  // namespace
}  // namespace isosan
