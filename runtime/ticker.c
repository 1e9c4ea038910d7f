#include "burst.h"
uint32_t __trod_burst_ticks;
void __trod_ticker_start(uint32_t hz)
{
    (void)hz;
}
