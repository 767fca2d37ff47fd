// The edges of a function that the pass emits, executed in every state of the thread that they
// depend on, against contract/nested_calls.h. There is no runtime: stubs count its calls, and this
// file plays the thread.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "runtime/contract/fast_path.h"
#include "runtime/contract/nested_calls.h"

extern "C" {
extern std::uint64_t isosan_slow_enters, isosan_slow_exits;
void isosan_test_call();
void isosan_test_inside();
extern isosan::rt::FunctionRecord __start_isosan_functions[], __stop_isosan_functions[];
}

namespace isosan::rt {
namespace {

std::function<void()> inside;  // what happens between the two edges

struct Edge {  // as calls/call_stack.h has it
  std::uint64_t place, address, frame, name;
  std::uint32_t kind, padding;
  std::uint64_t of_mode;
  bool operator==(const Edge&) const = default;
};
static_assert(sizeof(Edge) == kOpenEdgeBytes && offsetof(Edge, kind) == kOffsetEdgeKind);

struct ThreadWords {  // what compiled code finds behind ThreadBlock::runtime
  log::ThreadBlock* appends;
  const std::uint64_t* covered;
  std::uint64_t published;
  Edge* edges;
  std::uint64_t count;
};
static_assert(offsetof(ThreadWords, edges) == kOffsetEdges);
static_assert(offsetof(ThreadWords, count) == kOffsetEdgeCount);

constexpr std::uint64_t kRingUnits = 8, kPosition = 3;
constexpr std::uint8_t kAllFlags[] = {
    log::kFunctionLogged,
    log::kFunctionLogged | log::kFunctionRegion,
    log::kFunctionLogged | log::kFunctionNests,
    log::kFunctionLogged | log::kFunctionNests | log::kFunctionRegion,
    log::kFunctionLogged | log::kFunctionNests | log::kFunctionRegion | log::kFunctionFixed,
    log::kFunctionLogged | log::kFunctionNests | log::kFunctionRegion | log::kFunctionUnlogged,
    log::kFunctionLogged | log::kFunctionNests | log::kFunctionRegion | log::kFunctionNested,
    log::kFunctionLogged | log::kFunctionNests | log::kFunctionNested | log::kFunctionCut};

// What the edges depend on, besides the flags.
struct State {
  std::uint32_t depth = 1;
  std::uint32_t poll = 0;
  std::uint64_t walks = 0;
  std::uint64_t count = 2;
  bool hidden = false;
};

std::vector<State> all_states() {
  std::vector<State> states;
  for (const std::uint32_t depth : {0, 1, 2})
    for (const std::uint32_t poll : {0, 1})
      for (const std::uint64_t walks : {0, 1})
        for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2},
                                          kMaxOpenEdges - 1, kMaxOpenEdges, kMaxOpenEdges + 1})
          for (const bool hidden : {false, true})
            if (depth <= count) states.push_back({depth, poll, walks, count, hidden});
  return states;
}

class EmittedCalls : public testing::Test {
 protected:
  EmittedCalls() {
    for (FunctionRecord* r = __start_isosan_functions; r != __stop_isosan_functions; ++r) {
      const char* name = reinterpret_cast<const char*>(&r->linkage_name) + r->linkage_name;
      if (std::strcmp(name, "isosan_test_call") == 0) record_ = r;
    }
    block_.ring = reinterpret_cast<std::uint64_t>(ring_);
    block_.ring_mask = kRingUnits - 1;
    block_.runtime = reinterpret_cast<std::uint64_t>(&words_);
    __isosan_self = &block_;
  }

  void prepare(std::uint8_t flags, const State& state) {
    ASSERT_NE(record_, nullptr);
    record_->flags = flags;
    block_.region_depth = state.depth;
    block_.poll.store(state.poll);
    block_.open_walks = state.walks;
    block_.position = kPosition;
    block_.limit = state.hidden ? kPosition : kRingUnits;
    block_.room = state.hidden ? kRingUnits : 0;
    words_.count = state.count;
    isosan_slow_enters = isosan_slow_exits = 0;
    for (log::LogUnit& unit : ring_) unit = {};
  }

  Edge nested(std::uint8_t flags) const {
    return {reinterpret_cast<std::uint64_t>(record_), 0, 0, 0, nested_edge(flags), 0, 0};
  }

  FunctionRecord* record_ = nullptr;
  log::LogUnit ring_[kRingUnits] = {};
  std::vector<Edge> edges_ = std::vector<Edge>(kMaxOpenEdges + 2);
  log::ThreadBlock block_;
  ThreadWords words_{&block_, nullptr, 0, edges_.data(), 0};
};

TEST_F(EmittedCalls, EnterDoesWhatTheContractSays) {
  for (const std::uint8_t flags : kAllFlags) {
    for (const State& state : all_states()) {
      prepare(flags, state);
      if (state.count < kMaxOpenEdges) edges_[state.count] = {1, 2, 3, 4, 5, 0, 7};
      inside = [&] {
        const bool is_nested = nests(flags) && state.depth >= regions_in(flags) &&
                               state.poll == 0 && state.walks == 0 && state.count < kMaxOpenEdges;
        EXPECT_EQ(isosan_slow_enters, is_nested ? 0u : 1u);
        EXPECT_EQ(words_.count, state.count + is_nested);
        EXPECT_EQ(block_.region_depth, state.depth + (is_nested ? regions_in(flags) : 0));
        EXPECT_EQ(block_.position, kPosition);
        if (!is_nested) return;
        EXPECT_EQ(edges_[state.count], nested(flags));
        EXPECT_EQ(block_.limit, kPosition);
        EXPECT_EQ(block_.room, kRingUnits);
      };
      isosan_test_call();
      ASSERT_FALSE(HasFailure()) << "flags " << int{flags} << " depth " << state.depth << " poll "
                                 << state.poll << " walks " << state.walks << " count "
                                 << state.count << " hidden " << state.hidden;
    }
  }
}

// Which edge the exit finds on top.
enum class Top { kOwn, kOwnLogged, kOfOther, kOfOtherKind };

TEST_F(EmittedCalls, ExitDoesWhatTheContractSays) {
  for (const std::uint8_t flags : kAllFlags) {
    for (const Top top : {Top::kOwn, Top::kOwnLogged, Top::kOfOther, Top::kOfOtherKind}) {
      for (const bool outer_logged : {false, true}) {
        for (const State& state : all_states()) {
          prepare(flags, {});
          inside = [&] {
            prepare(flags, state);
            if (state.count == 0 || state.count > kMaxOpenEdges) return;
            Edge& edge = edges_[state.count - 1] = nested(flags);
            if (top == Top::kOwnLogged) edge.kind |= kEdgeLogged;
            if (top == Top::kOfOther) edge.place += 32;
            if (top == Top::kOfOtherKind) edge.kind ^= 2 << 16;
            if (state.count > 1) edges_[state.count - 2].kind = outer_logged ? kEdgeLogged : 0;
          };
          isosan_test_call();
          const bool logged = top == Top::kOwnLogged;
          const bool is_nested =
              nests(flags) && state.depth >= 2 * regions_in(flags) && state.poll == 0 &&
              state.walks == 0 && state.count > 0 && state.count <= kMaxOpenEdges &&
              (top == Top::kOwn || (logged && state.depth != 0 && !state.hidden));
          EXPECT_EQ(isosan_slow_exits, is_nested ? 0u : 1u);
          EXPECT_EQ(words_.count, state.count - is_nested);
          EXPECT_EQ(block_.region_depth, state.depth - (is_nested ? regions_in(flags) : 0));
          EXPECT_EQ(block_.position, kPosition + (is_nested && logged));
          if (is_nested && logged) {
            const log::LogUnit unit = return_unit(reinterpret_cast<std::uint64_t>(record_));
            EXPECT_EQ(ring_[kPosition].word0, unit.word0);
            EXPECT_EQ(ring_[kPosition].word1, unit.word1);
          }
          const bool shows = is_nested && !logged && state.count > 1 && outer_logged;
          EXPECT_EQ(block_.limit, state.hidden && !shows ? kPosition : kRingUnits);
          ASSERT_FALSE(HasFailure())
              << "flags " << int{flags} << " top " << static_cast<int>(top) << " depth "
              << state.depth << " poll " << state.poll << " walks " << state.walks << " count "
              << state.count << " hidden " << state.hidden << " outer " << outer_logged;
        }
      }
    }
  }
}

}  // namespace
}  // namespace isosan::rt

extern "C" void isosan_test_inside() { isosan::rt::inside(); }
