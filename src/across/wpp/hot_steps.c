#include "wpp/wpp.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 8 }; /* subpaths printed of a rule */

/* --- subpaths -------------------------------------------------------------------------------- */

struct ran {
    uint32_t function;
    uint64_t id, count;
};

TROD_ORDER(by_id, struct ran, TROD_UP(function), TROD_UP(id))

void trod_recorded_tally(struct trod_profile_builder *builder, uint32_t module,
    const struct trod_recorded *r, const uint64_t *count)
{
    uint32_t n = r->decoder.nsubpath;
    struct trod_profile_path *path = trod_new(r->mem, struct trod_profile_path, n);
    struct ran *ran = trod_new(r->mem, struct ran, n);

    for (uint32_t i = 0; i < n; i++)
        ran[i] = (struct ran){
            r->decoder.subpath[i].function, r->decoder.subpath[i].id, count[i]};
    trod_sort(ran, n, by_id);
    for (uint32_t i = 0, from = 0; i < n; i++) {
        path[i] = (struct trod_profile_path){ran[i].id, ran[i].count};
        if (i + 1 < n && ran[i + 1].function == ran[i].function)
            continue;
        trod_profile_add_tally(builder, &(struct trod_profile_tally){.module = module,
                                            .function = ran[i].function,
                                            .npath = i + 1 - from,
                                            .path = &path[from]});
        from = i + 1;
    }
}

/* --- rules ------------------------------------------------------------------------------------ */

/* Prints a subpath that repeats once, with the number of repetitions. */
struct printer {
    struct trod_sink *sink; /* or */
    struct trod_json *json;
    const struct trod_recorded *recorded;
    const struct trod_map *map;
    uint64_t subpath, ntime; /* the current repetition */
    uint64_t nshown, ntold;  /* lines printed, and subpaths in them */
};

static void print_text(struct printer *t, const struct trod_subpath *s)
{
    const struct trod_map_entry *entry = t->recorded->entry[s->function];

    trod_put(t->sink, "      ");
    trod_put_display_name(t->sink, entry->name);
    trod_put(t->sink, "  ");
    trod_path_print_folded(t->sink, t->map, entry, s->id, NULL, t->recorded->mem);
    if (t->ntime > 1)
        trod_put(t->sink, "  (%" PRIu64 " times)", t->ntime);
    trod_put(t->sink, "\n");
}

static void print_json(struct printer *t, const struct trod_subpath *s)
{
    const struct trod_map_entry *entry = t->recorded->entry[s->function];
    struct trod_string printed;

    trod_string_init(&printed, t->recorded->mem);
    trod_path_print(&printed.sink, t->map, entry, s->id, NULL);
    trod_json_open(t->json, NULL, '{');
    trod_json_display_name(t->json, "function", entry->name);
    trod_json_uint(t->json, "subpath", s->id);
    trod_json_text(t->json, "path", printed.text);
    trod_path_ends_json(t->json, t->map, entry, s->id);
    trod_json_uint(t->json, "times", t->ntime);
    trod_json_close(t->json, '}');
}

static void print_counted(struct printer *t)
{
    const struct trod_subpath *s;

    if (!t->ntime || t->nshown == SHOWN)
        return;
    s = &t->recorded->decoder.subpath[t->subpath];
    if (t->sink)
        print_text(t, s);
    else
        print_json(t, s);
    t->nshown++;
    t->ntold += t->ntime;
}

static bool count_subpath(uint64_t subpath, void *ctx)
{
    struct printer *t = ctx;

    if (t->ntime && t->subpath == subpath) {
        t->ntime++;
        return true;
    }
    print_counted(t);
    t->subpath = subpath;
    t->ntime = 1;
    return t->nshown < SHOWN;
}

static void print_rule(struct printer *t, const struct trod_grammar_part *part,
    const struct trod_grammar_hot *hot)
{
    if (trod_grammar_expand_rule(part, hot->rule, count_subpath, t, t->recorded->mem))
        print_counted(t);
}

/* Does a rule only repeat one other rule? Then listing it adds no information. */
static bool only_repeats(const struct trod_grammar_part *part, uint32_t rule)
{
    const uint32_t *first = part->first_symbol_of_rule;

    for (uint32_t s = first[rule]; s < first[rule + 1]; s++)
        if (!trod_has(part->is_rule, s) ||
            part->value_of_symbol[s] != part->value_of_symbol[first[rule]])
            return false;
    return true;
}

/* The heaviest rules, and the total number of subpaths. */
static size_t find_rules(struct trod_grammar_hot **out, uint64_t *nterminal,
    const struct trod_grammar *grammar, size_t most, struct trod_arena *mem)
{
    size_t nall = trod_grammar_hot(out, grammar, mem), n = 0;
    struct trod_grammar_sizes sizes;

    trod_grammar_sizes(&sizes, grammar, mem);
    *nterminal = sizes.nterminal;
    for (size_t i = 0; i < nall && n < most; i++)
        if (!only_repeats(&grammar->part[(*out)[i].part], (*out)[i].rule))
            (*out)[n++] = (*out)[i];
    return n;
}

void trod_rules_print(struct trod_sink *sink, const struct trod_recorded *r,
    const struct trod_grammar *grammar, const struct trod_map *map, size_t most)
{
    struct trod_grammar_hot *hot;
    uint64_t total;
    size_t n = find_rules(&hot, &total, grammar, most, r->mem);

    for (size_t i = 0; i < n; i++) {
        struct printer t = {.sink = sink, .recorded = r, .map = map};

        trod_put(sink, "%5.1f%% %12" PRIu64 " times, %" PRIu64 " subpaths",
            100 * (double)hot[i].weight / (double)total, hot[i].count, hot[i].length);
        if (grammar->npart > 1)
            trod_put(sink, ", part %" PRIu32, hot[i].part + 1);
        trod_put(sink, ": R%" PRIu32 "\n", hot[i].rule);
        print_rule(&t, &grammar->part[hot[i].part], &hot[i]);
        if (t.ntold < hot[i].length)
            trod_put(sink, "      ... %" PRIu64 " more\n", hot[i].length - t.ntold);
    }
}

void trod_rules_json(struct trod_json *json, const char *key,
    const struct trod_recorded *r, const struct trod_grammar *grammar,
    const struct trod_map *map, size_t most)
{
    struct trod_grammar_hot *hot;
    uint64_t total;
    size_t n = find_rules(&hot, &total, grammar, most, r->mem);

    trod_json_open(json, key, '[');
    for (size_t i = 0; i < n; i++) {
        struct printer t = {.json = json, .recorded = r, .map = map};

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "part", hot[i].part);
        trod_json_uint(json, "rule", hot[i].rule);
        trod_json_uint(json, "count", hot[i].count);
        trod_json_uint(json, "subpaths", hot[i].length);
        trod_json_real(json, "share", (double)hot[i].weight / (double)total);
        trod_json_open(json, "first", '[');
        print_rule(&t, &grammar->part[hot[i].part], &hot[i]);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

/* --- grammars --------------------------------------------------------------------------------- */

static void print_part(struct trod_sink *sink, const struct trod_recorded *r,
    const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;

    for (uint32_t rule = 0; rule < part->nrule; rule++) {
        trod_put(sink, "R%" PRIu32 ":", rule);
        for (uint32_t s = first[rule]; s < first[rule + 1]; s++) {
            const struct trod_subpath *of;

            if (trod_has(part->is_rule, s)) {
                trod_put(sink, " R%" PRIu64, part->value_of_symbol[s]);
                continue;
            }
            of = &r->decoder.subpath[part->value_of_symbol[s]];
            trod_put(sink, " ");
            trod_put_name(
                sink, r->functions->name.name[r->function[of->function].number]);
            trod_put(sink, ":%" PRIu64, of->id);
        }
        trod_put(sink, "\n");
    }
}

void trod_recorded_print(struct trod_sink *sink, const struct trod_recorded *r,
    const struct trod_grammar *grammar, const char *name)
{
    trod_put(sink, "grammar ");
    trod_put_name(sink, name);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < grammar->npart; i++) {
        if (i)
            trod_put(sink, "part\n");
        print_part(sink, r, &grammar->part[i]);
    }
}

static void json_subpath(
    struct trod_json *json, const struct trod_recorded *r, uint64_t subpath)
{
    const struct trod_subpath *s = &r->decoder.subpath[subpath];

    trod_json_open(json, NULL, '{');
    trod_json_text(
        json, "function", r->functions->name.name[r->function[s->function].number]);
    trod_json_uint(json, "subpath", s->id);
    trod_json_close(json, '}');
}

static void json_part(struct trod_json *json, const struct trod_recorded *r,
    const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;
    char name[32];

    trod_json_open(json, NULL, '[');
    for (uint32_t rule = 0; rule < part->nrule; rule++) {
        trod_json_open(json, NULL, '[');
        for (uint32_t s = first[rule]; s < first[rule + 1]; s++) {
            if (trod_has(part->is_rule, s)) {
                snprintf(name, sizeof name, "R%" PRIu64, part->value_of_symbol[s]);
                trod_json_text(json, NULL, name);
            } else {
                json_subpath(json, r, part->value_of_symbol[s]);
            }
        }
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
}

void trod_recorded_json(struct trod_json *json, const char *key,
    const struct trod_recorded *r, const struct trod_grammar *grammar)
{
    trod_json_open(json, key, '[');
    for (uint32_t i = 0; i < grammar->npart; i++)
        json_part(json, r, &grammar->part[i]);
    trod_json_close(json, ']');
}
