#include "entry/foreign.h"
#include "base/order.h"

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

TROD_ORDER(compare, struct trod_entry, TROD_ALPHABETIC(function),
    compare_text(a->file, b->file), TROD_UP(part), compare_text(a->other, b->other))

/* Sort, and add up the counts of equal entries. */
static void put_in_order(struct trod_entries *entries)
{
    uint32_t n = 0;

    trod_sort(entries->entry, entries->nentry, compare);
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
