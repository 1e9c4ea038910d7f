#include "runtime.h"

/* Vector registers are saved only around code that uses them. That code never uses more than 128
 * bits of them, so the upper parts stay unchanged.
 */
#ifdef __x86_64__

#define SAVE(n) "movups %xmm" #n ", 16*" #n "(%rsp)\n\t"
#define LOAD(n) "movups 16*" #n "(%rsp), %xmm" #n "\n\t"
#define EACH(do)                                                                       \
    do                                                                                 \
    (0) do(1) do(2) do(3) do(4) do(5) do(6) do(7) do(8) do(9) do(10) do(11) do(12) do( \
        13) do(14) do(15)

__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_keep_vectors\n\t"
        ".hidden __trod_keep_vectors\n\t"
        ".type __trod_keep_vectors, @function\n"
        "__trod_keep_vectors:\n\t"
        ".cfi_startproc\n\t"
        "sub $264, %rsp\n\t.cfi_adjust_cfa_offset 264\n\t" EACH(
            SAVE) "mov %rdi, %rax\n\t"
                  "mov %rsi, %rdi\n\t"
                  "call *%rax\n\t" EACH(
                      LOAD) "add $264, %rsp\n\t"
                            ".cfi_adjust_cfa_offset -264\n\t"
                            "ret\n\t"
                            ".cfi_endproc\n\t"
                            ".size __trod_keep_vectors, . - __trod_keep_vectors\n\t"
                            ".popsection");

#else

uint64_t __trod_keep_vectors(uint64_t (*call)(void *), void *with)
{
    return call(with);
}
#endif
