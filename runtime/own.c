#define TROD_OWN_TLS 1
#include "runtime.h"

/* A thread's own in executables: a thread-local variable. Linked only into images whose code was
 * not compiled for shared libraries.
 */
extern __thread struct trod_own __trod_variable __asm__("__trod_thread")
    __attribute__((visibility("hidden"), tls_model("initial-exec")));
__thread struct trod_own __trod_variable
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

const uint32_t __trod_link_with_trod_cc = 1;

struct trod_own *__trod_own_tls(void)
{
    return &__trod_variable;
}

#ifdef __x86_64__
/* Like __trod_count_rare; preserves all registers except r11. */
__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_count_rare_most\n\t"
        ".hidden __trod_count_rare_most\n\t"
        ".type __trod_count_rare_most, @function\n"
        "__trod_count_rare_most:\n\t"
        ".cfi_startproc\n\t"
        "mov __trod_thread@gottpoff(%rip), %r11\n\t"
        "mov %fs:(%r11), %r11\n\t"
        "test %r11, %r11\n\t"
        "je 1f\n\t"
        "incq -1(%rdi, %r11)\n\t"
        "ret\n"
        "1:\n\t"
        "push %rax\n\t.cfi_adjust_cfa_offset 8\n\t"
        "call __trod_enter_most\n\t"
        "incq -1(%rdi, %rax)\n\t"
        "pop %rax\n\t.cfi_adjust_cfa_offset -8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size __trod_count_rare_most, . - __trod_count_rare_most\n\t"
        ".popsection");
#endif
