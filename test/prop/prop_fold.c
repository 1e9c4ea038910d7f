/* Folds: a folded text, with each item that repeats replaced by its copies, is the list of items again, with
 * no call cut that is followed. What repeats with a period up to TROD_FOLD_PERIOD is folded.
 */
#include "kit/kit.h"

#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60, LONGEST = 4096 };

/* Faults that must be found. */
enum fault {
    NONE,
    FEWER,   /* the last number of a text is taken for one less */
    BRACKET, /* of several items only the last repeats */
};

struct list {
    const char *text[MOST];
    uint32_t count;
};

/* --- lists ------------------------------------------------------------------------------------ */

static const char *const words[] = {
    "1:T", "1:F", "20:case 3", "f(", ")", "then", "loop 4", "g(2:T) (a(x) && b)"};

/* Some items, then earlier ones again: otherwise long periods would be rare. */
static void draw_list(struct kit_prop *p, struct list *out)
{
    uint32_t n = (uint32_t)kit_draw(p, MOST + 1);
    uint32_t nword = 1 + (uint32_t)kit_draw(p, sizeof words / sizeof *words);

    out->count = 0;
    while (out->count < n) {
        uint32_t back = (uint32_t)kit_draw(p, 12);

        if (!back || back > out->count) {
            out->text[out->count++] = words[kit_draw(p, nword)];
            continue;
        }
        for (uint32_t i = 0; i < back && out->count < n; i++) {
            out->text[out->count] = out->text[out->count - back];
            out->count++;
        }
    }
}

static void exhausted(void *ctx)
{
    (void)ctx;
    abort();
}

static void put_folded(char *out, size_t room, const struct list *list, bool of_lists)
{
    struct trod_arena mem;
    struct trod_string text;

    trod_arena_init(&mem, exhausted, NULL);
    trod_string_init(&text, &mem);
    if (of_lists)
        trod_fold_put_lists(&text.sink, list->text, list->count, ";");
    else
        trod_fold_put(&text.sink, list->text, list->count, ";");
    snprintf(out, room, "%s", text.text);
    trod_arena_free(&mem);
}

/* --- a reader of the folded text ----------------------------------------------------------------- */

struct reader {
    char *at;
    enum fault fault;
    bool of_lists; /* a single item that repeats has brackets */
    bool bad, cut; /* cut: a call is entered or left alone within brackets */
};

/* "item", "item x3", "[item;item x2] x3", and so on: appends the items, as text. */
static void read_items(struct reader *r, struct list *out, unsigned depth);

static uint32_t read_times(struct reader *r)
{
    char *end;
    uint32_t n;

    if (strncmp(r->at, " x", 2) != 0)
        return 1;
    n = (uint32_t)strtoul(r->at + 2, &end, 10);
    if (end == r->at + 2 || n < 2)
        r->bad = true;
    r->at = end;
    if (r->fault == FEWER && !*end)
        n--;
    return n;
}

/* Items have blanks: one ends before ';', ']' at this depth, or " x" and digits. */
static void read_word(struct reader *r, struct list *out)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);

        if (strncmp(r->at, words[i], n) == 0) {
            out->text[out->count++] = words[i];
            r->at += n;
            return;
        }
    }
    r->bad = true;
}

static void check_whole(struct reader *r, const struct list *list, uint32_t first)
{
    uint32_t depth = 0;

    for (uint32_t i = first; i < list->count; i++) {
        if (strcmp(list->text[i], ")") == 0 && !depth--) {
            r->cut = true;
            return;
        }
        depth += strcmp(list->text[i], "f(") == 0;
    }
    r->cut |= depth > 0;
}

static void read_item(struct reader *r, struct list *out, unsigned depth)
{
    uint32_t first = out->count, times, n;
    bool several = *r->at == '[';

    if (several) {
        r->at++;
        read_items(r, out, depth + 1);
        r->bad |= *r->at != ']';
        r->at += *r->at == ']';
        check_whole(r, out, first);
    } else {
        read_word(r, out);
    }
    if (r->bad)
        return;
    n = out->count - first;
    times = read_times(r);
    if (times > 1)
        check_whole(r, out, first);
    r->bad |= several && (times < 2 || (n < 2 && !r->of_lists));
    r->bad |= r->of_lists && times > 1 && !several;
    if (several && r->fault == BRACKET) {
        first = out->count - 1;
        n = 1;
    }
    for (uint32_t i = 0; i < n * (times - 1) && !r->bad; i++) {
        if (out->count == MOST)
            r->bad = true;
        else
            out->text[out->count++] = out->text[first + i % n];
    }
}

static void read_items(struct reader *r, struct list *out, unsigned depth)
{
    r->bad |= depth > 4;
    while (!r->bad && out->count < MOST) {
        read_item(r, out, depth);
        if (*r->at != ';')
            return;
        r->at++;
    }
}

/* --- properties ----------------------------------------------------------------------------------- */

static bool is_same(const struct list *a, const struct list *b)
{
    if (a->count != b->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (strcmp(a->text[i], b->text[i]) != 0)
            return false;
    return true;
}

static bool unfolds(struct kit_prop *p, void *ctx)
{
    struct list list, back = {.count = 0};
    struct reader r = {.fault = *(const enum fault *)ctx};
    char text[LONGEST];

    draw_list(p, &list);
    r.of_lists = kit_draw(p, 2) == 1;
    put_folded(text, sizeof text, &list, r.of_lists);
    r.at = text;
    if (list.count)
        read_items(&r, &back, 0);
    if (!r.bad && !*r.at && !r.cut && is_same(&list, &back))
        return true;
    put_folded(text, sizeof text, &list, r.of_lists);
    kit_note(p, "folded: %s%s", text, r.cut ? ": a call is cut" : "");
    return false;
}

/* ctx: the longest period */
static bool folds_all(struct kit_prop *p, void *ctx)
{
    uint32_t period = 1 + (uint32_t)kit_draw(p, *(const uint32_t *)ctx);
    uint32_t times = 2 + (uint32_t)kit_draw(p, 5);
    struct list list = {.count = 0};
    char text[LONGEST], want[LONGEST] = "";
    static const char *const names[] = {
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};

    for (uint32_t i = 0; i < period * times; i++)
        list.text[list.count++] = names[i % period];
    for (uint32_t i = 0; i < period; i++)
        snprintf(want + strlen(want), sizeof want - strlen(want), "%s%s",
            i            ? ";"
            : period > 1 ? "["
                         : "",
            names[i]);
    snprintf(want + strlen(want), sizeof want - strlen(want), "%s x%u",
        period > 1 ? "]" : "", times);
    put_folded(text, sizeof text, &list, false);
    if (strcmp(text, want) == 0)
        return true;
    kit_note(p, "folded: %s; wanted: %s", text, want);
    return false;
}

static void test_unfold(void **state)
{
    enum fault none = NONE, fewer = FEWER, bracket = BRACKET;

    (void)state;
    kit_check("a folded text has the items of the list", unfolds, &none);
    kit_check_planted("a number is one less", unfolds, &fewer);
    kit_check_planted("only the last of several repeats", unfolds, &bracket);
}

static void test_fold(void **state)
{
    uint32_t known = TROD_FOLD_PERIOD, longer = TROD_FOLD_PERIOD + 2;

    (void)state;
    kit_check("what repeats is folded", folds_all, &known);
    kit_check_planted("longer periods are folded", folds_all, &longer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unfold),
        cmocka_unit_test(test_fold),
    };

    return cmocka_run_group_tests_name("fold", tests, NULL, NULL);
}
