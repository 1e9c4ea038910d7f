#include "entry/foreign.h"

#include <stdlib.h>
#include <string.h>

enum trod_foreign trod_foreign_kind(const char *bytes, size_t length)
{
    size_t at = 0;

    if (length >= 4 && memcmp(bytes, "gmon", 4) == 0)
        return TROD_FOREIGN_GMON;
    while (at < length && strchr(" \t\r\n", bytes[at]) && bytes[at])
        at++;
    return at < length && bytes[at] == '{' ? TROD_FOREIGN_COV : TROD_FOREIGN_NONE;
}

static int compare_text(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

static int compare(const void *a, const void *b)
{
    const struct trod_entry *x = a, *y = b;
    int by = strcmp(x->function, y->function);

    if (!by)
        by = compare_text(x->file, y->file);
    if (!by)
        by = (x->part > y->part) - (x->part < y->part);
    return by ? by : compare_text(x->other, y->other);
}

/* Those that are one are added up. */
static void put_in_order(struct trod_entries *entries)
{
    uint32_t n = 0;

    if (entries->nentry)
        qsort(entries->entry, entries->nentry, sizeof *entries->entry, compare);
    for (uint32_t i = 0; i < entries->nentry; i++) {
        struct trod_entry *last = n ? &entries->entry[n - 1] : NULL;

        if (last && compare(last, &entries->entry[i]) == 0)
            last->count = trod_sat_add(last->count, entries->entry[i].count);
        else
            entries->entry[n++] = entries->entry[i];
    }
    entries->nentry = n;
}

bool trod_foreign_entries(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, const struct trod_foreign_symbols *symbols,
    uint64_t *nlost, struct trod_arena *mem, struct trod_err *err)
{
    enum trod_foreign kind = trod_foreign_kind(bytes, length);
    uint64_t lost = 0;

    *out = (struct trod_entries){.type = type};
    if (kind == TROD_FOREIGN_NONE)
        return trod_fail(err, TROD_E_INPUT,
            "%s: not a profile of another profiler that is known here: neither gmon.out nor what "
            "'llvm-cov export' prints",
            file);
    if (kind == TROD_FOREIGN_GMON
            ? !trod_foreign_gmon(
                  out, type, file, bytes, length, symbols, &lost, mem, err)
            : !trod_foreign_cov(out, type, file, bytes, length, mem, err))
        return false;
    if (nlost)
        *nlost = lost;
    put_in_order(out);
    return true;
}
