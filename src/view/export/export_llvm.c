#include "export/export.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The counts that clang's own instrumentation would have, in the text format of llvm-profdata. LLVM treats functions of
 * the same name in several units as one, so their counts are added.
 */

struct record {
    const struct trod_map_counters *of;
    uint64_t *count; /* [of->count] */
};

struct records {
    struct record *record;
    size_t count;
    uint64_t nwithout; /* counted functions without clang counters */
    uint64_t nodd;     /* functions whose names cannot be written */
};

static int by_name(const void *x, const void *y)
{
    const struct trod_map_counters *a = ((const struct record *)x)->of;
    const struct trod_map_counters *b = ((const struct record *)y)->of;
    int order = strcmp(a->name, b->name);

    if (order)
        return order;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->count > b->count) - (a->count < b->count);
}

bool trod_export_llvm_has(const char *name)
{
    if (!*name || *name == '#' || *name == ':')
        return false;
    for (; *name; name++)
        if ((unsigned char)*name < ' ' || *name == 0x7f)
            return false;
    return true;
}

/* The value of a counter is the sum of the counts of its blocks. */
static uint64_t *count_blocks(const struct trod_flow *flow, struct trod_arena *mem)
{
    const struct trod_map_counters *of = &flow->entry->counters;
    uint32_t nnode = flow->entry->numbering.dag->graph->nnode;
    uint64_t *count = trod_new(mem, uint64_t, of->count);

    for (trod_node v = 0; flow->count_of_node && v < nnode; v++)
        for (uint32_t i = of->first[v]; i < of->first[v + 1]; i++)
            count[of->index[i]] =
                trod_sat_add(count[of->index[i]], flow->count_of_node[v]);
    return count;
}

static void gather(
    struct records *out, const struct trod_exported *in, struct trod_arena *mem)
{
    *out = (struct records){.record = trod_new(mem, struct record, in->map->nentry)};
    for (uint32_t i = 0; i < in->map->nentry; i++) {
        const struct trod_flow *flow = &in->flows->of_entry[i];

        if (!flow->entry || !trod_export_wants(in, flow->entry))
            continue;
        if (!flow->entry->counters.name) {
            out->nwithout++;
            continue;
        }
        if (!trod_export_llvm_has(flow->entry->counters.name)) {
            out->nodd++;
            continue;
        }
        out->record[out->count++] = (struct record){
            .of = &flow->entry->counters, .count = count_blocks(flow, mem)};
    }
}

static void add_up(struct records *records)
{
    size_t n = 0;

    trod_sort(records->record, records->count, by_name);
    for (size_t i = 0; i < records->count; i++) {
        struct record *last = n ? &records->record[n - 1] : NULL;

        if (!last || by_name(last, &records->record[i]) != 0) {
            records->record[n++] = records->record[i];
            continue;
        }
        for (uint32_t c = 0; c < last->of->count; c++)
            last->count[c] = trod_sat_add(last->count[c], records->record[i].count[c]);
    }
    records->count = n;
}

static bool check(const struct records *records, struct trod_err *err)
{
    if (records->count)
        return true;
    return trod_fail(err, TROD_E_MISMATCH,
        records->nwithout
            ? "the map has no clang counters; build with 'trod cc --counters' and run again"
            : "no counted function has a map entry; name the program with --binary, built with "
              "'trod cc --counters'");
}

static void put_record(struct trod_sink *sink, const struct record *record)
{
    trod_put(sink, "%s\n# Func Hash:\n%" PRIu64 "\n# Num Counters:\n%u\n",
        record->of->name, record->of->hash, record->of->count);
    trod_put(sink, "# Counter Values:\n");
    for (uint32_t i = 0; i < record->of->count; i++)
        trod_put(sink, "%" PRIu64 "\n", record->count[i]);
    trod_put(sink, "\n");
}

bool trod_export_llvm(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *const *remark;
    struct records records;
    size_t nremark;

    gather(&records, in, mem);
    if (!check(&records, err))
        return false;
    add_up(&records);
    nremark = trod_export_remarks(&remark, in, mem);
    for (size_t i = 0; i < nremark; i++)
        trod_put(sink, "# %s\n", remark[i]);
    if (records.nwithout)
        trod_put(sink, "# functions without clang counters: %" PRIu64 "\n",
            records.nwithout);
    if (records.nodd)
        trod_put(sink,
            "# functions whose names this format cannot represent: %" PRIu64 "\n",
            records.nodd);
    trod_put(sink, "# counted on paths, by trod %s\n:fe\n", in->version);
    for (size_t i = 0; i < records.count; i++)
        put_record(sink, &records.record[i]);
    return true;
}
