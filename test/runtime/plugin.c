/* A library with counters; see plugin_host.c. */
#include "emitted.h"

FUNCTION(plug, 2, 1);

__attribute__((visibility("default"))) void plugin_step(unsigned n);

void plugin_step(unsigned n)
{
    ENTER;

    while (n--)
        COUNT(plug, n % 2);
}
