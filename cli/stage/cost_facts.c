#include "output/output.h"
#include "stage/subject.h"

/* --- comparison of numberings ----------------------------------------------------- */

static void add_measure(struct cli_table *t, struct cli *cli,
    const struct cli_numbered *n, enum cli_kind kind)
{
    struct trod_numbering numbering;
    struct trod_measure m = {0};
    struct trod_slots slots;
    bool fits = cli_numbered_kind(&numbering, cli, n, kind);

    if (fits)
        trod_number_measure(&m, &numbering, &n->interest, &cli->mem);
    if (kind == CLI_HASH) {
        fits = trod_number_hash(
            &slots, &n->interest.paths, CLI_HASH_BITS, &cli->mem, &cli->err);
        m.width = (double)slots.nslot;
        m.delta = m.width / (double)n->interest.paths.count;
    }
    cli_table_words(t, cli_kind_word(kind));
    cli_table_uint(t, n->ballarus.npath);
    cli_table_uint(t, n->interest.paths.count);
    if (!fits) { /* sums exceed 63 bits, or no hash was found: this kind is not applicable */
        for (int i = 0; i < 4; i++)
            cli_table_blank(t);
        return;
    }
    cli_table_uint(t, m.nprobe);
    if (n->has_interest) {
        cli_table_real(t, m.width);
        cli_table_real(t, m.delta);
    } else {
        cli_table_blank(t);
        cli_table_blank(t);
    }
    cli_table_uint(t, m.value_bits);
}

void cli_tally_measure(struct cli *cli, const struct cli_numbered *numbered)
{
    static const char *const column[] = {
        "kind", "paths", "interest", "probes", "width", "delta", "bits"};
    struct cli_table table;

    cli_table_init(
        &table, "measure", column, sizeof column / sizeof *column, &cli->mem);
    add_measure(&table, cli, numbered, CLI_BALLARUS);
    if (numbered->has_interest)
        for (int kind = CLI_SELECTIVE; kind <= CLI_HASH; kind++)
            add_measure(&table, cli, numbered, (enum cli_kind)kind);
    cli_table_put(cli, &table, numbered->dag->graph->name,
        "edges with a value, width of the ids of chosen paths, delta = width / interest, "
        "bits of the largest value");
}

/* --- costs of placements ---------------------------------------------------------- */

static void add_cost(struct cli_table *t, struct cli *cli, const struct trod_plan *plan,
    const char *name)
{
    struct trod_cost cost;

    trod_probe_cost(&cost, plan, &trod_prices_default, &cli->mem);
    cli_table_words(t, name);
    cli_table_uint(t, cost.nop);
    cli_table_uint(t, cost.nsite);
    for (int op = TROD_OP_SET; op <= TROD_OP_FLUSH; op++)
        cli_table_uint(t, cost.nop_of_kind[op]);
    cli_table_real(t, cost.per_call);
}

void cli_tally_cost(
    struct cli *cli, const struct trod_plan *plan, const struct trod_loops *loops)
{
    static const char *const column[] = {"placement", "operations", "sites", "set",
        "add", "count", "count_at", "begin", "bump", "flush", "per_call"};
    const struct trod_numbering *numbering = plan->numbering;
    struct cli_table table;

    cli_table_init(&table, "cost", column, sizeof column / sizeof *column, &cli->mem);
    if (!numbering->val_of_edge)
        add_cost(&table, cli, plan, trod_probe_placement_name(plan->placement));
    for (int p = 0; numbering->val_of_edge && p <= TROD_PLACE_PLAIN; p++) {
        struct trod_probe_options options = {
            .placement = (enum trod_placement)p, .no_trips = cli->options.no_trips};
        struct trod_plan other;

        trod_probe_plan(&other, numbering, loops, &options, &cli->mem);
        add_cost(&table, cli, &other, trod_probe_placement_name(options.placement));
    }
    cli_table_put(cli, &table, numbering->dag->graph->name,
        "operations in the code, and machine operations for each call");
}

/* --- costs of plans for chosen paths ---------------------------------------------- */

void cli_tally_choice(struct cli *cli, const struct trod_choice *choice)
{
    static const char *const column[] = {
        "plan", "operations", "sites", "per_call", "bytes", "delta", "remark"};
    struct cli_table table;

    cli_table_init(&table, "plans", column, sizeof column / sizeof *column, &cli->mem);
    for (int k = 0; k < TROD_NENDING; k++) {
        const struct trod_candidate *c = &choice->candidate[k];

        cli_table_words(&table, trod_ending_name((enum trod_ending_kind)k));
        if (!c->possible) {
            for (int i = 0; i < 5; i++)
                cli_table_blank(&table);
            cli_table_words(&table, c->why_not);
            continue;
        }
        cli_table_uint(&table, c->cost.nop);
        cli_table_uint(&table, c->cost.nsite);
        cli_table_real(&table, c->cost.per_call);
        cli_table_uint(&table, c->bytes);
        if (c->delta > 0)
            cli_table_real(&table, c->delta);
        else
            cli_table_blank(&table);
        cli_table_words(&table, (int)choice->kind == k ? choice->why : "");
    }
    cli_table_put(cli, &table, choice->dag.graph->name,
        "operations in the code and for each call, and bytes of data");
}
