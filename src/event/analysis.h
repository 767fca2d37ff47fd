// The seam between the event stream and the analyses.
//
// An analysis is a class that lists what it handles and has one on() for each: no base, no virtual
// function, no forwarding. A handler that is not listed, or an event listed and not handled, does
// not compile (concept Analysis). feed() turns a batch of Events into calls of on(); an event that
// an analysis does not list costs a jump. An analysis that has take(batch, first ordinal) iterates
// over batches itself, with dispatch() for events without a fast path. A walk (event.h) comes
// whole where there is an on(const Walk<...>&), otherwise access by access, all with one ordinal.
// Pipeline feeds several analyses, at compile time; AnyAnalysis (cli/options/any_analysis.h)
// chooses them at run time, at one virtual call per batch.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

#include "event/event.h"

namespace isosan {

template <class... E>
struct Events {
  template <class T>
  static constexpr bool contains = (std::is_same_v<T, E> || ...);
};

namespace detail {

[[gnu::always_inline]] inline Where where_of(const Event& e, std::uint64_t ordinal) {
  return {ordinal, e.thread, e.site, e.context};
}

// make<T>(event, ordinal): the typed view. One branch per shape of event; no temporary is copied,
// so that the view dissolves into registers where the handler is inlined.
template <class T>
[[gnu::always_inline]] inline T make(const Event& e, std::uint64_t ordinal) {
  if constexpr (std::derived_from<T, AtomicAccess>) {
    return T{{{where_of(e, ordinal), e.address, e.size},
              order_in(e.detail),
              (e.detail & kCompareExchange) != 0,
              (e.detail & kValueUsed) != 0}};
  } else if constexpr (std::derived_from<T, Access>) {
    return T{{where_of(e, ordinal), e.address, e.size}};
  } else if constexpr (std::same_as<T, Fence>) {
    return T{where_of(e, ordinal), static_cast<MemoryOrder>(e.detail)};
  } else if constexpr (std::same_as<T, Release>) {
    return T{{where_of(e, ordinal), e.address, mode_in(e.detail), e.depth},
             (e.detail & kBacksOff) != 0};
  } else if constexpr (std::derived_from<T, LockOperation>) {
    return T{{where_of(e, ordinal), e.address, mode_in(e.detail), e.depth}};
  } else if constexpr (std::derived_from<T, ThreadOperation>) {
    return T{{where_of(e, ordinal), static_cast<ThreadId>(e.address)}};
  } else if constexpr (std::derived_from<T, RegionEdge>) {
    return T{{where_of(e, ordinal), static_cast<RegionKind>(e.detail),
              static_cast<RegionId>(e.size), e.address}};
  } else if constexpr (std::derived_from<T, CallEdge>) {
    return T{{where_of(e, ordinal), static_cast<FunctionId>(e.size), e.address}};
  } else if constexpr (std::derived_from<T, BarrierOperation>) {
    return T{{{where_of(e, ordinal), e.address}, e.size}};
  } else if constexpr (std::same_as<T, WaitEnd>) {
    return T{{where_of(e, ordinal), e.address}, static_cast<WaitOutcome>(e.detail)};
  } else if constexpr (std::same_as<T, Notify>) {
    return T{{where_of(e, ordinal), e.address}, static_cast<NotifyScope>(e.detail)};
  } else if constexpr (std::derived_from<T, SyncOperation>) {
    return T{{where_of(e, ordinal), e.address}};
  } else if constexpr (std::derived_from<T, MemoryOperation>) {
    return T{{where_of(e, ordinal), e.address, e.size, static_cast<MemoryOrigin>(e.detail)}};
  } else {
    return T{where_of(e, ordinal)};
  }
}

// A walk, whole where the analysis has a handler for it, otherwise access by access.
template <class T, class A>
[[gnu::noinline]] void walk(A& a, const Event& e, std::uint64_t ordinal) {
  const WalkSteps steps = steps_of(e);
  Event first = e;
  first.depth = 0;
  first.size = steps.size;
  const Walk<T> whole{make<T>(first, ordinal), steps.count, steps.stride};
  if constexpr (requires { a.on(whole); }) {
    a.on(whole);
  } else {
    whole.for_each([&](const T& access) { a.on(access); });
  }
}

template <class A, class T>
concept HandlesExactly = requires(A a, const T& e) {
  a.on(e);
}
== A::Handles::template contains<T>;

}  // namespace detail

template <class A>
concept Analysis = requires {
  typename A::Handles;
}
#define ISOSAN_KIND(kind, name, payload, traits) &&detail::HandlesExactly<A, kind>
ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND
    ;  // NOLINT

// Calls a.on(...) if A lists the event; `ordinal` is its position in the linear order.
template <Analysis A>
[[gnu::always_inline]] inline void dispatch(A& a, const Event& e, std::uint64_t ordinal) {
  switch (e.kind) {
#define ISOSAN_KIND(kind, name, payload, traits)         \
  case Kind::k##kind:                                    \
    if constexpr (A::Handles::template contains<kind>) { \
      if constexpr (std::derived_from<kind, Access>) {   \
        if (is_walk(e)) [[unlikely]]                     \
          return detail::walk<kind>(a, e, ordinal);      \
      }                                                  \
      a.on(detail::make<kind>(e, ordinal));              \
    }                                                    \
    return;
    ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND
  }
}

template <Analysis A>
void feed(A& a, std::span<const Event> batch, std::uint64_t first_ordinal) {
  if constexpr (requires { a.take(batch, first_ordinal); }) {
    a.take(batch, first_ordinal);
  } else {
    for (const Event& e : batch) dispatch(a, e, first_ordinal++);
  }
}

// Fan-out at compile time: every analysis sees every event, in the order listed.
template <Analysis... A>
class Pipeline {
 public:
  explicit Pipeline(A&... analyses) : analyses_(analyses...) {}

  void feed(const Event& e) {
    std::apply([&](auto&... a) { (dispatch(a, e, ordinal_), ...); }, analyses_);
    ++ordinal_;
  }
  std::uint64_t events() const { return ordinal_; }

 private:
  std::tuple<A&...> analyses_;
  std::uint64_t ordinal_ = 0;
};

}  // namespace isosan
