/* Merged entries as the scorer reads them, and times: what is accepted is sorted, and scores 1 against itself. */
#include "fuzz.h"

#include "score/score.h"

static void check(const struct trod_scored_entries *entries, struct trod_arena *mem)
{
    struct trod_score_table table = {.type = entries->type, .nscore = 1};
    struct trod_score score;
    struct trod_string text;
    struct trod_json json;
    struct trod_err err = {0};

    for (size_t i = 1; i < entries->nentry; i++)
        FUZZ_MUST(trod_scored_compare(&entries->entry[i - 1], &entries->entry[i]) < 0);
    if (!trod_score_build(&score, entries, entries, false, mem, &err)) {
        FUZZ_MUST(err.code == TROD_E_MISMATCH);
        return;
    }
    FUZZ_MUST_DO(trod_score_check(&score, &err), &err);
    FUZZ_MUST(score.acc == 1 && score.precision == 1);
    table.score = &score;
    trod_score_sum(&table.all, &score, 1, mem);
    trod_string_init(&text, mem);
    trod_score_print(&text.sink, &table);
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_score_json(&json, &table);
    trod_json_close(&json, '}');
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_scored_entries entries;
    struct trod_score_times times;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;

    if (length > FUZZ_MOST_BYTES)
        return 0;
    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (trod_score_parse(&entries, &text, &mem, &err))
        check(&entries, &mem);
    else
        fuzz_refused(&err);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (!trod_score_times_parse(&times, &text, &mem, &err))
        fuzz_refused(&err);
    trod_arena_free(&mem);
    return 0;
}
