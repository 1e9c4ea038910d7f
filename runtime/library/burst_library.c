/* Options of burst profiling, for tools that build programs. */
#include "trod/burst.h"

#include "burst/burst_plan.h"

const char *trod_burst_check(const char *text, struct trod_burst_build *out)
{
    struct trod_burst_options options;
    const char *why;

    __trod_burst_options_default(&options);
    if (!__trod_burst_options_parse(&options, text, &why))
        return why;
    if (out) {
        out->types = options.types;
        out->trigger = options.trigger;
        out->words = options.words;
    }
    return NULL;
}
