#include "pass/checks/read_blocks.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/DataLayout.h"
#include "pass/checks/merge.h"

namespace isosan::pass {
namespace {

constexpr std::int64_t kMostBytes = 64;  // the runtime claims so much at once
constexpr std::size_t kFewest = 4;       // with fewer, separate units cost as little

struct Member {
  Access* access = nullptr;
  std::int64_t offset = 0;

  std::int64_t end() const { return offset + static_cast<std::int64_t>(access->size); }
};
using Members = llvm::SmallVector<Member, 8>;  // of one base, in program order

bool fits(const Access& access) {
  return !access.is_write && access.length == nullptr && access.described_by == nullptr &&
         llvm::isa<llvm::LoadInst>(access.instruction) && !access.instruction->isVolatile() &&
         access.size <= 8 && llvm::isPowerOf2_64(access.size) && access.align >= access.size;
}

// Takes the first member and those that adjoin it, directly or by others, out of the list.
Members take_block(Members& members) {
  Members block = {members.front()};
  members.erase(members.begin());
  std::int64_t low = block[0].offset, high = block[0].end();
  for (bool grown = true; grown;) {
    grown = false;
    for (Member* member = members.begin(); member != members.end();) {
      const std::int64_t from = std::min(low, member->offset), to = std::max(high, member->end());
      if (member->offset > high || member->end() < low || to - from > kMostBytes) {
        ++member;
        continue;
      }
      low = from, high = to;
      block.push_back(*member);
      member = members.erase(member);
      grown = true;
    }
  }
  return block;
}

void join(Members members) {
  while (members.size() >= kFewest) {
    const Members block = take_block(members);
    if (block.size() < kFewest) continue;
    const std::int64_t low = std::ranges::min_element(block, {}, &Member::offset)->offset;
    std::int64_t high = low;
    for (const Member& member : block) high = std::max(high, member.end());
    block.front().access->block = {low - block.front().offset,
                                   static_cast<std::uint64_t>(high - low)};
  }
}

}  // namespace

void join_reads(llvm::Function& function, std::vector<Access>& accesses) {
  llvm::DenseMap<const llvm::Instruction*, Access*> reads;
  for (Access& access : accesses)
    if (fits(access)) reads[access.instruction] = &access;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::BasicBlock& code : function) {
    llvm::MapVector<const llvm::Value*, Members> stretch;
    for (llvm::Instruction& instruction : code) {
      if (ends_stretch(instruction))
        for (auto& [base, members] : std::exchange(stretch, {})) join(std::move(members));
      Access* access = reads.lookup(&instruction);
      if (access == nullptr) continue;
      llvm::APInt offset(layout.getIndexTypeSizeInBits(access->pointer->getType()), 0);
      const auto* base = access->pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
      stretch[base].push_back({access, offset.getSExtValue()});
    }
    for (auto& [base, members] : stretch) join(std::move(members));
  }
}

}  // namespace isosan::pass
