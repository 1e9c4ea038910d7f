#include "commands.h"
#include "hw/processor.h"

bool cli_machine_read(struct trod_timing_machine *out, struct cli *cli)
{
    const char *which = cli->options.machine ? cli->options.machine : "table5.3";
    struct trod_text text;
    struct trod_token behind;

    if (trod_timing_machine_named(out, which))
        return true;
    return cli_in_read(cli, &text, which) &&
           trod_timing_machine_parse(out, &text, &cli->mem, &cli->err) &&
           trod_text_next(&behind, &text, &cli->mem, &cli->err) &&
           (behind.kind == TROD_T_END ||
               trod_text_fail(&text, &cli->err,
                   "expected the end of the file; put each machine in a separate file"));
}

/* The baseline always comes first. */
static bool read_designs(
    struct trod_timing_design **out, uint32_t *count, struct cli *cli)
{
    static const char *usual[] = {
        "queue=1", "queue=2", "queue=4", "queue=8", "queue=4,pipelined"};
    struct cli_list said = cli->options.design;

    if (!said.count)
        said = (struct cli_list){usual, sizeof usual / sizeof *usual, 0};
    *out = trod_new(&cli->mem, struct trod_timing_design, (size_t)said.count + 1);
    (*out)[0].name = "base";
    *count = 1;
    for (uint32_t i = 0; i < said.count; i++) {
        struct trod_timing_design *design = &(*out)[*count];

        if (!trod_timing_design_parse(design, said.item[i], &cli->mem, &cli->err)) {
            cli->exit = CLI_USAGE;
            return false;
        }
        *count += design->queue || design->inject;
    }
    return true;
}

/* Only the sum is printed. */
static void ignore(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    (void)ctx;
    (void)run;
    (void)events;
}

static void put(struct cli *cli, const struct trod_timing *core,
    const struct trod_timing_machine *machine, const struct cli_branches *in)
{
    if (cli->options.form != CLI_JSON) {
        trod_put_name(&cli->out.sink, in->name);
        trod_put(&cli->out.sink, " on ");
        trod_timing_report(&cli->out.sink, core, machine, &cli->mem);
        return;
    }
    trod_json_open(&cli->json, NULL, '{');
    trod_json_uint(&cli->json, "version", 1);
    trod_json_text(&cli->json, "name", in->name);
    trod_timing_json(&cli->json, core, machine, &cli->mem);
    trod_json_close(&cli->json, '}');
}

bool cli_core(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct trod_timing_machine machine;
    struct trod_timing_design *design;
    struct trod_timing_sink sink;
    struct cli_branches in;
    struct trod_timing *core;
    uint32_t ndesign;

    if (o->file.count > 1)
        return cli_misused(cli, "expected one trace; traces cannot be added");
    if (!cli_machine_read(&machine, cli) || !read_designs(&design, &ndesign, cli))
        return false;
    if (o->as_text) {
        if (o->file.count || o->form == CLI_JSON)
            return cli_misused(cli,
                "--text prints the machine and cannot be combined with FILE or --json");
        trod_timing_machine_print(&cli->out.sink, &machine);
        return true;
    }
    if (!cli_branches_open(&in, cli, o->file.count ? o->file.item[0] : "-"))
        return false;
    core = trod_timing_build(&machine, design, ndesign, &cli->mem);
    trod_timing_when_final(core, ignore, NULL);
    trod_timing_sink_init(&sink, core);
    if (!cli_branches_drive(&sink.sink, &in, cli))
        return false;
    trod_timing_end(core);
    put(cli, core, &machine, &in);
    return true;
}
