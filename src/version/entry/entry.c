#include "entry/entry.h"
#include "base/order.h"
#include "base/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- order --------------------------------------------------------------------------------------- */

/* NULL comes first. */
static int compare_texts(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return a == b ? 0 : strcmp(a, b);
}

int trod_entries_compare(const struct trod_entry *a, const struct trod_entry *b)
{
    int by = strcmp(a->function, b->function);

    by = by ? by : compare_texts(a->file, b->file);
    by = by ? by : trod_compare(a->part, b->part);
    by = by ? by : compare_texts(a->other, b->other);
    return by ? by : trod_compare(a->id, b->id);
}

static int by_identity(const void *x, const void *y)
{
    return trod_entries_compare(x, y);
}

void trod_entries_add(struct trod_entries *entries, const struct trod_entry *entry,
    struct trod_arena *mem)
{
    trod_push(mem, entries->entry, entries->nentry, entries->room, *entry);
}

static void add_up(struct trod_entry *to, const struct trod_entry *from)
{
    to->count = trod_sat_add(to->count, from->count);
    to->was = trod_sat_add(to->was, from->was);
    to->has_was |= from->has_was;
    if (from->how > to->how)
        to->how = from->how;
    if (from->trust < to->trust)
        to->trust = from->trust;
    if (!to->line)
        to->line = from->line;
}

void trod_entries_order(struct trod_entries *entries)
{
    uint32_t n = 0;

    trod_sort(entries->entry, entries->nentry, by_identity);
    for (uint32_t i = 0; i < entries->nentry; i++) {
        if (n && trod_entries_compare(&entries->entry[n - 1], &entries->entry[i]) == 0)
            add_up(&entries->entry[n - 1], &entries->entry[i]);
        else
            entries->entry[n++] = entries->entry[i];
    }
    entries->nentry = n;
}

const struct trod_entry *trod_entries_find(
    const struct trod_entries *entries, const struct trod_entry *like)
{
    return entries->nentry ? bsearch(like, entries->entry, entries->nentry,
                                 sizeof *entries->entry, by_identity)
                           : NULL;
}

size_t trod_entries_of(size_t *first, const struct trod_entries *entries,
    const char *function, const char *file)
{
    size_t low = 0, high = entries->nentry, n = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct trod_entry *e = &entries->entry[middle];
        int by = strcmp(e->function, function);

        by = by ? by : compare_texts(e->file, file);
        if (by < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low + n < entries->nentry) {
        const struct trod_entry *e = &entries->entry[low + n];

        if (strcmp(e->function, function) != 0 || compare_texts(e->file, file) != 0)
            break;
        n++;
    }
    return n;
}

uint64_t trod_entries_sum(const struct trod_entries *entries)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < entries->nentry; i++)
        sum = trod_sat_add(sum, entries->entry[i].count);
    return sum;
}

/* --- words ---------------------------------------------------------------------------------------- */

static const char *const hows[] = {
    "none", "reused", "validated", "inferred", "profiled"};

const char *trod_how_name(enum trod_how how)
{
    return hows[how];
}

bool trod_how_parse(enum trod_how *out, const char *word)
{
    for (size_t i = 1; i < sizeof hows / sizeof *hows; i++) {
        if (strcmp(hows[i], word) == 0) {
            *out = (enum trod_how)i;
            return true;
        }
    }
    return false;
}

/* --- printing --------------------------------------------------------------------------------------- */

static void put_word(struct trod_sink *sink, const char *word)
{
    trod_put(sink, " ");
    if (word)
        trod_put_name(sink, word);
    else
        trod_put(sink, "-");
}

static void print_entry(struct trod_sink *sink, const struct trod_entry *e)
{
    trod_put(sink, "entry");
    put_word(sink, e->function);
    put_word(sink, e->file);
    if (e->part == TROD_NONE)
        trod_put(sink, " -");
    else
        trod_put(sink, " %" PRIu32, e->part);
    put_word(sink, e->other);
    trod_put(sink, " %" PRIu64 " %" PRIu32 " %" PRIu64, e->id, e->line, e->count);
    if (e->how)
        trod_put(sink, " %s", trod_how_name(e->how));
    if (e->has_was)
        trod_put(sink, " was %" PRIu64, e->was);
    if (e->how)
        trod_put(sink, " trust %.4f", e->trust);
    trod_put(sink, "\n");
}

void trod_entries_print(struct trod_sink *sink, const struct trod_entries *entries)
{
    trod_put(sink, "entries");
    put_word(sink, entries->type);
    trod_put(sink, "\n");
    if (entries->input) {
        trod_put(sink, "input");
        put_word(sink, entries->input);
        trod_put(sink, "\n");
    }
    if (entries->version) {
        trod_put(sink, "version");
        put_word(sink, entries->version);
        trod_put(sink, "\n");
    }
    for (uint32_t i = 0; i < entries->nentry; i++)
        print_entry(sink, &entries->entry[i]);
}

/* --- parsing ------------------------------------------------------------------------------------------ */

struct parser {
    struct trod_parse in;
    struct trod_names names; /* interned */
};

static const char *keep(struct parser *p, const char *name)
{
    uint32_t number = trod_names_add(&p->names, name);

    return p->names.name[number];
}

/* A name; NULL for a dash. */
static bool take_word(struct parser *p, const char **out, const char *what)
{
    struct trod_mark mark = trod_arena_mark(p->in.mem);
    struct trod_token token;
    bool known;

    if (!trod_parse_next(&token, &p->in))
        return false;
    *out = NULL;
    if (trod_token_is_mark(&token, '-'))
        return true;
    if (token.kind != TROD_T_NAME || !token.length)
        return trod_parse_fail(&p->in, "expected %s, or '-' for none", what);
    known = trod_names_find(&p->names, token.name) != UINT32_MAX;
    *out = keep(p, token.name);
    if (known)
        trod_arena_rewind(p->in.mem, mark);
    return true;
}

static bool take_part(struct parser *p, uint32_t *out)
{
    const char *word;
    uint64_t value;

    if (!take_word(p, &word, "the number of a part"))
        return false;
    *out = TROD_NONE;
    if (!word)
        return true;
    if (!trod_text_uint(&value, word) || value >= TROD_NONE)
        return trod_parse_fail(&p->in,
            "expected the number of a loop, block or edge, or '-' for none, not '%s'",
            word);
    *out = (uint32_t)value;
    return true;
}

static bool take_trust(struct parser *p, double *out)
{
    struct trod_token token;
    char *end;

    if (!trod_parse_next(&token, &p->in))
        return false;
    if (token.kind == TROD_T_NAME && token.length) {
        *out = strtod(token.name, &end);
        /* The comparison also rejects NaN. */
        if (!*end && token.name[0] >= '0' && token.name[0] <= '9' && *out >= 0 &&
            *out <= 1)
            return true;
    }
    return trod_parse_fail(&p->in, "expected a trust from 0 to 1");
}

/* `reused was 17 trust 0.98`; each part is optional. */
static bool parse_how(struct parser *p, struct trod_entry *e)
{
    struct trod_token token;

    for (;;) {
        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (trod_token_is_word(&token, "was") && !e->has_was) {
            e->has_was = true;
            if (!trod_parse_uint(&e->was, &p->in, "what it was"))
                return false;
        } else if (trod_token_is_word(&token, "trust") && e->how) {
            if (!take_trust(p, &e->trust))
                return false;
        } else if (token.kind != TROD_T_NAME || e->how ||
                   !trod_how_parse(&e->how, token.name)) {
            return trod_parse_fail(&p->in,
                "expected how it is known (reused, validated, inferred, profiled), 'was' or "
                "'trust', each once");
        }
    }
    return true;
}

static bool parse_entry(struct parser *p, struct trod_entries *out)
{
    struct trod_entry e = {0};
    uint64_t line;

    if (!take_word(p, &e.function, "the name of a function"))
        return false;
    if (!e.function)
        return trod_parse_fail(&p->in, "an entry must name a function");
    if (!take_word(p, &e.file, "its file") || !take_part(p, &e.part) ||
        !take_word(p, &e.other, "the function that is called") ||
        !trod_parse_uint(&e.id, &p->in, "an id") ||
        !trod_parse_uint(&line, &p->in, "a line") ||
        !trod_parse_uint(&e.count, &p->in, "a count"))
        return false;
    if (line > UINT32_MAX)
        return trod_parse_fail(&p->in, "a line is below 4294967296");
    e.line = (uint32_t)line;
    if (!parse_how(p, &e))
        return false;
    trod_entries_add(out, &e, p->in.mem);
    return true;
}

static bool parse_field(struct parser *p, const char **out, const char *what)
{
    return take_word(p, out, what) && trod_parse_end(&p->in, what);
}

static bool parse_line(
    struct parser *p, struct trod_entries *out, const struct trod_token *head)
{
    if (trod_token_is_word(head, "entry"))
        return parse_entry(p, out);
    if (trod_token_is_word(head, "input"))
        return parse_field(p, &out->input, "the name of an input");
    if (trod_token_is_word(head, "version"))
        return parse_field(p, &out->version, "the name of a version");
    return trod_parse_fail(&p->in, "expected 'entry', 'input' or 'version'");
}

bool trod_entries_parse(struct trod_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}};
    struct trod_token token;

    *out = (struct trod_entries){0};
    trod_names_init(&p.names, mem);
    do
        if (!trod_parse_next(&token, &p.in))
            return false;
    while (token.kind == TROD_T_LINE);
    if (!trod_token_is_word(&token, "entries"))
        return trod_text_fail(text, err, "expected 'entries TYPE'");
    if (!take_word(&p, &out->type, "a type of entries"))
        return false;
    if (!out->type)
        return trod_text_fail(text, err,
            "entries must have a type, such as loops or "
            "calls");
    if (!trod_text_take_end("the type", text, mem, err))
        return false;
    for (;;) {
        struct trod_text before = *text;

        if (!trod_parse_next(&token, &p.in))
            return false;
        if (token.kind == TROD_T_LINE)
            continue;
        if (token.kind == TROD_T_END)
            break;
        if (trod_token_is_word(&token, "entries")) {
            *text = before;
            break;
        }
        if (!parse_line(&p, out, &token))
            return false;
    }
    trod_entries_order(out);
    return true;
}

/* --- the validator --------------------------------------------------------------------------------------- */

bool trod_entries_check(const struct trod_entries *entries, struct trod_err *err)
{
    if (!entries->type || !*entries->type)
        return trod_fail(err, TROD_E_INTERNAL, "entries have no type");
    for (uint32_t i = 0; i < entries->nentry; i++) {
        const struct trod_entry *e = &entries->entry[i];

        if (!e->function || !*e->function)
            return trod_fail(err, TROD_E_INTERNAL, "entry %u has no function", i);
        if (i && trod_entries_compare(e - 1, e) >= 0)
            return trod_fail(err, TROD_E_INTERNAL,
                "entry %u, of '%s', is there twice or not in order", i, e->function);
        if (e->how > TROD_HOW_PROFILED || !(e->trust >= 0 && e->trust <= 1))
            return trod_fail(err, TROD_E_INTERNAL,
                "entry %u, of '%s', is known in no way, or its trust is none", i,
                e->function);
    }
    return true;
}
