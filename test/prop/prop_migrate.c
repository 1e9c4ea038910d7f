/* Entries and merged profiles: texts parse back, and entries are found in any order. A
 * function that was counted again has the new counts, any other the planned ones, and there
 * are no others.
 */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "migrate/migrate.h"

enum fault { NONE, COUNT_LOST, PLANNED_WINS, EXTRA };

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static const char *const names[] = {"f", "g", "h", "k l"};
static const char *const files[] = {NULL, "a.c", "b/c.c"};

static void draw_entries(
    struct trod_entries *out, struct kit_prop *p, bool known, struct trod_arena *mem)
{
    uint64_t n = kit_draw(p, 12);

    *out = (struct trod_entries){.type = "blocks"};
    for (uint64_t i = 0; i < n; i++) {
        struct trod_entry e = {.function = names[kit_draw(p, 4)],
            .file = files[kit_draw(p, 3)],
            .part = (uint32_t)kit_draw(p, 5),
            .id = kit_draw(p, 2),
            .line = (uint32_t)kit_draw(p, 100),
            .count = kit_draw(p, 1000)};

        if (e.part == 4)
            e.part = TROD_NONE;
        if (known) {
            e.how = (enum trod_how)(TROD_HOW_REUSED + kit_draw(p, 3));
            e.trust = (double)kit_draw(p, 5) / 4;
            e.has_was = kit_draw(p, 2);
            e.was = e.has_was ? e.count : 0;
        }
        trod_entries_add(out, &e, mem);
    }
    trod_entries_order(out);
}

static const char *print(const struct trod_entries *entries, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_entries_print(&text.sink, entries);
    return text.text;
}

static bool text_is_parsed_back(struct kit_prop *p, void *ctx)
{
    struct trod_entries entries, back;
    struct trod_text text;
    const char *printed;
    struct sample s;
    bool ok;

    begin(&s);
    draw_entries(&entries, p, kit_draw(p, 2), &s.mem);
    printed = print(&entries, &s.mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    ok = trod_entries_parse(&back, &text, &s.mem, &s.err) &&
         trod_entries_check(&back, &s.err);
    if (ok && fault_in(ctx) == COUNT_LOST && back.nentry)
        back.entry[0].count++;
    ok = ok && strcmp(printed, print(&back, &s.mem)) == 0;
    if (!ok)
        kit_note(p, "%s\n%s", printed, s.err.text);
    return end(&s, ok);
}

/* Was it counted: has the profile an entry of it, or should it have been? */
static bool is_counted(const struct trod_merge_inputs *in, const struct trod_entry *e)
{
    size_t first;

    return trod_entries_of(&first, in->profiled, e->function, e->file) ||
           trod_entries_of(&first, in->again, e->function, e->file);
}

static bool same(const struct trod_entry *e, uint64_t count, enum trod_how how)
{
    return e && e->count == count && e->how == how;
}

static bool is_right(const struct trod_merged *merged,
    const struct trod_merge_inputs *in, enum fault fault)
{
    const struct trod_entries *out = &merged->entries;

    for (uint32_t i = 0; i < in->planned->nentry; i++) {
        const struct trod_entry *e = &in->planned->entry[i],
                                *got = trod_entries_find(out, e);

        if ((!is_counted(in, e) || fault == PLANNED_WINS) && e->count &&
            !same(got, e->count, e->how))
            return false;
    }
    for (uint32_t i = 0; i < in->profiled->nentry; i++) {
        const struct trod_entry *e = &in->profiled->entry[i];

        if (e->count && !same(trod_entries_find(out, e), e->count, TROD_HOW_PROFILED))
            return false;
    }
    for (uint32_t i = 0; i < out->nentry; i++) {
        const struct trod_entry *e = &out->entry[i];
        bool planned = trod_entries_find(in->planned, e),
             profiled = trod_entries_find(in->profiled, e);

        if ((!planned && !profiled) || (fault == EXTRA && !planned))
            return false;
        if (planned && !profiled && is_counted(in, e) && e->count)
            return false;
    }
    return true;
}

static bool merged_is_one_or_the_other(struct kit_prop *p, void *ctx)
{
    struct trod_entries planned, profiled, again;
    struct trod_merge_inputs in = {
        .planned = &planned, .profiled = &profiled, .again = &again};
    struct trod_merged merged;
    struct sample s;
    bool ok;

    begin(&s);
    draw_entries(&planned, p, true, &s.mem);
    draw_entries(&profiled, p, false, &s.mem);
    draw_entries(&again, p, false, &s.mem);
    /* Files are as the plan has them: other profilers have a test of their own. */
    for (uint32_t i = 0; i < planned.nentry; i++)
        planned.entry[i].file = "a.c";
    for (uint32_t i = 0; i < profiled.nentry; i++)
        profiled.entry[i].file = "a.c";
    for (uint32_t i = 0; i < again.nentry; i++) {
        again.entry[i].file = "a.c";
        again.entry[i].part = TROD_NONE;
        again.entry[i].id = 0;
    }
    trod_entries_order(&planned);
    trod_entries_order(&profiled);
    trod_entries_order(&again);
    trod_merge_entries(&merged, &in, &s.mem);
    ok = trod_entries_check(&merged.entries, &s.err) &&
         is_right(&merged, &in, fault_in(ctx));
    if (!ok)
        kit_note(p, "%s%s%s-> %s%s", print(&planned, &s.mem), print(&profiled, &s.mem),
            print(&again, &s.mem), print(&merged.entries, &s.mem), s.err.text);
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"text of entries is parsed back", text_is_parsed_back, {COUNT_LOST}},
        {"what is merged is as profiled or as planned", merged_is_one_or_the_other,
            {PLANNED_WINS, EXTRA}},
    };

    return kit_run_tested("prop_migrate", tested, sizeof tested / sizeof *tested);
}
