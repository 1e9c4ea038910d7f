/* Segments: following control through a tree of calls finds the same segments, with the same
 * counts, as the whole program path of the tree.
 */
#include "scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "segment/segment.h"

enum {
    FRAMES = 24,
    PIECES = 5,
    FUNCTIONS = 3,
    TREES = 3,
    TEXT = 4000,
    FOUND = TREES * FRAMES * PIECES
};

enum fault {
    NONE,
    DEEPER,    /* one call more is spanned */
    LOOPING,   /* a segment continues in the next iteration of a loop */
    STAYING,   /* a segment does not come back from a call */
    PASSING,   /* a segment goes past a call to the outside */
    LEAVING,   /* a segment continues after a call that was left */
    DISTURBED, /* a segment ends at an interruption */
    MISCOUNTED /* a segment is counted once more */
};

/* One activation of a function: subpaths, each of which may be interrupted by another frame, and
 * may end at a call, of another frame or to the outside. Frames come after those they are called
 * from in the array. After a call, there may be nothing more.
 */
struct frame {
    uint32_t function, npiece;
    struct {
        uint64_t id;
        uint32_t interruption; /* a frame, or 0: none */
        uint32_t callee;       /* a frame, or 0: none */
        bool calls, left;      /* the call does not return */
    } piece[PIECES];
};

struct tree {
    struct frame frame[FRAMES];
    uint32_t nframe;
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- trees ---------------------------------------------------------------------------------- */

static void draw_tree(struct tree *out, struct kit_prop *p)
{
    out->nframe = 1;
    for (uint32_t f = 0; f < out->nframe; f++) {
        struct frame *frame = &out->frame[f];

        *frame = (struct frame){.function = (uint32_t)kit_draw(p, FUNCTIONS),
            .npiece = 1 + (uint32_t)kit_draw(p, PIECES)};
        for (uint32_t i = 0; i < frame->npiece; i++) {
            uint64_t what = kit_draw(p, 6);

            frame->piece[i].id = kit_draw(p, 2);
            frame->piece[i].calls = what > 1;
            if (what > 2 && out->nframe < FRAMES)
                frame->piece[i].callee = out->nframe++;
            frame->piece[i].left = what > 1 && kit_draw(p, 10) == 9;
            if (kit_draw(p, 10) == 9 && out->nframe < FRAMES)
                frame->piece[i].interruption = out->nframe++;
        }
    }
}

struct steps {
    char text[TEXT];
    size_t used;
};

static void put(struct steps *out, const char *what)
{
    int n = snprintf(
        out->text + out->used, TEXT - out->used, "%s%s", out->used ? " " : "", what);

    out->used += (size_t)n;
    if (out->used >= TEXT)
        abort();
}

static void put_piece(struct steps *out, const struct frame *frame, uint32_t i)
{
    char text[40];

    snprintf(text, sizeof text, "f%" PRIu32 ":%" PRIu64, frame->function,
        frame->piece[i].id);
    put(out, text);
}

static void put_frame(struct steps *out, const struct tree *t, uint32_t f)
{
    for (uint32_t i = 0; i < t->frame[f].npiece; i++) {
        put_piece(out, &t->frame[f], i);
        if (t->frame[f].piece[i].interruption) {
            put(out, "[");
            put_frame(out, t, t->frame[f].piece[i].interruption);
            put(out, "]");
        }
        if (!t->frame[f].piece[i].calls)
            continue;
        put(out, "(");
        if (t->frame[f].piece[i].callee)
            put_frame(out, t, t->frame[f].piece[i].callee);
        put(out, t->frame[f].piece[i].left ? ")!" : ")");
    }
}

static void put_tree(struct steps *out, const struct tree *t)
{
    put(out, "(");
    put_frame(out, t, 0);
    put(out, ")");
}

/* --- the same segments from the tree ---------------------------------------------------------- */

struct follower {
    const struct tree *tree;
    enum fault fault;
    uint64_t nleft; /* calls */
    uint32_t nopen;
    struct steps steps,
        pending; /* what comes before the next subpath, if there is one */
    uint32_t nopen_pending;
};

/* Follow control from a subpath to the end of its frame; does it come back from there? */
static bool follow(struct follower *w, uint32_t f, uint32_t i)
{
    const struct frame *frame = &w->tree->frame[f];
    uint32_t callee = frame->piece[i].callee;
    bool last = i + 1 == frame->npiece;

    if (w->pending.used)
        put(&w->steps, w->pending.text);
    w->pending.used = 0;
    w->nopen = w->nopen_pending;
    put_piece(&w->steps, frame, i);
    if (w->fault == DISTURBED && frame->piece[i].interruption)
        return false;
    if (!frame->piece[i].calls)
        return last || (w->fault == LOOPING && follow(w, f, i + 1));
    if (callee ? !w->nleft : w->fault != PASSING)
        return false;
    w->nleft -= callee != 0;
    put(&w->pending, "(");
    w->nopen_pending++;
    if (callee && (!follow(w, callee, 0) || w->fault == STAYING))
        return false;
    if (frame->piece[i].left && w->fault != LEAVING)
        return false;
    put(&w->pending, ")");
    w->nopen_pending--;
    return last || follow(w, f, i + 1);
}

struct found {
    char text[FOUND][TEXT / 4];
    uint64_t count[FOUND];
    uint32_t n;
};

static void add(struct found *found, const char *text, uint64_t count)
{
    uint32_t i = 0;

    while (i < found->n && strcmp(found->text[i], text) != 0)
        i++;
    if (i == found->n)
        snprintf(found->text[found->n++], sizeof found->text[0], "%s", text);
    found->count[i] += count;
}

static void find_all(
    struct found *out, const struct tree *tree, uint64_t depth, enum fault fault)
{
    for (uint32_t f = 0; f < tree->nframe; f++)
        for (uint32_t i = 0; i < tree->frame[f].npiece; i++) {
            struct follower w = {
                .tree = tree, .fault = fault, .nleft = depth + (fault == DEEPER)};

            if (!tree->frame[f].piece[i].callee)
                continue;
            follow(&w, f, i);
            for (; w.nopen > 0; w.nopen--)
                put(&w.steps, ")");
            add(out, w.steps.text, 1);
        }
    if (fault == MISCOUNTED && out->n)
        out->count[0]++;
}

/* --- comparison -------------------------------------------------------------------------------- */

/* Lines of the text form, without its head. */
static bool read_lines(struct found *out, const char *text)
{
    char line[TEXT / 4 + 100];

    for (text = strchr(text, '\n') + 1; *text; text = strchr(text, '\n') + 1) {
        uint64_t count;
        char *steps;

        if (strncmp(text, "function ", 9) == 0)
            continue;
        snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
        count = strtoull(line, &steps, 10);
        if (*steps != ' ')
            return false;
        add(out, steps + 1, count);
    }
    return true;
}

static bool is_same(const struct found *a, const struct found *b)
{
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t k = 0;

        while (k < b->n && strcmp(a->text[i], b->text[k]) != 0)
            k++;
        if (k == b->n || a->count[i] != b->count[k])
            return false;
    }
    return a->n == b->n;
}

static bool parse(struct trod_wpp *out, const char *text, struct sample *s)
{
    struct trod_text cursor;
    struct trod_token token;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_text_next(&token, &cursor, &s->mem, &s->err) &&
           trod_text_next(&token, &cursor, &s->mem, &s->err) &&
           trod_wpp_parse(out, token.name, &cursor, &s->mem, &s->err);
}

/* Of several threads, one after the other. */
static bool extract(struct trod_segments *out, const struct steps *steps, uint32_t n,
    uint64_t depth, struct sample *s)
{
    struct trod_segments_builder builder;
    struct trod_string text;
    struct trod_wpp wpp;

    trod_segments_builder_init(&builder, depth, &s->mem);
    for (uint32_t t = 0; t < n; t++) {
        trod_string_init(&text, &s->mem);
        trod_put(&text.sink, "wpp w\n%s\n", steps[t].text);
        if (!parse(&wpp, text.text, s) || !trod_wpp_check(&wpp, &s->mem, &s->err))
            return false;
        for (size_t i = 0; i < wpp.nstep; i++) {
            struct trod_step step = wpp.step[i];

            if (step.kind == TROD_STEP_SUBPATH)
                step.function = trod_functions_add(
                    &builder.functions, wpp.function.name[step.function], NULL);
            trod_segments_add(&builder, &step);
        }
        trod_segments_end(&builder);
        if (n == 1)
            trod_segments_build(out, &wpp, depth, &s->mem);
    }
    if (n > 1)
        trod_segments_finish(out, &builder, "w");
    return trod_segments_check(out, &s->mem, &s->err);
}

static bool extracts(struct kit_prop *p, void *ctx)
{
    static struct found want, got;
    uint64_t depth = 1 + kit_draw(p, 5);
    uint32_t n = 1 + (uint32_t)kit_draw(p, TREES);
    struct steps steps[TREES] = {{.used = 0}};
    struct trod_segments segments;
    struct trod_string text;
    struct tree tree;
    struct sample s;

    begin(&s);
    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    for (uint32_t t = 0; t < n; t++) {
        draw_tree(&tree, p);
        put_tree(&steps[t], &tree);
        kit_note(p, "depth %" PRIu64 ": %s", depth, steps[t].text);
        find_all(&want, &tree, depth, fault_in(ctx));
    }
    if (!extract(&segments, steps, n, depth, &s))
        return end(&s, wrong(p, s.err.text));
    trod_string_init(&text, &s.mem);
    trod_segments_print(&text.sink, &segments);
    kit_note(p, "%s", text.text);
    if (!read_lines(&got, text.text) || !is_same(&want, &got))
        return end(&s, wrong(p, "not the segments of the tree"));
    return end(&s, true);
}

/* Lines that say which functions are meant. */
static void draw_identities(struct trod_sink *sink, struct kit_prop *p)
{
    for (uint32_t f = 0; f < FUNCTIONS; f++)
        if (kit_draw(p, 2))
            trod_put(sink,
                "function f%" PRIu32 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64
                " %" PRIu64 "\n",
                f, kit_draw(p, UINT64_MAX), kit_draw(p, UINT64_MAX),
                kit_draw(p, UINT64_MAX), 2 + kit_draw(p, 100));
}

/* What is printed reads back, whole program paths and segments. */
static bool reads_back(struct kit_prop *p, void *ctx)
{
    struct trod_segments segments, back;
    struct steps steps = {.used = 0};
    struct trod_string text, again;
    struct trod_text cursor;
    struct trod_token token;
    struct trod_wpp wpp;
    struct tree tree;
    struct sample s;

    begin(&s);
    draw_tree(&tree, p);
    put_tree(&steps, &tree);
    trod_string_init(&text, &s.mem);
    trod_put(&text.sink, "wpp \"w 1\"\n");
    draw_identities(&text.sink, p);
    trod_put(&text.sink, "%s\n", steps.text);
    kit_note(p, "%s", text.text);
    if (!parse(&wpp, text.text, &s))
        return end(&s, wrong(p, s.err.text));
    trod_string_init(&again, &s.mem);
    trod_wpp_print(&again.sink, &wpp);
    if (!parse(&wpp, again.text, &s))
        return end(&s, wrong(p, s.err.text));
    trod_string_init(&text, &s.mem);
    trod_wpp_print(&text.sink, &wpp);
    if (strcmp(text.text, again.text) != 0)
        return end(&s, wrong(p, "a whole program path does not come back"));

    trod_segments_build(&segments, &wpp, 1 + kit_draw(p, 4), &s.mem);
    trod_string_init(&text, &s.mem);
    trod_segments_print(&text.sink, &segments);
    trod_text_init(&cursor, "text", text.text, text.length);
    if (!trod_text_next(&token, &cursor, &s.mem, &s.err) ||
        !trod_text_next(&token, &cursor, &s.mem, &s.err) ||
        !trod_segments_parse(&back, token.name, &cursor, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    if (fault_in(ctx) == MISCOUNTED)
        back.depth++;
    if (fault_in(ctx) == LEAVING)
        back.identity = NULL;
    trod_string_init(&again, &s.mem);
    trod_segments_print(&again.sink, &back);
    return end(&s,
        strcmp(text.text, again.text) == 0 || wrong(p, "segments do not come back"));
}

/* --- all of them --------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"segments are those that following control finds", extracts,
        {DEEPER, LOOPING, STAYING, PASSING, LEAVING, DISTURBED, MISCOUNTED}},
    {"what is printed reads back", reads_back, {MISCOUNTED, LEAVING}},
};
int main(void)
{
    return kit_run_tested(
        "segment", properties, sizeof properties / sizeof *properties);
}
