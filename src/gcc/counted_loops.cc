// Counted loops of gcc's ThreadSanitizer code: one call before the loop instead of one in every
// round, as pass/loops/counted_loops.h does for clang.
//
// Model. Runs right after gcc's own pass, when each access has its call. An innermost loop whose
// number of rounds is known when it is entered, that leaves only at its end and has no other calls,
// is duplicated. The copy is taken where the runtime gathers loops (__isosan_whole_loop). In the
// copy there are no calls for accesses that walk at a fixed stride, or stay in place, and happen in
// every round: before it are calls that claim and log all their bytes at once, exactly the bytes
// that the loop will touch. gcc may vectorise a loop without calls.
//
// Law: as in the pass, a race may be logged on the wrong side of such a loop. Strict and full mode
// take the original loop.
#include <cstdlib>
#include <vector>
// gcc's headers depend on this order.
// clang-format off
#include <gcc-plugin.h>
#include <backend.h>
#include <tree.h>
#include <gimple.h>
#include <ssa.h>
// clang-format on
#include <cfghooks.h>
#include <cfgloop.h>
#include <context.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify-me.h>
#include <gimplify.h>
#include <stringpool.h>
#include <tree-cfg.h>
#include <tree-eh.h>
#include <tree-into-ssa.h>
#include <tree-pass.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-loop-manip.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop.h>

#include "passes.h"

namespace {

constexpr HOST_WIDE_INT kFewestRounds = 4;

struct Access {
  gcall* call = nullptr;
  bool is_write = false;
  HOST_WIDE_INT size = 0;
  tree first = nullptr;
  tree step = nullptr;  // in bytes; zero: the same bytes in every round
};

// Is it gcc's call for an access that may stay in one granule?
bool is_access(gimple* statement, Access& access) {
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return false;
  const int code = DECL_FUNCTION_CODE(gimple_call_fndecl(statement));
  const auto is = [&](int first, bool is_write) {  // of 1, 2, 4 and 8 bytes, in this order
    if (code < first || code > first + 3) return false;
    access = {as_a<gcall*>(statement), is_write, HOST_WIDE_INT{1} << (code - first)};
    return true;
  };
  static_assert(BUILT_IN_TSAN_READ8 == BUILT_IN_TSAN_READ1 + 3);
  static_assert(BUILT_IN_TSAN_WRITE8 == BUILT_IN_TSAN_WRITE1 + 3);
  return is(BUILT_IN_TSAN_READ1, false) || is(BUILT_IN_TSAN_WRITE1, true);
}

// Only gcc's built-in functions: one of the program's may be a region.
bool is_arithmetic(gcall* call) {
  return (gimple_call_internal_p(call) || gimple_call_builtin_p(call)) &&
         (gimple_call_flags(call) & ECF_CONST) != 0;
}

// The loop has nothing that another thread could wait for, and nothing that leaves it.
bool is_plain(const std::vector<basic_block>& body, std::vector<Access>& accesses) {
  for (basic_block block : body) {
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gimple* statement = gsi_stmt(at);
      Access access;
      if (is_gimple_debug(statement) || gimple_clobber_p(statement)) continue;
      if (is_access(statement, access)) {
        accesses.push_back(access);
        continue;
      }
      if (gimple_has_volatile_ops(statement) || stmt_could_throw_p(cfun, statement) ||
          gimple_code(statement) == GIMPLE_ASM ||
          (is_gimple_call(statement) && !is_arithmetic(as_a<gcall*>(statement))))
        return false;
    }
  }
  return true;
}

// Left only behind its last block, which the latch follows.
edge exit_at_end(class loop* loop) {
  edge exit = single_exit(loop);
  if (exit == nullptr || !single_pred_p(loop->latch) || single_pred(loop->latch) != exit->src ||
      !empty_block_p(loop->latch) || (exit->flags & (EDGE_ABNORMAL | EDGE_EH)) != 0)
    return nullptr;
  return exit;
}

// Does it have a constant stride?
bool walks(class loop* loop, Access& access) {
  affine_iv place;
  if (!simple_iv(loop, loop, gimple_call_arg(access.call, 0), &place, true)) return false;
  access.first = place.base;
  access.step = place.step;
  if (TREE_CODE(place.step) != INTEGER_CST) return TYPE_PRECISION(TREE_TYPE(place.step)) == 64;
  if (integer_zerop(place.step)) return true;
  const tree distance = fold_convert(ssizetype, place.step);
  return tree_fits_shwi_p(distance) && std::labs(tree_to_shwi(distance)) >= access.size;
}

tree declare(const char* name, tree type) {
  tree function = build_fn_decl(name, type);
  SET_DECL_ASSEMBLER_NAME(function, get_identifier(name));  // not mangled
  return function;
}
tree whole_loop() {  // int __isosan_whole_loop(size_t rounds)
  return declare("__isosan_whole_loop",
                 build_function_type_list(integer_type_node, size_type_node, NULL_TREE));
}
tree walk_function(bool is_write) {  // (void* first, size_t count, ptrdiff_t stride, size_t size)
  return declare(is_write ? "__isosan_loop_writes" : "__isosan_loop_reads",
                 build_function_type_list(void_type_node, ptr_type_node, size_type_node, ssizetype,
                                          size_type_node, NULL_TREE));
}

// Appends what computes it to `code`.
tree computed(tree type, tree expression, gimple_seq* code) {
  gimple_seq steps = nullptr;
  tree value =
      force_gimple_operand(fold_convert(type, unshare_expr(expression)), &steps, true, NULL_TREE);
  gimple_seq_add_seq(code, steps);
  return value;
}

void claim_before(class loop* loop, const Access& access, tree rounds) {
  gimple_seq code = nullptr;
  const bool stays = integer_zerop(access.step);
  tree size = build_int_cst(size_type_node, access.size);
  tree first = computed(ptr_type_node, access.first, &code);
  tree step =
      stays ? build_int_cst(ssizetype, access.size) : computed(ssizetype, access.step, &code);
  tree count = stays ? build_int_cst(size_type_node, 1) : rounds;
  gcall* claim = gimple_build_call(walk_function(access.is_write), 4, first, count, step, size);
  gimple_set_location(claim, gimple_location(access.call));
  gimple_seq_add_stmt(&code, claim);
  gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), code);
}

void remove(gcall* call) {
  gimple_stmt_iterator at = gsi_for_stmt(call);
  unlink_stmt_vdef(call);
  gsi_remove(&at, true);
  release_defs(call);
}

// Returns the rounds, computed before the loop, and in `whole` the runtime's answer. A loop that
// leaves at its end has at least one round.
tree ask_before(class loop* loop, const tree_niter_desc& known, tree& whole) {
  gimple_seq code = nullptr;
  tree one = build_int_cst(size_type_node, 1);
  tree all = fold_build2(PLUS_EXPR, size_type_node, fold_convert(size_type_node, known.niter), one);
  if (!integer_zerop(known.may_be_zero))
    all = build3(COND_EXPR, size_type_node, known.may_be_zero, one, all);
  tree rounds = computed(size_type_node, all, &code);
  gcall* question = gimple_build_call(whole_loop(), 1, rounds);
  whole = make_ssa_name(integer_type_node);
  gimple_call_set_lhs(question, whole);
  gimple_seq_add_stmt(&code, question);
  gsi_insert_seq_on_edge_immediate(loop_preheader_edge(loop), code);
  return rounds;
}

void split(class loop* loop, const tree_niter_desc& known, const std::vector<Access>& walking) {
  tree whole;
  tree rounds = ask_before(loop, known, whole);
  tree chosen = build2(NE_EXPR, boolean_type_node, whole, integer_zero_node);
  const profile_probability likely = profile_probability::likely();
  basic_block choice;
  if (loop_version(loop, chosen, &choice, likely, likely.invert(), likely, likely.invert(),
                   /*place_after=*/true) == nullptr)
    return;  // the call stays and has no effect
  for (const Access& access : walking) claim_before(loop, access, rounds);
  for (const Access& access : walking) remove(access.call);
}

bool consider(class loop* loop) {
  basic_block* blocks = get_loop_body(loop);
  const std::vector<basic_block> body(blocks, blocks + loop->num_nodes);
  std::free(blocks);
  std::vector<Access> accesses;
  const edge exit = exit_at_end(loop);
  if (exit == nullptr || !can_duplicate_loop_p(loop) || !is_plain(body, accesses)) return false;
  class tree_niter_desc rounds;
  if (accesses.empty() || !number_of_iterations_exit(loop, exit, &rounds, false) ||
      TYPE_PRECISION(TREE_TYPE(rounds.niter)) > 64)
    return false;
  if (tree_fits_uhwi_p(rounds.niter) && tree_to_uhwi(rounds.niter) + 1 < kFewestRounds)
    return false;
  std::vector<Access> walking;
  bool moves = false;
  for (Access& access : accesses) {
    if (!dominated_by_p(CDI_DOMINATORS, exit->src, gimple_bb(access.call)) || !walks(loop, access))
      continue;
    moves |= !integer_zerop(access.step);
    walking.push_back(access);
  }
  if (moves) split(loop, rounds, walking);
  return moves;
}

constexpr pass_data kPass = {
    GIMPLE_PASS, "isosan_loops", OPTGROUP_LOOP, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class CountedLoops : public gimple_opt_pass {
 public:
  explicit CountedLoops(gcc::context* context) : gimple_opt_pass(kPass, context) {}

  bool gate(function*) final override { return (flag_sanitize & SANITIZE_THREAD) != 0; }

  unsigned execute(function* code) final override {
    bool changed = false;
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    if (number_of_loops(code) > 1) {
      rewrite_into_loop_closed_ssa(nullptr, TODO_update_ssa);
      scev_initialize();
      initialize_original_copy_tables();
      for (class loop* loop : loops_list(code, LI_ONLY_INNERMOST)) {
        if (!consider(loop)) continue;
        changed = true;
        mark_virtual_operands_for_renaming(code);
        update_ssa(TODO_update_ssa);
        scev_reset();
      }
      free_original_copy_tables();
      scev_finalize();
    }
    loop_optimizer_finalize();
    return changed ? TODO_cleanup_cfg | TODO_update_ssa : 0;
  }
};

}  // namespace

opt_pass* make_counted_loops(gcc::context* context) { return new CountedLoops(context); }
