// Drawing intents, and making them simpler when a property fails.
#include <random>

#include "oracle/random_trace.h"

namespace isosan::test {
namespace {

using Random = std::minstd_rand;

int below(Random& random, int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

// What one trace is made of; drawn once per trace, so that traces differ in kind and not only in
// order.
struct Recipe {
  int threads, variables, locks;
  bool byte_ranges, odd_regions;
  bool guarded;                 // nearly all accesses under one lock: few races
  std::vector<Intention> menu;  // an intention as often as its weight
};

Recipe draw_recipe(Random& random, const RandomTraceOptions& options) {
  Recipe r{.threads = 2 + below(random, options.max_threads - 1),
           .variables = 1 + below(random, options.max_variables),
           .locks = 1 + below(random, 3),
           .byte_ranges = options.byte_ranges && below(random, 3) == 0,
           .odd_regions = options.region_kinds && below(random, 8) == 0,
           .guarded = below(random, 3) == 0};
  const auto add = [&](Intention what, int weight) { r.menu.insert(r.menu.end(), weight, what); };
  add(Intention::kRead, 10);
  add(Intention::kWrite, 8);
  add(Intention::kBegin, 3 + below(random, 4));
  add(Intention::kEnd, below(random, 6));
  const int locking = below(random, 3) * 2;
  add(Intention::kAcquire, locking);
  add(Intention::kRelease, locking + locking / 2);
  const int threading = below(random, 3);
  add(Intention::kFork, threading);
  add(Intention::kJoin, threading);
  add(Intention::kThreadEdge, threading / 2);
  if (options.atomics && below(random, 3) == 0) {
    add(Intention::kAtomicLoad, 3);
    add(Intention::kAtomicStore, 2);
    add(Intention::kAtomicRmw, 2);
    add(Intention::kFence, 1);
  }
  if (options.memory_reuse && below(random, 4) == 0) {
    add(Intention::kAllocate, 1);
    add(Intention::kFree, 1);
  }
  if (options.rare_sync && below(random, 4) == 0)
    for (Intention what :
         {Intention::kBarrier, Intention::kPost, Intention::kTake, Intention::kNotify,
          Intention::kWait, Intention::kOnce, Intention::kPublish, Intention::kObserve})
      add(what, below(random, 3));
  return r;
}

int objects_of(Intention what, const Recipe& r) {
  switch (what) {
    case Intention::kRead:
    case Intention::kWrite:
    case Intention::kAllocate:
    case Intention::kFree:
      return r.variables;
    case Intention::kAcquire:
    case Intention::kRelease:
      return r.locks;
    case Intention::kFork:
    case Intention::kJoin:
      return r.threads;
    case Intention::kBegin:
      return 4;
    case Intention::kAtomicLoad:
    case Intention::kAtomicStore:
    case Intention::kAtomicRmw:
      return 2;
    case Intention::kEnd:
    case Intention::kThreadEdge:
    case Intention::kFence:
    case Intention::kBarrier:
    case Intention::kPost:
    case Intention::kTake:
    case Intention::kNotify:
    case Intention::kWait:
    case Intention::kOnce:
    case Intention::kPublish:
    case Intention::kObserve:
      return 1;
  }
  return 1;
}

std::uint8_t draw_detail(Intention what, const Recipe& r, Random& random) {
  switch (what) {
    case Intention::kBegin:
      return static_cast<std::uint8_t>(r.odd_regions ? below(random, 3) : 0);
    case Intention::kAcquire:
    case Intention::kRelease:
    case Intention::kJoin:
      return static_cast<std::uint8_t>(below(random, 3) == 0);
    case Intention::kAtomicLoad:
    case Intention::kAtomicRmw:
      return static_cast<std::uint8_t>(below(random, 12));
    case Intention::kAtomicStore:
    case Intention::kFence:
      return static_cast<std::uint8_t>(below(random, 6));
    case Intention::kRead:
    case Intention::kWrite:
    case Intention::kEnd:
    case Intention::kFork:
    case Intention::kThreadEdge:
    case Intention::kAllocate:
    case Intention::kFree:
    case Intention::kBarrier:
    case Intention::kPost:
    case Intention::kTake:
    case Intention::kNotify:
    case Intention::kWait:
    case Intention::kOnce:
    case Intention::kPublish:
    case Intention::kObserve:
      return 0;
  }
  return 0;
}

Intent draw_intent(const Recipe& r, Random& random) {
  Intent i;
  i.what = r.menu[static_cast<std::size_t>(below(random, static_cast<int>(r.menu.size())))];
  i.thread = static_cast<std::uint8_t>(below(random, r.threads));
  i.object = static_cast<std::uint8_t>(below(random, objects_of(i.what, r)));
  i.detail = draw_detail(i.what, r, random);
  const bool plain = i.what == Intention::kRead || i.what == Intention::kWrite ||
                     i.what == Intention::kAllocate || i.what == Intention::kFree;
  if (plain && r.byte_ranges) {
    constexpr std::uint8_t kSizes[] = {1, 2, 3, 4, 8, 12, 16};
    i.offset = static_cast<std::uint8_t>(below(random, 12));
    i.size = kSizes[below(random, 7)];
  }
  return i;
}

std::vector<Intent> draw_intents(Random& random, const RandomTraceOptions& options) {
  const Recipe recipe = draw_recipe(random, options);
  std::vector<Intent> intents;
  const auto length = static_cast<std::size_t>(8 + below(random, options.max_intents - 7));
  while (intents.size() < length) {
    const Intent intent = draw_intent(recipe, random);
    const bool access = intent.what == Intention::kRead || intent.what == Intention::kWrite;
    const bool guarded = recipe.guarded && access && below(random, 16) != 0;
    if (guarded) intents.push_back({.what = Intention::kAcquire, .thread = intent.thread});
    intents.push_back(intent);
    if (guarded) intents.push_back({.what = Intention::kRelease, .thread = intent.thread});
  }
  return intents;
}

// The same intent with one thing about it simpler.
rc::Seq<Intent> simpler(const Intent& intent) {
  std::vector<Intent> result;
  const auto offer = [&](Intent changed) {
    if (!(changed == intent)) result.push_back(changed);
  };
  for (std::uint8_t object = 0; object < intent.object; ++object) {
    Intent changed = intent;
    changed.object = object;
    offer(changed);
  }
  for (std::uint8_t thread = 0; thread < intent.thread; ++thread) {
    Intent changed = intent;
    changed.thread = thread;
    offer(changed);
  }
  Intent changed = intent;
  changed.offset = 0;
  changed.size = 8;
  offer(changed);
  changed = intent;
  changed.detail = 0;
  offer(changed);
  return rc::seq::fromContainer(std::move(result));
}

rc::Seq<RandomTrace> simpler_traces(const RandomTrace& random) {
  const auto wrap = [](std::vector<Intent> intents) { return RandomTrace{std::move(intents)}; };
  return rc::seq::map(rc::seq::concat(rc::shrink::removeChunks(random.intents),
                                      rc::shrink::eachElement(random.intents, simpler)),
                      wrap);
}

}  // namespace

rc::Gen<RandomTrace> random_traces(const RandomTraceOptions& options) {
  return [options](const rc::Random& source, int /*size*/) {
    Random random(static_cast<Random::result_type>(rc::Random(source).next()));
    return rc::shrinkable::shrinkRecur(RandomTrace{draw_intents(random, options)}, simpler_traces);
  };
}

}  // namespace isosan::test
