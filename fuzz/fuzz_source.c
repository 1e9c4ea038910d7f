/* Source text in which conditions are looked up: arbitrary bytes are tokens, and each location has a valid condition
 * or none.
 */
#include "fuzz.h"

#include <string.h>

#include "report/source_text.h"

enum { MOST_LINES = 64 };

static uint32_t cut(const char *line[MOST_LINES], char *bytes)
{
    uint32_t n = 0;

    while (bytes && n < MOST_LINES) {
        char *end = strchr(bytes, '\n');

        if (end)
            *end++ = '\0';
        line[n++] = bytes;
        bytes = end;
    }
    return n;
}

static void look(const struct trod_source_text *text, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < text->ntoken; i++) {
        const struct trod_source_token *t = &text->token[i];
        struct trod_source_range range;
        struct trod_string out;

        FUZZ_MUST(trod_source_at(text, t->line, t->column) == i);
        FUZZ_MUST(t->partner == UINT32_MAX || text->token[t->partner].partner == i);
        FUZZ_MUST(t->open == UINT32_MAX || t->open < i);
        if (!trod_source_condition(&range, text, t->line, t->column, 1 + i % 3))
            continue;
        FUZZ_MUST(range.first <= range.last && range.last < text->ntoken);
        trod_string_init(&out, mem);
        trod_source_print(&out.sink, text, range);
        FUZZ_MUST(out.length > 0 && !trod_has_controls(out.text));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const char *line[MOST_LINES];
    struct trod_source_text text;
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= 4096) {
        trod_source_scan(&text, line,
            cut(line, trod_copy_text(&mem, (const char *)bytes, length)), &mem);
        look(&text, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
