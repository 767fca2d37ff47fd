// From a typed view back to the record: record_of(view) is the Event that dispatch() made the view
// from. For analyses that keep events and hand them on (doublechecker's logs).
#pragma once

#include <concepts>

#include "event/event.h"

namespace isosan {
namespace detail {

template <class T>
struct KindOf;
#define ISOSAN_KIND(kind, name, payload, traits) \
  template <>                                    \
  struct KindOf<kind> {                          \
    static constexpr Kind value = Kind::k##kind; \
  };
ISOSAN_EVENT_KINDS(ISOSAN_KIND)
#undef ISOSAN_KIND

template <class Enum>
constexpr std::uint8_t byte(Enum value) {
  return static_cast<std::uint8_t>(value);
}

}  // namespace detail

template <class T>
Event record_of(const T& view) {
  const Where& where = view.where;
  Event e{.kind = detail::KindOf<T>::value,
          .thread = where.thread,
          .site = where.site,
          .context = where.context};
  if constexpr (std::derived_from<T, Access>) {
    e.address = view.address;
    e.size = view.size;
  } else if constexpr (std::derived_from<T, LockOperation>) {
    e.address = view.lock;
    e.detail = detail::byte(view.mode);
    e.depth = view.depth;
  } else if constexpr (std::derived_from<T, ThreadOperation>) {
    e.address = index(view.other);
  } else if constexpr (std::derived_from<T, RegionEdge>) {
    e.address = view.object;
    e.size = index(view.region);
    e.detail = detail::byte(view.kind);
  } else if constexpr (std::derived_from<T, CallEdge>) {
    e.address = view.object;
    e.size = index(view.function);
  } else if constexpr (std::derived_from<T, SyncOperation>) {
    e.address = view.object;
  } else if constexpr (std::derived_from<T, MemoryOperation>) {
    e.address = view.address;
    e.size = view.size;
    e.detail = detail::byte(view.origin);
  }
  if constexpr (std::derived_from<T, AtomicAccess> || std::same_as<T, Fence>)
    e.detail = detail::byte(view.order);
  if constexpr (std::derived_from<T, AtomicAccess>)
    e.detail |= (view.compares ? kCompareExchange : 0) | (view.value_used ? kValueUsed : 0);
  if constexpr (std::same_as<T, Release>) e.detail |= view.backs_off ? kBacksOff : 0;
  if constexpr (std::derived_from<T, BarrierOperation>) e.size = view.generation;
  if constexpr (std::same_as<T, WaitEnd>) e.detail = detail::byte(view.outcome);
  if constexpr (std::same_as<T, Notify>) e.detail = detail::byte(view.scope);
  return e;
}

}  // namespace isosan
