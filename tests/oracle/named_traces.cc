#include "oracle/named_traces.h"

namespace isosan::test {
namespace {

constexpr NamedTrace kTraces[] = {
    {"Empty", "", {}, {}},
    {"LostUpdate", "T0|begin(r)\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end(r)\n", 3, 3},
    {"StaleRead", "T0|begin(r)\nT0|w(x)\nT1|w(x)\nT0|r(x)\nT0|end(r)\n", 3, 3},
    {"ReadWriteRead", "T0|begin(r)\nT0|r(x)\nT1|w(x)\nT0|r(x)\nT0|end(r)\n", 3, 3},
    {"ForeignReadIsNoHarm", "T0|begin(r)\nT0|r(x)\nT1|r(x)\nT0|r(x)\nT0|w(x)\nT0|end(r)\n", {}, {}},
    {"NotAfterTheEnd", "T0|begin(r)\nT0|r(x)\nT0|end(r)\nT1|w(x)\nT0|w(x)\n", {}, {}},
    {"UnaryAccessesNeverViolate", "T0|r(x)\nT1|w(x)\nT0|w(x)\nT1|r(x)\nT0|r(x)\n", {}, {}},
    {"OpenAtTheEnd", "T0|begin(r)\nT0|r(x)\nT1|w(x)\nT0|w(x)\n", 3, 3},
    {"OnlyTheOutermostRegionCounts",
     "T0|begin(a)\nT0|begin(b)\nT0|r(x)\nT0|end(b)\nT1|w(x)\nT0|begin(c)\nT0|w(x)\nT0|end(c)\n"
     "T0|end(a)\n",
     6, 6},
    {"RegionsThatAreNotAtomic",
     "T0|begin.unit(a)\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end.unit(a)\n"
     "T0|begin.deterministic(b)\nT0|r(x)\nT1|w(x)\nT0|w(x)\nT0|end.deterministic(b)\n",
     {},
     {}},
    // The two traces on which published garbage rules fail.
    {"KnowledgeComesAfterTheReader",
     "T1|begin(a)\nT1|w(a)\nT2|begin(b)\nT2|r(a)\nT2|w(b)\nT2|end(b)\nT0|begin(c)\nT0|w(c)\n"
     "T1|r(c)\nT1|end(a)\nT0|r(b)\nT0|end(c)\n",
     10, 10},
    {"EdgeInheritedByProgramOrder",
     "T0|begin(a)\nT0|w(a)\nT1|begin(b)\nT1|r(a)\nT1|end(b)\nT1|begin(c)\nT1|w(b)\nT1|end(c)\n"
     "T0|r(b)\nT0|end(a)\n",
     8, 8},
    {"EdgeInheritedByUnaryAccesses",
     "T0|begin(a)\nT0|w(a)\nT1|r(a)\nT1|w(c)\nT1|w(b)\nT0|r(b)\nT0|end(a)\n", 5, 5},
    {"EarlierUnaryAccessIsNotAfterLaterOnes",
     "T1|w(b)\nT0|begin(a)\nT0|w(a)\nT1|r(a)\nT0|r(b)\nT0|end(a)\n",
     {},
     {}},
    {"UnaryAccessOfSeveralPieces",
     "T2|w(x+0:4)\nT0|begin(a)\nT0|w(x+4:4)\nT1|w(x+0:8)\nT0|w(x+0:4)\nT0|end(a)\n", 4, 4},
    {"ThreeThreads",
     "T0|begin(a)\nT1|begin(b)\nT2|begin(c)\nT0|w(x)\nT1|r(x)\nT1|w(y)\nT2|r(y)\nT2|w(z)\nT0|r(z)"
     "\n",
     8, 8},
    {"ThreeThreadsClosedInTheMiddle",  // T0 -> T1 and T2 -> T0 first, T1 -> T2 closes
     "T0|begin(a)\nT1|begin(b)\nT2|begin(c)\nT0|w(x)\nT1|r(x)\nT2|w(z)\nT0|r(z)\nT1|w(y)\nT2|r(y)\n"
     "T0|end(a)\nT1|end(b)\nT2|end(c)\n",
     8, 8},
    {"FourThreadsThroughFinishedTransactions",
     "T0|begin(a)\nT0|w(x)\nT1|begin(b)\nT1|r(x)\nT1|w(y)\nT1|end(b)\nT2|begin(c)\nT2|r(y)\n"
     "T2|w(z)\nT2|end(c)\nT3|r(z)\nT3|w(v)\nT0|r(v)\nT0|end(a)\n",
     12, 12},
    {"ALongTransactionSeenByMany",
     "T0|begin(a)\nT0|w(x)\nT1|r(x)\nT1|w(p)\nT2|r(x)\nT2|w(q)\nT1|begin(b)\nT1|r(q)\nT2|w(p)\n"
     "T1|r(p)\nT1|end(b)\nT0|end(a)\n",
     {},
     {}},
    {"LockHandedOver",
     "T0|begin(a)\nT0|acq(l)\nT0|rel(l)\nT1|acq(l)\nT1|rel(l)\nT0|acq(l)\nT0|rel(l)\nT0|end(a)\n",
     5,
     {}},
    {"LockProtects",
     "T0|begin(a)\nT0|acq(l)\nT0|r(x)\nT0|w(x)\nT0|rel(l)\nT0|end(a)\nT1|begin(a)\nT1|acq(l)\n"
     "T1|r(x)\nT1|w(x)\nT1|rel(l)\nT1|end(a)\n",
     {},
     {}},
    {"ReentrantLockIsNotGivenUp",
     "T0|begin(a)\nT0|acq(l)\nT0|acq(l)\nT0|rel(l)\nT0|rel(l)\nT0|end(a)\nT1|begin(b)\nT1|acq(l)\n"
     "T1|rel(l)\nT1|end(b)\n",
     {},
     {}},
    {"SharedLocksDoNotOrderEachOther",
     "T0|begin(a)\nT0|acq.shared(l)\nT1|acq.shared(l)\nT1|rel.shared(l)\nT0|rel.shared(l)\n"
     "T1|acq.shared(l)\nT1|rel.shared(l)\nT0|acq.shared(l)\nT0|rel.shared(l)\nT0|end(a)\n",
     {},
     {}},
    {"ExclusiveAfterShared",
     "T0|begin(a)\nT0|acq.shared(l)\nT0|rel.shared(l)\nT1|acq(l)\nT1|rel(l)\nT0|acq.shared(l)\n",
     5,
     {}},
    {"ForkInside", "T0|begin(a)\nT0|fork(T1)\nT1|w(x)\nT0|r(x)\nT0|end(a)\n", 3, {}},
    {"JoinInside", "T1|w(x)\nT0|begin(a)\nT0|fork(T2)\nT2|r(x)\nT0|join(T2)\nT0|end(a)\n", 4, {}},
    {"JoinOfAThreadNeverForked", "T0|begin(a)\nT0|w(x)\nT1|r(x)\nT0|join(T1)\nT0|end(a)\n", 3, {}},
    {"JoinOfAThreadThatDidNothing",
     "T0|begin(a)\nT0|fork(T1)\nT2|begin(b)\nT2|join(T1)\nT2|w(x)\nT0|r(x)\nT0|end(a)\n",
     5,
     {}},
    {"JoinOfAThreadThatDidNothingAndWasNeverForked",
     "T0|begin(a)\nT0|w(y)\nT2|begin(b)\nT2|join(T1)\nT2|w(x)\nT0|r(x)\nT0|end(a)\n",
     {},
     {}},
    {"JoinOfAThreadInsideItsTransaction",
     "T1|begin(b)\nT1|w(x)\nT0|begin(a)\nT0|join(T1)\nT0|w(y)\nT1|r(y)\n",
     5,
     {}},
    {"OverlapOfSizes", "T0|begin(a)\nT0|r(x+0:4)\nT1|w(x+2:4)\nT0|w(x+3:1)\nT0|end(a)\n", 3, 3},
    {"NeighbouringBytes",
     "T0|begin(a)\nT0|r(x+0:4)\nT1|w(x+4:4)\nT0|w(x+0:4)\nT0|end(a)\n",
     {},
     {}},
    {"AnAccessOfManyGranules",
     "T0|begin(a)\nT0|r(x+0:48)\nT1|w(x+40:1)\nT0|w(x+32:16)\nT0|end(a)\n", 3, 3},
    {"ReusedMemoryIsNew",
     "T0|begin(a)\nT0|w(x)\nT0|free(x)\nT1|alloc(x)\nT1|w(x)\nT1|free(x)\nT0|alloc(x)\nT0|w(x)\n",
     {},
     {}},
    {"ReadModifyWrite", "T0|begin(a)\nT0|armw.relaxed(x)\nT1|armw.relaxed(x)\nT0|armw.relaxed(x)\n",
     3, 3},
    {"AtomicsAreData",
     "T0|begin(a)\nT0|astore.release(x)\nT1|aload.acquire(x)\nT1|astore.release(y)\n"
     "T0|aload.acquire(y)\n",
     4, 4},
    {"BarrierInside",
     "T0|begin(a)\nT0|arrive(b@1)\nT1|arrive(b@1)\nT1|depart(b@1)\nT0|depart(b@1)\nT0|end(a)\n",
     {},
     {}},
    {"BarrierTwice",
     "T0|begin(a)\nT0|arrive(b@1)\nT1|arrive(b@1)\nT1|depart(b@1)\nT0|depart(b@1)\nT1|arrive(b@2)\n"
     "T0|arrive(b@2)\nT0|depart(b@2)\nT0|end(a)\n",
     7,
     {}},
    {"SemaphorePingPong",
     "T0|begin(a)\nT0|post(s)\nT1|take(s)\nT1|post(t)\nT0|take(t)\nT0|end(a)\n",
     4,
     {}},
};

}  // namespace

std::span<const NamedTrace> named_traces() { return kTraces; }

}  // namespace isosan::test
