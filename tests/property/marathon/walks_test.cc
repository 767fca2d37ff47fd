// A walk means what its accesses mean, one by one; and an access that is put off what it means at
// once.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "event/event.h"
#include "oracle/property.h"
#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

constexpr Address kMemory = 0x10000;
constexpr std::uint64_t kBytes = 1400;  // of an array: some blocks of memory
constexpr std::size_t kNoneDeferred = 1;

struct Step {
  std::uint8_t thread, what, array;
  std::uint16_t at, count, stride;
};

class ArrayProgram {
 public:
  explicit ArrayProgram(const std::vector<Step>& steps) {
    for (const char* name : {"A", "B"}) {
      units_.push_back(program_.method(std::string(name) + "::unit"));
      const Address address = kMemory + 1500 * (units_.size() - 1);
      program_.tables().symbols.push_back({address, kBytes, name});
      arrays_.push_back({address, name, {}});
    }
    program_.tables().sites.resize(2);
    for (const Step& step : steps) play(step);
  }

  std::set<std::string> cycles(bool one_by_one, std::size_t most_deferred) {
    FindingSink sink;
    Marathon marathon(sink, {.tables = &program_.tables(), .most_deferred = most_deferred});
    std::uint64_t ordinal = 0;
    for (const Event& e : events_) {
      if (one_by_one && is_walk(e)) {
        const WalkSteps steps = steps_of(e);
        Event element = e;
        element.depth = 0;
        element.size = steps.size;
        for (std::uint64_t i = 0; i < steps.count; ++i, element.address += steps.stride)
          dispatch(marathon, element, ordinal);
      } else {
        dispatch(marathon, e, ordinal);
      }
      ++ordinal;
    }
    marathon.finish();
    std::set<std::string> keys;
    for (const Finding& finding : sink.findings()) keys.insert(finding.key);
    return keys;
  }

 private:
  void add(Event e, int t) {
    e.thread = ThreadId{static_cast<std::uint32_t>(t)};
    events_.push_back(e);
  }

  void play(const Step& step) {
    const int t = step.thread % 3;
    const std::size_t which = step.array % 2;
    std::vector<FunctionId>& open = open_[t];
    const Address array = arrays_[which].address;
    switch (step.what % 14) {
      case 0:
      case 1:
        open.push_back(units_[which]);
        return add({.kind = Kind::kCall, .address = array, .size = index(open.back())}, t);
      case 2:
      case 3:
      case 4:
        if (open.empty()) return;
        add({.kind = Kind::kReturn, .size = index(open.back())}, t);
        return open.pop_back();
      case 5:
        if (step.at % 4 == 0) add({.kind = Kind::kAllocate, .address = array, .size = kBytes}, t);
        if (step.at % 4 == 1) free_some(step, t, array);
        return;
      case 12:
      case 13:
        return walk_again(step, t);
      default:
        return access(step, t, array);
    }
  }

  void free_some(const Step& step, int t, Address array) {
    const std::uint64_t from = step.at % kBytes;
    const std::uint64_t size = std::min<std::uint64_t>(1 + step.count % 600, kBytes - from);
    add({.kind = Kind::kFree, .address = array + from, .size = size}, t);
  }

  void access(const Step& step, int t, Address array) {
    Event e{.kind = step.what % 2 == 0 ? Kind::kRead : Kind::kWrite, .site = SiteId{1}};
    const std::uint64_t size = step.what % 3 == 0 ? 4 : 8;
    const std::uint64_t stride =
        std::vector<std::uint64_t>{size, 2 * size, 264, 520, 3}[step.stride % 5];
    const std::uint64_t from = step.at % (kBytes - size);
    const std::uint64_t most = (kBytes - size - from) / stride + 1;
    const std::uint64_t count = 1 + step.count % most;
    e.address = array + from;
    e.size = size;
    if (count > 1) {
      const bool down = step.count % 3 == 0;
      if (down) e.address += (count - 1) * stride;
      make_walk(e, {size, count, down ? -stride : stride});
      last_walks_[t] = {e};
    }
    add(e, t);
  }

  // The thread's last walk, a few bytes further; it stays in its array.
  void walk_again(const Step& step, int t) {
    for (Event& e : last_walks_[t]) {
      Event next = e;
      const std::uint64_t distance = std::vector<std::uint64_t>{4, 8, 8, 0, 12, 240}[step.at % 6];
      step.count % 4 == 0 ? next.address -= distance : next.address += distance;
      const WalkSteps steps = steps_of(next);
      const Address last = next.address + (steps.count - 1) * steps.stride;
      const auto is_inside = [&](const Program::Object& array) {
        return std::min(next.address, last) >= array.address &&
               std::max(next.address, last) + steps.size <= array.address + kBytes;
      };
      if (std::ranges::none_of(arrays_, is_inside)) return;
      add(e = next, t);
    }
  }

  Program program_;
  std::vector<FunctionId> units_;
  std::vector<Program::Object> arrays_;
  std::vector<Event> events_;
  std::map<int, std::vector<FunctionId>> open_;
  std::map<int, std::vector<Event>> last_walks_;  // none or one
};

std::vector<Step> random_steps() {
  const auto byte = rc::gen::inRange<std::uint8_t>(0, 240);
  const auto number = rc::gen::inRange<std::uint16_t>(0, 2000);
  const auto step =
      rc::gen::build<Step>(rc::gen::set(&Step::thread, byte), rc::gen::set(&Step::what, byte),
                           rc::gen::set(&Step::array, byte), rc::gen::set(&Step::at, number),
                           rc::gen::set(&Step::count, number), rc::gen::set(&Step::stride, number));
  return *rc::gen::resize(*rc::gen::inRange(1, 120), rc::gen::container<std::vector<Step>>(step));
}

TEST(Walks, MeanWhatTheirAccessesMean) {
  int found = 0;
  const auto law = [&] {
    ArrayProgram program(random_steps());
    const std::set<std::string> expected = program.cycles(/*one_by_one=*/true, kNoneDeferred);
    found += !expected.empty();
    for (const std::size_t most_deferred : {std::size_t{5}, MarathonOptions{}.most_deferred}) {
      RC_ASSERT(program.cycles(/*one_by_one=*/true, most_deferred) == expected);
      RC_ASSERT(program.cycles(/*one_by_one=*/false, most_deferred) == expected);
    }
  };
  EXPECT_TRUE(law_holds(law, {2'000, 30'000}));
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace isosan::test
