#include "report/report.h"

#include <string.h>

/* How often the next items repeat at once with this period: 1, if not at all. */
static uint32_t times_of(
    const struct trod_fold_items *items, uint32_t first, uint32_t end, uint32_t period)
{
    uint32_t at = first;

    while (at + period < end && items->same(items->ctx, at, at + period))
        at++;
    return (at - first) / period + 1;
}

struct trod_fold trod_fold_at(
    const struct trod_fold_items *items, uint32_t first, uint32_t end, uint32_t most)
{
    struct trod_fold best = {1, 1};

    for (uint32_t period = 1; period <= most && period <= (end - first) / 2; period++) {
        uint32_t times = times_of(items, first, end, period);

        if (times > 1 && times * period > best.times * best.period &&
            (!items->is_whole || items->is_whole(items->ctx, first, period)))
            best = (struct trod_fold){period, times};
    }
    return best;
}

/* --- text -------------------------------------------------------------------------------------- */

static bool is_same_text(const void *ctx, uint32_t a, uint32_t b)
{
    const char *const *text = ctx;

    return strcmp(text[a], text[b]) == 0;
}

/* Does each call that is entered among these return among them? */
static bool is_balanced(const void *ctx, uint32_t first, uint32_t count)
{
    const char *const *text = ctx;
    uint32_t depth = 0;

    for (uint32_t i = first; i < first + count; i++) {
        size_t length = strlen(text[i]);

        if (strcmp(text[i], ")") == 0 && !depth--)
            return false;
        depth += length && text[i][length - 1] == '(';
    }
    return depth == 0;
}

struct printer {
    struct trod_sink *sink;
    const struct trod_fold_items *items;
    const char *between;
    bool brackets; /* around a single item that repeats, too */
};

/* Recursion: the period is halved each time. */
static void put_items(
    const struct printer *p, uint32_t first, uint32_t end, uint32_t most)
{
    const char *const *text = p->items->ctx;

    for (uint32_t at = first; at < end;) {
        struct trod_fold fold = trod_fold_at(p->items, at, end, most);
        bool brackets = fold.period > 1 || (p->brackets && fold.times > 1);

        trod_put(p->sink, "%s%s", at > first ? p->between : "", brackets ? "[" : "");
        if (fold.period > 1)
            put_items(p, at, at + fold.period, fold.period / 2);
        else
            trod_put(p->sink, "%s", text[at]);
        trod_put(p->sink, "%s", brackets ? "]" : "");
        if (fold.times > 1)
            trod_put(p->sink, " x%u", fold.times);
        at += fold.period * fold.times;
    }
}

static void put_folded(struct trod_sink *sink, const char *const *text, uint32_t count,
    const char *between, bool brackets)
{
    const struct trod_fold_items items = {is_same_text, is_balanced, text};
    const struct printer p = {sink, &items, between, brackets};

    put_items(&p, 0, count, TROD_FOLD_PERIOD);
}

void trod_fold_put(struct trod_sink *sink, const char *const *text, uint32_t count,
    const char *between)
{
    put_folded(sink, text, count, between, false);
}

void trod_fold_put_lists(struct trod_sink *sink, const char *const *text,
    uint32_t count, const char *between)
{
    put_folded(sink, text, count, between, true);
}

/* --- lines ------------------------------------------------------------------------------------- */

void trod_fold_put_above(
    struct trod_sink *sink, struct trod_fold fold, const char *what)
{
    if (fold.period == 1)
        trod_put(sink, "(the %s above: %u times)", what, fold.times);
    else
        trod_put(sink, "(the %u %ss above: %u times)", fold.period, what, fold.times);
}

void trod_fold_put_lines(
    struct trod_sink *sink, const char *const *line, uint32_t count, int indent)
{
    const struct trod_fold_items items = {is_same_text, NULL, line};

    for (uint32_t at = 0; at < count;) {
        struct trod_fold fold = trod_fold_at(&items, at, count, TROD_FOLD_PERIOD);

        for (uint32_t i = 0; i < fold.period; i++) {
            trod_put(sink, "%s", line[at + i]);
            if (fold.period == 1 && fold.times > 1)
                trod_put(sink, "  (%u times)", fold.times);
            trod_put(sink, "\n");
        }
        if (fold.period > 1) {
            trod_put(sink, "%*s", indent, "");
            trod_fold_put_above(sink, fold, "line");
            trod_put(sink, "\n");
        }
        at += fold.period * fold.times;
    }
}
