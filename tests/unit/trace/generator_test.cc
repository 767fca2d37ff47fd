#include "trace/generator.h"

#include <gtest/gtest.h>

#include <set>

#include "trace/order/validator.h"
#include "unit/trace/serializability.h"
#include "unit/trace/trace_testing.h"

namespace isosan {
namespace {

using testing::TransactionGraph;
using testing::VectorSource;

struct Generated {
  std::vector<Event> events;
  std::optional<std::uint64_t> violation;
  Tables tables;
};

Generated generate(const GeneratorOptions& options) {
  Generator generator(options);
  Generated result;
  for (auto batch = generator.next(); !batch.empty(); batch = generator.next()) {
    result.events.insert(result.events.end(), batch.begin(), batch.end());
  }
  result.violation = generator.violation_ordinal();
  result.tables = generator.tables();
  return result;
}

bool serializable(const std::vector<Event>& events, std::size_t count, bool sync_edges) {
  TransactionGraph graph;
  for (std::size_t i = 0; i < count; ++i) graph.add(events[i], sync_edges);
  return !graph.has_cycle();
}

struct Family {
  const char* name;
  GeneratorOptions options;
};
std::ostream& operator<<(std::ostream& out, const Family& f) { return out << f.name; }

const Family kFamilies[] = {
    {"plain", {.events = 6000}},
    {"nested", {.events = 6000, .nested = true}},
    {"long_transaction", {.events = 6000, .long_transaction = true}},
    {"half_unary", {.events = 6000, .unary = 0.5}},
    {"many_threads", {.events = 9000, .threads = 1024}},
    {"three_threads", {.events = 3000, .threads = 3, .long_transaction = true, .nested = true}},
    {"few_variables", {.events = 3000, .threads = 3, .variables = 2, .locks = 5}},
    {"tiny", {.events = 40, .threads = 3, .variables = 4, .locks = 1}},
};

class GeneratorFamilies : public ::testing::TestWithParam<Family> {};

TEST_P(GeneratorFamilies, AreWellFormedAndOfTheLengthAskedFor) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    GeneratorOptions options = GetParam().options;
    options.seed = seed;
    const Generated g = generate(options);
    EXPECT_EQ(g.events.size(), options.events);
    Validator validator(std::make_unique<VectorSource>(g.events, g.tables), {});
    EXPECT_EQ(testing::read_all(validator).error, "");
    std::map<std::uint32_t, int> depth;
    for (const Event& e : g.events) {
      if (e.kind == Kind::kBegin) ++depth[index(e.thread)];
      if (e.kind == Kind::kEnd) --depth[index(e.thread)];
      ASSERT_LT(index(e.site), g.tables.sites.size());
    }
    for (const auto& [thread, open] : depth) EXPECT_EQ(open, 0) << "thread " << thread;
  }
}

TEST_P(GeneratorFamilies, AreSerializable) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    GeneratorOptions options = GetParam().options;
    options.seed = seed;
    const Generated g = generate(options);
    EXPECT_TRUE(serializable(g.events, g.events.size(), true)) << "seed " << seed;
    EXPECT_FALSE(g.violation.has_value());
  }
}

TEST_P(GeneratorFamilies, HaveOneViolationWhereAskedFor) {
  for (const double percent : {0.0, 50.0, 99.0, 100.0}) {
    GeneratorOptions options = GetParam().options;
    options.violation_at = percent;
    const Generated g = generate(options);
    EXPECT_EQ(g.events.size(), options.events);
    ASSERT_TRUE(g.violation.has_value());
    EXPECT_TRUE(serializable(g.events, *g.violation, true));
    EXPECT_FALSE(serializable(g.events, *g.violation + 1, true));
    EXPECT_TRUE(serializable(g.events, *g.violation + 1, false));
    EXPECT_FALSE(serializable(g.events, *g.violation + 2, false));
  }
}

INSTANTIATE_TEST_SUITE_P(All, GeneratorFamilies, ::testing::ValuesIn(kFamilies),
                         [](const auto& c) { return c.param.name; });

TEST(Generator, TransactionsOverlapAndDependOnEachOther) {
  const Generated g = generate({.events = 20000});
  std::map<std::uint32_t, std::set<std::uint32_t>> open;  // by thread: the others open beside it
  std::set<std::uint32_t> in;
  std::size_t overlapping = 0, lock_hand_overs = 0;
  std::map<Address, std::uint32_t> last;
  for (const Event& e : g.events) {
    if (e.kind == Kind::kBegin) {
      overlapping += !in.empty();
      in.insert(index(e.thread));
    }
    if (e.kind == Kind::kEnd) in.erase(index(e.thread));
    if (e.kind == Kind::kAcquire) {
      lock_hand_overs += last.contains(e.address) && last[e.address] != index(e.thread);
      last[e.address] = index(e.thread);
    }
  }
  EXPECT_GT(overlapping, 1000u);
  EXPECT_GT(lock_hand_overs, 500u);
}

TEST(Generator, TheUnaryFractionIsThatOfTheAccesses) {
  for (const double unary : {0.0, 0.5, 1.0}) {
    const Generated g = generate({.events = 100'000, .variables = 16, .unary = unary});
    std::map<std::uint32_t, int> depth;
    double outside = 0, all = 0;
    for (const Event& e : g.events) {
      if (e.kind == Kind::kBegin) ++depth[index(e.thread)];
      if (e.kind == Kind::kEnd) --depth[index(e.thread)];
      if (e.kind != Kind::kRead && e.kind != Kind::kWrite) continue;
      ++all;
      outside += depth[index(e.thread)] == 0;
    }
    EXPECT_NEAR(outside / all, unary, 0.03);
  }
}

TEST(Generator, SameParametersSameTrace) {
  EXPECT_EQ(generate({.events = 5000, .seed = 7}).events,
            generate({.events = 5000, .seed = 7}).events);
  EXPECT_NE(generate({.events = 5000, .seed = 7}).events,
            generate({.events = 5000, .seed = 8}).events);
}

TEST(Generator, RefusesWhatCannotBe) {
  EXPECT_THROW(Generator({.events = 10, .threads = 8}), GeneratorError);
  EXPECT_THROW(Generator({.threads = 0}), GeneratorError);
  EXPECT_THROW(Generator({.variables = 1}), GeneratorError);
  EXPECT_THROW(Generator({.unary = 1.5}), GeneratorError);
  EXPECT_THROW(Generator({.threads = 1, .violation_at = 50}), GeneratorError);
  EXPECT_THROW(Generator({.threads = 2, .violation_at = 50, .long_transaction = true}),
               GeneratorError);
  EXPECT_THROW(Generator({.locks = 0, .violation_at = 50}), GeneratorError);
  EXPECT_THROW(Generator({.violation_at = 101}), GeneratorError);
}

}  // namespace
}  // namespace isosan
