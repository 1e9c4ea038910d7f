#include "commands.h"
#include "input/input.h"
#include "output/output.h"
#include "stage/subject.h"

#include <fnmatch.h>
#include <inttypes.h>

/* --- calls to follow ------------------------------------------------------------------------- */

static bool read_files(struct cli *cli, struct trod_super_input *input)
{
    const struct cli_options *o = &cli->options;

    trod_super_input_init(input, &cli->mem);
    for (uint32_t i = 0; i < o->file.count || !i; i++) {
        struct trod_text text;

        if (!cli_in_read(cli, &text, o->file.count ? o->file.item[i] : "-") ||
            !trod_super_input_read(input, &text, &cli->err))
            return false;
    }
    return true;
}

static bool make_plan(
    struct cli *cli, struct trod_super_plan *out, const struct trod_super_input *input)
{
    const uint64_t depth = cli->options.depth;
    struct trod_super_options options = {
        .depth = depth < UINT32_MAX ? (uint32_t)depth : UINT32_MAX - 1};

    *out = (struct trod_super_plan){.ntree = input->ntree, .tree = input->tree};
    if (input->ntree)
        return true;
    if (!input->has_segments && !input->has_ran)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "no input says which calls to follow; add a section 'segments NAME DEPTH', 'paths "
            "NAME' with subpaths that ran, or 'super NAME'");
    if (input->has_segments) {
        trod_super_plan_segments(
            out, &input->unit, &input->segments, &options, &cli->mem);
        return true;
    }
    if (!options.depth)
        options.depth = 1;
    trod_super_plan_ran(out, &input->unit, input->ran, &options, &cli->mem);
    return true;
}

/* --- printing ----------------------------------------------------------------------------------- */

static void put_rows(struct cli *cli, const struct trod_super_numbered *super,
    const struct trod_super_input *input)
{
    static const char *const head[] = {"id", "listed", "row"}, *const short_head[] = {
                                                                   "id", "row"};
    const struct trod_numbering *bl = &super->ballarus;
    uint64_t most = cli_list_most(cli, bl->npath);
    struct trod_super_listed listed = {.all = true};
    struct cli_table table;

    if (input->has_segments)
        trod_super_listed(&listed, &super->super, bl, &input->segments,
            input->has_ran ? input->ran : NULL, 1u << 20, &cli->mem);
    if (!listed.all)
        cli_note(cli, "'%s' has too many paths with listed segments to find all",
            super->super.graph.name);
    if (input->has_segments)
        cli_table_init(&table, "paths", head, 3, &cli->mem);
    else
        cli_table_init(&table, "paths", short_head, 2, &cli->mem);
    for (trod_path id = 0; id < most; id++) {
        struct trod_super_row row;
        struct trod_string text;

        trod_super_row_decode(&row, &super->super, bl, id, &cli->mem);
        trod_string_init(&text, &cli->mem);
        trod_super_row_print(&text.sink, &row, &input->unit);
        cli_table_uint(&table, id);
        if (input->has_segments)
            cli_table_yes_no(
                &table, trod_is_among(listed.paths.id, listed.paths.count, id));
        cli_table_words(&table, text.text);
    }
    cli_table_put(cli, &table, super->super.graph.name, "paths");
    if (most < bl->npath)
        cli_note(cli, "'%s' has %" PRIu64 " paths; --most=N lists more than %" PRIu64,
            super->super.graph.name, bl->npath, most);
}

static void put_text(struct cli *cli, const struct trod_super_numbered *super,
    const struct trod_super_unit *unit)
{
    cli_out_gap(cli);
    trod_super_print(&cli->out.sink, &super->tree, unit);
    cli_out_gap(cli);
    trod_graph_print(&cli->out.sink, &super->super.graph);
}

static bool put_super(struct cli *cli, const struct trod_super_tree *tree,
    const struct trod_super_input *input)
{
    const struct cli_options *o = &cli->options;
    struct trod_super_numbered super;

    if (!trod_super_number(&super, &input->unit, tree,
            input->has_segments ? &input->segments : NULL, o->limit, true, &cli->mem,
            &cli->err))
        return false;
    if ((o->check || TROD_CHECKED) &&
        !trod_super_check(&super.super, &cli->mem, &cli->err))
        return false;
    if (super.tree.nframe < tree->nframe)
        cli_note(cli, "'%s' would have too many paths: %u of %u calls are not followed",
            super.super.graph.name, tree->nframe - super.tree.nframe, tree->nframe - 1);
    if (o->form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_json_text(&cli->json, "root", super.super.graph.name);
        trod_super_json(&cli->json, "frames", &super.tree, &input->unit);
        trod_graph_json(&cli->json, "graph", &super.super.graph);
    }
    if (o->form == CLI_DOT || o->form == CLI_SVG)
        cli_draw_graph(cli, &super.view);
    else if (o->form == CLI_TEXT && !o->list)
        put_text(cli, &super, &input->unit);
    if (o->list)
        put_rows(cli, &super, input);
    if (o->form == CLI_JSON)
        trod_json_close(&cli->json, '}');
    return true;
}

static void put_left(struct cli *cli, const struct trod_super_plan *plan,
    const struct trod_super_unit *unit)
{
    if (cli->options.form == CLI_JSON)
        trod_super_left_json(&cli->json, "left_out", plan, unit);
    if (cli->options.form != CLI_TEXT)
        return;
    if (plan->nleft)
        cli_out_gap(cli);
    for (uint32_t i = 0; i < plan->nleft; i++) {
        struct trod_string line;

        trod_string_init(&line, &cli->mem);
        trod_put(&line.sink, "left out: ");
        trod_super_left_print(&line.sink, &plan->left[i], unit);
        cli_out_comment(cli, line.text);
    }
}

/* --- interface ------------------------------------------------------------------------------------ */

static bool is_chosen(const struct cli *cli, const struct trod_super_tree *tree,
    const struct trod_super_unit *unit)
{
    const char *glob = cli->options.function;

    return !glob || fnmatch(glob, unit->function[tree->frame[0].function].name, 0) == 0;
}

/* How many trees does --function select? */
static bool choose(struct cli *cli, const struct trod_super_plan *plan,
    const struct trod_super_unit *unit)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < plan->ntree; i++)
        n += is_chosen(cli, &plan->tree[i], unit);
    if (!plan->ntree)
        cli_note(cli, "no call is followed, so there is no supergraph");
    else if (!n)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "no root matches --function '%s'; the first of %u is called '%s'",
            cli->options.function, plan->ntree,
            unit->function[plan->tree[0].frame[0].function].name);
    if (cli->options.form == CLI_SVG && n != 1)
        return cli_misused(cli,
            "--svg draws one supergraph, and there are %u; choose one with --function",
            n);
    if (cli->options.form >= CLI_DOT && cli->options.list)
        return cli_misused(cli,
            "--dot and --svg draw a supergraph and cannot be combined with queries");
    return true;
}

bool cli_super(struct cli *cli)
{
    struct trod_super_input input;
    struct trod_super_plan plan;

    if (!read_files(cli, &input) || !make_plan(cli, &plan, &input) ||
        !choose(cli, &plan, &input.unit))
        return false;
    cli_profiles_open_json(cli, "supergraphs");
    for (uint32_t i = 0; i < plan.ntree; i++) {
        struct trod_mark mark = trod_arena_mark(&cli->mem);

        if (is_chosen(cli, &plan.tree[i], &input.unit) &&
            !put_super(cli, &plan.tree[i], &input))
            return false;
        trod_arena_rewind(&cli->mem, mark);
    }
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, ']');
    put_left(cli, &plan, &input.unit);
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, '}');
    return cli_draw_finish(cli);
}
