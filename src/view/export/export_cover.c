#include "export/export.h"

#include <stdlib.h>
#include <string.h>

/* One file, while it is being built. */
struct file {
    const struct trod_flow_source *from;
    struct trod_export_function *function;
    uint32_t *function_of_own; /* [from->nfunction] */
    uint32_t nfunction;
    struct trod_export_branch *branch;
    trod_node *node_of_branch;
    uint64_t *graph_of_branch;
    uint32_t nbranch;
};

/* --- functions ------------------------------------------------------------------------------------------------ */

static void count_row(struct trod_export_covered *to, uint64_t count)
{
    to->nall++;
    to->nran += count > 0;
}

static bool is_same(
    const struct trod_flow_function *a, const struct trod_flow_function *b)
{
    return a->line == b->line &&
           strcmp(a->flow->entry->name, b->flow->entry->name) == 0;
}

/* Only lines for which it is known whether they ran. */
static uint32_t keep_known(
    struct trod_flow_row *out, const struct trod_flow_row *row, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++)
        if (!row[i].unknown)
            out[kept++] = row[i];
    return kept;
}

/* The union of the lines of both. */
static void join_rows(struct trod_export_function *to, const struct trod_flow_row *row,
    uint32_t n, struct trod_arena *mem)
{
    struct trod_flow_row *out =
        trod_new(mem, struct trod_flow_row, (size_t)to->nrow + n);
    uint32_t i = 0, k = 0, nout = 0;

    while (i < to->nrow || k < n) {
        bool old = i < to->nrow && (k == n || to->row[i].line <= row[k].line);
        const struct trod_flow_row *next = old ? &to->row[i++] : &row[k++];

        if (nout && out[nout - 1].line == next->line)
            trod_flow_row_add(&out[nout - 1], next);
        else
            out[nout++] = *next;
    }
    to->row = out;
    to->nrow = nout;
}

static void add_blocks(struct trod_export_function *to, const struct trod_flow *flow)
{
    uint32_t n = flow->entry->numbering.dag->graph->nnode;

    for (trod_node v = 0; v < n; v++)
        count_row(&to->block, flow->count_of_node ? flow->count_of_node[v] : 0);
}

static void add_functions(struct file *f, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < f->from->nfunction; i++) {
        const struct trod_flow_function *own = &f->from->function[i];
        struct trod_export_function *to;
        struct trod_flow_row *row;
        uint32_t n;

        if (!i || !is_same(own - 1, own)) {
            f->function[f->nfunction++] =
                (struct trod_export_function){.name = own->flow->entry->name,
                    .display_name = own->flow->entry->display_name,
                    .first = own->line};
        }
        to = &f->function[f->nfunction - 1];
        f->function_of_own[i] = f->nfunction - 1;
        to->entered = trod_sat_add(to->entered, own->flow->entered);
        n = trod_flow_rows(&row, own->flow, mem);
        join_rows(to, row, n, mem);
        /* Copies of the same code: use the blocks of a copy that ran. */
        if (to->block.nran == 0) {
            to->block = (struct trod_export_covered){0};
            add_blocks(to, own->flow);
        }
    }
}

/* --- branches --------------------------------------------------------------------------------------------------- */

static bool same_branch(const struct file *f, uint32_t at, uint32_t function,
    const struct trod_flow_decision *d)
{
    const struct trod_map_entry *entry = d->flow->entry;

    return f->branch[at].line == d->line && f->branch[at].function == function &&
           f->node_of_branch[at] == d->node && f->branch[at].nway == d->nway &&
           f->graph_of_branch[at] == entry->graph_hash;
}

/* The branch of a decision, which is added if it is new. Branches of the current line are at the end. */
static uint32_t branch_of(
    struct file *f, const struct trod_flow_decision *d, struct trod_arena *mem)
{
    uint32_t function =
        d->function == TROD_NONE ? TROD_NONE : f->function_of_own[d->function];
    uint32_t i = f->nbranch;

    while (i && f->branch[i - 1].line == d->line)
        if (same_branch(f, --i, function, d))
            return i;
    i = f->nbranch++;
    f->node_of_branch[i] = d->node;
    f->graph_of_branch[i] = d->flow->entry->graph_hash;
    f->branch[i] = (struct trod_export_branch){.function = function,
        .line = d->line,
        .number =
            i && f->branch[i - 1].line == d->line ? f->branch[i - 1].number + 1 : 0,
        .nway = d->nway,
        .count = trod_new(mem, uint64_t, d->nway),
        .unknown = trod_new(mem, bool, d->nway)};
    return i;
}

static void add_branches(struct file *f, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < f->from->ndecision; i++) {
        const struct trod_flow_decision *d = &f->from->decision[i];
        struct trod_export_branch *to;

        if (!d->line)
            continue;
        to = &f->branch[branch_of(f, d, mem)];
        to->reached = trod_sat_add(to->reached, d->count);
        for (uint32_t k = 0; k < d->nway; k++) {
            to->count[k] = trod_sat_add(to->count[k], d->way[k].count);
            to->unknown[k] = !to->count[k] && (to->unknown[k] || d->way[k].unknown);
        }
    }
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static void count_file(
    struct trod_export_file *out, struct file *f, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < f->nbranch; i++)
        for (uint32_t k = 0; k < f->branch[i].nway; k++) {
            if (f->branch[i].unknown[k])
                continue;
            count_row(&out->branches, f->branch[i].count[k]);
            if (f->branch[i].function != TROD_NONE)
                count_row(
                    &f->function[f->branch[i].function].branch, f->branch[i].count[k]);
        }
    for (uint32_t i = 0; i < out->nrow; i++)
        count_row(&out->lines, out->row[i].count);
    for (uint32_t i = 0; i < f->nfunction; i++) {
        struct trod_export_function *function = &f->function[i];
        struct trod_flow_row *known =
            trod_new(mem, struct trod_flow_row, function->nrow);

        function->nrow = keep_known(known, function->row, function->nrow);
        function->row = known;
        for (uint32_t k = 0; k < function->nrow; k++)
            count_row(&function->line, function->row[k].count);
        function->last =
            function->nrow ? function->row[function->nrow - 1].line : function->first;
        count_row(&out->functions, function->entered);
    }
}

static void build_file(struct trod_export_file *out,
    const struct trod_flow_source *from, struct trod_arena *mem)
{
    struct trod_flow_row *row = trod_new(mem, struct trod_flow_row, from->nrow);
    struct file f = {.from = from,
        .function = trod_new(mem, struct trod_export_function, from->nfunction),
        .function_of_own = trod_new(mem, uint32_t, from->nfunction),
        .branch = trod_new(mem, struct trod_export_branch, from->ndecision),
        .node_of_branch = trod_new(mem, trod_node, from->ndecision),
        .graph_of_branch = trod_new(mem, uint64_t, from->ndecision)};

    add_functions(&f, mem);
    add_branches(&f, mem);
    *out = (struct trod_export_file){.path = from->path,
        .directory = from->directory,
        .nfunction = f.nfunction,
        .function = f.function,
        .nrow = keep_known(row, from->row, from->nrow),
        .row = row,
        .nbranch = f.nbranch,
        .branch = f.branch};
    count_file(out, &f, mem);
}

static void add(struct trod_export_covered *to, struct trod_export_covered more)
{
    to->nall += more.nall;
    to->nran += more.nran;
}

/* The sources of the chosen functions. */
static size_t choose(struct trod_flow_source **out, const struct trod_exported *in,
    struct trod_export_cover *cover, struct trod_arena *mem)
{
    struct trod_flows *chosen = trod_new(mem, struct trod_flows, 1);

    *chosen = *in->flows;
    chosen->of_entry = trod_new(mem, struct trod_flow, in->map->nentry);
    for (uint32_t i = 0; i < in->map->nentry; i++) {
        const struct trod_map_entry *entry = in->flows->of_entry[i].entry;

        if (!entry || entry->nframe || !trod_export_wants(in, entry))
            continue;
        if (entry->first_line)
            chosen->of_entry[i] = in->flows->of_entry[i];
        else
            cover->nwithout++;
    }
    return trod_flow_sources(out, chosen, mem);
}

/* If paths continue into calls, a caller's paths include those of its callees, so a function's own paths are
 * incomplete.
 */
static bool check_across(const struct trod_exported *in, struct trod_err *err)
{
    for (uint32_t m = 0; m < in->profile->nmodule; m++)
        for (uint32_t f = 0; f < in->profile->module[m].nfunction; f++) {
            const struct trod_profile_function *function =
                &in->profile->module[m].function[f];
            const struct trod_map_entry *entry = trod_profile_is_events(function)
                                                     ? NULL
                                                     : trod_map_find(in->map, function);

            if (entry && entry->nframe)
                return trod_fail(err, TROD_E_MISMATCH,
                    "paths of '%s' follow calls, so counts of lines are incomplete; build without "
                    "--segments for coverage",
                    entry->name);
        }
    return true;
}

bool trod_export_cover(struct trod_export_cover *out, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_flow_source *source;
    struct trod_export_file *file;
    size_t n;

    *out = (struct trod_export_cover){0};
    if (!check_across(in, err))
        return false;
    n = choose(&source, in, out, mem);
    file = trod_new(mem, struct trod_export_file, n);
    for (size_t i = 0; i < n; i++) {
        if (!source[i].nrow)
            continue;
        build_file(&file[out->nfile], &source[i], mem);
        out->nunknown += source[i].nrow - file[out->nfile].nrow;
        add(&out->functions, file[out->nfile].functions);
        add(&out->lines, file[out->nfile].lines);
        add(&out->branches, file[out->nfile].branches);
        out->nfile++;
    }
    out->file = file;
    if (!out->nfile && in->flows->nunknown)
        return trod_fail(err, TROD_E_MISMATCH,
            "no map of the program was found, so its lines are unknown; name the program that "
            "ran with --binary, or its folder with --maps");
    if (!out->nfile && out->nwithout)
        return trod_fail(
            err, TROD_E_INPUT, "no function has line information; build with -g");
    return true;
}

double trod_export_rate(struct trod_export_covered covered)
{
    return covered.nall ? (double)covered.nran / covered.nall : 1;
}
