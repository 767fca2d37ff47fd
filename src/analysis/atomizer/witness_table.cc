#include "analysis/atomizer/witness_table.h"

namespace isosan::atomizer {
namespace {

template <class A, class B>
std::uint64_t word(A high, B low) {
  return static_cast<std::uint64_t>(high) << 32 | static_cast<std::uint64_t>(low);
}

}  // namespace

WitnessTable::Key WitnessTable::key_of(const Witness& witness) {
  return {word(witness.where.site, witness.where.context), word(witness.held, witness.before),
          word(witness.where.thread, witness.earlier),
          static_cast<std::uint32_t>(witness.step) << 8 |
              static_cast<std::uint32_t>(witness.operation)};
}

WitnessId WitnessTable::intern(const Witness& witness) {
  const Key key = key_of(witness);
  if (last_ != kNoWitness && key == last_key_) return last_;
  const auto [place, is_new] = ids_.try_emplace(key, static_cast<WitnessId>(witnesses_.size()));
  if (is_new) witnesses_.push_back(witness);
  last_key_ = key;
  return last_ = place->second;
}

}  // namespace isosan::atomizer
