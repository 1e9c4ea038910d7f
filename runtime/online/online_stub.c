#include "watch.h"

/* Entry points for emitted code that rarely runs. On x86-64 they preserve all registers except r11
 * (LLVM's preserve_all), so that callers need not save any. General registers are pushed; see
 * vectors.c for the others.
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

#endif
