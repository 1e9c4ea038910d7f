/* stub: calls from emitted code that LLVM does not know to be calls, on x86-64. The stack pointer may have any value, at is
 * in r11, and all other registers are preserved.
 *
 * Each exists twice, because code for executables and code for shared libraries find a thread's own differently. FIND loads
 * its address into rax; HAND(n) is then byte n of its hand.
 */
#ifndef TROD_STUB_H
#define TROD_STUB_H

#ifdef TROD_STUB_SHARED
#define FIND                           \
    "mov __trod_slot(%rip), %rax\n\t"  \
    "mov %fs:(%rax), %rax\n\t"         \
    "add __trod_entry(%rip), %rax\n\t" \
    "mov 8(%rax), %rax\n\t"
#define HAND(n, ...) "8+" #n "(%rax" __VA_ARGS__ ")"
#define NAME(name) name "_shared_all"
#else
#define FIND "mov __trod_thread@gottpoff(%rip), %rax\n\t"
#define HAND(n, ...) "%fs:8+" #n "(%rax" __VA_ARGS__ ")"
#define NAME(name) name "_all"
#endif

#define ENTER(name)                                                           \
    ".pushsection .text\n\t"                                                  \
    ".p2align 4\n\t"                                                          \
    ".globl " NAME(name) "\n\t"                                               \
                         ".hidden " NAME(                                     \
                             name) "\n\t"                                     \
                                   ".type " NAME(name) ", @function\n" NAME(  \
                                       name) ":\n\t"                          \
                                             ".cfi_startproc\n\t"             \
                                             "push %rbp\n\t"                  \
                                             ".cfi_adjust_cfa_offset 8\n\t"   \
                                             ".cfi_rel_offset %rbp, 0\n\t"    \
                                             "mov %rsp, %rbp\n\t"             \
                                             ".cfi_def_cfa_register %rbp\n\t" \
                                             "push %rax\n\t" FIND

#define CALL(name) "mov %r11, " HAND(16) "\n\t" CALL_WITH("", name)

/* The same without the address; what comes before the call may change all registers that the callee may. */
#define CALL_WITH(before, name)                     \
    ""                                              \
    "push %rcx\n\t"                                 \
    "push %rdx\n\t"                                 \
    "push %rsi\n\t"                                 \
    "push %rdi\n\t"                                 \
    "push %r8\n\t"                                  \
    "push %r9\n\t"                                  \
    "push %r10\n\t"                                 \
    "and $-16, %rsp\n\t" before "call " name "\n\t" \
    "lea -64(%rbp), %rsp\n\t"                       \
    "pop %r10\n\t"                                  \
    "pop %r9\n\t"                                   \
    "pop %r8\n\t"                                   \
    "pop %rdi\n\t"                                  \
    "pop %rsi\n\t"                                  \
    "pop %rdx\n\t"                                  \
    "pop %rcx\n" LEAVE(name)

/* Where those that need no call jump to. */
#define LEAVE(name)                                \
    "2:\n\t"                                       \
    "pop %rax\n\t"                                 \
    "pop %rbp\n\t"                                 \
    ".cfi_def_cfa %rsp, 8\n\t"                     \
    "ret\n\t"                                      \
    ".cfi_endproc\n\t"                             \
    ".size " NAME(name) ", . - " NAME(name) "\n\t" \
                                            ".popsection"

#endif
