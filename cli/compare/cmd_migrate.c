#include "commands.h"
#include "compare/migrate_in.h"
#include "compare/migrate_version.h"
#include "output/output.h"
#include "version/carried.h"
#include "version/versions.h"

#include <stdlib.h>
#include <string.h>

struct migrator {
    struct cli *cli;
    const char *folder;
    struct cli_migrate_version old, new;
    struct trod_changes changes;
    struct trod_impact impact;
    struct cli_inputs inputs, checks;
    struct trod_migration m;
    struct trod_migrate_plan plan;
};

/* --- options --------------------------------------------------------------------------------------------- */

static bool find_type(struct migrator *g)
{
    static struct trod_level_name names[] = {{TROD_LEVEL_STATEMENT, "statement"},
        {TROD_LEVEL_LOOP, "loop"}, {TROD_LEVEL_FUNCTION, "function"},
        {TROD_LEVEL_CLASS, "class"}, {TROD_LEVEL_PROGRAM, "program"}};
    struct trod_levels levels = {
        .level = names, .nlevel = sizeof names / sizeof *names};
    struct cli *cli = g->cli;
    struct trod_types types;
    uint64_t level = 0;

    for (size_t i = 0; cli->options.level && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, cli->options.level) == 0)
            level = names[i].level;
    if (cli->options.level && !level &&
        (!trod_text_uint(&level, cli->options.level) || level > UINT32_MAX || !level))
        return cli_misused(cli,
            "invalid level '%s'; expected one of: statement, loop, function, class, program",
            cli->options.level);
    trod_types_init(&types, &cli->mem);
    return trod_types_find(
        &g->m.type, &types, cli->options.type, (uint32_t)level, &levels, &cli->err);
}

static bool check_options(struct migrator *g)
{
    struct cli *cli = g->cli;
    const struct cli_options *o = &cli->options;

    g->folder = o->output;
    cli->options.output = NULL;
    if (!o->old || !o->new)
        return cli_misused(cli, "name both versions, with --old and --new");
    if (!o->type)
        return cli_misused(cli,
            "the type of entries is missing; add --type=loops, calls, callgraph, blocks, edges, "
            "paths or sequences");
    if (!g->folder && !o->explain)
        return cli_misused(cli, "name a folder for the plan with -o");
    if (!o->file.count)
        return cli_misused(cli, "name profiles of the old version, one for each input");
    g->m.method =
        o->method ? (enum trod_impact_method)(o->method - 1) : TROD_IMPACT_OWN;
    return find_type(g);
}

/* --- versions ----------------------------------------------------------------------------------------------- */

static bool take_threshold(struct cli *cli, double *out)
{
    char *end;

    *out = 0.1;
    if (!cli->options.threshold)
        return true;
    *out = strtod(cli->options.threshold, &end);
    return (end != cli->options.threshold && !*end && *out >= 0 && *out <= 1) ||
           cli_misused(cli, "--threshold is a share from 0 to 1, not '%s'",
               cli->options.threshold);
}

static bool find_changes(struct migrator *g)
{
    struct cli *cli = g->cli;
    struct trod_change_options options;
    struct trod_impact_input input = {.changes = &g->changes};

    if (!cli_change_options(cli, &options) || !take_threshold(cli, &input.threshold))
        return false;
    trod_changes_build(
        &g->changes, &g->old.constructs, &g->new.constructs, &options, &cli->mem);
    if (g->old.has_depends && g->new.has_depends) {
        input.old = &g->old.depends;
        input.later = &g->new.depends;
    }
    if (!trod_impact_find(&g->impact, g->m.method, &input, &cli->mem, &cli->err))
        return false;
    g->m.changes = &g->changes;
    g->m.impact = &g->impact;
    return true;
}

static bool read_versions(struct migrator *g)
{
    struct cli *cli = g->cli;
    enum trod_impact_method method = g->m.method;
    struct cli_migrate_wants wants = {
        .constructs = method != TROD_IMPACT_NONE && method != TROD_IMPACT_BLIND,
        .must = method != TROD_IMPACT_OWN,
        .shape = method == TROD_IMPACT_HASH,
        .depends = method == TROD_IMPACT_SL || method == TROD_IMPACT_HYBRID};

    if (!cli_migrate_version_read(cli, &g->old, cli->options.old, &wants) ||
        !cli_migrate_version_read(cli, &g->new, cli->options.new, &wants))
        return false;
    g->m.old_map = g->old.has_map ? &g->old.map : NULL;
    g->m.new_map = g->new.has_map ? &g->new.map : NULL;
    if (g->old.has_constructs && g->new.has_constructs)
        return find_changes(g);
    return true;
}

/* --- profiles -------------------------------------------------------------------------------------------------- */

static bool read_inputs(struct migrator *g)
{
    struct cli *cli = g->cli;
    struct cli_input_of old = {g->m.type.name, g->m.old_map, g->old.name,
                            g->old.build_id, true, false},
                        new = {g->m.type.name, g->m.new_map, g->new.name,
                            g->new.build_id, true, true};

    if (!cli_inputs_list(cli, &g->inputs, &cli->options.file) ||
        !cli_inputs_list(cli, &g->checks, &cli->options.check_run))
        return false;
    g->m.ninput = g->inputs.count;
    g->m.input = trod_new(&cli->mem, struct trod_migrate_input, g->inputs.count);
    for (uint32_t i = 0; i < g->inputs.count; i++) {
        struct cli_input *input = &g->inputs.input[i];

        if (!cli_input_read(cli, input, &old))
            return false;
        g->m.input[i] = (struct trod_migrate_input){
            .name = input->name, .old = input->entries, .flows = input->flows};
    }
    for (uint32_t i = 0; i < g->checks.count; i++) {
        struct cli_input *check = &g->checks.input[i];
        const struct cli_input *input = cli_inputs_find(&g->inputs, check->name);

        if (!input)
            return trod_fail(&cli->err, TROD_E_MISMATCH,
                "no old profile belongs to input '%s', so there is nothing to check; write "
                "--check=NAME=FILE with the name of an input",
                check->name);
        if (!cli_input_read(cli, check, &new))
            return false;
        g->m.input[input - g->inputs.input].check = &check->entries;
        g->m.input[input - g->inputs.input].check_flows = check->flows;
    }
    return true;
}

/* --- the plan --------------------------------------------------------------------------------------------------- */

static bool write_input(struct migrator *g, struct trod_migrate_input *input)
{
    struct cli *cli = g->cli;
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    input->planned.version = g->new.name;
    trod_entries_print(&text.sink, &input->planned);
    if (input->begun.nentry)
        trod_entries_print(&text.sink, &input->begun);
    if (input->callers.nentry)
        trod_entries_print(&text.sink, &input->callers);
    if (cli_is_sequences(g->m.type.name)) {
        const struct cli_input *from =
            cli_inputs_find(input->check ? &g->checks : &g->inputs, input->name);

        if (!cli_folder_write(cli, g->folder, input->name, ".spans", &from->sequence))
            return false;
    }
    return cli_folder_write(cli, g->folder, input->name, ".old", &text);
}

static bool write_plan(struct migrator *g)
{
    struct cli *cli = g->cli;
    struct trod_string plan, list;

    trod_string_init(&plan, &cli->mem);
    trod_string_init(&list, &cli->mem);
    trod_migrate_plan_print(&plan.sink, &g->plan);
    trod_migrate_plan_reprofile(&list.sink, &g->plan);
    if (!cli_folder_make(cli, g->folder) ||
        !cli_folder_write(cli, g->folder, "plan", "", &plan) ||
        !cli_folder_write(cli, g->folder, "reprofile", "", &list) ||
        (g->new.has_map &&
            !cli_folder_write(cli, g->folder, "new", ".map", &g->new.map_text)))
        return false;
    for (uint32_t i = 0; i < g->m.ninput; i++)
        if (!write_input(g, &g->m.input[i]))
            return false;
    return true;
}

static bool put_plan(struct migrator *g)
{
    struct cli *cli = g->cli;
    struct trod_migrate_print_options options;

    cli_migrate_print_options(&options, cli);
    if (cli->options.explain)
        return trod_migrate_explain(
                   &cli->out.sink, &g->m, cli->options.explain, &options) ||
               trod_fail(&cli->err, TROD_E_INPUT,
                   "neither version has a function '%s'; for C++, give the mangled name",
                   cli->options.explain);
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_migrate_json(&cli->json, &g->m, &g->plan);
        trod_json_close(&cli->json, '}');
    } else {
        trod_migrate_report(&cli->out.sink, &g->m, &g->plan, &options);
    }
    return true;
}

static bool make_plan(struct cli *cli)
{
    struct migrator g = {.cli = cli};
    struct trod_migrate_module module;

    if (!check_options(&g) || !read_versions(&g) || !read_inputs(&g) ||
        !trod_migrate_decide(&g.m, &cli->mem, &cli->err))
        return false;
    if (cli->options.no_rerun)
        for (uint32_t i = 0; i < g.m.ninput; i++)
            if (g.m.input[i].state == TROD_INPUT_RUN)
                g.m.input[i].state = TROD_INPUT_SKIPPED;
    module = (struct trod_migrate_module){g.new.path, g.new.build_id};
    trod_migrate_plan_build(&g.plan, &g.m, g.old.name, g.new.name, &module, &cli->mem);
    return (!g.folder || write_plan(&g)) && put_plan(&g);
}

/* Score a folder against the profiles given. */
static bool score(struct cli *cli)
{
    struct cli_list merged = {&cli->options.score, 1, 1};

    return cli_score_put(cli, &merged, &cli->options.file);
}

bool cli_migrate(struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    if (o->finish && o->score)
        return cli_misused(
            cli, "--finish and --score cannot be combined; run one after the other");
    if (o->finish)
        return cli_migrate_finish(cli);
    return o->score ? score(cli) : make_plan(cli);
}
