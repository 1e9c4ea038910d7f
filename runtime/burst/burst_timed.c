#include "burster.h"

#include "burst_entry.h"

/* Entry points for slow copies whose paths can be timed: like those of burst_report.c, for other functions. */
#ifdef __x86_64__

PASS("__trod_timed_pass");
REPORT("__trod_timed_path", "0x21");
REPORT("__trod_timed_trip", "0x08");
REPORT("__trod_timed_left", "0x08");
REPORT("__trod_timed_call", "0x24");
REPORT("__trod_timed_call_to", "0x24");
REPORT("__trod_timed_ref", "0x30");

/* The clock is read last. */
__asm__(ENTER("__trod_watch_start") "testb $0x40, " HAND(
    8) "\n\t"
       "movq $0, (%r11)\n\t"
       "je 2f\n\t"
       "mov " HAND(168) ", %rax\n\t"
                        "mov %rax, 32(%r11)\n\t"
                        "movq $0, 16(%r11)\n\t"
                        "movq $0, 24(%r11)\n\t"
                        "movq $1, (%r11)\n\t"
                        "call __trod_watch_begin_all\n" LEAVE("__trod_watch_start"));
__asm__(ENTER("__trod_watch_ended") "cmpq $0, (%r11)\n\tje 2f\n\t" CALL_WITH(
    "mov %r11, %rdi\n\t", "__trod_watch_ended"));

_Static_assert(TROD_BURST_TIME == 6 && offsetof(struct trod_rt_hand, inside) == 168 &&
                   offsetof(struct trod_rt_watch, inside) == 32,
    "the bits and offsets above");

#endif
