#include "analysis/doublechecker/octet_simulator.h"

#include <utility>

namespace isosan::icd {

using octet::State;
using octet::Transition;

void OctetSimulator::transition(State& state, bool write, ThreadId thread, ThreadState& mine) {
  const octet::Step step = octet::step(state, write, thread, mine.rdsh_known, rdsh_count_ + 1);
  switch (step.transition) {
    case Transition::kSame:
    case Transition::kUpgradeToWrite:  // its dependences are implied by edges that are there
      break;
    case Transition::kFirst:
      becomes_rdex_ |= !write;
      break;
    case Transition::kConflict:  // handleConflictingTransition
      sources_.push_back(of(state.owner).current);
      becomes_rdex_ |= !write;
      break;
    case Transition::kConflictShared:
      for (const ThreadState& other : threads_) {
        if (&other != &mine) sources_.push_back(other.current);
      }
      break;
    case Transition::kUpgradeToShared:  // handleUpgradingTransition
      sources_.push_back(of(state.owner).last_rdex);
      sources_.push_back(last_rdsh_);
      mine.rdsh_known = ++rdsh_count_;
      becomes_rdsh_ = true;
      break;
    case Transition::kFence:  // handleFenceTransition
      sources_.push_back(last_rdsh_);
      mine.rdsh_known = state.counter;
      break;
  }
  state = step.next;
}

void OctetSimulator::access(ThreadId thread, Address address, std::uint64_t size, bool write) {
  ThreadState& mine = of(thread);
  const Address first = address & ~Address{7};
  const Address end = (address + size + 7) & ~Address{7};
  granules_.visit(first, end - first,
                  [&](State& state) { transition(state, write, thread, mine); });
}

void OctetSimulator::synchronize(ThreadId thread, Address object, bool write) {
  transition(objects_[object], write, thread, of(thread));
}

void OctetSimulator::renew(Address address, std::uint64_t size) {
  const Address first = (address + 7) & ~Address{7};
  const Address end = (address + size) & ~Address{7};
  if (first < end) granules_.reset(first, end - first);
}

void OctetSimulator::set_transaction(ThreadId thread, TxId tx) {
  ThreadState& mine = of(thread);
  if (std::exchange(becomes_rdex_, false)) mine.last_rdex = tx;
  if (std::exchange(becomes_rdsh_, false)) last_rdsh_ = tx;
  sources_.clear();
}

}  // namespace isosan::icd
