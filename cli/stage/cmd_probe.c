#include "commands.h"
#include "output/output.h"
#include "stage/subject.h"

/* A plan and what it was built from; for a plan that was read, only the loops. */
struct planned {
    struct cli_numbered numbered;
    struct trod_choice *choice; /* NULL: every path is counted */
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

/* Plans that count only some of the paths. */
static bool choose(struct planned *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct cli_numbered *n = &out->numbered;
    struct trod_choose_options options = {
        .want = (enum trod_want)o->want, .only = o->plan ? 1u << (o->plan - 1) : 0};
    struct trod_string remark;

    if (n->numbering.kind != TROD_BALLARUS)
        return cli_misused(cli,
            "--want cannot be combined with --kind, --pack or numbered input; give graphs");
    out->choice = trod_new(&cli->mem, struct trod_choice, 1);
    if (!trod_probe_choose(out->choice, &n->ballarus, &n->interest.paths, &n->loops,
            &options, &cli->mem, &cli->err))
        return cli_place(cli, n->subject);
    trod_string_init(&remark, &cli->mem);
    if (out->choice->needless)
        trod_put(&remark.sink, "nothing is counted: %s", out->choice->why);
    else
        trod_put(&remark.sink, "%s by %s: %s", trod_want_name(options.want),
            trod_ending_name(out->choice->kind), out->choice->why);
    n->remark = remark.text;
    out->plan = out->choice->plan;
    return true;
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
            cli, "the plan of '%s' is rebuilt from its graph", subject->graph->name);
    if (!cli_numbered_build(&out->numbered, cli, subject) ||
        !cli_numbered_check(cli, &out->numbered))
        return false;
    if (o->plan && !o->want)
        return cli_misused(cli, "--plan needs --want=WANT");
    if (o->want)
        return choose(out, cli);
    trod_probe_plan(&out->plan, &out->numbered.numbering, &out->numbered.loops,
        &options, &cli->mem);
    return true;
}

/* A plan that was read need not follow any numbering, so its counts are not checked. */
static bool check(struct cli *cli, const struct planned *p,
    const struct cli_subject *subject, bool given)
{
    enum { WALKS = 100 };
    bool all = !given && p->numbered.ballarus.npath <= CLI_CHECK_PATHS;

    if (p->choice)
        return trod_probe_check(&p->plan, &cli->mem, &cli->err) &&
               (!all || trod_choice_check_all(
                            p->choice, CLI_CHECK_PATHS, &cli->mem, &cli->err));
    if (trod_probe_check(&p->plan, &cli->mem, &cli->err) &&
        (!all || trod_probe_check_all(
                     &p->plan, CLI_CHECK_PATHS, WALKS, &cli->mem, &cli->err)))
        return true;
    return cli_checked(
        cli, subject, given, "correct the plan, or let 'trod stage probe' make one");
}

/* Is the plan in the input used unchanged? */
static bool is_kept(const struct cli_options *o, const struct cli_subject *subject)
{
    return subject->plan && !o->kind && !o->limit && !o->place && !o->want;
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
    if (p.choice && p.choice->needless) {
        cli_note(cli, "'%s': %s", subject->graph->name, p.numbered.remark);
        return true;
    }
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
        if (p.choice)
            cli_out_comment(cli, p.numbered.remark);
        trod_probe_print(&cli->out.sink, &p.plan);
    }
    if (o->cost && p.choice)
        cli_tally_choice(cli, p.choice);
    else if (o->cost)
        cli_tally_cost(cli, &p.plan, &p.numbered.loops);
    return true;
}

bool cli_probe(struct cli *cli)
{
    struct cli_document document;

    return cli_document_read(&document, cli) &&
           cli_document_each(cli, &document, "plans", run_subject);
}
