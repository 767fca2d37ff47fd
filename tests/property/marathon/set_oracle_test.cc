// Law: marathon reports on exactly those (merged) atomic sets whose projection is not serializable.
#include "property/marathon/set_oracle.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <sstream>

#include "oracle/property.h"
#include "unit/marathon/program.h"

namespace isosan::test {
namespace {

constexpr int kObjects = 3, kFields = 2, kThreads = 3;
const std::vector<std::string> kFieldNames = {"a", "b"};

struct Step {
  std::uint8_t thread, what, object, field;
};

// Plays the steps; what cannot be (a return without a call) is passed over.
struct RandomProgram {
  explicit RandomProgram(const std::vector<Step>& steps) {
    for (int i = 0; i < kObjects; ++i) {
      const std::string c = "C" + std::to_string(i);
      objects.push_back(program.object(c, kFieldNames));
      unit.push_back(program.method(c + "::unit"));
      helper.push_back(program.method(c + "::helper", Accessibility::kPrivate));
    }
    free_function = program.function("f");
    entry = program.function("entry");
    program.at(entry).thread_entry = true;
    for (const Step& step : steps) play(step);
  }

  void play(const Step& step) {
    const int t = step.thread % kThreads;
    const auto o = static_cast<std::size_t>(step.object % kObjects);
    const std::string& field = kFieldNames[step.field % kFields];
    std::vector<bool>& open = blocks[t];  // true: a block, false: a call
    switch (step.what % 16) {
      case 0:
      case 1:
        program.call(t, unit[o], objects[o]);
        return open.push_back(false);
      case 2:
        program.call(t, helper[o], objects[o]);
        return open.push_back(false);
      case 3:
        program.call(t, free_function);
        return open.push_back(false);
      case 4:
        if (!open.empty()) return;
        program.call(t, entry);
        return open.push_back(false);
      case 5:
        program.begin(t);
        return open.push_back(true);
      case 6:
      case 7:
      case 8:
        if (open.empty()) return;
        open.back() ? program.end(t) : program.ret(t);
        return open.pop_back();
      case 9:
        if (step.field % 3 == 0) program.wait(t);
        return;
      case 10:
      case 11:
      case 12:
        program.read(t, objects[o], field);
        return;
      default:
        program.write(t, objects[o], field);
        return;
    }
  }

  Program program;
  std::vector<Program::Object> objects;
  std::vector<FunctionId> unit, helper;
  FunctionId free_function{}, entry{};
  std::map<int, std::vector<bool>> blocks;
};

std::string text_of(const Program& program) {
  std::ostringstream out;
  for (const Event& e : program.events()) {
    out << "T" << index(e.thread) << ' ' << name_of(e.kind) << ' ' << std::hex << e.address << ' '
        << std::dec << e.size << '\n';
  }
  return out.str();
}

// "C0 + C2" names two classes of one merged set.
std::set<std::string> first_name(const std::string& subject) {
  return {subject.substr(0, subject.find(' '))};
}

TEST(SetOracle, MarathonReportsExactlyTheViolatedSets) {
  int violated = 0, clean = 0;
  const auto law = [&] {
    const auto byte = rc::gen::inRange<std::uint8_t>(0, 240);
    const auto step =
        rc::gen::build<Step>(rc::gen::set(&Step::thread, byte), rc::gen::set(&Step::what, byte),
                             rc::gen::set(&Step::object, byte), rc::gen::set(&Step::field, byte));
    const int size = *rc::gen::inRange(1, 240);
    const std::vector<Step> steps =
        *rc::gen::resize(size, rc::gen::container<std::vector<Step>>(step));
    RandomProgram random(steps);
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
