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

#endif
