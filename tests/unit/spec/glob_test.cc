#include "spec/glob.h"

#include <gtest/gtest.h>

namespace isosan {
namespace {

TEST(Glob, StarCrossesScopes) {
  EXPECT_TRUE(glob_matches("bank::*", "bank::Account::deposit"));
  EXPECT_TRUE(glob_matches("*::deposit", "bank::Account::deposit"));
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_FALSE(glob_matches("bank::*", "Bank::Account"));
}

TEST(Glob, MatchesTheWholeName) {
  EXPECT_FALSE(glob_matches("deposit", "Account::deposit"));
  EXPECT_FALSE(glob_matches("Account::dep", "Account::deposit"));
  EXPECT_TRUE(glob_matches("A?count", "Account"));
  EXPECT_FALSE(glob_matches("Account?", "Account"));
}

TEST(Glob, ComesBackToTheLastStar) {
  EXPECT_TRUE(glob_matches("*ab*ab", "aabxabab"));
  EXPECT_FALSE(glob_matches("*ab*abc", "aabxabab"));
}

}  // namespace
}  // namespace isosan
