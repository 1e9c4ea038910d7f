/* Functions, segments and frames: what is accepted, and supergraphs built from it, are valid and survive a round
 * trip. Every path of a small supergraph is a sequence of steps.
 */
#include "fuzz.h"

#include "super/super.h"

static const char *print(const struct trod_super_tree *tree,
    const struct trod_super_unit *unit, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_super_json(&json, NULL, tree, unit);
    trod_string_init(&text, mem);
    trod_super_print(&text.sink, tree, unit);
    return text.text;
}

static void check_text(const struct trod_super_tree *tree,
    const struct trod_super_unit *unit, struct trod_arena *mem)
{
    const char *printed = print(tree, unit, mem), *name;
    struct trod_super_tree back;
    struct trod_err err = {0};
    struct trod_text text;

    FUZZ_MUST_DO(trod_super_tree_check(tree, unit, mem, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "super", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_super_parse(&back, name, &text, unit, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, unit, mem)) == 0);
}

/* Counts the segments of all paths. Those of a list are among them. */
static void check_rows(const struct trod_super_numbered *super,
    const struct trod_super_input *in, struct trod_arena *mem)
{
    const struct trod_numbering *bl = &super->ballarus;
    struct trod_segments whole, cut_short;
    struct trod_super_counter counter;
    struct trod_super_listed listed;
    struct trod_err err = {0};

    trod_super_count_init(&counter, &in->unit, 2, &in->unit.names, mem);
    for (trod_path id = 0; id < bl->npath; id++) {
        struct trod_super_row row;

        trod_super_row_decode(&row, &super->super, bl, id, mem);
        FUZZ_MUST(row.nstep % 2 == 1);
        FUZZ_MUST(!row.frame || super->report.ncut);
        for (size_t i = 0; i < row.nstep; i++) {
            const struct trod_step *step = &row.step[i];

            FUZZ_MUST((step->kind == TROD_STEP_SUBPATH) == (i % 2 == 0));
            FUZZ_MUST(i % 2 || step->id == TROD_SUPER_PIECE ||
                      step->id < in->function[step->function].ballarus->npath);
        }
        trod_super_count_own(&counter, &super->super, &row, 1 + id);
    }
    trod_super_count_finish(&whole, &cut_short, &counter, "all");
    FUZZ_MUST_DO(trod_segments_check(&whole, mem, &err), &err);
    FUZZ_MUST_DO(trod_segments_check(&cut_short, mem, &err), &err);
    trod_super_listed(&listed, &super->super, bl, &whole, NULL, FUZZ_MOST_PATHS, mem);
    FUZZ_MUST(listed.paths.count <= bl->npath);
}

static void check_tree(const struct trod_super_tree *tree,
    const struct trod_super_input *in, struct trod_arena *mem)
{
    struct trod_super_numbered super;
    struct trod_super again;
    struct trod_err err = {0};

    check_text(tree, &in->unit, mem);
    trod_super_build(&super.super, &in->unit, tree, true, mem);
    FUZZ_MUST_DO(trod_super_check(&super.super, mem, &err), &err);
    FUZZ_MUST_DO(
        trod_super_adopt(&again, &in->unit, tree, &super.super.graph, mem, &err), &err);
    if (super.super.graph.nedge > FUZZ_MOST_EDGES)
        return;
    if (!trod_super_number(&super, &in->unit, tree,
            in->has_segments ? &in->segments : NULL, 0, true, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST_DO(trod_number_check(&super.ballarus, mem, &err), &err);
    if (super.ballarus.npath <= FUZZ_MOST_PATHS)
        check_rows(&super, in, mem);
}

static void check_plan(const struct trod_super_plan *plan,
    const struct trod_super_input *in, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < plan->ntree; i++)
        check_tree(&plan->tree[i], in, mem);
    for (uint32_t i = 0; i < plan->nleft; i++) {
        FUZZ_MUST(plan->left[i].why && plan->left[i].function < in->nfunction);
        FUZZ_MUST(!i || plan->left[i - 1].function <= plan->left[i].function);
    }
}

static void try_text(struct trod_text *text, struct trod_arena *mem)
{
    const struct trod_super_options options = {.depth = 2, .most_frames = 20};
    struct trod_super_input in;
    struct trod_super_plan plan;
    struct trod_err err = {0};

    trod_super_input_init(&in, mem);
    if (!trod_super_input_read(&in, text, &err)) {
        fuzz_refused(&err);
        return;
    }
    for (uint32_t i = 0; i < in.ntree; i++)
        check_tree(&in.tree[i], &in, mem);
    if (in.has_segments) {
        trod_super_plan_segments(&plan, &in.unit, &in.segments, &options, mem);
        check_plan(&plan, &in, mem);
    }
    trod_super_plan_ran(&plan, &in.unit, in.ran, &options, mem);
    check_plan(&plan, &in, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;
    struct trod_text text;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES)
        try_text(&text, &mem);
    trod_arena_free(&mem);
    return 0;
}
