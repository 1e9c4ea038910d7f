#include "burster.h"

/* What the slow copy calls, by code of which LLVM does not know that it calls: the stack may be
 * anywhere, at is in r11, and all other registers come back as they went. Quick where the stretch is
 * not for it.
 */
#ifdef __x86_64__

#define ENTER(name)                                    \
    ".pushsection .text\n\t"                           \
    ".p2align 4\n\t"                                   \
    ".globl " name "_all\n\t"                          \
    ".hidden " name "_all\n\t"                         \
    ".type " name "_all, @function\n" name "_all:\n\t" \
    ".cfi_startproc\n\t"                               \
    "push %rbp\n\t"                                    \
    ".cfi_adjust_cfa_offset 8\n\t"                     \
    ".cfi_rel_offset %rbp, 0\n\t"                      \
    "mov %rsp, %rbp\n\t"                               \
    ".cfi_def_cfa_register %rbp\n\t"                   \
    "push %rax\n\t"                                    \
    "mov __trod_hand@gottpoff(%rip), %rax\n\t"

#define CALL(name)                             \
    "mov %r11, %fs:16(%rax)\n\t"               \
    "push %rcx\n\t"                            \
    "push %rdx\n\t"                            \
    "push %rsi\n\t"                            \
    "push %rdi\n\t"                            \
    "push %r8\n\t"                             \
    "push %r9\n\t"                             \
    "push %r10\n\t"                            \
    "and $-16, %rsp\n\t"                       \
    "call " name "\n\t"                        \
    "lea -64(%rbp), %rsp\n\t"                  \
    "pop %r10\n\t"                             \
    "pop %r9\n\t"                              \
    "pop %r8\n\t"                              \
    "pop %rdi\n\t"                             \
    "pop %rsi\n\t"                             \
    "pop %rdx\n\t"                             \
    "pop %rcx\n"                               \
    "2:\n\t"                                   \
    "pop %rax\n\t"                             \
    "pop %rbp\n\t"                             \
    ".cfi_def_cfa %rsp, 8\n\t"                 \
    "ret\n\t"                                  \
    ".cfi_endproc\n\t"                         \
    ".size " name "_all, . - " name "_all\n\t" \
    ".popsection"

/* For stretches that are for one of these types. */
#define REPORT(name, types) \
    __asm__(ENTER(name) "testb $" types ", %fs:8(%rax)\n\tje 2f\n\t" CALL(name))

/* Most events of the slow copy are the first behind a burst: they are subtracted as the fast one does it, and what
 * is not below 0 goes on there. Not behind stretches of streams, of which the runtime wants to know the end; they are
 * tested for together with what comes from the fast copy, all of whose bits are set. Programs that look at the flag have
 * words below 0 always.
 */
__asm__(ENTER("__trod_burst_pass") "testb $0x10, %fs:8(%rax)\n\t"
                                   "jne 3f\n\t"
                                   "push %rcx\n\t"
                                   "mov %fs:24(%rax), %ecx\n\t"
                                   "decq %fs:40(%rax,%rcx,8)\n\t"
                                   "pop %rcx\n\t"
                                   "movq $-1, %fs:8(%rax)\n\t"
                                   "js 3f\n\t"
                                   "movq $0, %fs:8(%rax)\n\t"
                                   "jmp 2f\n"
                                   "3:\n\t" CALL("__trod_burst_pass"));
REPORT("__trod_burst_path", "0x21");
REPORT("__trod_burst_trip", "0x08");
REPORT("__trod_burst_left", "0x08");
REPORT("__trod_burst_call", "0x24");
REPORT("__trod_burst_call_to", "0x24");
REPORT("__trod_burst_ref", "0x30");

/* Room for all that xsave may save lies on the stack: cpuid says how much, and is asked once, because it takes
 * microseconds in a virtual machine. The header behind the first 512 bytes must be zeros before.
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

_Static_assert(TROD_BURST_PATHS == 0 && TROD_BURST_CALLS == 2 &&
                   TROD_BURST_TRIPS == 3 && TROD_BURST_STREAMS == 4 &&
                   TROD_BURST_HANDLER == 5,
    "the bits above");

#else

uint64_t __trod_keep_state(uint64_t (*call)(void *), void *with)
{
    return call(with);
}
#endif
