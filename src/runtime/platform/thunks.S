// The preserve_most entry points (contract/fast_path.h): save what a C function may clobber and the
// caller expects to survive, call the C++ function behind, restore. Vector registers are the
// caller's, as in clang's preserve_most.

#if defined(__aarch64__)
.macro thunk name, target
  .globl \name
  .type \name, %function
  .p2align 4
\name:
  .cfi_startproc
  hint 34 // bti c
  stp x29, x30, [sp, #-96]!
  .cfi_def_cfa_offset 96
  .cfi_offset 29, -96
  .cfi_offset 30, -88
  mov x29, sp
  stp x8, x9, [sp, #16]
  stp x10, x11, [sp, #32]
  stp x12, x13, [sp, #48]
  stp x14, x15, [sp, #64]
  bl \target
  ldp x8, x9, [sp, #16]
  ldp x10, x11, [sp, #32]
  ldp x12, x13, [sp, #48]
  ldp x14, x15, [sp, #64]
  ldp x29, x30, [sp], #96
  .cfi_restore 29
  .cfi_restore 30
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size \name, .-\name
.endm
#else
.macro thunk name, target
  .globl \name
  .type \name, @function
  .p2align 4
\name:
  .cfi_startproc
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset 6, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register 6
  pushq %rax
  pushq %rcx
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %r8
  pushq %r9
  pushq %r10
  call \target
  popq %r10
  popq %r9
  popq %r8
  popq %rdi
  popq %rsi
  popq %rdx
  popq %rcx
  popq %rax
  popq %rbp
  .cfi_def_cfa 7, 8
  ret
  .cfi_endproc
  .size \name, .-\name
.endm
#endif

  .text
  thunk __isosan_read, isosan_read_slow
  thunk __isosan_write, isosan_write_slow
  thunk __isosan_read_anew, isosan_read_anew_slow
  thunk __isosan_write_anew, isosan_write_anew_slow
  thunk __isosan_make_room, isosan_make_room_slow
  thunk __isosan_poll, isosan_poll_slow
  .hidden isosan_read_slow
  .hidden isosan_write_slow
  .hidden isosan_read_anew_slow
  .hidden isosan_write_anew_slow
  .hidden isosan_make_room_slow
  .hidden isosan_poll_slow

  .section .note.GNU-stack, "", %progbits
