#include "wpp/wpp.h"

#include <inttypes.h>

void trod_recorded_init(struct trod_recorded *out,
    const struct trod_profile_module *module, const struct trod_map *map,
    struct trod_functions *functions, trod_step_taker take, void *ctx,
    struct trod_arena *mem)
{
    *out = (struct trod_recorded){.mem = mem,
        .module = module,
        .functions = functions,
        .function = trod_new(mem, struct trod_wpp_function, module->nfunction),
        .entry = trod_new(mem, const struct trod_map_entry *, module->nfunction),
        .is_added = trod_new(mem, bool, module->nfunction)};
    trod_profile_terminals(&out->terminals, module, mem);
    for (uint32_t f = 0; f < module->nfunction; f++) {
        const struct trod_map_entry *entry = trod_map_find(map, &module->function[f]);

        out->entry[f] = entry;
        if (entry)
            out->function[f] = (struct trod_wpp_function){.name = entry->name,
                .alias = entry->alias,
                .nalias = entry->nalias,
                .numbering = &entry->numbering,
                .calls = &entry->calls};
    }
    trod_decoder_init(&out->decoder, out->function, module->nfunction, take, ctx, mem);
}

/* --- terminals ------------------------------------------------------------------------------ */

static bool find_function(uint32_t *function, uint64_t *id, struct trod_recorded *r,
    uint64_t terminal, struct trod_err *err)
{
    return trod_profile_step(function, id, &r->terminals, terminal) ||
           trod_fail(err, TROD_E_INPUT,
               "%s: step %" PRIu64
               " is of none of its functions; the profile is damaged",
               r->module->path, terminal);
}

static bool add_function(struct trod_recorded *r, uint32_t f, struct trod_err *err)
{
    const struct trod_profile_function *of = &r->module->function[f];
    struct trod_identity identity = {of->name, of->graph, of->cuts, of->npath};

    if (r->is_added[f])
        return true;
    if (!r->entry[f])
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: no map has the function with hash %016" PRIx64
            ", which is needed to find the calls that end its subpaths; name the program that "
            "ran, or its map, with --binary",
            r->module->path, of->name);
    r->is_added[f] = true;
    r->function[f].number =
        trod_functions_add(r->functions, r->entry[f]->name, &identity);
    return true;
}

static bool translate(struct trod_grammar_part *out, struct trod_recorded *r,
    const struct trod_grammar_part *part, struct trod_err *err)
{
    uint32_t nsymbol = part->first_symbol_of_rule[part->nrule];
    uint64_t *value = trod_new(r->mem, uint64_t, nsymbol);

    for (uint32_t s = 0; s < nsymbol; s++) {
        uint32_t function;
        uint64_t id;

        value[s] = part->value_of_symbol[s];
        if (trod_has(part->is_rule, s))
            continue;
        if (!find_function(&function, &id, r, value[s], err) ||
            !add_function(r, function, err))
            return false;
        value[s] = trod_decoder_subpath(&r->decoder, function, id);
    }
    *out = *part;
    out->value_of_symbol = value;
    return true;
}

bool trod_recorded_grammar(struct trod_grammar *out, struct trod_recorded *r,
    const struct trod_grammar *grammar, struct trod_err *err)
{
    struct trod_grammar_part *part =
        trod_new(r->mem, struct trod_grammar_part, grammar->npart);

    for (uint32_t i = 0; i < grammar->npart; i++)
        if (!translate(&part[i], r, &grammar->part[i], err))
            return false;
    *out = (struct trod_grammar){
        .name = grammar->name, .npart = grammar->npart, .part = part};
    return true;
}

/* --- all subpaths ----------------------------------------------------------------------------- */

static bool add(uint64_t subpath, void *decoder)
{
    return trod_decoder_add(decoder, (uint32_t)subpath);
}

bool trod_recorded_run(struct trod_recorded *r, const struct trod_grammar *grammar)
{
    bool more = trod_grammar_expand(grammar, add, &r->decoder, r->mem);

    trod_decoder_end(&r->decoder);
    return more;
}

void trod_recorded_count(
    uint64_t *count, const struct trod_grammar *grammar, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < grammar->npart; i++) {
        const struct trod_grammar_part *part = &grammar->part[i];
        const uint32_t *first = part->first_symbol_of_rule;
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_grammar_measure measure;

        trod_grammar_measure(&measure, part, mem);
        for (uint32_t r = 0; r < part->nrule; r++)
            for (uint32_t s = first[r]; s < first[r + 1]; s++)
                if (!trod_has(part->is_rule, s)) {
                    uint64_t *of = &count[part->value_of_symbol[s]];

                    *of = trod_sat_add(*of, measure.count_of_rule[r]);
                }
        trod_arena_rewind(mem, mark);
    }
}

/* Length of a LEB128 varint: seven bits per byte. */
static uint64_t varint_size(uint64_t value)
{
    unsigned bits = trod_bit_width(value);

    return bits ? (bits + 6) / 7 : 1;
}

uint64_t trod_recorded_bytes(const struct trod_grammar *grammar)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < grammar->npart; i++) {
        const struct trod_grammar_part *part = &grammar->part[i];
        const uint32_t *first = part->first_symbol_of_rule;

        bytes += varint_size(i) + varint_size(part->nrule);
        for (uint32_t r = 0; r < part->nrule; r++)
            bytes += varint_size(first[r + 1] - first[r]);
        for (uint32_t s = 0; s < first[part->nrule]; s++)
            bytes += varint_size(part->value_of_symbol[s] << 1 | 1);
    }
    return bytes;
}
