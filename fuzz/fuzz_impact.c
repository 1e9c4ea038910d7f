/* Impacts on one small program: rejected, or they survive a round trip through text; valid ones can be explained and
 * shown.
 */
#include "fuzz.h"

#include "impact/impact.h"

#define LEAF " 0000000000000001 0000000000000001\n"
static const char old_text[] =
    "constructs v1\nunit a.c\nin a.c\n"
    "0 function 1 5 0000000000000010 0000000000000002 f\n1 loop for 2 4 0000000000000003 "
    "0000000000000004\n2 statement call 3 3" LEAF "calls g\n"
    "0 function 7 9 0000000000000011 0000000000000005 g\n1 statement return 8 8" LEAF
    "0 function 11 12 0000000000000012 0000000000000005 h\n";
static const char new_text[] =
    "constructs v2\nunit a.c\nin a.c\n"
    "0 function 1 5 0000000000000010 0000000000000002 f\n1 loop for 2 4 0000000000000003 "
    "0000000000000004\n2 statement call 3 3" LEAF "calls g\n"
    "0 function 7 9 0000000000000013 0000000000000005 g\n1 statement return 8 8 "
    "0000000000000006 0000000000000006\n";
static const char changes_text[] =
    "changes v1 v2\nsignificance 0.2\nmap 0 0\nsame 1 1\n"
    "map 4 4\nmap 5 5\nedited 5 5\ndeleted 6\n";

static void read_changes(struct trod_changes *out, struct trod_arena *mem)
{
    struct trod_constructs *version = trod_new(mem, struct trod_constructs, 2);
    struct trod_err err = {0};
    struct trod_text text;

    trod_text_init(&text, "old", old_text, strlen(old_text));
    FUZZ_MUST_DO(trod_constructs_parse(&version[0], &text, mem, &err), &err);
    trod_text_init(&text, "new", new_text, strlen(new_text));
    FUZZ_MUST_DO(trod_constructs_parse(&version[1], &text, mem, &err), &err);
    trod_text_init(&text, "changes", changes_text, strlen(changes_text));
    FUZZ_MUST_DO(
        trod_changes_parse(out, &version[0], &version[1], &text, mem, &err), &err);
}

static const char *print(const struct trod_impact *impact,
    const struct trod_changes *changes, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_impact_print(&text.sink, impact, changes);
    return text.text;
}

static void tell(const struct trod_impact *impact, const struct trod_changes *changes,
    struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        trod_impact_explain(&text.sink, impact, changes, c);
    trod_impact_show(&text.sink, impact, changes, TROD_LEVEL_FUNCTION);
    trod_impact_json(&json, NULL, impact, changes, TROD_LEVEL_STATEMENT);
}

static void try_text(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_err err = {0};
    struct trod_impact impact, back;
    struct trod_changes changes;
    struct trod_text text;
    const char *printed;

    read_changes(&changes, mem);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (!trod_impact_parse(&impact, &changes, &text, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    printed = print(&impact, &changes, mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_impact_parse(&back, &changes, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, &changes, mem)) == 0);
    if (trod_impact_check(&impact, &changes, mem, &err))
        tell(&impact, &changes, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES)
        try_text(bytes, length, &mem);
    trod_arena_free(&mem);
    return 0;
}
