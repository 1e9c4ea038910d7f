/* Profiles of other profilers: arbitrary bytes give entries, sorted and without duplicates, or a message. */
#include "fuzz.h"

#include "entry/foreign.h"

static const char *name_of(void *ctx, uint64_t low, uint64_t address)
{
    static const char *const name[] = {"f", "g", "h", NULL};

    (void)ctx;
    return name[(address - low) % 4];
}

static void check(const struct trod_entries *entries)
{
    for (uint32_t i = 1; i < entries->nentry; i++) {
        const struct trod_entry *a = &entries->entry[i - 1], *b = &entries->entry[i];
        int by = strcmp(a->function, b->function);

        if (!by && a->file && b->file)
            by = strcmp(a->file, b->file);
        if (!by)
            by = (a->part > b->part) - (a->part < b->part);
        if (!by && a->other && b->other)
            by = strcmp(a->other, b->other);
        FUZZ_MUST(by < 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const type[] = {"calls", "callgraph", "blocks", "edges", "x"};
    struct trod_foreign_symbols symbols = {.name = name_of};

    if (length > FUZZ_MOST_BYTES)
        return 0;
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        struct trod_entries entries;
        struct trod_err err = {0};
        struct trod_arena mem;
        uint64_t nlost;

        trod_arena_init(&mem, fuzz_exhausted, NULL);
        if (trod_foreign_entries(&entries, type[i], "fuzz", (const char *)bytes, length,
                &symbols, &nlost, &mem, &err))
            check(&entries);
        else if (err.code != TROD_E_MISMATCH)
            fuzz_refused(&err);
        trod_arena_free(&mem);
    }
    return 0;
}
