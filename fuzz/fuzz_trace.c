/* Traces of blocks: arbitrary bytes are counted or rejected; split into pieces, the result is the same. A table that
 * is too small reports it, or respects its floor.
 */
#include "fuzz.h"

#include "online/every.h"

enum { SMALL = 160 << 10, LARGE = 4 << 20 };

static bool take(uint64_t thread, const uint32_t *block, size_t nblock, void *every,
    struct trod_err *err)
{
    return trod_every_add(every, thread, block, nblock, err);
}

/* With `pieces`, the trace arrives in pieces of up to 61 bytes. */
static bool count(struct trod_every *out, const uint8_t *bytes, size_t length,
    const struct trod_every_options *options, bool pieces, struct trod_arena *mem)
{
    struct trod_trace trace = {.name = "fuzz", .take = take, .ctx = out};
    char *room = trod_new(mem, char, length + 1);
    size_t have = 0, at = 0, used;
    struct trod_err err = {0};

    FUZZ_MUST_DO(trod_every_init(out, options, mem, &err), &err);
    while (at < length) {
        size_t n = pieces ? 1 + (at * 7 + 11) % 61 : length;

        n = n < length - at ? n : length - at;
        memcpy(room + have, bytes + at, n);
        at += n;
        have += n;
        if (!trod_trace_take(&used, &trace, room, have, &err)) {
            fuzz_refused(&err);
            return false;
        }
        FUZZ_MUST(used <= have);
        have -= used;
        memmove(room, room + used, have);
    }
    FUZZ_MUST_DO(trod_every_check(out, mem, &err), &err);
    return true;
}

static void check_same(const struct trod_every *a, const struct trod_every *b)
{
    FUZZ_MUST(a->nblock == b->nblock && a->ngap == b->ngap && a->nentry == b->nentry);
    FUZZ_MUST(memcmp(a->entry, b->entry, a->nentry * sizeof *a->entry) == 0);
}

static void check_floor(const struct trod_every *all, const struct trod_every *partial)
{
    uint32_t block[32];

    for (uint32_t i = 0; i < all->nentry; i++) {
        uint32_t level = trod_every_level_of(&all->entry[i]), number;
        uint64_t is = all->entry[i].state & TROD_EVERY_COUNT, said = 0;

        trod_every_expand(block, all, level, i);
        number = trod_every_find(partial, level, block);
        if (number != UINT32_MAX)
            said = partial->entry[number].state & TROD_EVERY_COUNT;
        FUZZ_MUST(said <= is && is - said <= partial->floor);
    }
}

static void check_rows(const struct trod_every *every, struct trod_arena *mem)
{
    struct trod_every_answer all, some;

    for (int identity = 0; identity < 3; identity++) {
        trod_every_merge(&all, every, (enum trod_sample_identity)identity, 0, 0, mem);
        trod_every_hottest(
            &some, every, (enum trod_sample_identity)identity, 0, 3, mem);
        FUZZ_MUST(all.nrow == all.nclass && !all.ncollision);
        FUZZ_MUST(some.nrow == (all.nrow < 3 ? all.nrow : 3));
        for (size_t i = 0; i < some.nrow; i++)
            FUZZ_MUST(some.row[i].count == all.row[i].count);
    }
}

static void try_bytes(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    static const uint32_t lengths[] = {2, 3, 4};
    struct trod_every_options options = {
        .memory = LARGE, .length = lengths, .nlength = 3};
    struct trod_every all, pieces, partial;

    if (!count(&all, bytes, length, &options, false, mem))
        return;
    check_rows(&all, mem);
    if (count(&pieces, bytes, length, &options, true, mem))
        check_same(&all, &pieces);
    options.memory = SMALL;
    options.partial = true;
    if (count(&partial, bytes, length, &options, false, mem))
        check_floor(&all, &partial);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES)
        try_bytes(bytes, length, &mem);
    trod_arena_free(&mem);
    return 0;
}
