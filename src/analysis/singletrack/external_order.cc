#include "analysis/singletrack/external_order.h"

#include <algorithm>

namespace isosan {

NodeRef ExternalOrder::begin(const Step& step, RegionId region) {
  Thread& t = thread(step.where.thread);
  const NodeRef node = graph_.add(step.where.thread, region, step.where);
  if (graph_.is_live(t.now.node)) {
    add_edge({t.now.node, t.last}, node, step, EdgeReason::kProgramOrder);
  }
  move(t, step.where.ordinal, node, true);
  t.last = step;
  return node;
}

void ExternalOrder::end(const Step& step) {
  Thread& t = thread(step.where.thread);
  move(t, step.where.ordinal, t.now.node, false);
  t.last = step;
}

void ExternalOrder::stop(const Step& step) {
  if (thread(step.where.thread).stopped) return;
  place(step, EdgeReason::kProgramOrder);
  Thread& t = thread(step.where.thread);
  t.stopped = true;
  if (t.now.inside) move(t, step.where.ordinal, t.now.node, false);
}

void ExternalOrder::fork(const Step& step, ThreadId child) {
  const NodeRef node = place(step, EdgeReason::kSynchronization);
  const bool inside = thread(step.where.thread).now.inside;
  Thread& c = thread(child);
  move(c, step.where.ordinal, node, inside);
  c.last = step;
}

void ExternalOrder::join(const Step& step, ThreadId ended) {
  const Thread& u = thread(ended);
  const Slot last{u.now.node, u.last};
  observe(last);
  place(step, EdgeReason::kSynchronization);
}

void ExternalOrder::observe(const Slots& slots, SyncEffect effect) {
  if (effect.observes_w) observe(slots.w);
  if (!effect.observes_r) return;
  for (const Slot& slot : slots.r) observe(slot);
}

void ExternalOrder::leave(NodeRef node, const Step& step, SyncEffect effect, Slots& slots) {
  if (effect.sets_w) {
    slots.w = {node, step};
    slots.r.clear();
  }
  if (!effect.joins_r) return;
  const auto mine = std::find_if(slots.r.begin(), slots.r.end(), [&](const Slot& slot) {
    return slot.step.where.thread == step.where.thread;
  });
  if (mine != slots.r.end()) {
    *mine = {node, step};
    return;
  }
  std::erase_if(slots.r, [&](const Slot& slot) { return !graph_.is_live(slot.node); });
  if (graph_.is_live(node)) slots.r.push_back({node, step});
}

NodeRef ExternalOrder::place(const Step& step, EdgeReason reason) {
  Thread& t = thread(step.where.thread);
  moved_ = false;
  if (t.now.inside) {
    for (const Slot& source : sources_) add_edge(source, t.now.node, step, reason);
    sources_.clear();
    t.last = step;
    return t.now.node;
  }
  const Slot before{t.now.node, t.last};  // program order
  const bool has_before = graph_.is_live(before.node);
  const bool news = std::any_of(sources_.begin(), sources_.end(),
                                [&](const Slot& source) { return source.node != before.node; });
  if (!news && (!has_before || graph_.is_finished_unary(before.node))) {
    sources_.clear();
    t.last = step;
    return has_before ? before.node : NodeRef{};
  }
  const NodeRef node = graph_.add(step.where.thread, kNoRegion, step.where);
  if (has_before) add_edge(before, node, step, EdgeReason::kProgramOrder);
  for (const Slot& source : sources_) add_edge(source, node, step, reason);
  sources_.clear();
  graph_.finish(node);
  move(t, step.where.ordinal, node, false);
  t.last = step;
  return node;
}

void ExternalOrder::add_edge(const Slot& from, NodeRef to, const Step& step, EdgeReason reason) {
  const auto cycle = graph_.add_edge(from.node, to, {from.step, step, reason});
  if (cycle) on_cycle_(*cycle);
}

void ExternalOrder::move(Thread& t, std::uint64_t ordinal, NodeRef node, bool inside) {
  if (graph_.is_live(t.now.node)) {
    if (t.trail.size() >= t.trail_limit) {
      std::erase_if(t.trail, [&](const Position& p) { return !graph_.is_live(p.node); });
      t.trail_limit = 2 * t.trail.size() + 32;
    }
    t.trail.push_back(t.now);
    t.trail.back().until = ordinal;
  }
  t.now = {ordinal, ordinal, node, inside};
  moved_ = true;
}

Slot ExternalOrder::past(const Step& step) {
  Thread& t = thread(step.where.thread);
  const std::uint64_t ordinal = step.where.ordinal;
  Position then = t.now;
  if (ordinal < t.now.since) {
    const auto later =
        std::upper_bound(t.trail.begin(), t.trail.end(), ordinal,
                         [](std::uint64_t at, const Position& p) { return at < p.since; });
    if (later == t.trail.begin() || (later - 1)->until <= ordinal) return {};
    then = *(later - 1);
  }
  if (!graph_.is_live(then.node)) return {};
  if (then.inside || graph_.is_finished(then.node)) return {then.node, step};
  // After a block that still runs in another thread: a unary transaction of its own.
  const NodeRef node = graph_.add(step.where.thread, kNoRegion, step.where);
  add_edge({then.node, step}, node, step, EdgeReason::kProgramOrder);
  graph_.finish(node);
  return {node, step};
}

}  // namespace isosan
