#include "output/output.h"
#include "sample/subpaths.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_FOUND = 10000, MOST_AT_STOP = 100 };

const char *cli_exact_name(const struct cli_exact *x)
{
    return x->blocks.argv                     ? x->blocks.argv[0]
           : strcmp(x->blocks.name, "-") == 0 ? "<stdin>"
                                              : x->blocks.name;
}

size_t cli_exact_at_stop(const struct cli_exact *x)
{
    return x->most < MOST_AT_STOP ? x->most : MOST_AT_STOP;
}

/* --- printing -------------------------------------------------------------------------------------- */

/* By names if available, otherwise by numbers. */
static const char *name_of_subpath(
    const struct cli_exact *x, const uint32_t *block, uint32_t n)
{
    struct cli_block_names names = x->names;
    const char *words = x->has_names ? cli_block_names_put(&names, block, n) : NULL;
    struct trod_string text;

    if (words)
        return words;
    trod_string_init(&text, &x->cli->mem);
    for (uint32_t i = 0; i < n; i++)
        trod_put(&text.sink, "%s%" PRIu32, i ? " " : "", block[i]);
    return text.text;
}

/* Share of all subpaths with the same number of blocks. */
static double share_of(
    const struct trod_every_answer *a, const struct trod_every_row *row)
{
    for (uint32_t i = 0; i < a->nsum; i++)
        if (a->sum[i].length == row->length)
            return (double)row->count / (double)a->sum[i].nsubpath;
    return 0;
}

/* The row of a sampled subpath among those counted; NULL: not found. */
static const struct trod_every_row *find_exact(const struct cli_exact *x,
    const struct trod_every_answer *a, const struct cli_sampled_row *sampled)
{
    struct cli_sampled one = {.row = (struct cli_sampled_row[]){*sampled}, .nrow = 1};

    for (size_t i = 0; i < a->nrow; i++)
        if (cli_sampled_find(&one, x->identity, a->row[i].block, a->row[i].length))
            return &a->row[i];
    return NULL;
}

static void add_sampled(struct cli_table *t, const struct cli_sampled *s, size_t rank)
{
    if (!rank) {
        cli_table_blank(t);
        cli_table_blank(t);
        return;
    }
    cli_table_uint(t, rank);
    cli_table_real(t, s->row[rank - 1].estimate);
}

/* Counted subpaths, with their ranks in the sample. */
static void print_rows(
    const struct cli_exact *x, struct cli *cli, const struct cli_known *k)
{
    static const char *const column[] = {"rank", "count", "share", "length", "path"},
                             *const both[] = {"rank", "count", "share", "sampled rank",
                                 "estimate", "length", "path"};
    const struct trod_every_answer *a = &k->exact;
    struct cli_table table;

    cli_table_init(
        &table, "rows", x->sampler ? both : column, x->sampler ? 7 : 5, &cli->mem);
    for (size_t i = 0; i < a->nrow && i < x->most; i++) {
        const struct trod_every_row *row = &a->row[i];

        cli_table_uint(&table, i + 1);
        cli_table_uint(&table, row->count);
        cli_table_share(&table, share_of(a, row));
        if (x->sampler)
            add_sampled(&table, &k->sampled,
                cli_sampled_find(&k->sampled, x->identity, row->block, row->length));
        cli_table_uint(&table, row->length);
        cli_table_words(&table, name_of_subpath(x, row->block, row->length));
    }
    cli_table_print(&cli->out.sink, &table);
}

/* Sampled subpaths with their true counts, like table 4.8 of Oren's thesis. */
static void print_sampled(
    const struct cli_exact *x, struct cli *cli, const struct cli_known *k)
{
    static const char *const column[] = {"rank", "exact rank", "samples", "estimate",
        "count", "error", "bound", "length"};
    struct cli_table table;

    cli_table_init(&table, "sampled", column, 8, &cli->mem);
    for (size_t i = 0; i < k->sampled.nrow && i < x->most; i++) {
        const struct cli_sampled_row *row = &k->sampled.row[i];
        const struct trod_every_row *exact = find_exact(x, &k->exact, row);

        cli_table_uint(&table, i + 1);
        if (exact)
            cli_table_uint(&table, (uint64_t)(exact - k->exact.row) + 1);
        else
            cli_table_blank(&table);
        cli_table_real(&table, row->samples);
        cli_table_real(&table, row->estimate);
        if (exact) {
            double count = (double)exact->count;

            cli_table_uint(&table, exact->count);
            cli_table_share(&table, fabs(row->estimate - count) / count);
        } else {
            cli_table_blank(&table);
            cli_table_blank(&table);
        }
        cli_table_share(&table, row->both);
        cli_table_uint(&table, row->length);
    }
    trod_put(&cli->out.sink,
        "\n# %" PRIu64 " samples, one of %.6g blocks at last; %" PRIu64
        " dropped, %" PRIu64 " rejected\n",
        k->sampled.nsample, k->sampled.f, k->sampled.ndropped, k->sampled.nrejected);
    cli_table_print(&cli->out.sink, &table);
}

static void print_sums(struct cli *cli, const struct trod_every_answer *a)
{
    static const char *const column[] = {
        "length", "subpaths", "sequences", "different"};
    struct cli_table table;

    cli_table_init(&table, "lengths", column, 4, &cli->mem);
    for (uint32_t i = 0; i < a->nsum; i++) {
        cli_table_uint(&table, a->sum[i].length);
        cli_table_uint(&table, a->sum[i].nsubpath);
        cli_table_uint(&table, a->sum[i].ndistinct);
        cli_table_uint(&table, a->sum[i].nclass);
    }
    trod_put(&cli->out.sink, "\n");
    cli_table_print(&cli->out.sink, &table);
}

static void print(
    const struct cli_exact *x, struct cli *cli, const struct cli_known *all)
{
    const struct trod_every_answer *a = &all->exact;
    struct trod_sink *sink = &cli->out.sink;
    const char *name = cli_exact_name(x);

    for (uint32_t i = 0; i < x->nstop; i++) {
        trod_put(
            sink, "# %s: after %" PRIu64 " blocks\n", name, x->stop[i].exact.nblock);
        print_rows(x, cli, &x->stop[i]);
        trod_put(sink, "\n");
    }
    trod_put(sink,
        "# %s: all subpaths of %" PRIu64 " blocks, %" PRIu64 " thread%s, %" PRIu64
        " gap%s\n",
        name, a->nblock, a->nthread, a->nthread == 1 ? "" : "s", a->ngap,
        a->ngap == 1 ? "" : "s");
    print_rows(x, cli, all);
    if (x->sampler)
        print_sampled(x, cli, all);
    print_sums(cli, a);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void json_blocks(struct trod_json *json, const struct cli_exact *x,
    const uint32_t *block, uint32_t n)
{
    trod_json_uint(json, "length", n);
    if (x->has_names)
        trod_json_text(json, "subpath", name_of_subpath(x, block, n));
    trod_json_open(json, "blocks", '[');
    for (uint32_t i = 0; i < n; i++)
        trod_json_uint(json, NULL, block[i]);
    trod_json_close(json, ']');
}

static void json_rows(
    struct trod_json *json, const struct cli_exact *x, const struct cli_known *k)
{
    const struct trod_every_answer *a = &k->exact;

    trod_json_open(json, "rows", '[');
    for (size_t i = 0; i < a->nrow && i < x->most; i++) {
        const struct trod_every_row *row = &a->row[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "rank", i + 1);
        trod_json_uint(json, "count", row->count);
        trod_json_real(json, "share", share_of(a, row));
        if (x->sampler)
            trod_json_uint(json, "sampled_rank",
                cli_sampled_find(&k->sampled, x->identity, row->block, row->length));
        json_blocks(json, x, row->block, row->length);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_sampled(struct trod_json *json, const struct cli_exact *x,
    const struct cli_known *k, size_t most)
{
    const struct cli_sampled *s = &k->sampled;

    trod_json_open(json, "sample", '{');
    trod_json_real(json, "frequency", s->f);
    trod_json_uint(json, "begun", s->nbegun);
    trod_json_uint(json, "samples", s->nsample);
    trod_json_uint(json, "dropped", s->ndropped);
    trod_json_uint(json, "rejected", s->nrejected);
    trod_json_real(json, "kept", s->nkept);
    trod_json_uint(json, "different", s->nrow);
    trod_json_open(json, "rows", '[');
    for (size_t i = 0; i < s->nrow && i < most; i++) {
        const struct trod_every_row *exact = find_exact(x, &k->exact, &s->row[i]);

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "rank", i + 1);
        trod_json_real(json, "samples", s->row[i].samples);
        trod_json_real(json, "estimate", s->row[i].estimate);
        trod_json_real(json, "bound", s->row[i].both);
        trod_json_real(json, "bound_one_sided", s->row[i].one);
        if (exact) {
            trod_json_uint(json, "exact_rank", (uint64_t)(exact - k->exact.row) + 1);
            trod_json_uint(json, "count", exact->count);
        }
        json_blocks(json, x, s->row[i].block, s->row[i].length);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void json_known(struct trod_json *json, const struct cli_exact *x,
    const struct cli_known *k, size_t most)
{
    json_rows(json, x, k);
    if (x->sampler)
        json_sampled(json, x, k, most);
}

static void json_sums(struct trod_json *json, const struct trod_every_answer *a)
{
    trod_json_open(json, "lengths", '[');
    for (uint32_t i = 0; i < a->nsum; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "length", a->sum[i].length);
        trod_json_uint(json, "subpaths", a->sum[i].nsubpath);
        trod_json_uint(json, "sequences", a->sum[i].ndistinct);
        trod_json_uint(json, "different", a->sum[i].nclass);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void put_json(
    const struct cli_exact *x, struct cli *cli, const struct cli_known *all)
{
    const struct trod_every_answer *a = &all->exact;
    struct trod_json *json = &cli->json;

    cli_json_begin(cli);
    trod_json_bool(json, "exact", true);
    trod_json_uint(json, "blocks", a->nblock);
    trod_json_uint(json, "threads", a->nthread);
    trod_json_uint(json, "gaps", a->ngap);
    trod_json_uint(json, "subpaths", a->nsubpath);
    trod_json_uint(json, "sequences", a->ndistinct);
    trod_json_uint(json, "different", a->nclass);
    trod_json_uint(json, "collisions", a->ncollision);
    trod_json_uint(json, "too_low", a->floor);
    json_sums(json, a);
    json_known(json, x, all, x->most);
    trod_json_open(json, "stops", '[');
    for (uint32_t i = 0; i < x->nstop; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "blocks", x->stop[i].exact.nblock);
        json_known(json, x, &x->stop[i], cli_exact_at_stop(x));
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- interface ---------------------------------------------------------------------------------------- */

/* The profile may be that of another program or build. */
static void note_unknown(
    struct cli_exact *x, struct cli *cli, const struct cli_known *all)
{
    if (!x->has_names || x->blocks.argv)
        return;
    for (size_t i = 0; i < all->exact.nrow && i < x->most; i++)
        if (!cli_block_names_put(
                &x->names, all->exact.row[i].block, all->exact.row[i].length)) {
            cli_note(cli,
                "%s: blocks of %s that it does not have are printed as numbers",
                cli->options.file.item[1], cli_exact_name(x));
            return;
        }
}

/* To compare with a sample, more rows are computed than printed, so that sampled subpaths can be
 * found among them. */
void cli_exact_put(struct cli_exact *x, struct cli *cli)
{
    size_t most = x->sampler && x->most < MOST_FOUND ? MOST_FOUND : x->most;
    struct cli_known all = {0};

    trod_every_merge(&all.exact, &x->every, x->identity, x->weight, most, &cli->mem);
    if (x->sampler)
        cli_sampler_read(&all.sampled, x->sampler, x->weight);
    if (all.exact.ncollision)
        cli_note(
            cli, "%" PRIu64 " subpaths had the hash of another", all.exact.ncollision);
    if (all.exact.floor)
        cli_note(cli,
            "partial: memory was exhausted; a block sequence may have run up to %" PRIu64
            " times more often than printed",
            all.exact.floor);
    note_unknown(x, cli, &all);
    if (cli->options.form == CLI_JSON)
        put_json(x, cli, &all);
    else
        print(x, cli, &all);
}
