#include "burster.h"

#include "stub.h"

/* Entry points for the slow copy. They return quickly if the stretch is not profiled for their types. */
#ifdef __x86_64__

/* For stretches in which one of these types is on. */
#define REPORT(name, types) \
    __asm__(ENTER(name) "testb $" types ", " HAND(8) "\n\tje 2f\n\t" CALL(name))

/* Most events of the slow copy are the first after a burst. These subtract as the fast copy does,
 * and continue there if the word is not negative. Stretches of streams are excluded, because the
 * runtime needs to know where they end; one test covers them and events from the fast copy, whose
 * bits are all set. Programs that test the flag have negative words at all times.
 */
__asm__(ENTER("__trod_burst_pass") "testb $0x10, " HAND(
    8) "\n\t"
       "jne 3f\n\t"
       "push %rcx\n\t"
       "mov " HAND(24) ", %ecx\n\t"
                       "decq " HAND(
                           40, ", %rcx, 8") "\n\t"
                                            "pop %rcx\n\t"
                                            "movq $-1, " HAND(
                                                8) "\n\t"
                                                   "js 3f\n\t"
                                                   "movq $0, " HAND(
                                                       8) "\n\t"
                                                          "jmp 2f\n"
                                                          "3:\n\t" CALL(
                                                              "__trod_burst_pass"));
REPORT("__trod_burst_path", "0x21");
REPORT("__trod_burst_trip", "0x08");
REPORT("__trod_burst_left", "0x08");
REPORT("__trod_burst_call", "0x24");
REPORT("__trod_burst_call_to", "0x24");
REPORT("__trod_burst_ref", "0x30");

_Static_assert(TROD_BURST_PATHS == 0 && TROD_BURST_CALLS == 2 &&
                   TROD_BURST_TRIPS == 3 && TROD_BURST_STREAMS == 4 &&
                   TROD_BURST_HANDLER == 5,
    "the bits above");

#endif
