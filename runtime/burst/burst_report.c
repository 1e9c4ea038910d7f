#include "burster.h"

#include "burst_entry.h"

/* Entry points for the slow copy. They return quickly if the stretch is not profiled for their types. */
#ifdef __x86_64__

OVER("__trod_burst_over");
PASS("__trod_burst_pass");
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
