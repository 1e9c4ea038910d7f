#include "base/base.h"

#include <stdio.h>

void trod_err_set_at(struct trod_err *err, enum trod_err_code code, const char *file,
    uint32_t line, const char *format, va_list args)
{
    size_t used = 0;

    err->code = code;
    if (file) {
        int n = snprintf(err->text, sizeof err->text, "%s:%u: ", file, line);

        used = n < 0 ? 0 : (size_t)n;
        if (used >= sizeof err->text)
            used = sizeof err->text - 1;
    }
    vsnprintf(err->text + used, sizeof err->text - used, format, args);
}

void trod_err_set(
    struct trod_err *err, enum trod_err_code code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    trod_err_set_at(err, code, NULL, 0, format, args);
    va_end(args);
}
