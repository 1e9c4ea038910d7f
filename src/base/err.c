#include "base/base.h"

#include <stdio.h>

bool trod_fail_v(struct trod_err *err, enum trod_code code, const char *place,
    uint32_t line, const char *format, va_list args)
{
    size_t used = 0;

    err->code = code;
    if (place) {
        int n = snprintf(err->text, sizeof err->text, "%s:%u: ", place, line);
        used = n < 0 ? 0 : (size_t)n;
        if (used >= sizeof err->text)
            used = sizeof err->text - 1;
    }
    vsnprintf(err->text + used, sizeof err->text - used, format, args);
    return false;
}

bool trod_fail(struct trod_err *err, enum trod_code code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    trod_fail_v(err, code, NULL, 0, format, args);
    va_end(args);
    return false;
}
