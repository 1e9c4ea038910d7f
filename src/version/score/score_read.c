#include "score/score.h"
#include "base/parse.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- order -------------------------------------------------------------------------------------- */

static int compare_text(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

int trod_scored_compare(const struct trod_scored *a, const struct trod_scored *b)
{
    int by = strcmp(a->function, b->function);

    if (!by)
        by = compare_text(a->file, b->file);
    if (!by)
        by = (a->part > b->part) - (a->part < b->part);
    if (!by)
        by = compare_text(a->other, b->other);
    return by ? by : (a->id > b->id) - (a->id < b->id);
}

static int compare(const void *a, const void *b)
{
    return trod_scored_compare(a, b);
}

void trod_scored_order(struct trod_scored_entries *entries)
{
    size_t n = 0;

    trod_sort(entries->entry, entries->nentry, compare);
    for (size_t i = 0; i < entries->nentry; i++) {
        struct trod_scored *last = n ? &entries->entry[n - 1] : NULL;

        if (last && trod_scored_compare(last, &entries->entry[i]) == 0)
            last->count = trod_sat_add(last->count, entries->entry[i].count);
        else
            entries->entry[n++] = entries->entry[i];
    }
    entries->nentry = n;
}

/* --- kind of file ------------------------------------------------------------------------------- */

/* Is this the first word of the text? */
static bool begins(const char *bytes, size_t length, const char *word)
{
    size_t n = strlen(word), at = 0;

    while (at < length && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '#'))
        if (bytes[at++] == '#')
            while (at < length && bytes[at] != '\n')
                at++;
    return length - at > n && memcmp(bytes + at, word, n) == 0 && bytes[at + n] == ' ';
}

bool trod_score_is_entries(const char *bytes, size_t length)
{
    return begins(bytes, length, "entries");
}

bool trod_score_is_sequence(const char *bytes, size_t length)
{
    return begins(bytes, length, "spans");
}

/* --- reading ------------------------------------------------------------------------------------ */

struct reader {
    struct trod_parse in;
    struct trod_scored_entries *out;
};

/* A name; NULL for a dash. */
static bool take_name(struct reader *r, const char **out, const char *what)
{
    struct trod_token token;

    *out = NULL;
    if (!trod_parse_next(&token, &r->in))
        return false;
    if (trod_token_is_mark(&token, '-'))
        return true;
    *out = token.name;
    return token.kind == TROD_T_NAME ||
           trod_parse_fail(&r->in, "expected %s, or '-' if there is none", what);
}

static bool take_number(
    struct reader *r, uint64_t *out, uint64_t none, uint64_t most, const char *what)
{
    struct trod_token token;

    *out = none;
    if (!trod_parse_next(&token, &r->in))
        return false;
    if (trod_token_is_mark(&token, '-'))
        return true;
    return (token.kind == TROD_T_NAME && trod_text_uint(out, token.name) &&
               *out <= most) ||
           trod_parse_fail(
               &r->in, "expected %s, a whole number, or '-' if there is none", what);
}

static const char *const how_words[] = {
    "", "reused", "validated", "inferred", "profiled"};

/* After the count: provenance, `was N` and `trust X`, in any order. */
static bool take_rest(struct reader *r, struct trod_scored *entry)
{
    for (;;) {
        struct trod_token token;
        int how = TROD_SCORED_REUSED;
        const char *number;

        if (!trod_parse_next(&token, &r->in))
            return false;
        if (trod_token_is_over(&token))
            return true;
        while (
            how <= TROD_SCORED_PROFILED && !trod_token_is_word(&token, how_words[how]))
            how++;
        if (how <= TROD_SCORED_PROFILED) {
            entry->how = (enum trod_scored_how)how;
        } else if (trod_token_is_word(&token, "was")) {
            entry->has_was = true;
            if (!trod_parse_uint(&entry->was, &r->in, "the old count"))
                return false;
        } else if (trod_token_is_word(&token, "trust")) {
            if (!trod_parse_name(&number, &r->in, "how likely it is right"))
                return false;
        } else {
            return trod_parse_fail(&r->in,
                "expected reused, validated, inferred or profiled, 'was COUNT', 'trust "
                "SHARE' or the end of the line");
        }
    }
}

static bool take_entry(struct reader *r)
{
    struct trod_scored_entries *out = r->out;
    struct trod_scored e = {0};
    uint64_t part, line;

    if (!trod_parse_name(&e.function, &r->in, "the name of a function") ||
        !take_name(r, &e.file, "its file") ||
        !take_number(r, &part, TROD_NONE, TROD_NONE, "the number of a part") ||
        !take_name(r, &e.other, "the name of another function") ||
        !take_number(r, &e.id, 0, UINT64_MAX, "an id") ||
        !take_number(r, &line, 0, UINT32_MAX, "a line") ||
        !trod_parse_uint(&e.count, &r->in, "how often it ran") || !take_rest(r, &e))
        return false;
    e.part = (uint32_t)part;
    trod_push(r->in.mem, out->entry, out->nentry, out->room, e);
    return true;
}

static bool take_field(struct reader *r, const char **out, const char *what)
{
    return trod_parse_name(out, &r->in, what) && trod_parse_end(&r->in, what);
}

static bool take_line(struct reader *r, const struct trod_token *head)
{
    const char *version;

    if (trod_token_is_word(head, "entry"))
        return take_entry(r);
    if (trod_token_is_word(head, "input"))
        return take_field(r, &r->out->input, "the name of an input");
    if (trod_token_is_word(head, "version"))
        return take_field(r, &version, "the name of a version");
    return trod_parse_fail(&r->in, "expected a line 'entry', 'input' or 'version'");
}

/* Sort. A duplicate is an error: it would have two counts. */
static bool put_in_order(struct reader *r)
{
    struct trod_scored_entries *out = r->out;
    size_t n = out->nentry, i;
    bool sorted = true;

    for (i = 1; sorted && i < n; i++)
        sorted = trod_scored_compare(&out->entry[i - 1], &out->entry[i]) < 0;
    if (sorted)
        return true;
    trod_sort(out->entry, n, compare);
    for (i = 1; i < n; i++)
        if (trod_scored_compare(&out->entry[i - 1], &out->entry[i]) == 0)
            return trod_fail(r->in.err, TROD_E_INPUT,
                "%s: an entry of '%s' occurs twice; remove one", r->in.text->file,
                out->entry[i].function);
    return true;
}

bool trod_score_parse(struct trod_scored_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {{text, mem, err}, out};
    struct trod_token head;

    *out = (struct trod_scored_entries){0};
    if (!trod_parse_next(&head, &r.in))
        return false;
    if (!trod_token_is_word(&head, "entries"))
        return trod_text_fail(text, err, "expected 'entries TYPE' in the first line");
    if (!take_field(&r, &out->type, "a type of profile"))
        return false;
    for (;;) {
        if (!trod_parse_next(&head, &r.in))
            return false;
        if (head.kind == TROD_T_END)
            return put_in_order(&r);
        if (head.kind != TROD_T_LINE && !take_line(&r, &head))
            return false;
    }
}
