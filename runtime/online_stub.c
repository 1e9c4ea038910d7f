#include "watch.h"

/* Emitted code that is hardly ever run wants nothing to be saved for it: on x86-64 all registers but
 * r11 come back from here as they went (LLVM's preserve_all). General ones are pushed; as for
 * vectors, see vectors.c.
 */
#ifdef __x86_64__

#define PUSH(reg) "push %" reg "\n\t.cfi_adjust_cfa_offset 8\n\t"
#define POP(reg) "pop %" reg "\n\t.cfi_adjust_cfa_offset -8\n\t"

#define ALL(name)                                                                   \
    __asm__(".pushsection .text\n\t"                                                \
            ".p2align 4\n\t"                                                        \
            ".globl " name "_all\n\t"                                               \
            ".hidden " name "_all\n\t"                                              \
            ".type " name "_all, @function\n" name "_all:\n\t"                      \
            ".cfi_startproc\n\t" PUSH("rax") PUSH("rcx") PUSH("rdx") PUSH("rsi")    \
                PUSH("rdi") PUSH("r8") PUSH("r9") PUSH("r10")                       \
                    PUSH("r10") "call " name "\n\t" POP("r10") POP("r10") POP("r9") \
                        POP("r8") POP("rdi") POP("rsi") POP("rdx") POP("rcx")       \
                            POP("rax") "ret\n\t"                                    \
                                       ".cfi_endproc\n\t"                           \
                                       ".size " name "_all, . - " name "_all\n\t"   \
                                       ".popsection")

ALL("__trod_online_again");
ALL("__trod_online_enter");
ALL("__trod_online_left");

/* Called by code of which LLVM does not know that it calls: the stack may be anywhere. Quick where
 * nothing is pending and nothing will begin.
 */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_block_all\n\t"
        ".hidden __trod_block_all\n\t"
        ".type __trod_block_all, @function\n"
        "__trod_block_all:\n\t"
        ".cfi_startproc\n\t"
        "push %rbp\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        ".cfi_rel_offset %rbp, 0\n\t"
        "mov %rsp, %rbp\n\t"
        ".cfi_def_cfa_register %rbp\n\t"
        "push %rax\n\t"
        "mov __trod_hand@gottpoff(%rip), %rax\n\t"
        "cmpq $0, %fs:(%rax)\n\t"
        "jne 1f\n\t"
        "cmpl $0, %fs:8(%rax)\n\t"
        "je 2f\n"
        "1:\n\t"
        "mov %r11, %fs:16(%rax)\n\t"
        "push %rcx\n\t"
        "push %rdx\n\t"
        "push %rsi\n\t"
        "push %rdi\n\t"
        "push %r8\n\t"
        "push %r9\n\t"
        "push %r10\n\t"
        "and $-16, %rsp\n\t"
        "call __trod_block\n\t"
        "lea -64(%rbp), %rsp\n\t"
        "pop %r10\n\t"
        "pop %r9\n\t"
        "pop %r8\n\t"
        "pop %rdi\n\t"
        "pop %rsi\n\t"
        "pop %rdx\n\t"
        "pop %rcx\n\t"
        "2:\n\t"
        "pop %rax\n\t"
        "pop %rbp\n\t"
        ".cfi_def_cfa %rsp, 8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size __trod_block_all, . - __trod_block_all\n\t"
        ".popsection");

#endif
