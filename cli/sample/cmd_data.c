#include "commands.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"

enum { EXACT = 4096 }; /* streams whose occurrences are all counted */

static size_t most_of(const struct cli *cli)
{
    return cli->options.most ? cli->options.most : TROD_STREAM_MOST;
}

/* If functions are selected, any stream may match, so all are considered. */
static size_t looked_at(const struct cli *cli)
{
    return cli->options.function && most_of(cli) < EXACT ? EXACT : most_of(cli);
}

static bool put(struct cli *cli, const struct trod_streams *streams)
{
    struct trod_report_options report;
    struct trod_stream_print_options options;

    if ((cli->options.check || TROD_CHECKED) && !trod_streams_check(streams, &cli->err))
        return false;
    cli_report_options(&report, cli);
    options = (struct trod_stream_print_options){
        .most = cli->options.most, .wants = report.wants, .ctx = report.ctx};
    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_stream_json(&cli->json, streams, &options, &cli->mem);
        trod_json_close(&cli->json, '}');
        return true;
    }
    cli_out_gap(cli);
    if (cli->options.as_text)
        trod_streams_print(&cli->out.sink, streams);
    else
        trod_stream_report(&cli->out.sink, streams, &options, &cli->mem);
    return true;
}

static bool put_refs(struct cli *cli, const struct trod_stream_refs *refs)
{
    struct trod_stream_options options;
    struct trod_streams streams;

    if (cli->options.check && !trod_stream_refs_check(refs, &cli->err))
        return false;
    if (cli->options.refs) {
        cli_out_gap(cli);
        trod_stream_refs_print(&cli->out.sink, refs);
        return true;
    }
    if (!cli_streams_options(&options, cli))
        return false;
    trod_stream_find(&streams, refs, &options, &cli->mem, &cli->mem);
    if (cli->options.exact)
        trod_stream_look(&streams, refs, &options, EXACT, true, &cli->mem, &cli->mem);
    else if (!cli->options.as_text)
        trod_stream_look(
            &streams, refs, &options, looked_at(cli), false, &cli->mem, &cli->mem);
    return put(cli, &streams);
}

static bool take_file(struct cli *cli, const char *path, void *ctx)
{
    struct cli_streams in;

    (void)ctx;
    if (!cli_streams_read(&in, cli, path))
        return false;
    if (in.found)
        return put(cli, &in.streams);
    for (size_t i = 0; i < in.nrefs; i++)
        if (!put_refs(cli, &in.refs[i]))
            return false;
    return true;
}

bool cli_streams(struct cli *cli)
{
    struct trod_stream_options options;

    /* Report invalid options before reading anything. */
    if (!cli_streams_options(&options, cli))
        return false;
    if (cli->options.refs && cli->options.form == CLI_JSON)
        return cli_misused(cli, "--refs and --json cannot be combined");
    cli_profiles_open_json(cli, "programs");
    if (!cli_profiles_each(cli, take_file, NULL))
        return false;
    cli_profiles_close_json(cli);
    return true;
}
