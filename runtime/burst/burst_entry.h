/* burst_entry: the entry points of the slow copy, of which there are two sets: burst_report.c, burst_timed.c. They return
 * quickly if the stretch is not profiled for their types.
 */
#ifndef TROD_BURST_ENTRY_H
#define TROD_BURST_ENTRY_H

#include "stub.h"

/* For stretches in which one of these types is on. */
#define REPORT(name, types) \
    __asm__(ENTER(name) "testb $" types ", " HAND(8) "\n\tje 2f\n\t" CALL(name))

/* Most events of the slow copy are the first after a burst. These subtract as the fast copy does,
 * and continue there if the word is not negative. Stretches of streams are excluded, because the
 * runtime needs to know where they end; one test covers them and events from the fast copy, whose
 * bits are all set. Programs that test the flag have negative words at all times.
 */
#define PASS(name)                                                          \
    __asm__(ENTER(name) "testb $0x10, " HAND(                               \
        8) "\n\t"                                                           \
           "jne 3f\n\t"                                                     \
           "push %rcx\n\t"                                                  \
           "movzwl " HAND(24) ", %ecx\n\t"                                  \
                              "decq " HAND(                                 \
                                  40, ", %rcx, 8") "\n\t"                   \
                                                   "pop %rcx\n\t"           \
                                                   "movq $-1, " HAND(       \
                                                       8) "\n\t"            \
                                                          "js 3f\n\t"       \
                                                          "movq $0, " HAND( \
                                                              8) "\n\t"     \
                                                                 "jmp 2f\n" \
                                                                 "3:\n\t" CALL(name))

/* An event of the fast copy goes on in the slow one. */
#define OVER(name) __asm__(ENTER(name) "movq $-1, " HAND(8) "\n" LEAVE(name))

#endif
