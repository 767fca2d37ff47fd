#include "differential/intended.h"

#include <algorithm>
#include <utility>

#include "differential/objects.h"

namespace isosan::test {
namespace {

class Translator {
 public:
  Translator(const Program& program, Selection selection)
      : program_(program), selection_(selection) {}

  IntendedTrace translate() {
    is_region_.resize(program_.steps.size());
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (program_.steps[i].op == Op::kBegin) is_region_[i] = chosen(i);
    }
    for (std::size_t i = 0; i < program_.steps.size(); ++i) one(i);
    result_.trace = builder_.trace();
    return std::move(result_);
  }

 private:
  bool chosen(std::size_t begin) const {
    const Shape shape = program_.steps[begin].shape;
    if (!is_function(shape)) return true;
    if (selection_ == Selection::kNamed || shape == Shape::kMarkedFunction) {
      return shape != Shape::kPlainFunction;
    }
    return !waits_or_notifies(begin);
  }

  static bool notifies(Op op) { return op == Op::kNotify || op == Op::kPost; }
  // Starts a thread, or waits for others.
  static bool waits(Op op) {
    return op == Op::kWaitBegin || op == Op::kArrive || op == Op::kArriveLast || op == Op::kTake ||
           op == Op::kFork || op == Op::kJoin;
  }

  // Does the function itself (not one that it calls) notify, or it or one that it calls wait?
  bool waits_or_notifies(std::size_t begin) const {
    std::vector<std::size_t> open;
    for (std::size_t i = begin; i < program_.steps.size(); ++i) {
      const Step& s = program_.steps[i];
      if (s.thread != program_.steps[begin].thread) continue;
      if (s.op == Op::kBegin && is_function(s.shape)) open.push_back(i);
      if (s.op == Op::kEnd && is_function(program_.steps[s.begin].shape)) open.pop_back();
      if (open.empty()) return false;
      if (waits(s.op) || (notifies(s.op) && open.back() == begin)) return true;
    }
    return false;
  }

  void add(Event event, std::size_t step) {
    add_for(event, step, static_cast<std::size_t>(program_.steps[step].thread));
  }
  void add_for(Event event, std::size_t step, std::size_t thread) {
    event.thread = static_cast<ThreadId>(thread);
    builder_.add(event);
    result_.steps.push_back(step);
  }

  // As source_text.cc has it: a read-modify-write adds 1, and its value is used.
  static unsigned marks_of(Kind kind, Op op) {
    if (op == Op::kFailedExchange) return kCompareExchange;
    return kind == Kind::kAtomicRmw ? kStep | kValueUsed : 0;
  }

  void access(Kind kind, std::size_t i) {
    const Step& s = program_.steps[i];
    add({.kind = kind,
         .detail = static_cast<std::uint8_t>(static_cast<unsigned>(s.order) | marks_of(kind, s.op)),
         .address = s.object,
         .size = s.size},
        i);
  }

  void lock(Kind kind, std::size_t i, std::size_t lock, LockMode mode = LockMode::kExclusive) {
    add({.kind = kind, .detail = static_cast<std::uint8_t>(mode), .address = lock}, i);
  }

  void sync(Kind kind, std::size_t i, std::uint64_t generation = 0) {
    add({.kind = kind, .address = program_.steps[i].object, .size = generation}, i);
  }

  void one(std::size_t i) {
    const Step& s = program_.steps[i];
    switch (s.op) {
      case Op::kRead:
        return access(Kind::kRead, i);
      case Op::kWrite:
        return access(Kind::kWrite, i);
      case Op::kAtomicLoad:
      case Op::kFailedExchange:
        return access(Kind::kAtomicLoad, i);
      case Op::kAtomicStore:
        return access(Kind::kAtomicStore, i);
      case Op::kAtomicAdd:
        return access(Kind::kAtomicRmw, i);
      case Op::kFence:
        return add({.kind = Kind::kFence, .detail = static_cast<std::uint8_t>(s.order)}, i);
      case Op::kLock:
      case Op::kWriteLock:
        return lock(Kind::kAcquire, i, s.object);
      case Op::kReadLock:
        return lock(Kind::kAcquire, i, s.object, LockMode::kShared);
      case Op::kUnlock:
      case Op::kUnlockWriter:
        return lock(Kind::kRelease, i, s.object);
      case Op::kUnlockShared:
        return lock(Kind::kRelease, i, s.object, LockMode::kShared);
      case Op::kPost:
        return sync(Kind::kSemaphorePost, i);
      case Op::kTake:
        return sync(Kind::kSemaphoreWait, i);
      case Op::kOnce:
        sync(once_done_ ? Kind::kOnceSeen : Kind::kOnceDone, i);
        once_done_ = true;
        return;
      case Op::kNotify:
        return add({.kind = Kind::kNotify,
                    .detail = static_cast<std::uint8_t>(NotifyScope::kAll),
                    .address = s.object},
                   i);
      case Op::kWaitBegin:
        sync(Kind::kWaitBegin, i);
        return lock(Kind::kRelease, i, s.size);
      case Op::kWaitEnd:
        lock(Kind::kAcquire, i, s.size);
        return sync(Kind::kWaitEnd, i);
      case Op::kArrive:
        return sync(Kind::kBarrierArrive, i, round_);
      case Op::kArriveLast:
        sync(Kind::kBarrierArrive, i, round_);
        return sync(Kind::kBarrierDepart, i, round_);
      case Op::kDepart:
        return sync(Kind::kBarrierDepart, i, round_++);
      case Op::kFork:
        add({.kind = Kind::kFork, .address = s.object}, i);
        return add_for({.kind = Kind::kThreadStart}, i, s.object);
      case Op::kJoin:
        add_for({.kind = Kind::kThreadEnd}, i, s.object);
        return add({.kind = Kind::kJoin, .address = s.object}, i);
      case Op::kBegin:
        if (is_region_[i]) add({.kind = Kind::kBegin, .size = i + 1}, i);
        return;
      case Op::kEnd:
        if (is_region_[s.begin]) add({.kind = Kind::kEnd, .size = s.begin + 1}, i);
        return;
    }
  }

  const Program& program_;
  Selection selection_;
  TraceBuilder builder_;
  IntendedTrace result_;
  std::vector<bool> is_region_;  // by kBegin step
  std::uint64_t round_ = 0;
  bool once_done_ = false;
};

}  // namespace

IntendedTrace intended_trace(const Program& program, Selection selection) {
  return Translator(program, selection).translate();
}

}  // namespace isosan::test
