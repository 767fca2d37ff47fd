// Tells the runtime whether the program uses the value that a read-modify-write returns.
//
// Model. Runs right after gcc's own pass, when each atomic operation is a call __tsan_atomicN_*. In
// the call of a read-modify-write whose result is used, the memory order gets the mark kValueUsed
// (event/kind.h). Used is what comes to anything but a computation whose own result is not used:
// without optimization an unused result is converted and copied all the same. Without the plugin
// no call has the mark. Compare-exchanges are left alone: the loop around one always looks at the
// result.
#include <cstring>
// gcc's headers depend on this order.
// clang-format off
#include <gcc-plugin.h>
#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <ssa.h>
// clang-format on
#include <context.h>
#include <gimple-iterator.h>
#include <tree-pass.h>

#include "passes.h"

namespace {

constexpr int kValueUsed = 64;
constexpr unsigned kOrder = 2;  // address, operand, order

bool is_update(gimple* statement) {
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return false;
  const char* name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(statement)));
  if (std::strstr(name, "__tsan_atomic") == nullptr) return false;
  return std::strstr(name, "_fetch_") != nullptr ||
         (std::strstr(name, "_exchange") != nullptr && std::strstr(name, "_compare_") == nullptr);
}

bool is_used(tree value) {
  if (TREE_CODE(value) != SSA_NAME) return true;
  imm_use_iterator at;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, at, value) {
    gimple* user = USE_STMT(use);
    if (is_gimple_debug(user)) continue;
    if (!is_gimple_assign(user) || is_used(gimple_assign_lhs(user))) return true;
  }
  return false;
}

bool has_used_result(const gimple* call) {
  const tree result = gimple_call_lhs(call);
  return result != NULL_TREE && is_used(result);
}

// The order is a constant, or, without optimization, what was computed of one.
void mark(gimple_stmt_iterator at) {
  gimple* call = gsi_stmt(at);
  tree order = gimple_call_arg(call, kOrder);
  const tree used = build_int_cst(TREE_TYPE(order), kValueUsed);
  if (TREE_CODE(order) == INTEGER_CST) {
    order = build_int_cst(TREE_TYPE(order), TREE_INT_CST_LOW(order) | kValueUsed);
  } else {
    const tree marked = make_ssa_name(TREE_TYPE(order));
    gsi_insert_before(&at, gimple_build_assign(marked, BIT_IOR_EXPR, order, used), GSI_SAME_STMT);
    order = marked;
  }
  gimple_call_set_arg(call, kOrder, order);
  update_stmt(call);
}

constexpr pass_data kPass = {
    GIMPLE_PASS, "isosan_results", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0};

class UsedResults : public gimple_opt_pass {
 public:
  explicit UsedResults(gcc::context* context) : gimple_opt_pass(kPass, context) {}

  bool gate(function*) final override { return (flag_sanitize & SANITIZE_THREAD) != 0; }
  opt_pass* clone() final override { return new UsedResults(m_ctxt); }

  unsigned execute(function* code) final override {
    basic_block block;
    FOR_EACH_BB_FN(block, code) {
      for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
        gimple* statement = gsi_stmt(at);
        if (is_update(statement) && has_used_result(statement)) mark(at);
      }
    }
    return 0;
  }
};

}  // namespace

opt_pass* make_used_results(gcc::context* context) { return new UsedResults(context); }
