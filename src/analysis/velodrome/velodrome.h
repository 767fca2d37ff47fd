// Velodrome: conflict serializability (semantics.md), with the whole cycle as evidence.
//
// Model: each location and each synchronization object remembers its last steps (the last writer
// and the readers since; the slots W and R). An event depends on those that conflict with it; each
// dependence is an edge into the transaction that acts now. The edge closes a cycle exactly when
// that transaction already reaches the other end: then the way there, and back by this edge, is the
// finding, and the edge is left out. TransactionGraph answers both.
//
// Laws: verdict and first violating event are those of the definition; each finding's edges are
// dependences of the definition, unless Options::limits made it forget locations. Memory is bounded
// by threads and by the locations that open transactions have used, not by the length of the run; an access that its transaction repeats costs two compares.
//
// Paper: Flanagan, Freund, Yi, "Velodrome: a sound and complete dynamic atomicity checker for
// multithreaded programs", PLDI 2008. velodrome.md maps its symbols and says where we depart.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/velodrome/last_steps.h"
#include "analysis/velodrome/step.h"
#include "analysis/velodrome/transaction_graph.h"
#include "base/byte_map.h"
#include "base/location_room.h"
#include "base/object_map.h"
#include "event/analysis.h"
#include "event/finding_sink.h"
#include "event/stat.h"
#include "event/sync_effect.h"

namespace isosan {

struct VelodromeOptions {
  bool sync_edges = true;
  LocationLimits limits = {};
};

class Velodrome {
 public:
  using Options = VelodromeOptions;
  // All but Call and Return: they order nothing, and no dependence needs them as a step.
  using Handles = Events<Read, Write, AtomicLoad, AtomicStore, AtomicRmw, Fence, Acquire, Release,
                         Fork, Join, ThreadStart, ThreadEnd, Begin, End, WaitBegin, WaitEnd, Notify,
                         BarrierArrive, BarrierDepart, SemaphorePost, SemaphoreWait, OnceDone,
                         OnceSeen, Publish, Observe, Allocate, Free>;

  explicit Velodrome(FindingSink& findings, Options options = {});

  void on(const Read& e) { read(Kind::kRead, e); }
  void on(const AtomicLoad& e) { read(Kind::kAtomicLoad, e); }
  void on(const Write& e) { write(Kind::kWrite, e); }
  void on(const AtomicStore& e) { write(Kind::kAtomicStore, e); }
  void on(const AtomicRmw& e) {
    write(Kind::kAtomicRmw, e);
  }  // a write comes after all a read does

  void on(const Acquire& e) { lock_operation(Kind::kAcquire, e); }
  void on(const Release& e) { lock_operation(Kind::kRelease, e); }
  void on(const WaitEnd& e) {
    synchronize(Kind::kWaitEnd, e, static_cast<std::uint8_t>(e.outcome));
  }
  void on(const Notify& e) { synchronize(Kind::kNotify, e); }
  void on(const BarrierArrive& e) { synchronize(Kind::kBarrierArrive, e, 0, e.generation); }
  void on(const BarrierDepart& e) { synchronize(Kind::kBarrierDepart, e, 0, e.generation); }
  void on(const SemaphorePost& e) { synchronize(Kind::kSemaphorePost, e); }
  void on(const SemaphoreWait& e) { synchronize(Kind::kSemaphoreWait, e); }
  void on(const OnceDone& e) { synchronize(Kind::kOnceDone, e); }
  void on(const OnceSeen& e) { synchronize(Kind::kOnceSeen, e); }
  void on(const Publish& e) { synchronize(Kind::kPublish, e); }
  void on(const Observe& e) { synchronize(Kind::kObserve, e); }
  void on(const Fork& e);
  void on(const Join& e);

  void on(const Begin& e);
  void on(const End& e);
  void on(const Allocate& e) { renew(Kind::kAllocate, e); }
  void on(const Free& e) { renew(Kind::kFree, e); }

  // Events that order nothing; but a join may come after them, and a fork before.
  void on(const ThreadStart& e) { act(Kind::kThreadStart, e.where, 0, 0); }
  void on(const ThreadEnd& e) { act(Kind::kThreadEnd, e.where, 0, 0); }
  void on(const Fence& e) { act(Kind::kFence, e.where, 0, 0); }
  void on(const WaitBegin& e) { act(Kind::kWaitBegin, e.where, e.object, 0); }

  void between_batches();

  // A transaction that is still open adds nothing by ending.
  void finish() {
    findings_.complete("velodrome", [&](Finding& f) { f.executions = executions_of(f.region); });
  }
  // After the last event: this thread has aborted the program. Reports the open transactions that
  // others had stepped into: its own, and those of others that it had seen half done.
  void aborted_by(ThreadId thread);
  Stats stats() const;

 private:
  using Step = velodrome::Step;
  using StepDetail = velodrome::StepDetail;
  using LastSteps = velodrome::LastSteps;
  using Graph = velodrome::TransactionGraph;

  struct Closed {  // a thread with which the open transaction closed a cycle
    std::uint32_t thread = 0;
    bool settled = false;  // by data, and not unlikely: no later cycle says more
    std::string
        lock_finding_key;  // the key of the finding that it made, if a lock closed the cycle
  };
  struct alignas(64) Thread {
    std::uint64_t segment = 0;          // of the latest event; 0: there was none
    std::uint32_t number = 0;           // ThreadId + 1
    std::uint32_t depth = 0;            // of nested atomic regions; 0: what comes is unary
    StepDetail last;                    // the latest event, and the latest transaction's begin
    Graph::Slot open = Graph::kNoSlot;  // its transaction, exactly while depth > 0
    std::vector<Step> forks;            // its first event comes after these
    std::vector<Closed> closed_with;
    bool met = false, broken = false;  // its transaction is counted as contended, as not atomic

    Step now() const { return {segment, number, last}; }
  };

  [[gnu::always_inline]] Thread& thread_of(ThreadId id) {
    if (index(id) >= thread_count_) [[unlikely]]
      make_room_for(id);
    return threads_[index(id) + 1];
  }

  // The event as locations keep it. Built from registers even if me.last has the same:
  // loading as a whole what was just stored in parts is slow.
  [[gnu::always_inline]] static StepDetail detail_of(const Thread& me, Kind kind,
                                                     const Where& where, Address address,
                                                     std::uint64_t size) {
    return {StepDetail::event_of(where.ordinal, kind, me.depth == 0),
            address,
            static_cast<std::uint32_t>(size),
            where.site,
            where.context,
            me.last.region,
            me.last.begin_site,
            me.last.begin_context};
  }

  // Makes the event its thread's latest one. act() also starts a fresh thread.
  [[gnu::always_inline]] Thread& enter(Kind kind, const Where& where, Address address,
                                       std::uint64_t size) {
    Thread& me = thread_of(where.thread);
    me.last.event = StepDetail::event_of(where.ordinal, kind, me.depth == 0);
    me.last.address = address;
    me.last.size = static_cast<std::uint32_t>(size);
    me.last.site = where.site;
    me.last.context = where.context;
    return me;
  }
  [[gnu::always_inline]] Thread& act(Kind kind, const Where& where, Address address,
                                     std::uint64_t size) {
    Thread& me = enter(kind, where, address, size);
    if (me.segment == 0) [[unlikely]]
      start(me);
    return me;
  }

  [[gnu::always_inline]] void read(Kind kind, const Access& e) {
    Thread& me = act(kind, e.where, e.address, e.size);
    LastSteps* last = memory_.whole(e.address, e.size);
    if (last == nullptr) [[unlikely]]
      return read_pieces(me, e.address, e.size);
    if (last->read_segment() == me.segment || last->write_segment() == me.segment) return;
    if (depends(me, last->write_segment(), last->write_thread()))
      depend(me, last->write(), EdgeReason::kData);
    if (is_dead(me)) return;
    if (!may_replace_read(me, *last)) return last->add_read(me.now());
    last->set_read(me.segment, me.number, detail_of(me, kind, e.where, e.address, e.size));
  }

  [[gnu::always_inline]] void write(Kind kind, const Access& e) {
    Thread& me = act(kind, e.where, e.address, e.size);
    LastSteps* last = memory_.whole(e.address, e.size);
    if (last == nullptr) [[unlikely]]
      return write_pieces(me, e.address, e.size);
    if (last->has_reads()) {  // which come after the write
      depend_on_reads(me, *last, EdgeReason::kData);
    } else {
      if (last->write_segment() == me.segment) return;
      if (depends(me, last->write_segment(), last->write_thread()))
        depend(me, last->write(), EdgeReason::kData);
    }
    if (is_dead(me)) return;
    last->set_write(me.segment, me.number, detail_of(me, kind, e.where, e.address, e.size));
  }

  [[gnu::always_inline]] void lock_operation(Kind kind, const LockOperation& e) {
    Thread& me = act(kind, e.where, e.lock, 0);
    apply(me, sync_effect(kind, static_cast<std::uint8_t>(e.mode), e.depth), e.lock, 0);
  }
  void synchronize(Kind kind, const SyncOperation& e, std::uint8_t detail = 0,
                   std::uint64_t generation = 0) {
    Thread& me = act(kind, e.where, e.object, 0);
    apply(me, sync_effect(kind, detail), e.object, generation);
  }

  // May an edge from this segment to me change anything?
  bool depends(const Thread& me, std::uint64_t segment, std::uint32_t thread) const {
    return graph_.may_matter(segment, thread) && thread != me.number;
  }
  // A unary event that no open transaction reaches need not be recorded. Nor must older steps be
  // dropped for it: no open transaction reaches those either.
  bool is_dead(const Thread& me) const {
    return me.depth == 0 && !graph_.may_matter(me.segment, me.number);
  }
  bool may_replace_read(const Thread& me, const LastSteps& last) const {
    if (!last.has_reads() || last.read_thread() == me.number) return true;
    // It brings no new ancestor, but a finding may show it if its transaction closes a cycle.
    const Thread& reader = threads_[last.read_thread()];
    if (reader.depth > 0 && reader.segment == last.read_segment()) return false;
    return graph_.is_covered(last.read_segment(), last.read_thread(), me.number, me.open);
  }

  void make_room_for(ThreadId id);
  void start(Thread& me);
  template <class F>
  void for_each_piece(Thread& me, Address address, std::uint64_t size, F&& f);
  void read_pieces(Thread& me, Address address, std::uint64_t size);
  void write_pieces(Thread& me, Address address, std::uint64_t size);
  void apply(Thread& me, SyncEffect effect, Address object, std::uint64_t generation);
  void renew(Kind kind, const MemoryOperation& e);
  template <class F>
  void visit(Address address, std::uint64_t size, F&& f);
  bool matters(const LastSteps& last) const;
  void collect_objects();
  void come_after(Thread& me, const Step& earlier, EdgeReason reason);
  void depend(Thread& me, const Step& earlier, EdgeReason reason);
  void depend_on_reads(Thread& me, const LastSteps& last, EdgeReason reason);
  void report(Thread& me, const Step& earlier, EdgeReason reason);
  void meet(Thread& thread);
  Executions executions_of(RegionId region) const;
  void report_broken_off(const Thread& broken, const Step& other, bool by_itself);
  Finding finding_of(std::span<const velodrome::Dependence> cycle);
  Finding finished(Finding finding);

  FindingSink& findings_;
  const Options options_;
  Graph graph_;
  std::vector<Thread> threads_{1};  // [0] is unused
  std::uint32_t thread_count_ = 0;  // threads_.size() - 1
  ByteMap<LastSteps> memory_;
  LocationRoom room_;
  ObjectMap<LastSteps> objects_;
  std::size_t collect_at_ = 1024;  // objects
  std::uint64_t transactions_ = 0, cycles_ = 0;
  std::vector<Executions> executions_;  // by region
};
static_assert(Analysis<Velodrome>);

}  // namespace isosan
