/* control: a program that samples itself, and decides when and how often.
 *
 *     trod cc --burst=off prog.c        nothing is sampled until the program says so
 *
 * Each function returns 0, or -1 if the image of the caller was not built to sample, by `trod cc --burst` or --online, or has
 * no profile yet: its first instrumented function creates it. So programs may call them in any build; there is nothing to
 * link. What they say is followed by all threads, each when it next looks, and by children that are forked later; it is said
 * in the same place as by `trod sample control`, and whoever speaks last is heard. Safe in signal handlers.
 */
#ifndef TROD_CONTROL_API_H
#define TROD_CONTROL_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum trod_control_action {
    TROD_CONTROL_OFF = 0,
    TROD_CONTROL_ON = 1,
    TROD_CONTROL_RATE = 2,
    TROD_CONTROL_RESET = 3
};

/* In the runtime of the image, if it samples. */
int trod_rt_control(int action, uint64_t value) __attribute__((weak));
int trod_rt_snapshot(const char *path) __attribute__((weak));

/* Sample; or sample nothing, at the lowest cost. */
static inline int trod_control_on(void)
{
    return trod_rt_control ? trod_rt_control(TROD_CONTROL_ON, 0) : -1;
}

static inline int trod_control_off(void)
{
    return trod_rt_control ? trod_rt_control(TROD_CONTROL_OFF, 0) : -1;
}

/* Bursts: one of so many events is on, of each type, 1 to 10^8. Online: one of so many blocks is a start, 1 to 2^40;
 * until a reset, only more than before. -1: not in this range, or bursts are begun by time.
 */
static inline int trod_control_rate(uint64_t rate)
{
    return trod_rt_control ? trod_rt_control(TROD_CONTROL_RATE, rate) : -1;
}

/* Set all counts to 0. */
static inline int trod_control_reset(void)
{
    return trod_rt_control ? trod_rt_control(TROD_CONTROL_RESET, 0) : -1;
}

/* Write what was counted so far to a new file, a profile like any other. -1 also if the file exists, or cannot be written.
 * Not in signal handlers.
 */
static inline int trod_control_snapshot(const char *path)
{
    return trod_rt_snapshot ? trod_rt_snapshot(path) : -1;
}

#ifdef __cplusplus
}
#endif

#endif
