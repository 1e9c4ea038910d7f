#include "stage/subject.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "glpk/exact.h"

/* --- options ---------------------------------------------------------------------- */

static bool needs_interest(enum cli_kind kind)
{
    return kind >= CLI_SELECTIVE && kind <= CLI_HASH;
}

/* A numbering in the input is used unless another one is requested. */
static bool is_kept(const struct cli *cli, const struct cli_subject *subject)
{
    const struct cli_options *o = &cli->options;

    return subject->numbering && !o->kind && !o->limit && !o->pack.count && !o->exact;
}

/* A function without paths of interest is accepted if others have some: then its paths need not be
 * distinguished.
 */
static bool require_interest(
    struct cli *cli, const struct cli_numbered *n, const char *wanted)
{
    const char *name = n->dag->graph->name;

    if (!n->has_interest && !cli->any_trails)
        return cli_misused(cli,
            "%s needs chosen paths; give some with --path TRAIL, --paths FILE or a section "
            "'paths %s' after the graph",
            wanted, name);
    if (!n->has_interest)
        cli_note(cli, "'%s' has no chosen paths", name);
    return true;
}

/* --- the parts -------------------------------------------------------------------- */

static bool build_view(struct cli_numbered *out, struct cli *cli)
{
    const struct trod_graph *graph = out->subject->graph;
    struct trod_view *view = trod_new(&cli->mem, struct trod_view, 1);
    uint64_t *keep = trod_new(&cli->mem, uint64_t, TROD_WORDS(graph->nedge));
    struct trod_limit limit = {.most = cli->options.limit, .keep = keep};

    trod_trails_keep(keep, &out->subject->trails);
    if (!trod_number_limit(view, &out->report, graph, &limit, &cli->mem, &cli->err))
        return cli_place(cli, out->subject);
    out->dag = &view->dag;
    out->loops = view->loops;
    return true;
}

static void adopt(struct cli_numbered *out, struct cli *cli)
{
    struct trod_order order;

    out->numbering = *out->subject->numbering;
    out->dag = out->numbering.dag;
    trod_graph_order(&order, out->dag->graph, &cli->mem);
    trod_graph_loops(&out->loops, out->dag->graph, &order, &cli->mem);
}

static bool build_interest(struct cli_numbered *out, struct cli *cli)
{
    struct trod_pathset paths;

    out->step = trod_new(&cli->mem, trod_edge, out->dag->nreach);
    if (!trod_number_ballarus(&out->ballarus, out->dag, &cli->mem, &cli->err))
        return cli_place(cli, out->subject);
    if (!trod_pathset_encode(
            &paths, &out->subject->trails, &out->ballarus, &cli->mem, &cli->err))
        return false;
    out->has_interest = paths.count > 0;
    trod_interest_build(&out->interest, &out->ballarus, &paths, &cli->mem);
    return true;
}

bool cli_numbered_kind(struct trod_numbering *out, struct cli *cli,
    const struct cli_numbered *n, enum cli_kind kind)
{
    struct trod_arena *mem = &cli->mem;
    bool ok = true;

    switch (kind) {
    case CLI_KIND_UNSAID:
    case CLI_BALLARUS:
    case CLI_HASH:
        *out = n->ballarus;
        break;
    case CLI_LENGTH:
        trod_number_length(out, n->dag, mem);
        break;
    case CLI_SELECTIVE:
        ok = trod_number_selective(out, &n->interest, mem, &cli->err);
        break;
    case CLI_SELECTIVE_PUBLISHED:
    case CLI_SELECTIVE_SAFE:
        ok = trod_number_selective_paper(
            out, &n->interest, kind == CLI_SELECTIVE_PUBLISHED, mem, &cli->err);
        break;
    case CLI_PREFERENTIAL:
        trod_number_preferential(out, &n->interest, TROD_PREFER_BEST, mem);
        break;
    case CLI_PREFERENTIAL_PUBLISHED:
        trod_number_preferential(out, &n->interest, TROD_PREFER_PAPER, mem);
        break;
    case CLI_PREFERENTIAL_FIT:
        trod_number_preferential(out, &n->interest, TROD_PREFER_FIT, mem);
        break;
    }
    return ok || cli_place(cli, n->subject);
}

/* --- building numberings ---------------------------------------------------------- */

/* A remark is printed as a comment. */
static void remark(struct cli_numbered *out, struct cli *cli, const char *format, ...)
    TROD_FORMAT(3, 4);

static void remark(struct cli_numbered *out, struct cli *cli, const char *format, ...)
{
    char line[256];
    va_list args;

    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    out->remark = trod_copy(&cli->mem, line);
}

static bool build_exact(struct cli_numbered *out, struct cli *cli)
{
    struct trod_exact_options options = {0};
    struct trod_exact_optimum exact;

    if (!require_interest(cli, out, "--exact"))
        return false;
    if (!trod_exact_preferential(
            &exact, &out->interest, &options, &cli->mem, &cli->err))
        return cli_place(cli, out->subject);
    out->numbering = exact.numbering;
    if (exact.optimal)
        remark(out, cli, "width %" PRIu64 " is the least there is", exact.width);
    else
        remark(out, cli, "width %" PRIu64 "; none below %" PRIu64 " exists",
            exact.width, exact.proved);
    return true;
}

static bool build_packed(struct cli_numbered *out, struct cli *cli)
{
    const struct cli_picks *pack = &cli->options.pack;

    if (pack->count != 2 || pack->item[0] == CLI_HASH || pack->item[1] == CLI_HASH)
        return cli_misused(cli,
            "--pack takes two kinds other than hash, separated by a comma; for example --pack "
            "length,ballarus");
    for (int i = 0; i < 2; i++)
        if (needs_interest((enum cli_kind)pack->item[i]) &&
            !require_interest(cli, out, cli_kind_word((enum cli_kind)pack->item[i])))
            return false;
    if (!cli_numbered_kind(&out->low, cli, out, (enum cli_kind)pack->item[0]) ||
        !cli_numbered_kind(&out->high, cli, out, (enum cli_kind)pack->item[1]))
        return false;
    out->has_parts = true;
    return trod_number_pack(
               &out->numbering, &out->low, &out->high, &cli->mem, &cli->err) ||
           cli_place(cli, out->subject);
}

static bool build_slots(struct cli_numbered *out, struct cli *cli)
{
    if (!trod_number_hash(
            &out->slots, &out->interest.paths, CLI_HASH_BITS, &cli->mem, &cli->err))
        return cli_place(cli, out->subject);
    out->has_slots = true;
    remark(out, cli,
        "slot of id = id * 0x%" PRIx64 " >> %u: %" PRIu64 " slots for %zu paths",
        out->slots.multiplier, out->slots.shift, out->slots.nslot,
        out->interest.paths.count);
    return true;
}

static bool build_kind(struct cli_numbered *out, struct cli *cli)
{
    enum cli_kind kind = (enum cli_kind)cli->options.kind;

    if (needs_interest(kind) && !require_interest(cli, out, cli_kind_word(kind)))
        return false;
    return cli_numbered_kind(&out->numbering, cli, out, kind) &&
           (kind != CLI_HASH || build_slots(out, cli));
}

static void note_cuts(struct cli_numbered *out, struct cli *cli)
{
    const struct trod_graph *g = out->dag->graph;
    double before = out->report.log2_before;
    struct trod_string text;
    char from[16], to[16];

    trod_string_init(&text, &cli->mem);
    /* Below 2^40, rounding restores the count from its logarithm. */
    if (before < 40)
        trod_put(&text.sink, "%.0f", exp2(before));
    else
        trod_put(&text.sink, "2^%.1f", before);
    trod_put(&text.sink, " paths are more than %" PRIu64 ", cut:",
        cli->options.limit ? cli->options.limit : TROD_PATH_MAX);
    for (uint32_t i = 0; i < out->report.ncut; i++) {
        trod_edge e = out->report.cut[i];

        trod_put(&text.sink, "%s ", i ? "," : "");
        trod_put_name(&text.sink, trod_graph_node_name(g, g->src_of_edge[e], from));
        trod_put(&text.sink, " -> ");
        trod_put_name(&text.sink, trod_graph_node_name(g, g->dst_of_edge[e], to));
    }
    out->cuts = text.text;
    cli_note(cli, "'%s': %s", g->name, text.text);
}

void cli_numbered_json_cuts(struct trod_json *json, const struct cli_numbered *numbered)
{
    const struct trod_graph *graph = numbered->subject->graph;
    const struct trod_limit_report *report = &numbered->report;

    if (!report->ncut)
        return;
    trod_json_open(json, "limit", '{');
    trod_json_real(json, "log2_before", report->log2_before);
    trod_json_open(json, "cut", '[');
    for (uint32_t i = 0; i < report->ncut; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "source", graph->src_of_edge[report->cut[i]]);
        trod_json_uint(json, "target", graph->dst_of_edge[report->cut[i]]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

bool cli_numbered_build(
    struct cli_numbered *out, struct cli *cli, const struct cli_subject *subject)
{
    const struct cli_options *o = &cli->options;

    *out = (struct cli_numbered){.subject = subject};
    if ((o->kind != 0) + (o->pack.count != 0) + o->exact > 1)
        return cli_misused(
            cli, "--kind, --pack and --exact cannot be combined; give one of them");
    if (is_kept(cli, subject)) {
        adopt(out, cli);
        return build_interest(out, cli);
    }
    if (!build_view(out, cli) || !build_interest(out, cli))
        return false;
    if (out->report.ncut)
        note_cuts(out, cli);
    if (o->exact)
        return build_exact(out, cli);
    return o->pack.count ? build_packed(out, cli) : build_kind(out, cli);
}

/* --- checking --------------------------------------------------------------------- */

bool cli_checked(
    struct cli *cli, const struct cli_subject *subject, bool given, const char *remedy)
{
    if (given && cli->err.code == TROD_E_INTERNAL) {
        size_t used = strlen(cli->err.text);

        cli->exit = CLI_NO;
        snprintf(cli->err.text + used, sizeof cli->err.text - used, "; %s", remedy);
    }
    return cli_place(cli, subject);
}

static bool walk_paths(struct cli *cli, const struct cli_numbered *n)
{
    return trod_number_check_all(&n->numbering, n->has_interest ? &n->interest : NULL,
        n->has_parts ? &n->low : NULL, n->has_parts ? &n->high : NULL, CLI_CHECK_PATHS,
        &cli->mem, &cli->err);
}

/* Note if a check examined less than its name says. */
static void note_unchecked(struct cli *cli, const struct cli_numbered *n)
{
    enum trod_numbering_kind kind = n->numbering.kind;
    const char *name = n->dag->graph->name;

    if (n->ballarus.npath > CLI_CHECK_PATHS)
        cli_note(cli,
            "'%s' has %" PRIu64 " paths, too many to enumerate; only edges are checked",
            name, n->ballarus.npath);
    else if (n->subject->numbering && !n->has_interest &&
             (kind == TROD_SELECTIVE || kind == TROD_PREFERENTIAL))
        cli_note(cli, "'%s' has no chosen paths, so any sums are valid", name);
}

bool cli_numbered_check(struct cli *cli, const struct cli_numbered *n)
{
    bool given = is_kept(cli, n->subject);
    bool unsound = cli->options.kind == CLI_SELECTIVE_PUBLISHED;

    if (!cli->options.check && (!TROD_CHECKED || given || unsound))
        return true;
    if (!trod_graph_check(n->dag->graph, &cli->err) ||
        !trod_dag_check(n->dag, &cli->mem, &cli->err))
        return cli_checked(cli, n->subject, false, "");
    if (cli->options.check)
        note_unchecked(cli, n);
    if (n->ballarus.npath > CLI_CHECK_PATHS
            ? trod_number_check(&n->numbering, &cli->mem, &cli->err)
            : walk_paths(cli, n))
        return true;
    return cli_checked(cli, n->subject, given || unsound,
        given ? "correct its values, or renumber the graph"
              : "the published algorithm is not sound; use --kind=selective");
}
