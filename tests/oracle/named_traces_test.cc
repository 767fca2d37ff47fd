// The answers written beside the named traces are those of the definition.
#include "oracle/named_traces.h"

#include <gtest/gtest.h>

#include "oracle/serializability_oracle.h"
#include "oracle/trace_builder.h"

namespace isosan::test {
namespace {

class NamedTraces : public testing::TestWithParam<NamedTrace> {};

TEST_P(NamedTraces, HaveTheAnswerOfTheDefinition) {
  const Trace trace = parse_trace(GetParam().text);
  EXPECT_EQ(SerializabilityOracle(trace.events, true).first_violation(), GetParam().violation);
  EXPECT_EQ(SerializabilityOracle(trace.events, false).first_violation(),
            GetParam().violation_data_only);
}
INSTANTIATE_TEST_SUITE_P(Named, NamedTraces, testing::ValuesIn(named_traces()),
                         [](const auto& named) { return std::string(named.param.name); });

}  // namespace
}  // namespace isosan::test
