#include "cli.h"

/* A plan and what it was made from: of one that was read, no more than the loops. */
struct planned {
    struct cli_numbered numbered;
    struct trod_plan plan;
};

static void adopt_plan(
    struct planned *out, struct cli *cli, const struct cli_subject *subject)
{
    struct trod_order order;

    out->numbered.subject = subject;
    trod_graph_order(&order, subject->graph, &cli->mem);
    trod_graph_loops(&out->numbered.loops, subject->graph, &order, &cli->mem);
    out->plan = *subject->plan;
}

static bool build_plan(
    struct planned *out, struct cli *cli, const struct cli_subject *subject)
{
    const struct cli_options *o = &cli->options;
    struct trod_probe_options options = {
        .placement =
            o->place ? (enum trod_placement)(o->place - 1) : TROD_PLACE_FRONTIER,
        .no_trips = o->no_trips};

    if (subject->plan)
        cli_note(
            cli, "the plan of '%s' is made anew, from its graph", subject->graph->name);
    if (!cli_numbered_build(&out->numbered, cli, subject) ||
        !cli_numbered_check(cli, &out->numbered))
        return false;
    trod_probe_plan(&out->plan, &out->numbered.numbering, &out->numbered.loops,
        &options, &cli->mem);
    return true;
}

/* A plan that was read promises no numbering: what it counts is its own affair. */
static bool check(struct cli *cli, const struct planned *p,
    const struct cli_subject *subject, bool given)
{
    enum { WALKS = 100 };
    bool all = !given && p->numbered.ballarus.npath <= CLI_CHECK_PATHS;

    if (trod_probe_check(&p->plan, &cli->mem, &cli->err) &&
        (!all || trod_probe_check_all(
                     &p->plan, CLI_CHECK_PATHS, WALKS, &cli->mem, &cli->err)))
        return true;
    return cli_checked(
        cli, subject, given, "correct the plan, or let 'trod probe' make one");
}

/* Is the plan of the input to stay as it is? */
static bool is_kept(const struct cli_options *o, const struct cli_subject *subject)
{
    return subject->plan && !o->kind && !o->limit && !o->place;
}

static bool run_subject(struct cli *cli, const struct cli_subject *subject)
{
    const struct cli_options *o = &cli->options;
    bool given = is_kept(o, subject);
    struct planned p = {0};

    if (given)
        adopt_plan(&p, cli, subject);
    else if (!build_plan(&p, cli, subject))
        return false;
    if ((o->check || (TROD_CHECKED && !given)) && !check(cli, &p, subject, given))
        return false;
    if (o->form == CLI_DOT || o->form == CLI_SVG) {
        cli_draw_plan(cli, &p.plan, &p.numbered);
        return true;
    }
    if (o->form == CLI_JSON) {
        trod_graph_json(&cli->json, "graph", subject->graph);
        cli_numbered_json_cuts(&cli->json, &p.numbered);
        trod_probe_json(&cli->json, "plan", &p.plan);
    } else if (!cli_is_asked(o)) {
        cli_out_comment(cli, p.numbered.cuts);
        trod_probe_print(&cli->out.sink, &p.plan);
    }
    if (o->cost)
        cli_tally_cost(cli, &p.plan, &p.numbered.loops);
    return true;
}

bool cli_probe(struct cli *cli)
{
    struct cli_document document;

    return cli_document_read(&document, cli) &&
           cli_document_each(cli, &document, "plans", run_subject);
}
