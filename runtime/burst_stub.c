#include "burst.h"

/* What the slow copy calls, by code of which LLVM does not know that it calls: the stack may be
 * anywhere, at is in r11, and all other registers come back as they went. Quick where the stretch is
 * not for it.
 */
#ifdef __x86_64__

#define ENTER(name)                                \
    ".pushsection .text\n\t"                       \
    ".p2align 4\n\t"                               \
    ".globl " name "_all\n\t"                      \
    ".hidden " name "_all\n\t"                     \
    ".type " name "_all, @function\n" name         \
    "_all:\n\t"                                    \
    ".cfi_startproc\n\t"                           \
    "push %rbp\n\t"                                \
    ".cfi_adjust_cfa_offset 8\n\t"                 \
    ".cfi_rel_offset %rbp, 0\n\t"                  \
    "mov %rsp, %rbp\n\t"                           \
    ".cfi_def_cfa_register %rbp\n\t"               \
    "push %rax\n\t"                                \
    "mov __trod_hand@gottpoff(%rip), %rax\n\t"

#define CALL(name)                     \
    "mov %r11, %fs:16(%rax)\n\t"       \
    "push %rcx\n\t"                    \
    "push %rdx\n\t"                    \
    "push %rsi\n\t"                    \
    "push %rdi\n\t"                    \
    "push %r8\n\t"                     \
    "push %r9\n\t"                     \
    "push %r10\n\t"                    \
    "and $-16, %rsp\n\t"               \
    "call " name "\n\t"                \
    "lea -64(%rbp), %rsp\n\t"          \
    "pop %r10\n\t"                     \
    "pop %r9\n\t"                      \
    "pop %r8\n\t"                      \
    "pop %rdi\n\t"                     \
    "pop %rsi\n\t"                     \
    "pop %rdx\n\t"                     \
    "pop %rcx\n"                       \
    "2:\n\t"                           \
    "pop %rax\n\t"                     \
    "pop %rbp\n\t"                     \
    ".cfi_def_cfa %rsp, 8\n\t"         \
    "ret\n\t"                          \
    ".cfi_endproc\n\t"                 \
    ".size " name "_all, . - " name "_all\n\t" \
    ".popsection"

/* For stretches that are for one of these types. */
#define REPORT(name, types) \
    __asm__(ENTER(name) "testb $" types ", %fs:8(%rax)\n\tje 2f\n\t" CALL(name))

__asm__(ENTER("__trod_burst_pass") CALL("__trod_burst_pass"));
REPORT("__trod_burst_path", "0x21");
REPORT("__trod_burst_trip", "0x08");
REPORT("__trod_burst_left", "0x08");
REPORT("__trod_burst_call", "0x24");
REPORT("__trod_burst_call_to", "0x24");
REPORT("__trod_burst_ref", "0x30");

_Static_assert(TROD_BURST_PATHS == 0 && TROD_BURST_CALLS == 2 && TROD_BURST_TRIPS == 3 &&
                   TROD_BURST_STREAMS == 4 && TROD_BURST_HANDLER == 5,
    "the bits above");

#endif
