// Accesses: to which unit each belongs, and its edges from other units (Definition 2). Accesses
// that cannot conflict now are deferred (blocks.h, deferred.h).
#include <algorithm>

#include "analysis/marathon/marathon.h"

namespace isosan {

using namespace marathon;  // NOLINT: the analysis's own parts

namespace {

bool crosses_blocks(const Access& e) { return e.address + e.size > block_end(e.address); }

// How many elements lie in the block of the first one, which does not cross its end.
std::uint64_t elements_in_block(const Access& first, std::uint64_t stride) {
  if (stride == 0) return ~std::uint64_t{0};
  const bool down = static_cast<std::int64_t>(stride) < 0;
  if ((down ? -stride : stride) >= kBlockBytes) return 1;
  const std::uint64_t room =
      down ? first.address % kBlockBytes : block_end(first.address) - first.address - first.size;
  return room / (down ? -stride : stride) + 1;
}

}  // namespace

void Marathon::on(const Read& e) { access<false>(e); }
void Marathon::on(const Write& e) { access<true>(e); }
void Marathon::on(const Walk<Read>& e) { walk<false>(e.first, e.count, e.stride); }
void Marathon::on(const Walk<Write>& e) { walk<true>(e.first, e.count, e.stride); }

// The set of [begin, end), which contains the first access. A single access that reaches beyond
// its set is cut off there.
[[gnu::always_inline]] inline SetId Marathon::set_of(Block& block, Access& first, Address begin,
                                                     Address end) {
  const SetId known = block.set_of(begin, end - begin);
  const SetId set = model_.is_root(known) ? known : look_up_set(block, known, first, begin, end);
  model_.describe(set, first);
  return set;
}

template <bool kWrite>
void Marathon::access(const Access& e) {
  if (crosses_blocks(e)) [[unlikely]]
    return e.size > kLargeAccess ? access_in_parts<kWrite>(e) : access_as_one<kWrite>(e);
  ThreadState& thread = state_of(e.where.thread);
  Block& block = blocks_.at(e.address);
  if (blocks_.repeats(block, thread.recent_unit, e, kWrite) &&
      model_.is_settled(block.set_of(e.address, e.size), e.where.site)) {
    return count_accesses(thread, 1);
  }
  Access part = e;
  const SetId set = set_of(block, part, e.address, e.address + e.size);
  if (part.size != e.size) [[unlikely]]
    return access_as_one<kWrite>(e);
  count_accesses(thread, 1);
  const auto as_part = [&] { return Deferred{.first = e, .set = set, .write = kWrite}; };
  const UnitRef unit = in_block<kWrite>(thread, block, e, set, as_part);
  if (unit.slot == 0) return;
  if (!thread.cached_is_stale) thread.recent_unit = unit;
  defer(unit, blocks_.work_of(block, unit), e, set, kWrite);
}

// An access over several blocks or sets. Without an open unit it is one unit as a whole.
template <bool kWrite>
void Marathon::access_as_one(const Access& e) {
  ThreadState& thread = state_of(e.where.thread);
  count_accesses(thread, 1);
  const UnitRef single = graph_.add({.begin = e.where});
  for (Address at = e.address, end = at + e.size; at < end;) {
    Deferred part{.first = {e.where, at, std::min(end, block_end(at)) - at}, .write = kWrite};
    Block& block = blocks_.at(at);
    part.set = set_of(block, part.first, part.begin(), part.end());
    const auto as_part = [&] { return part; };
    const UnitRef unit = in_block<kWrite>(thread, block, part.first, part.set, as_part, single);
    if (unit.slot != 0) defer(unit, blocks_.work_of(block, unit), part.first, part.set, kWrite);
    at = part.end();
  }
  finish_unit(single);
}

// The part before the first whole block, the whole blocks, and the rest.
template <bool kWrite>
void Marathon::access_in_parts(const Access& e) {
  const Address end = e.address + e.size;
  const std::uint64_t head = block_end(e.address - 1) - e.address;
  const std::uint64_t blocks = (e.size - head) / kBlockBytes;
  const std::uint64_t tail = (e.size - head) % kBlockBytes;
  if (head > 0) access<kWrite>({e.where, e.address, head});
  if (blocks > 0) walk<kWrite>({e.where, e.address + head, kBlockBytes}, blocks, kBlockBytes);
  if (tail > 0) access<kWrite>({e.where, end - tail, tail});
}

// Block by block. A deferred walk is kept as one as long as its parts belong to one unit.
template <bool kWrite>
void Marathon::walk(const Access& first, std::uint64_t count, std::uint64_t stride) {
  ThreadState& thread = state_of(first.where.thread);
  LastWalk& last = thread.last_walks[index(first.where.site) % thread.last_walks.size()];
  if (last.walk.is_of_shape(first, count, stride, kWrite) && thread.building == 0 &&
      walk_beside<kWrite>(thread, last, first)) {
    return count_accesses(thread, count);
  }
  Deferred whole;
  UnitRef unit;  // of `whole`
  const auto defer_whole = [&] {
    if (unit.slot != 0) defer_walk(unit, whole);
    unit = {};
  };
  for (std::uint64_t done = 0; done < count;) {
    Deferred part{.first = first, .stride = stride, .write = kWrite};
    part.first.address += done * stride;
    const bool crosses = crosses_blocks(part.first);
    if (!crosses) part.count = std::min(count - done, elements_in_block(part.first, stride));
    done += part.count;
    Block& block = blocks_.at(part.first.address);
    if (!crosses) part.set = set_of(block, part.first, part.begin(), part.end());
    if (crosses || part.first.size != first.size) {
      defer_whole();
      access_as_one<kWrite>({first.where, part.first.address, first.size});
      continue;
    }
    count_accesses(thread, part.count);
    const auto as_part = [&] { return part; };
    const UnitRef of_part = in_block<kWrite>(thread, block, part.first, part.set, as_part);
    if (part.count == count) {
      if (of_part.slot != 0) defer_in_block(of_part, block, part);
      return;
    }
    if (of_part.slot != 0 && of_part == unit && part.set == whole.set) {
      whole.count += part.count;
      continue;
    }
    defer_whole();
    unit = of_part;
    whole = part;
  }
  if (unit.slot != 0 && whole.count == count)
    last = {whole, unit, blocks_.version(), thread.forgotten};
  defer_whole();
}

// A walk of the same shape as the last one from this site, some bytes further, as over the columns
// of a matrix: only blocks that the last one did not touch are checked. False: the caller must walk
// block by block, which may repeat what was done here.
template <bool kWrite>
bool Marathon::walk_beside(const ThreadState& thread, LastWalk& last, const Access& first) {
  if (last.forgotten != thread.forgotten) return false;
  if (last.version != blocks_.version() || !model_.current(last.walk.set)) return false;
  if (last.end == 0) {
    const SetRange range = model_.set_at(first);
    look_up_merged();
    if (last.forgotten != thread.forgotten || model_.find(range.set) != last.walk.set) return false;
    last.begin = range.begin;
    last.end = range.end;
  }
  Deferred walk = last.walk;
  walk.first = first;
  if (walk.begin() < last.begin || last.end < walk.end()) return false;
  const auto enter_theirs = [&](Address at) {
    return [this, at](UnitRef user, Work& work) { enter_in_block(user, work, at); };
  };
  const std::uint64_t distance = first.address - last.walk.first.address;
  Access e = first;
  for (std::uint64_t done = 0; done < walk.count;) {
    if (crosses_blocks(e)) return false;
    if ((e.address ^ (e.address - distance)) / kBlockBytes != 0) {
      Block& block = blocks_.at(e.address);
      if (!blocks_.admits(block, last.unit, kWrite, enter_theirs(e.address))) return false;
    }
    const std::uint64_t here = elements_in_block(e, walk.stride);
    if (here >= walk.count - done) break;
    done += here;
    e.address += here * walk.stride;
  }
  model_.describe(walk.set, first);
  last.walk = walk;
  if (distance != 0) defer_walk(last.unit, walk);
  return true;
}

// Returns the unit of accesses to one block if they can be deferred. Otherwise they have been
// entered, or belong to no unit. `single` is their unit where none is open.
template <bool kWrite, class AsPart>
UnitRef Marathon::in_block(ThreadState& thread, Block& block, const Access& first, SetId set,
                           AsPart&& as_part, UnitRef single) {
  if (!model_.state(set).shared) model_.touch(set, first.where.thread);
  if (thread.building > 0 && still_building(thread, set)) return {};
  UnitRef unit = set == thread.cached_set ? thread.cached_unit : unit_of(thread, set, first);
  if (unit.slot == 0) unit = single;
  if (unit.slot == 0) {
    access_without_unit<kWrite>(block, as_part());
    return {};
  }
  const auto enter_theirs = [&](UnitRef user, Work& work) {
    enter_in_block(user, work, first.address);
  };
  if (blocks_.admits(block, unit, kWrite, enter_theirs)) return unit;
  const Deferred part = as_part();
  enter(unit, part, part.begin(), part.end());
  return {};
}

// Where no unit is open, each access is a unit by itself. Units that get the same predecessors
// become twins (conflict_graph.h).
template <bool kWrite>
void Marathon::access_without_unit(Block& block, const Deferred& part) {
  const auto enter_theirs = [&](UnitRef user, Work& work) {
    enter_in_block(user, work, part.first.address);
  };
  if (blocks_.admits_single(block, kWrite, enter_theirs)) return;
  Access e = part.first;
  for (std::uint64_t i = 0; i < part.count; ++i, e.address += part.stride) {
    const UnitRef single = graph_.add({.begin = e.where});
    enter_one<kWrite>(single, e, part.set);
    graph_.finish(single);
    if (graph_.alive(single)) blocks_.join(block, single, kWrite);
  }
}

// For bytes whose set is unknown, or was merged into another.
SetId Marathon::look_up_set(Block& block, SetId known, Access& first, Address begin, Address end) {
  blocks_.forget_marks(block);
  SetId set = known;
  if (!model_.current(known)) {
    const SetRange range = model_.set_at(first);
    const Address block_begin = begin / kBlockBytes * kBlockBytes;
    const Address from = std::max(block_begin, range.begin);
    const Address to = std::min(block_end(begin), range.end);
    if (from < to) block.assign(from, to, range.set);
    if (end - begin == first.size && begin < range.end && range.end < end)
      first.size = range.end - begin;
    look_up_merged();
    set = range.set;
  }
  const SetId root = model_.find(set);
  if (root != set) block.replace(begin, end, set, root);
  return root;
}

// Defers an access to one block that has admitted the unit.
void Marathon::defer(UnitRef unit, Work& work, const Access& e, SetId set, bool write) {
  if (work.marks.add(e.address, e.size, write)) return;
  if (!deferred_.add(unit, e, set, write, work.deferred)) [[unlikely]]
    enter_in_blocks(unit);
}

void Marathon::defer_in_block(UnitRef unit, Block& block, const Deferred& part) {
  Work& work = blocks_.work_of(block, unit);
  Access e = part.first;
  if (part.stride == e.size) {
    e.size *= part.count;
    return defer(unit, work, e, part.set, part.write);
  }
  const std::uint64_t count = part.stride == 0 ? 1 : part.count;
  for (std::uint64_t i = 0; i < count; ++i, e.address += part.stride)
    defer(unit, work, e, part.set, part.write);
}

void Marathon::defer_walk(UnitRef unit, const Deferred& walk) {
  if (deferred_.add_walk(unit, walk)) [[likely]]
    return;
  enter_walks(unit);
  deferred_.clear_walks(unit);
}

// Enters all that the unit did in one block.
void Marathon::enter_in_block(UnitRef unit, Work& work, Address in_block) {
  deferred_.take(unit, work.deferred,
                 [&](const Access& e, SetId set, bool write) { enter_one(unit, e, set, write); });
  const Address from = in_block / kBlockBytes * kBlockBytes, to = from + kBlockBytes;
  deferred_.for_each_walk(unit, [&](const Deferred& walk) {
    if (walk.overlaps(from, to)) enter(unit, walk, from, to);
  });
}

// Enters all that the unit did, except for walks.
void Marathon::enter_in_blocks(UnitRef unit) {
  deferred_.take_all(
      unit, [&](const Access& e, SetId set, bool write) { enter_one(unit, e, set, write); });
}

// Blocks in detail are left out: their accesses were entered when they came into that state.
void Marathon::enter_walks(UnitRef unit) {
  deferred_.for_each_walk(unit, [&](const Deferred& walk) { enter_rest(unit, walk); });
}

void Marathon::enter_rest(UnitRef unit, const Deferred& access) {
  if (access.walks > 1) {
    for (std::uint64_t i = 0; i < access.walks; ++i) enter_rest(unit, access.walk(i));
    return;
  }
  Access e = access.first;
  for (std::uint64_t i = 0; i < access.count;) {
    const Address from = e.address / kBlockBytes * kBlockBytes;
    if (!blocks_.in_detail(from)) enter(unit, access, from, from + kBlockBytes);
    const std::uint64_t here = elements_in_block(e, access.stride);
    if (here >= access.count - i) return;
    i += here;
    e.address += here * access.stride;
  }
}

// Enters the elements that begin in [from, to). That range is in one block, and no element crosses
// its end.
void Marathon::enter(UnitRef unit, const Deferred& access, Address from, Address to) {
  if (access.walks > 1) {
    for (std::uint64_t i = 0; i < access.walks; ++i) enter(unit, access.walk(i), from, to);
    return;
  }
  Access e = access.first;
  std::uint64_t i = access.first_from(from, to);
  e.address += i * access.stride;
  for (; i < access.count && from <= e.address && e.address < to; ++i, e.address += access.stride) {
    enter_one(unit, e, access.set, access.write);
  }
}

void Marathon::enter_one(UnitRef unit, const Access& e, SetId set, bool write) {
  write ? enter_one<true>(unit, e, set) : enter_one<false>(unit, e, set);
}

template <bool kWrite>
void Marathon::enter_one(UnitRef unit, const Access& e, SetId set) {
  locations_.visit(e.address, e.size, [&](Cell& cell, PieceBytes bytes) {
    if (!model_.current(cell.set)) [[unlikely]] {
      cell = Cell{};
      cell.set = set;
    }
    conflict<kWrite>(cell, e, bytes, unit);
  });
}

// Definition 2: the edges from the last write, and to a write from the reads since.
template <bool kWrite>
void Marathon::conflict(Cell& cell, const Access& e, PieceBytes bytes, UnitRef unit) {
  constexpr Kind kKind = kWrite ? Kind::kWrite : Kind::kRead;
  const Touch now{unit, e.where.ordinal, e.where.site, e.where.context};
  if (cell.write.unit == unit) {
    if (!kWrite || cell.reads.empty()) return;
  } else {
    order(cell.write, Kind::kWrite, kKind, e, bytes, cell, unit);
  }
  if constexpr (kWrite) {
    cell.reads.for_each(
        [&](const Touch& read) { order(read, Kind::kRead, kKind, e, bytes, cell, unit); });
    cell.reads.clear();
    cell.write = now;
  } else {
    cell.reads.add(now, graph_);
  }
}

void Marathon::order(const Touch& before, Kind before_kind, Kind kind, const Access& e,
                     PieceBytes bytes, const Cell& cell, UnitRef unit) {
  if (before.unit == unit || !graph_.alive(before.unit)) return;
  const Conflict conflict{{before.ordinal, before.site, before.context, before_kind},
                          {e.where.ordinal, e.where.site, e.where.context, kind},
                          bytes.first(),
                          bytes.count(),
                          static_cast<std::uint32_t>(cell.set)};
  const Cycle cycle = graph_.add_edge(before.unit, unit, conflict);
  if (!cycle.empty()) {
    keep(cycle);
  } else if (graph_.closed_before()) {
    keep_further(before.unit, unit, conflict);
  }
}

void Marathon::forget(Address address, std::uint64_t size) {
  const Address end = address + size;
  deferred_.forget_walks(address, end,
                         [&](UnitRef unit, const Deferred& walk) { enter_rest(unit, walk); });
  blocks_.reset(address, size, [&](UnitRef unit, Chain& chain) {
    deferred_.forget_in_block(
        unit, chain, address, end,
        [&](const Access& e, SetId set, bool write) { enter_one(unit, e, set, write); });
  });
  locations_.reset(address, size);
}

}  // namespace isosan
