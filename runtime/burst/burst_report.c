#include "burster.h"

#include "stub.h"

/* What the slow copy calls. Quick where the stretch is not for it. */
#ifdef __x86_64__

/* For stretches that are for one of these types. */
#define REPORT(name, types) \
    __asm__(ENTER(name) "testb $" types ", " HAND(8) "\n\tje 2f\n\t" CALL(name))

/* Most events of the slow copy are the first after a burst: they are subtracted as the fast one does it, and what
 * is not below 0 continues there. Not after stretches of streams, of which the runtime wants to know the end; they are
 * tested for together with what comes from the fast copy, all of whose bits are set. Programs that look at the flag have
 * words below 0 always.
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
