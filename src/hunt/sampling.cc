#include "hunt/sampling.h"

namespace isosan {
namespace {

constexpr std::uint32_t kMostDepth = 3;  // of pct: one to three threads' order changes

log::Policy policy_of(Sampled how) {
  switch (how) {
    case Sampled::kRandom:
      return log::Policy::kRandom;
    case Sampled::kPct:
      return log::Policy::kPct;
    case Sampled::kPos:
      return log::Policy::kPos;
    case Sampled::kSurw:
      return log::Policy::kSurw;
    case Sampled::kStress:
      break;
  }
  return log::Policy::kRunOn;
}

}  // namespace

std::optional<Candidate> Sampling::next() {
  Candidate candidate;
  candidate.request.policy = policy_of(how_);
  candidate.request.seed = seed_ * 1000003 + drawn_;
  candidate.request.pct_length = operations_;
  candidate.request.pct_depth = 1 + static_cast<std::uint32_t>(drawn_) % kMostDepth;
  if (!shared_.empty()) candidate.request.selected = shared_[drawn_ % shared_.size()];
  candidate.free = how_ == Sampled::kStress;
  candidate.observed = observes_;
  ++drawn_;
  return candidate;
}

void Sampling::learn(const Candidate&, const Lesson& lesson) {
  if (lesson.shared == nullptr) return;
  operations_ = lesson.execution.operations();
  if (how_ == Sampled::kSurw) shared_ = *lesson.shared;
}

}  // namespace isosan
