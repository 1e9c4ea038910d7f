/* control: how the program is to sample, said while it runs.
 *
 *     controller -> CONTROL section (trod/format.h) -> setting -> each thread, when it next comes here
 *
 * Linked only into programs that sample online or in bursts: the rest of the runtime refers to it weakly.
 *
 * Glossary
 *   block     the section's payload, mapped. What others write there is never trusted
 *   setting   all that may be changed. A thread that has followed a setting remembers its sequence
 *   idle      how long a thread that samples nothing goes on until it looks again
 *
 * A thread looks where it rarely comes: at the visits between which it counts events or blocks down. A child of fork
 * begins with its parent's setting, in a block of its own.
 */
#ifndef TROD_CONTROL_H
#define TROD_CONTROL_H

#include "runtime.h"

#include "budget.h"
#include "idle.h"

#pragma GCC visibility push(hidden)

/* NULL: there is none, because there was no room. */
extern struct trod_format_control *__trod_control;

/* Is there a setting that the thread, which heard this one last, has not seen? One that is being written is none yet, perhaps
 * for ever. cost: 4 instructions
 */
static inline bool trod_control_is_new(uint64_t heard)
{
    const struct trod_format_control *block = __trod_control;
    uint64_t now = block ? __atomic_load_n(&block->sequence, __ATOMIC_RELAXED) : heard;

    return now != heard && !(now & 1);
}

/* The sequence that a thread begins with. */
uint64_t __trod_control_first(void);

/* Copy the setting. False if it must not be followed: it is being written (*heard stays), or is damaged (*heard changes).
 *
 * cost: some 3000 instructions, for the check
 */
bool __trod_control_read(struct trod_format_setting *out, uint64_t *heard);

/* The last setting that a thread of this process followed, or that its parent had; false: there was none. */
bool __trod_control_last(struct trod_format_setting *out, uint64_t *heard);

/* The thread follows the setting with this sequence; or cannot, because a value is impossible. */
void __trod_control_followed(const struct trod_format_setting *setting, uint64_t heard);
void __trod_control_ignored(uint64_t heard);

void __trod_control_copy(void *to, const void *from, size_t size);

/* Note, once, that the profile is of a program that was controlled, or whose counts were set to 0. needs: calm */
void __trod_control_note(bool reset);

/* --- clocks.c: for budgets -------------------------------------------------------------------- */

uint64_t __trod_clock_ticks(void);
void __trod_clock_times(struct trod_clocks *out);

/* --- control.c -------------------------------------------------------------------------------- */

/* The checks alone take more than the budget: say so, once. */
void __trod_budget_note(const struct trod_budget *b);

/* burst_control.c, watch_control.c: fill the first setting, and what the program can do. */
void __trod_burst_settle(struct trod_format_control *out) __attribute__((weak));
void __trod_online_settle(struct trod_format_control *out) __attribute__((weak));

#pragma GCC visibility pop

#endif
