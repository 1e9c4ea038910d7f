#include "commands.h"
#include "hw/symbols.h"
#include "hw/processor.h"
#include "output/output.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64 };

/* A set of productions, and the editor that applies them. */
struct one {
    const char *name; /* what is sampled; NULL: as files say */
    struct trod_edit edit;
    struct trod_editor *editor;
    struct trod_edit_sink sink;
    struct trod_edit_injector plain, conditional;
    struct trod_edit_timed timed;
};

struct all {
    struct one one[CLI_PICKS];
    uint32_t count;
    struct trod_branch_tee tee;
    struct trod_branch_sink *to[CLI_PICKS + 2];
    struct cli_symbols symbols;

    /* If timing is requested: a baseline, and two designs for each set. */
    struct trod_timing_machine machine;
    struct trod_timing_design design[2 * CLI_PICKS + 1];
    struct trod_timing_sink core;
};

/* --- productions --------------------------------------------------------------------------------------- */

static bool read_setting(
    struct cli *cli, struct trod_edit_setting *out, const char *argument)
{
    const char *equals = strchr(argument, '=');

    if (!equals || !trod_text_uint(&out->n, equals + 1))
        return cli_misused(cli,
            "--set: '%s' is not a name, '=' and a whole number: sampleFreq=999",
            argument);
    out->name = trod_copy_text(&cli->mem, argument, (size_t)(equals - argument));
    return true;
}

static bool read_settings(struct cli *cli, struct trod_edit_settings *out)
{
    const struct cli_options *o = &cli->options;
    struct trod_edit_setting *setting =
        trod_new(&cli->mem, struct trod_edit_setting, (size_t)o->set.count + 1);

    *out = (struct trod_edit_settings){.setting = setting, .period = o->period};
    for (uint32_t i = 0; i < o->set.count; i++)
        if (!read_setting(cli, &setting[out->count++], o->set.item[i]))
            return false;
    if (o->burst_length)
        setting[out->count++] =
            (struct trod_edit_setting){"burstLength", o->burst_length};
    return true;
}

static struct trod_edit_file shipped(struct cli *cli, const char *name)
{
    struct trod_string full;
    const char *text;

    trod_string_init(&full, &cli->mem);
    trod_put(&full.sink, "%s%s", cli->options.literal ? "literal/" : "", name);
    text = trod_edit_shipped(full.text);
    trod_put(&full.sink, ".hps");
    return (struct trod_edit_file){full.text, text, strlen(text)};
}

static bool read_file(struct cli *cli, struct trod_edit_file *out, const char *path)
{
    struct cli_bytes in;

    if (!cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    *out = (struct trod_edit_file){in.name, in.bytes, in.length};
    return true;
}

static bool add_one(struct cli *cli, struct all *all, const char *name,
    const struct trod_edit_file *file, size_t nfile)
{
    struct trod_edit_options options = {
        .exhaustive = cli->options.exhaustive, .most_refs = cli->options.addresses};
    struct trod_edit_settings settings;
    struct one *one = &all->one[all->count];

    one->name = name;
    if (!read_settings(cli, &settings) ||
        !trod_edit_parse(&one->edit, file, nfile, &settings, &cli->mem, &cli->err))
        return false;
    if ((cli->options.check || TROD_CHECKED) &&
        !trod_edit_check(&one->edit, &cli->mem, &cli->err))
        return false;
    if (cli->options.seed && !trod_text_uint(&options.seed, cli->options.seed))
        return cli_misused(
            cli, "--seed: '%s' is not a whole number", cli->options.seed);
    trod_edit_injector_init(&one->plain, &cli->mem);
    trod_edit_injector_init(&one->conditional, &cli->mem);
    if (cli->options.machine) {
        options.plain = &one->plain.inject;
        options.conditional = &one->conditional.inject;
    }
    one->editor = trod_editor_build(&one->edit, &options, &cli->mem);
    trod_edit_sink_init(&one->sink, one->editor);
    all->to[all->count++] = &one->sink.sink;
    return true;
}

/* Read productions from files, and append the other requested ones: all in one set. */
static bool add_files(struct cli *cli, struct all *all)
{
    const struct cli_options *o = &cli->options;
    struct trod_edit_file file[MOST_FILES];
    size_t count = 0;

    if (o->productions.count + o->edit_profile.count > MOST_FILES)
        return cli_misused(
            cli, "more than %d files of productions; combine some", MOST_FILES);
    for (uint32_t i = 0; i < o->productions.count; i++)
        if (!read_file(cli, &file[count++], o->productions.item[i]))
            return false;
    for (uint32_t i = 0; i < o->edit_profile.count; i++)
        file[count++] = shipped(
            cli, trod_edit_notes_name((enum trod_edit_notes)o->edit_profile.item[i]));
    return add_one(cli, all, NULL, file, count);
}

static bool add_shipped(struct cli *cli, struct all *all, enum trod_edit_notes notes)
{
    struct trod_edit_file file[] = {
        shipped(cli, "sampling"), shipped(cli, trod_edit_notes_name(notes))};

    return add_one(cli, all, trod_edit_notes_name(notes), file, 2);
}

static bool read_productions(struct cli *cli, struct all *all)
{
    const struct cli_options *o = &cli->options;

    if (o->productions.count)
        return add_files(cli, all);
    for (int notes = TROD_EDIT_METHODS; notes <= TROD_EDIT_STREAMS; notes++) {
        bool wanted = !o->edit_profile.count;

        for (uint32_t i = 0; i < o->edit_profile.count; i++)
            wanted |= o->edit_profile.item[i] == notes;
        if (wanted && !add_shipped(cli, all, (enum trod_edit_notes)notes))
            return false;
    }
    return true;
}

/* --- results ------------------------------------------------------------------------------------------- */

static bool read_cpi(struct cli *cli, double *out)
{
    char *end;

    *out = 0;
    if (!cli->options.cpi)
        return true;
    *out = strtod(cli->options.cpi, &end);
    return (*cli->options.cpi && !*end && *out > 0 && *out < 1e6) ||
           cli_misused(
               cli, "--cpi: '%s' is not a number of cycles above 0", cli->options.cpi);
}

static void put_one(
    struct cli *cli, const struct one *one, struct trod_edit_print_options *options)
{
    struct trod_edit_result result;

    options->timed = cli->options.machine ? &one->timed : NULL;
    trod_editor_result(&result, one->editor, NULL, 0, &cli->mem);
    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        if (one->name)
            trod_json_text(&cli->json, "profile", one->name);
        trod_edit_json(&cli->json, &one->edit, &result, options);
        trod_json_close(&cli->json, '}');
        return;
    }
    cli_out_gap(cli);
    trod_edit_report(&cli->out.sink, &one->edit, &result, options);
}

/* Editors receive each run before the core does. */
static bool start_core(struct cli *cli, struct all *all)
{
    uint32_t ndesign = 1;

    if (!cli->options.machine)
        return true;
    if (!cli_machine_read(&all->machine, cli))
        return false;
    all->design[0].name = "base";
    for (uint32_t i = 0; i < all->count; i++) {
        struct one *one = &all->one[i];

        trod_edit_timing_design(&all->design[ndesign++], &one->plain, "plain", 0);
        trod_edit_timing_design(
            &all->design[ndesign++], &one->conditional, "conditional", 0);
    }
    trod_timing_sink_init(
        &all->core, trod_timing_build(&all->machine, all->design, ndesign, &cli->mem));
    all->to[all->count] = &all->core.sink;
    return true;
}

static void end_core(struct cli *cli, struct all *all)
{
    struct trod_timing_cycles cycles[2 * CLI_PICKS + 1];

    if (!cli->options.machine)
        return;
    trod_timing_end(all->core.core);
    trod_timing_cycles_of(cycles, all->core.core);
    for (uint32_t i = 0; i < all->count; i++)
        all->one[i].timed = (struct trod_edit_timed){.machine = all->machine.name,
            .base = cycles[0].cycles,
            .plain = cycles[2 * i + 1].cycles,
            .conditional = cycles[2 * i + 2].cycles};
}

static bool edit_stream(struct cli *cli, struct all *all)
{
    const struct cli_options *o = &cli->options;
    struct trod_edit_print_options options = {
        .most = o->most, .places = &all->symbols.places};
    uint32_t nsink = all->count;
    struct cli_branches in;

    if (!read_cpi(cli, &options.cpi) || !start_core(cli, all))
        return false;
    nsink += o->machine != NULL;
    all->to[nsink++] = &all->symbols.sink;
    trod_branch_tee_init(&all->tee, all->to, nsink);
    if (!cli_branches_open(&in, cli, o->file.count ? o->file.item[0] : "-") ||
        !cli_branches_drive(&all->tee.sink, &in, cli))
        return false;
    end_core(cli, all);
    cli_profiles_open_json(cli, "edits");
    for (uint32_t i = 0; i < all->count; i++)
        put_one(cli, &all->one[i], &options);
    cli_profiles_close_json(cli);
    if (o->machine && o->form != CLI_JSON)
        trod_put(&cli->out.sink, "\n# %s\n", trod_timing_caveat);
    return true;
}

bool cli_edit(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct all *all = trod_new(&cli->mem, struct all, 1);

    if (o->file.count > 1)
        return cli_misused(cli, "expected one trace; traces cannot be added");
    if (o->as_text && (o->file.count || o->form == CLI_JSON))
        return cli_misused(cli,
            "--text prints productions and cannot be combined with a trace or --json");
    if (!read_productions(cli, all))
        return false;
    if (!o->as_text) {
        bool ok;

        cli_symbols_open(&all->symbols, cli);
        ok = edit_stream(cli, all);
        cli_symbols_close(&all->symbols);
        return ok;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        cli_out_gap(cli);
        trod_edit_print(&cli->out.sink, &all->one[i].edit);
    }
    return true;
}
