#include "watch.h"

#include "stub.h"

/* Called by each block of the slow copy. Fast if no sample is pending and none will begin. */
#ifdef __x86_64__
__asm__(ENTER("__trod_block") "cmpq $0, " HAND(0) "\n\t"
                                                  "jne 1f\n\t"
                                                  "cmpl $0, " HAND(
                                                      8) "\n\t"
                                                         "je 2f\n"
                                                         "1:\n\t" CALL("__trod_block"));

/* The others rarely run. */
#define OTHER(name) __asm__(ENTER(name) CALL_WITH("", name))
OTHER("__trod_online_again");
OTHER("__trod_online_enter");
OTHER("__trod_online_left");
OTHER("__trod_online_stay");
OTHER("__trod_online_pass");
#endif
