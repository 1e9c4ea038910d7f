/* os_call: system calls, for the files that make them. */
#ifndef TROD_OS_CALL_H
#define TROD_OS_CALL_H

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls without libc; see os.h. Six arguments are always passed: the kernel ignores unused
 * ones.
 */
#if defined(__x86_64__)
static inline int64_t kernel(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    register uint64_t r10 __asm__("r10") = d;
    register uint64_t r8 __asm__("r8") = e;
    register uint64_t r9 __asm__("r9") = f;
    int64_t result;

    __asm__ volatile("syscall"
        : "=a"(result)
        : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
        : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
static inline int64_t kernel(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    register int64_t x8 __asm__("x8") = number;
    register uint64_t x0 __asm__("x0") = a;
    register uint64_t x1 __asm__("x1") = b;
    register uint64_t x2 __asm__("x2") = c;
    register uint64_t x3 __asm__("x3") = d;
    register uint64_t x4 __asm__("x4") = e;
    register uint64_t x5 __asm__("x5") = f;

    __asm__ volatile("svc 0"
        : "+r"(x0)
        : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
        : "memory");
    return (int64_t)x0;
}
#else
static inline int64_t kernel(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f)
{
    long result = syscall(number, a, b, c, d, e, f);

    return result == -1 ? -errno : result;
}
#endif

/* Converts numbers and pointers to a register value. */
#define word(x) _Generic((x), int: (uint64_t)(int64_t)(x), default: (uint64_t)(x))
#define call_(n, a, b, c, d, e, f, ...) \
    kernel((n), word(a), word(b), word(c), word(d), word(e), word(f))
#define call(...) call_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

#endif
