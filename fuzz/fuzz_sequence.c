/* Call sequences: what is accepted is valid and survives a round trip. Migrated onto itself, with all functions
 * exempt or all affected, it does not change. The scorer's own reader accepts it, too, unless it has unknown parts.
 */
#include "fuzz.h"

#include "sequence/sequence.h"
#include "score/score.h"

static const char *print(
    const struct trod_call_sequence *sequence, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_call_sequence_print(&text.sink, sequence);
    return text.text;
}

static enum trod_call_sequence_what is_what(const char *function, void *ctx)
{
    (void)function;
    return *(const enum trod_call_sequence_what *)ctx;
}

static bool has_outside(const struct trod_call_sequence *sequence)
{
    for (uint32_t s = 0; s < sequence->nspan; s++)
        if (sequence->span[s].how == TROD_SPAN_OUTSIDE)
            return true;
    return false;
}

static uint64_t ncall(const struct trod_call_sequence *sequence, uint32_t thread)
{
    return sequence->span[sequence->root_of_thread[thread]].ncall;
}

static void migrate(const struct trod_call_sequence *sequence, struct trod_arena *mem)
{
    static enum trod_call_sequence_what all[] = {
        TROD_CALLEE_EXEMPT, TROD_CALLEE_AFFECTED};
    struct trod_call_sequence none = {.name = "none"};
    struct trod_call_sequence_merged merged;
    struct trod_err err;

    trod_names_init(&none.function, mem);
    for (int i = 0; i < 2; i++) {
        trod_call_sequence_merge(
            &merged, sequence, i ? sequence : &none, is_what, &all[i], mem);
        FUZZ_MUST_DO(trod_call_sequence_check(&merged.sequence, mem, &err), &err);
        FUZZ_MUST(merged.sequence.nthread == sequence->nthread);
        for (uint32_t t = 0; !has_outside(sequence) && t < sequence->nthread; t++)
            FUZZ_MUST(ncall(&merged.sequence, t) == ncall(sequence, t));
    }
}

/* Are there few enough calls to fill holes one by one? */
static bool is_short(const struct trod_call_sequence *sequence)
{
    for (uint32_t t = 0; t < sequence->nthread; t++)
        if (ncall(sequence, t) > 100000)
            return false;
    return true;
}

static void check(const struct trod_call_sequence *sequence, struct trod_arena *mem)
{
    const char *printed = print(sequence, mem);
    struct trod_scored_entries entries;
    struct trod_call_sequence back;
    struct trod_err err = {0};
    struct trod_text text;

    FUZZ_MUST_DO(trod_call_sequence_check(sequence, mem, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_call_sequence_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST(trod_score_spans(&entries, &text, mem, &err) == !has_outside(sequence));
    if (is_short(sequence))
        migrate(sequence, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_call_sequence sequence;
    struct trod_scored_entries entries;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;

    if (length > FUZZ_MOST_BYTES)
        return 0;
    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (trod_call_sequence_parse(&sequence, &text, &mem, &err))
        check(&sequence, &mem);
    else
        fuzz_refused(&err);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (!trod_score_spans(&entries, &text, &mem, &err))
        fuzz_refused(&err);
    trod_arena_free(&mem);
    return 0;
}
