/* Bursts of the shipped productions for sampling: of so many events the last are sampled, and no others. */
#include "edit_input.h"

#include <string.h>

enum fault {
    NONE,
    LATE,   /* a burst is expected to end an event later */
    LITERAL /* productions are as published */
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

struct burst_observer {
    struct trod_branch_sink sink;
    struct trod_editor *editor;
    uint32_t sampling; /* the production that samples */
    uint64_t n, b;
    uint64_t event[THREADS];
    bool wrong;
};

static void count_events(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct burst_observer *x = (struct burst_observer *)to;
    const struct trod_code *code = run->code;
    bool is_event = trod_branch_is_call(code->kind) ||
                    ((code->kind == TROD_BRANCH_IF || code->kind == TROD_BRANCH_JUMP) &&
                        code->target <= code->last);
    bool on;

    trod_editor_run(x->editor, run);
    on = trod_editor_fired(x->editor, code->ninsn - 1) >> x->sampling & 1;
    if (is_event)
        x->wrong |= on != (x->event[run->thread]++ % (x->n + x->b) >= x->n);
    else
        x->wrong |= on;
}

static void end_events(struct trod_branch_sink *to, uint32_t thread)
{
    struct burst_observer *x = (struct burst_observer *)to;

    x->event[thread] = 0;
    trod_editor_end(x->editor, thread);
}

/* Of n + b events, the last b are sampled. */
static bool samples(struct kit_prop *p, void *ctx)
{
    bool literal = fault_in(ctx) == LITERAL;
    const char *a = trod_edit_shipped(literal ? "literal/sampling" : "sampling");
    const char *b = trod_edit_shipped("methods");
    struct trod_edit_file file[] = {{"a", a, strlen(a)}, {"b", b, strlen(b)}};
    struct trod_edit_setting setting[] = {
        {"sampleFreq", 1 + kit_draw(p, 9)}, {"burstLength", 1 + kit_draw(p, 5)}};
    struct trod_edit_settings settings = {.count = 2, .setting = setting};
    struct kit_walk_options options;
    struct trod_edit edit;
    struct burst_observer x;
    struct sample s;

    begin(&s);
    draw_walk(&options, p);
    options.nrun = 100;
    if (!trod_edit_parse(&edit, file, 2, &settings, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    x = (struct burst_observer){.sink = {.run = count_events, .end = end_events},
        .editor = trod_editor_build(&edit, NULL, &s.mem),
        .sampling = edit.nproduction - 1,
        .n = setting[0].n,
        .b = setting[1].n + (fault_in(ctx) == LATE)};
    kit_note(p, "%u and %u", (unsigned)setting[0].n, (unsigned)setting[1].n);
    kit_walk(&x.sink, p, &options, &s.mem);
    return end(&s, !x.wrong);
}

static const struct kit_tested properties[] = {
    {"of so many events the last are sampled, and no others", samples, {LITERAL, LATE}},
};

int main(void)
{
    return kit_run_tested(
        "edit_bursts", properties, sizeof properties / sizeof *properties);
}
