#include "compare/migrate_in.h"
#include "input/input.h"
#include "output/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "zstd/zstd_port.h"

/* --- folders -------------------------------------------------------------------------------------------- */

bool cli_folder_make(struct cli *cli, const char *folder)
{
    struct stat status;
    int error;

    if (mkdir(folder, 0777) == 0)
        return true;
    error = errno;
    if (error == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        return true;
    return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s; name a folder with -o", folder,
        error == EEXIST ? "it is not a folder" : strerror(error));
}

const char *cli_folder_path(
    struct cli *cli, const char *folder, const char *name, const char *suffix)
{
    return trod_format(&cli->mem, "%s/%s%s", folder, name, suffix);
}

/* A name from a plan or an argument must stay within the folder. */
static bool check_name(struct cli *cli, const char *name)
{
    return (*name && !strchr(name, '/') && strcmp(name, ".") != 0 &&
               strcmp(name, "..") != 0) ||
           trod_fail(&cli->err, TROD_E_INPUT,
               "'%s' is not a valid input name: it becomes a file name and must not contain '/'; "
               "name the input as NAME=FILE",
               name);
}

bool cli_folder_write(struct cli *cli, const char *folder, const char *name,
    const char *suffix, const struct trod_string *text)
{
    return check_name(cli, name) &&
           cli_out_file(cli, cli_folder_path(cli, folder, name, suffix), text);
}

void cli_migrate_print_options(struct trod_migrate_print_options *out, struct cli *cli)
{
    *out = (struct trod_migrate_print_options){.most = cli->options.most,
        .colour = cli->options.form == CLI_TEXT && cli_wants_colour(cli)};
}

/* --- finishing --------------------------------------------------------------------------------------------- */

struct finisher {
    struct cli *cli;
    const char *folder, *out;
    struct trod_migrate_plan plan;
    struct trod_map map;
    bool has_map, paths;
    struct cli_inputs inputs;
    const struct trod_profile **profile; /* profiles of paths, of all inputs */
    uint32_t nprofile;
    struct trod_migrate_print_options options;
    bool explained;
};

static bool read_plan(struct finisher *f)
{
    struct cli *cli = f->cli;
    struct trod_text text;
    const char *map = cli_folder_path(cli, f->folder, "new", ".map");

    if (!cli_in_read(cli, &text, cli_folder_path(cli, f->folder, "plan", "")) ||
        !trod_migrate_plan_parse(&f->plan, &text, &cli->mem, &cli->err))
        return false;
    for (uint32_t i = 0; i < f->plan.ninput; i++)
        if (!check_name(cli, f->plan.input[i].name))
            return false;
    f->paths = strcmp(f->plan.type, "paths") == 0;
    f->has_map = access(map, F_OK) == 0;
    return !f->has_map || (cli_in_read(cli, &text, map) &&
                              trod_map_parse(&f->map, &text, &cli->mem, &cli->err));
}

/* What a plan has of an input. */
struct planned_input {
    struct trod_entries planned, begun, callers;
};

static bool read_planned(
    struct finisher *f, struct planned_input *out, const char *name)
{
    struct cli *cli = f->cli;
    struct trod_text text;
    struct trod_token token;

    *out = (struct planned_input){
        .begun = {.type = "begun"}, .callers = {.type = TROD_CALLERS}};
    if (!cli_in_read(cli, &text, cli_folder_path(cli, f->folder, name, ".old")) ||
        !trod_entries_parse(&out->planned, &text, &cli->mem, &cli->err))
        return false;
    out->planned.input = name;
    for (;;) {
        struct trod_entries more;

        if (!trod_text_peek(&token, &text, &cli->mem, &cli->err))
            return false;
        if (token.kind == TROD_T_END)
            return true;
        if (!trod_entries_parse(&more, &text, &cli->mem, &cli->err))
            return false;
        *(strcmp(more.type, TROD_CALLERS) == 0 ? &out->callers : &out->begun) = more;
    }
}

/* Match profiles with the plan's inputs: which inputs have one, and is each profile that of an input? */
static bool check_inputs(struct finisher *f)
{
    for (uint32_t i = 0; i < f->inputs.count; i++) {
        uint32_t k = 0;

        while (k < f->plan.ninput &&
               strcmp(f->plan.input[k].name, f->inputs.input[i].name) != 0)
            k++;
        if (k == f->plan.ninput)
            return trod_fail(&f->cli->err, TROD_E_MISMATCH,
                "the plan has no input '%s'; write NAME=FILE, with a name from %s/plan",
                f->inputs.input[i].name, f->folder);
    }
    for (uint32_t k = 0; k < f->plan.ninput; k++)
        if (f->plan.input[k].state == TROD_INPUT_RUN && !f->cli->options.no_rerun &&
            !cli_inputs_find(&f->inputs, f->plan.input[k].name))
            return trod_fail(&f->cli->err, TROD_E_INPUT,
                "input '%s' must be run again and has no profile; name it as %s=FILE, or add "
                "--no-rerun to infer what is missing",
                f->plan.input[k].name, f->plan.input[k].name);
    return true;
}

static bool write_profile(
    struct finisher *f, const char *name, const struct trod_profile *profile)
{
    struct cli *cli = f->cli;
    struct trod_string bytes;

    trod_string_init(&bytes, &cli->mem);
    return trod_profile_write(
               &bytes.sink, profile, &trod_zstd_codec, &cli->mem, &cli->err) &&
           cli_folder_write(cli, f->out, name, ".trod", &bytes);
}

static bool put_merged(
    struct finisher *f, const char *name, const struct trod_merged *merged)
{
    struct cli *cli = f->cli;
    struct trod_profile *profile;
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    trod_entries_print(&text.sink, &merged->entries);
    if (!cli_folder_write(cli, f->out, name, ".entries", &text))
        return false;
    if (cli->options.form == CLI_JSON)
        trod_merged_json(&cli->json, name, merged);
    else if (cli->options.explain)
        f->explained |= trod_merged_explain(
            &cli->out.sink, name, merged, cli->options.explain, &f->options);
    else
        trod_merged_report(&cli->out.sink, name, merged, &f->options);
    if (!f->paths || !f->has_map)
        return true;
    profile = trod_new(&cli->mem, struct trod_profile, 1);
    if (!trod_merge_profile(
            profile, merged, &f->map, &f->plan.module, &cli->mem, &cli->err) ||
        !write_profile(f, name, profile))
        return false;
    f->profile[f->nprofile++] = profile;
    return true;
}

static bool finish_sequence(struct finisher *f, const struct trod_plan_input *planned)
{
    struct cli *cli = f->cli;
    struct trod_string text;

    return cli_sequence_finish(cli, &text, planned->name,
               cli_folder_path(cli, f->folder, planned->name, ".spans"),
               cli_inputs_find(&f->inputs, planned->name)) &&
           cli_folder_write(cli, f->out, planned->name, ".spans", &text);
}

static bool finish_input(struct finisher *f, const struct trod_plan_input *planned)
{
    struct cli *cli = f->cli;
    struct cli_input *input = cli_inputs_find(&f->inputs, planned->name);
    struct planned_input of;
    struct trod_merge_inputs in = {.planned = &of.planned,
        .begun = &of.begun,
        .callers = &of.callers,
        .again = &f->plan.again,
        .map = f->has_map ? &f->map : NULL};
    struct trod_merged merged;

    if (cli_is_sequences(f->plan.type))
        return finish_sequence(f, planned);
    if (!read_planned(f, &of, planned->name))
        return false;
    if (input) {
        struct cli_input_of later = {.type = f->plan.type,
            .map = in.map,
            .program = f->plan.later,
            .is_new = true};

        if (!cli_input_read(cli, input, &later))
            return false;
        in.profiled = &input->entries;
        in.flows = input->flows;
    }
    trod_merge_entries(&merged, &in, &cli->mem);
    merged.entries.version = f->plan.later;
    if ((cli->options.check || TROD_CHECKED) &&
        !trod_entries_check(&merged.entries, &cli->err))
        return false;
    return put_merged(f, planned->name, &merged);
}

bool cli_migrate_finish(struct cli *cli)
{
    struct finisher f = {
        .cli = cli, .folder = cli->options.finish, .out = cli->options.output};
    struct trod_profile all;

    cli->options.output = NULL;
    if (!f.out)
        return cli_misused(cli, "name a folder for the merged profiles with -o");
    cli_migrate_print_options(&f.options, cli);
    if (!read_plan(&f) || !cli_inputs_list(cli, &f.inputs, &cli->options.file) ||
        !check_inputs(&f) || !cli_folder_make(cli, f.out))
        return false;
    f.profile = trod_new(&cli->mem, const struct trod_profile *, f.plan.ninput);
    cli_profiles_open_json(cli, "inputs");
    for (uint32_t i = 0; i < f.plan.ninput; i++)
        if (!finish_input(&f, &f.plan.input[i]))
            return false;
    cli_profiles_close_json(cli);
    if (cli->options.explain && !f.explained && cli->options.form != CLI_JSON)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "no merged entry belongs to function '%s'", cli->options.explain);
    return !f.nprofile || (trod_profile_merge(&all, f.profile, f.nprofile, NULL,
                               &cli->mem, &cli->err) &&
                              write_profile(&f, "all", &all));
}
