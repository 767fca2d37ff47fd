// Law: marathon reports on exactly those (merged) atomic sets whose projection is not serializable.
#include "property/marathon/set_oracle.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/property.h"
#include "property/marathon/random_program.h"

namespace isosan::test {
namespace {

// "C0 + C2" names two classes of one merged set.
std::set<std::string> first_name(const std::string& subject) {
  return {subject.substr(0, subject.find(' '))};
}

TEST(SetOracle, MarathonReportsExactlyTheViolatedSets) {
  int violated = 0, clean = 0;
  const auto law = [&] {
    RandomProgram random(random_steps());
    const auto expected = violated_sets(random.program.events(), random.program.tables());
    ++(expected.empty() ? clean : violated);
    std::set<std::set<std::string>> reported;
    for (const Finding& finding : random.program.findings()) {
      const std::string name = *first_name(finding.subject).begin();
      bool known = false;
      for (const std::set<std::string>& group : expected) {
        if (!group.contains(name)) continue;
        reported.insert(group);
        known = true;
      }
      if (!known) RC_FAIL("reported, but serializable: " + name + "\n" + text_of(random.program));
    }
    if (reported != expected) RC_FAIL("a violated set is missing\n" + text_of(random.program));
  };
  EXPECT_TRUE(law_holds(law, {12'000, 300'000}));
  EXPECT_GT(violated, 2000);
  EXPECT_GT(clean, 3000);
}

}  // namespace
}  // namespace isosan::test
