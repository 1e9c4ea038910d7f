#include "commands.h"
#include "output/output.h"
#include "stage/subject.h"

static void print_text(struct cli *cli, const struct cli_numbered *n)
{
    cli_out_comment(cli, n->cuts);
    cli_out_comment(cli, n->remark);
    trod_number_print(&cli->out.sink, &n->numbering);
    cli_list_interest(cli, n);
}

static void print_json(struct cli *cli, const struct cli_numbered *n)
{
    struct trod_json *json = &cli->json;

    trod_graph_json(json, "graph", n->dag->graph);
    cli_numbered_json_cuts(json, n);
    trod_json_uint(json, "paths_total", n->ballarus.npath);
    trod_number_json(json, "numbering", &n->numbering);
    if (n->remark)
        trod_json_text(json, "remark", n->remark);
    if (n->has_slots) {
        trod_json_open(json, "slots", '{');
        trod_json_uint(json, "multiplier", n->slots.multiplier);
        trod_json_uint(json, "shift", n->slots.shift);
        trod_json_uint(json, "count", n->slots.nslot);
        trod_json_close(json, '}');
    }
    cli_list_interest(cli, n);
}

static bool answer(struct cli *cli, const struct cli_numbered *n)
{
    const struct cli_options *o = &cli->options;

    if (o->list)
        cli_list_paths(cli, n);
    if (o->measure)
        cli_tally_measure(cli, n);
    if (o->coding)
        cli_model(cli, n);
    return (!o->decode.count || cli_list_decode(cli, n)) &&
           (!o->encode.count || cli_list_encode(cli, n));
}

static bool run_subject(struct cli *cli, const struct cli_subject *subject)
{
    const struct cli_options *o = &cli->options;
    struct cli_numbered n;

    if (!cli_numbered_build(&n, cli, subject) || !cli_numbered_check(cli, &n))
        return false;
    if (o->form == CLI_DOT || o->form == CLI_SVG) {
        cli_draw_numbering(cli, &n);
        return true;
    }
    if (o->form == CLI_JSON)
        print_json(cli, &n);
    else if (!cli_is_asked(o))
        print_text(cli, &n);
    return answer(cli, &n);
}

bool cli_number(struct cli *cli)
{
    struct cli_document document;

    return cli_document_read(&document, cli) &&
           cli_document_each(cli, &document, "numberings", run_subject);
}
