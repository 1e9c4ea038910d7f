#include "commands.h"
#include "stage/subject.h"

/* The graph is valid already, so a fault of an analysis is an internal error. */
static bool check(
    struct cli *cli, const struct trod_graph *graph, const struct trod_view *view)
{
    return trod_graph_check(graph, &cli->err) &&
           trod_dag_check(&view->dag, &cli->mem, &cli->err);
}

static void print_json(struct cli *cli, const struct trod_graph *graph)
{
    trod_graph_json(&cli->json, "graph", graph);
    trod_json_text(&cli->json, "hash", cli_show_hash(graph, &cli->mem));
}

static bool run_subject(struct cli *cli, const struct cli_subject *subject)
{
    const struct cli_options *o = &cli->options;
    struct trod_view view;

    trod_graph_view(&view, subject->graph, NULL, &cli->mem);
    if ((o->check || TROD_CHECKED) && !check(cli, subject->graph, &view))
        return cli_place(cli, subject);
    if (subject->trails.count)
        cli_note(cli,
            "'%s' has chosen paths, which 'trod stage graph' ignores; use 'trod stage number'",
            subject->graph->name);
    if (o->form == CLI_DOT || o->form == CLI_SVG)
        cli_draw_graph(cli, &view);
    else if (o->form == CLI_JSON)
        print_json(cli, subject->graph);
    else if (!cli_is_asked(o))
        trod_graph_print(&cli->out.sink, subject->graph);
    if (o->form == CLI_TEXT || o->form == CLI_JSON)
        cli_show(cli, subject->graph, &view);
    return true;
}

bool cli_graph(struct cli *cli)
{
    struct cli_document document;

    return cli_document_read(&document, cli) &&
           cli_document_each(cli, &document, "graphs", run_subject);
}
