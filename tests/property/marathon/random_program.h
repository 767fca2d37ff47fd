// Random programs for marathon: a few objects with two fields each, public and private member
// functions, a free function, a thread entry, annotated blocks, waits, barriers, forks and joins,
// in three threads.
#pragma once

#include <rapidcheck.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "unit/marathon/program.h"

namespace isosan::test {

inline constexpr int kObjects = 3, kFields = 2, kThreads = 3;
inline const std::vector<std::string> kFieldNames = {"a", "b"};

struct Step {
  std::uint8_t thread, what, object, field;
};

// Plays the steps; what cannot be (a return without a call) is passed over.
struct RandomProgram {
  // Objects lie in one block of memory (analysis/marathon/blocks.h), or in one each.
  explicit RandomProgram(const std::vector<Step>& steps) {
    if (steps.size() % 2 == 0) program.spacing = 32;
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
        if (step.field % 3 == 0) split(t, step.object);
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

  // What ends the units of a thread. Which thread is forked or joined does not matter here.
  void split(int t, int which) {
    const int other = (t + 1) % kThreads;
    switch (which % 4) {
      case 0:
        program.wait(t);
        return;
      case 1:
        program.pass_barrier(t);
        return;
      case 2:
        program.fork(t, other);
        return;
      default:
        program.join(t, other);
        return;
    }
  }

  Program program;
  std::vector<Program::Object> objects;
  std::vector<FunctionId> unit, helper;
  FunctionId free_function{}, entry{};
  std::map<int, std::vector<bool>> blocks;
};

inline std::string text_of(const Program& program) {
  std::ostringstream out;
  for (const Event& e : program.events()) {
    out << "T" << index(e.thread) << ' ' << name_of(e.kind) << ' ' << std::hex << e.address << ' '
        << std::dec << e.size << '\n';
  }
  return out.str();
}

inline std::vector<Step> random_steps() {
  const auto byte = rc::gen::inRange<std::uint8_t>(0, 240);
  const auto step =
      rc::gen::build<Step>(rc::gen::set(&Step::thread, byte), rc::gen::set(&Step::what, byte),
                           rc::gen::set(&Step::object, byte), rc::gen::set(&Step::field, byte));
  const int size = *rc::gen::inRange(1, 240);
  return *rc::gen::resize(size, rc::gen::container<std::vector<Step>>(step));
}

}  // namespace isosan::test
