// The random traces are worth something only if they are varied: both verdicts, every kind of
// event.
#include "oracle/random_trace.h"

#include <gtest/gtest.h>

#include <set>

#include "oracle/happens_before_oracle.h"
#include "oracle/property.h"
#include "oracle/serializability_oracle.h"

namespace isosan::test {
namespace {

TEST(RandomTraces, AreVaried) {
  constexpr int kTraces = 2000;
  int with_sync = 0, data_only = 0, racy = 0;
  std::set<Kind> kinds;
  const auto count = [&](const Trace& t) -> std::string {
    with_sync += !SerializabilityOracle(t.events, true).serializable();
    data_only += !SerializabilityOracle(t.events, false).serializable();
    racy += !HappensBeforeOracle(t.events).races().empty();
    for (const Event& e : t.events) kinds.insert(e.kind);
    return "";
  };
  ASSERT_TRUE(holds_on_random_traces({}, count, {kTraces, kTraces}));
  RecordProperty("not_serializable", with_sync);
  RecordProperty("not_serializable_data_only", data_only);
  RecordProperty("racy", racy);
  EXPECT_GT(with_sync, kTraces * 30 / 100);
  EXPECT_LT(with_sync, kTraces * 60 / 100);
  EXPECT_GT(data_only, kTraces * 25 / 100);
  EXPECT_LT(data_only, with_sync);
  EXPECT_GT(racy, kTraces * 30 / 100);
  EXPECT_EQ(kinds.size(), kKindCount - 2) << "all but call and return";
}

TEST(RandomTraces, ShrinkToTheFewestEvents) {
  const auto no_violation = [](const Trace& t) -> std::string {
    return SerializabilityOracle(t.events, true).serializable() ? "" : "not serializable";
  };
  const auto result = holds_on_random_traces({}, no_violation);
  ASSERT_FALSE(result);
  // A begin, an access, a foreign one, an access: nothing shorter violates.
  EXPECT_NE(std::string(result.message()).find("|4\n"), std::string::npos) << result.message();
  EXPECT_EQ(std::string(result.message()).find("|5\n"), std::string::npos) << result.message();
}

}  // namespace
}  // namespace isosan::test
