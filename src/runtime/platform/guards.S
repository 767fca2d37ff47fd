// A guard takes the name of a function of libc. It calls isosan_pass_guard with its number and goes
// on with the function that this returns, with the arguments, the stack and the return address as
// they were: the function may return twice, or have any number of arguments.
#include "runtime/platform/guarded_calls.h"

  .set number, 0

#if defined(__aarch64__)
.macro guard name
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
  stp x0, x1, [sp, #16]
  stp x2, x3, [sp, #32]
  stp x4, x5, [sp, #48]
  stp x6, x7, [sp, #64]
  str x8, [sp, #80]
  mov x0, #number
  bl isosan_pass_guard
  mov x16, x0
  ldp x0, x1, [sp, #16]
  ldp x2, x3, [sp, #32]
  ldp x4, x5, [sp, #48]
  ldp x6, x7, [sp, #64]
  ldr x8, [sp, #80]
  ldp x29, x30, [sp], #96
  .cfi_restore 29
  .cfi_restore 30
  .cfi_def_cfa_offset 0
  br x16
  .cfi_endproc
  .size \name, .-\name
  .set number, number + 1
.endm
#else
.macro guard name
  .globl \name
  .type \name, @function
  .p2align 4
\name:
  .cfi_startproc
  endbr64
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  pushq %rdx
  .cfi_adjust_cfa_offset 8
  pushq %rcx
  .cfi_adjust_cfa_offset 8
  pushq %r8
  .cfi_adjust_cfa_offset 8
  pushq %r9
  .cfi_adjust_cfa_offset 8
  pushq %rax
  .cfi_adjust_cfa_offset 8
  movl $number, %edi
  call isosan_pass_guard
  movq %rax, %r11
  popq %rax
  .cfi_adjust_cfa_offset -8
  popq %r9
  .cfi_adjust_cfa_offset -8
  popq %r8
  .cfi_adjust_cfa_offset -8
  popq %rcx
  .cfi_adjust_cfa_offset -8
  popq %rdx
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  jmp *%r11
  .cfi_endproc
  .size \name, .-\name
  .set number, number + 1
.endm
#endif

  .hidden isosan_pass_guard
  .section isosan_guards, "ax", %progbits
#define GUARD(name) guard name;
  ISOSAN_GUARDED_CALLS(GUARD)

  .text
  .globl isosan_call_on_stack
  .hidden isosan_call_on_stack
  .type isosan_call_on_stack, %function
  .p2align 4
isosan_call_on_stack:
  .cfi_startproc
#if defined(__aarch64__)
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset 29, -16
  .cfi_offset 30, -8
  mov x29, sp
  .cfi_def_cfa_register 29
  and x4, x4, #-16
  mov sp, x4
  mov x16, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  blr x16
  mov sp, x29
  .cfi_def_cfa_register 31
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore 29
  .cfi_restore 30
#else
  endbr64
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset 6, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register 6
  andq $-16, %r8
  movq %r8, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  call *%rax
  leave
  .cfi_def_cfa 7, 8
#endif
  ret
  .cfi_endproc
  .size isosan_call_on_stack, .-isosan_call_on_stack

  .section .note.GNU-stack, "", %progbits
