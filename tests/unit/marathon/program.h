// Small object-oriented programs as traces, with the tables that the pass would give.
//
//   Program p;
//   const auto transfer = p.method("Account::transfer");
//   const auto account = p.object("Account", {"checking", "savings"});
//   p.call(1, transfer, account).write(1, account, "checking").ret(1);
//   p.findings() ...
//
// Model: fields are 8 bytes each, in the order named. Every access has a site of its own. A method
// is public unless told otherwise.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/marathon/marathon.h"
#include "base/check.h"

namespace isosan::test {

struct ProgramObject {
  Address address = 0;
  std::string class_name;
  std::vector<std::string> fields;
};

class Program {
 public:
  using Object = ProgramObject;

  Address spacing = 4096;  // of objects

  FunctionId method(const std::string& name, Accessibility access = Accessibility::kPublic) {
    return function(name, name.substr(0, name.rfind("::")), access);
  }
  FunctionId function(const std::string& name, const std::string& class_name = "",
                      Accessibility access = Accessibility::kNone) {
    tables_.functions.push_back({.name = name, .class_name = class_name, .accessibility = access});
    return FunctionId{static_cast<std::uint32_t>(tables_.functions.size() - 1)};
  }
  Function& at(FunctionId id) { return tables_.functions[index(id)]; }

  // A global object, named after its class and number.
  Object object(const std::string& class_name, std::vector<std::string> fields) {
    const Object object{next_address_, class_name, std::move(fields)};
    tables_.symbols.push_back({object.address, 8 * object.fields.size(),
                               "global" + std::to_string(tables_.symbols.size())});
    next_address_ += spacing;
    return object;
  }
  // A global variable, or a static member ("C::x").
  Object global(const std::string& name) {
    const Object object{next_address_, "", {name}};
    tables_.symbols.push_back({object.address, 8, name});
    next_address_ += spacing;
    return object;
  }
  // A heap object that thread t allocates here.
  Object make(int t, const std::string& class_name, std::vector<std::string> fields) {
    const Object object{next_address_, class_name, std::move(fields)};
    next_address_ += spacing;
    add({.kind = Kind::kAllocate, .address = object.address, .size = 8 * object.fields.size()}, t);
    return object;
  }
  // The object of another class that lies in `outer` at a field.
  Object inside(const Object& outer, const std::string& field, const std::string& class_name,
                std::vector<std::string> fields) {
    return {outer.address + offset_of(outer, field), class_name, std::move(fields)};
  }

  Program& call(int t, FunctionId f, const Object& on = {}) {
    calls_[t].push_back(f);
    return add({.kind = Kind::kCall, .address = on.address, .size = index(f)}, t);
  }
  Program& ret(int t) {
    const FunctionId f = calls_[t].back();
    calls_[t].pop_back();
    return add({.kind = Kind::kReturn, .size = index(f)}, t);
  }
  // The innermost call is left without a return.
  Program& jump(int t) {
    calls_[t].pop_back();
    return *this;
  }
  Program& read(int t, const Object& o, const std::string& f) {
    return access(Kind::kRead, t, o, f);
  }
  Program& write(int t, const Object& o, const std::string& f) {
    return access(Kind::kWrite, t, o, f);
  }
  // An access from the same site.
  Program& again(Event access, const Object& o, const std::string& f) {
    access.address = o.address + offset_of(o, f);
    events_.push_back(access);
    return *this;
  }
  // From a field on. All walks have the same site.
  Program& walk(Kind kind, int t, const Object& o, const std::string& f, const WalkSteps& steps) {
    if (walk_site_ == SiteId{}) {
      tables_.sites.push_back({.access = kind});
      walk_site_ = SiteId{static_cast<std::uint32_t>(tables_.sites.size() - 1)};
    }
    Event e{.kind = kind, .address = o.address + offset_of(o, f), .site = walk_site_};
    make_walk(e, steps);
    return add(e, t);
  }
  Program& begin(int t, const Object& on = {}) {
    if (tables_.regions.size() == 1) {
      tables_.regions.push_back({.kind = RegionKind::kUnit, .name = "block"});
    }
    return add({.kind = Kind::kBegin, .detail = 2, .address = on.address, .size = 1}, t);
  }
  Program& end(int t) { return add({.kind = Kind::kEnd, .detail = 2, .size = 1}, t); }
  Program& wait(int t) {
    add({.kind = Kind::kWaitBegin, .address = 8}, t);
    return add({.kind = Kind::kWaitEnd, .address = 8}, t);
  }
  Program& pass_barrier(int t) {
    add({.kind = Kind::kBarrierArrive, .address = 16}, t);
    return add({.kind = Kind::kBarrierDepart, .address = 16}, t);
  }
  Program& take(int t) { return add({.kind = Kind::kSemaphoreWait, .address = 16}, t); }
  Program& fork(int t, int child) {
    return add({.kind = Kind::kFork, .address = static_cast<Address>(child)}, t);
  }
  Program& join(int t, int child) {
    return add({.kind = Kind::kJoin, .address = static_cast<Address>(child)}, t);
  }
  Program& free(int t, const Object& o) {
    return add({.kind = Kind::kFree, .address = o.address, .size = 8 * o.fields.size()}, t);
  }

  std::vector<Finding> findings(MarathonOptions options = {}) {
    FindingSink sink;
    options.tables = &tables_;
    Marathon marathon(sink, std::move(options));
    feed(marathon, events_, 0);
    marathon.finish();
    stats_.clear();
    for (const Stat& stat : marathon.stats()) stats_[stat.name] = stat.value;
    sets_ = marathon.sets();
    return sink.findings();
  }
  std::uint64_t stat(const std::string& name) const { return stats_.at(name); }
  const std::map<std::string, marathon::SetDescription>& sets() const { return sets_; }
  const std::vector<Event>& events() const { return events_; }
  Tables& tables() { return tables_; }

 private:
  static std::uint64_t offset_of(const Object& object, const std::string& field) {
    for (std::size_t i = 0; i < object.fields.size(); ++i) {
      if (object.fields[i] == field) return 8 * i;
    }
    ISOSAN_CHECK(false && "a field of the object");
    return 0;
  }
  Program& access(Kind kind, int t, const Object& object, const std::string& field) {
    const std::uint64_t offset = offset_of(object, field);
    const bool member = !object.class_name.empty();
    tables_.sites.push_back({.line = static_cast<std::uint32_t>(events_.size()),
                             .access = kind,
                             .class_name = object.class_name,
                             .field = member ? field : "",
                             .field_offset = static_cast<std::uint32_t>(offset)});
    return add({.kind = kind,
                .address = object.address + offset,
                .size = 8,
                .site = SiteId{static_cast<std::uint32_t>(tables_.sites.size() - 1)}},
               t);
  }
  Program& add(Event event, int t) {
    event.thread = ThreadId{static_cast<std::uint32_t>(t)};
    events_.push_back(event);
    return *this;
  }

  Tables tables_;
  std::vector<Event> events_;
  std::map<int, std::vector<FunctionId>> calls_;
  Address next_address_ = 0x10000;
  SiteId walk_site_{};
  std::map<std::string, std::uint64_t> stats_;
  std::map<std::string, marathon::SetDescription> sets_;
};

}  // namespace isosan::test
