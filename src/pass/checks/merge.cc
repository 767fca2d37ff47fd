#include "pass/checks/merge.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "pass/edges/edges.h"

namespace isosan::pass {
namespace {

using llvm::Instruction;
using llvm::Value;

constexpr std::int64_t kGranule = 8;
constexpr std::size_t kMostMembers = 4;
constexpr int kFarthest = 64;  // instructions that a move may cross

struct Member {
  Instruction* instruction = nullptr;
  std::int64_t offset = 0;
};

// Accesses of one kind to one object in one stretch of straight code, in program order.
using Key = std::pair<const Value*, unsigned>;  // base, is_write
using Stretch = llvm::MapVector<Key, llvm::SmallVector<Member, 4>>;

bool can_rise(Instruction& load, Instruction& to, llvm::AAResults& aliases) {
  const llvm::MemoryLocation location = llvm::MemoryLocation::get(&load);
  int steps = 0;
  for (Instruction* i = load.getPrevNode(); i != nullptr && i != &to; i = i->getPrevNode())
    if (++steps > kFarthest ||
        (i->mayWriteToMemory() && llvm::isModSet(aliases.getModRefInfo(i, location))))
      return false;
  return true;
}

bool can_sink(Instruction& store, Instruction& to, llvm::AAResults& aliases) {
  const llvm::MemoryLocation location = llvm::MemoryLocation::get(&store);
  int steps = 0;
  for (Instruction* i = store.getNextNode(); i != nullptr && i != &to; i = i->getNextNode())
    if (++steps > kFarthest ||
        (i->mayReadOrWriteMemory() && llvm::isModOrRefSet(aliases.getModRefInfo(i, location))))
      return false;
  return true;
}

class Merger {
 public:
  Merger(llvm::Function& function, std::vector<Access>& accesses, llvm::AAResults& aliases)
      : function_(function),
        accesses_(accesses),
        aliases_(aliases),
        layout_(function.getDataLayout()) {
    for (std::size_t i = 0; i < accesses.size(); ++i)
      if (fits(accesses[i])) index_[accesses[i].instruction] = i;
  }

  void run() {
    for (llvm::BasicBlock& block : function_) {
      Stretch stretch;
      llvm::SmallVector<Stretch, 4> stretches;
      for (Instruction& instruction : block) {
        if (ends_stretch(instruction)) stretches.push_back(std::exchange(stretch, {}));
        add(instruction, stretch);
      }
      stretches.push_back(std::move(stretch));
      for (Stretch& each : stretches)
        for (auto& [key, members] : each) merge(members, key.second != 0);
    }
    std::erase_if(accesses_, [](const Access& access) { return access.instruction == nullptr; });
  }

 private:
  static bool fits(const Access& access) {
    const bool simple = llvm::isa<llvm::LoadInst, llvm::StoreInst>(access.instruction) &&
                        !access.instruction->isVolatile();
    return simple && access.size == kGranule && access.align >= kGranule;
  }

  void add(Instruction& instruction, Stretch& stretch) {
    const auto found = index_.find(&instruction);
    if (found == index_.end()) return;
    const Access& access = accesses_[found->second];
    llvm::APInt offset(layout_.getIndexTypeSizeInBits(access.pointer->getType()), 0);
    const Value* base = access.pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
    stretch[{base, access.is_write}].push_back({&instruction, offset.getSExtValue()});
  }

  // Members in program order: gathers runs of adjacent granules around each first one.
  void merge(llvm::SmallVectorImpl<Member>& members, bool is_write) {
    if (is_write) std::reverse(members.begin(), members.end());
    while (members.size() > 1) {
      llvm::SmallVector<Member, 4> group = {members.front()};
      members.erase(members.begin());
      for (bool grown = true; grown && group.size() < kMostMembers;) {
        grown = false;
        auto* joins = std::ranges::find_if(members, [&](const Member& member) {
          return is_neighbour(group, member.offset) && can_join(member, group.front(), is_write);
        });
        if (joins == members.end()) continue;
        group.push_back(*joins);
        members.erase(joins);
        grown = true;
      }
      if (group.size() > 1) gather(group, is_write);
    }
  }

  static bool is_neighbour(llvm::ArrayRef<Member> group, std::int64_t offset) {
    std::int64_t low = group[0].offset, high = group[0].offset;
    for (const Member& member : group)
      low = std::min(low, member.offset), high = std::max(high, member.offset);
    return offset == low - kGranule || offset == high + kGranule;
  }

  bool can_join(const Member& member, const Member& anchor, bool is_write) {
    return is_write ? can_sink(*member.instruction, *anchor.instruction, aliases_)
                    : can_rise(*member.instruction, *anchor.instruction, aliases_);
  }

  // The anchor stays where it is: loads come behind it, stores before it. The check goes before the
  // first of them all, where the anchor's pointer is known in both cases.
  void gather(llvm::ArrayRef<Member> group, bool is_write) {
    const Member anchor = group.front();
    Instruction* first = is_write ? group[1].instruction : anchor.instruction;
    const Member lowest = *std::ranges::min_element(group, {}, &Member::offset);
    Instruction* behind = anchor.instruction->getNextNode();
    for (const Member& member : group.drop_front()) {
      if (!is_write) member.instruction->setOperand(0, pointer_to(member, anchor, *behind));
      member.instruction->moveBefore(is_write ? anchor.instruction : behind);
    }
    Access merged = accesses_[index_[anchor.instruction]];
    merged.pointer = pointer_to(lowest, anchor, *first);
    merged.size = group.size() * kGranule;
    merged.instruction = first;
    merged.described_by = lowest.instruction;
    for (const Member& member : group) merged.members.push_back(member.instruction);
    if (is_write) std::ranges::rotate(merged.members, merged.members.begin() + 1);
    for (const Member& member : group) accesses_[index_[member.instruction]].instruction = nullptr;
    accesses_[index_[anchor.instruction]] = merged;
  }

  static Value* pointer_to(const Member& member, const Member& anchor, Instruction& at) {
    Value* pointer = llvm::getLoadStorePointerOperand(anchor.instruction);
    if (member.offset == anchor.offset) return pointer;
    llvm::IRBuilder<> builder(&at);
    const auto distance = static_cast<std::uint64_t>(member.offset - anchor.offset);
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, distance);
  }

  llvm::Function& function_;
  std::vector<Access>& accesses_;
  llvm::AAResults& aliases_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<const Instruction*, std::size_t> index_;
};

}  // namespace

bool ends_stretch(Instruction& instruction) {
  if (edge_of(instruction).call != nullptr || instruction.isAtomic() || instruction.isVolatile())
    return true;
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return false;
  const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call);
  return intrinsic == nullptr ||
         (intrinsic->mayWriteToMemory() && !intrinsic->isAssumeLikeIntrinsic());
}

void merge_neighbours(llvm::Function& function, std::vector<Access>& accesses,
                      llvm::AAResults& aliases) {
  Merger(function, accesses, aliases).run();
}

}  // namespace isosan::pass
