#define TROD_STUB_SHARED 1
/* NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "burst_timed.c"
