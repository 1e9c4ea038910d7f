#include "burster.h"

#ifdef __x86_64__

/* The stack provides room for all state that xsave may save. The size comes from cpuid, which is
 * executed once, because it takes microseconds in a virtual machine. The header after the first 512
 * bytes must be zeroed first.
 */
extern uint64_t __trod_state_size __attribute__((visibility("hidden")));
uint64_t __trod_state_size; /* 0: not asked yet; 1: there is no xsave */

__asm__(".pushsection .text\n\t"
        ".p2align 4\n\t"
        ".globl __trod_keep_state\n\t"
        ".hidden __trod_keep_state\n\t"
        ".type __trod_keep_state, @function\n"
        "__trod_keep_state:\n\t"
        ".cfi_startproc\n\t"
        "push %rbp\n\t"
        ".cfi_adjust_cfa_offset 8\n\t"
        ".cfi_rel_offset %rbp, 0\n\t"
        "mov %rsp, %rbp\n\t"
        ".cfi_def_cfa_register %rbp\n\t"
        "push %rbx\n\t"
        "push %r12\n\t"
        "push %r13\n\t"
        "push %r13\n\t"
        "mov %rdi, %r12\n\t"
        "mov %rsi, %r13\n\t"
        "mov __trod_state_size(%rip), %rbx\n\t"
        "test %rbx, %rbx\n\t"
        "jne 3f\n\t"
        "mov $1, %eax\n\t"
        "cpuid\n\t"
        "mov $1, %ebx\n\t"
        "bt $27, %ecx\n\t"
        "jnc 4f\n\t"
        "mov $13, %eax\n\t"
        "xor %ecx, %ecx\n\t"
        "cpuid\n"
        "4:\n\t"
        "mov %rbx, __trod_state_size(%rip)\n"
        "3:\n\t"
        "cmp $1, %rbx\n\t"
        "je 1f\n\t"
        "sub %rbx, %rsp\n\t"
        "and $-64, %rsp\n\t"
        "lea 512(%rsp), %rdi\n\t"
        "xor %eax, %eax\n\t"
        "mov $8, %ecx\n\t"
        "rep stosq\n\t"
        "mov $-1, %eax\n\t"
        "mov $-1, %edx\n\t"
        "xsave64 (%rsp)\n\t"
        "mov %r13, %rdi\n\t"
        "call *%r12\n\t"
        "mov %rax, %r12\n\t"
        "mov $-1, %eax\n\t"
        "mov $-1, %edx\n\t"
        "xrstor64 (%rsp)\n\t"
        "jmp 2f\n"
        "1:\n\t"
        "sub $512, %rsp\n\t"
        "and $-64, %rsp\n\t"
        "fxsave64 (%rsp)\n\t"
        "mov %r13, %rdi\n\t"
        "call *%r12\n\t"
        "mov %rax, %r12\n\t"
        "fxrstor64 (%rsp)\n"
        "2:\n\t"
        "mov %r12, %rax\n\t"
        "lea -32(%rbp), %rsp\n\t"
        "pop %r13\n\t"
        "pop %r13\n\t"
        "pop %r12\n\t"
        "pop %rbx\n\t"
        "pop %rbp\n\t"
        ".cfi_def_cfa %rsp, 8\n\t"
        "ret\n\t"
        ".cfi_endproc\n\t"
        ".size __trod_keep_state, . - __trod_keep_state\n\t"
        ".popsection");

#else

uint64_t __trod_keep_state(uint64_t (*call)(void *), void *with)
{
    return call(with);
}
#endif
