#include "profile/read/reader.h"

#include <inttypes.h>
#include <string.h>

/* State of the writer: the payload of one section at a time is collected in memory. */
struct writer {
    struct trod_sink *sink;
    const struct trod_profile *profile;
    const struct trod_profile_codec *codec;
    struct trod_arena *mem;
    struct trod_err *err;
    struct trod_string payload;
    uint32_t chain; /* checksum of the heads written so far */
};

/* --- bytes ------------------------------------------------------------------------------ */

static void put_bytes(struct trod_sink *sink, const void *bytes, size_t length)
{
    sink->put(sink, bytes, length);
}

static void put_varint(struct trod_sink *sink, uint64_t value)
{
    uint8_t bytes[TROD_VARINT];

    put_bytes(sink, bytes, (size_t)(trod_store_varint(bytes, value) - bytes));
}

/* A text must be one line: its line breaks are escaped. */
static void put_escaped(struct trod_sink *sink, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c == '\\')
            put_bytes(sink, "\\\\", 2);
        else if (c < 32 || c == 127)
            trod_put(sink, "\\x%02x", c);
        else
            put_bytes(sink, text, 1);
    }
}

static void put_header(struct trod_sink *sink)
{
    uint8_t header[sizeof(struct trod_format_header)] = {0};
    uint8_t *p = header;

    memcpy(p, TROD_FORMAT_MAGIC, 8);
    p = trod_store32(p + 8, TROD_FORMAT_VERSION);
    p = trod_store32(p, TROD_FORMAT_PACKED);
    trod_store64(p, sizeof header);
    trod_store32(header + sizeof header - 4, trod_crc32(header, sizeof header - 4));
    put_bytes(sink, header, sizeof header);
}

/* --- sections ------------------------------------------------------------------------------ */

/* The arena is not rewound, because the sink may use it. */
static void open_section(struct writer *w)
{
    w->payload.length = 0;
}

static void put_head(struct writer *w, const struct trod_format_head *head,
    const void *payload, size_t length)
{
    uint8_t bytes[sizeof *head] = {0};
    uint8_t *p = bytes;

    p = trod_store32(p, TROD_SECTION_MAGIC);
    p = trod_store32(p, head->type);
    p = trod_store64(p, sizeof bytes + length);
    p = trod_store64(p, length);
    p = trod_store32(p, head->flags);
    p = trod_store32(p, head->module);
    trod_store32(p, head->thread);
    trod_store32(bytes + sizeof bytes - 8, trod_crc32(payload, length));
    trod_store32(bytes + sizeof bytes - 4, trod_crc32(bytes, sizeof bytes - 4));
    put_bytes(w->sink, bytes, sizeof bytes);
    w->chain = trod_profile_chain(w->chain, bytes);
}

/* Write the collected payload, compressed if that is shorter. */
static bool close_section(
    struct writer *w, enum trod_format_section type, uint32_t module, uint32_t group)
{
    struct trod_format_head head = {.type = type, .module = module, .thread = group};
    const void *payload = w->payload.text;
    size_t length = w->payload.length, nframe;
    uint8_t *frame;

    if (w->codec && length > 32) {
        if (!w->codec->compress(&frame, &nframe, payload, length, w->mem, w->err))
            return false;
        if (nframe < length) {
            head.flags = TROD_SECTION_ZSTD;
            payload = frame;
            length = nframe;
        }
    }
    put_head(w, &head, payload, length);
    put_bytes(w->sink, payload, length);
    return true;
}

static bool write_run(struct writer *w, const struct trod_profile_run *run)
{
    open_section(w);
    for (uint32_t i = 0; i < run->nfield; i++) {
        put_bytes(&w->payload.sink, run->field[i].key, strlen(run->field[i].key));
        put_bytes(&w->payload.sink, " ", 1);
        put_escaped(&w->payload.sink, run->field[i].value);
        put_bytes(&w->payload.sink, "\n", 1);
    }
    return close_section(w, TROD_SECTION_RUN, 0, run->group);
}

static bool write_notes(struct writer *w)
{
    if (!w->profile->nnote)
        return true;
    open_section(w);
    for (uint32_t i = 0; i < w->profile->nnote; i++) {
        put_escaped(&w->payload.sink, w->profile->note[i]);
        put_bytes(&w->payload.sink, "\n", 1);
    }
    return close_section(w, TROD_SECTION_NOTE, 0, 0);
}

/* A packed file has no counters: their positions are 0. */
static bool write_module(struct writer *w, uint32_t number)
{
    const struct trod_profile_module *module = &w->profile->module[number];
    uint8_t bytes[sizeof(struct trod_format_function)] = {0};

    open_section(w);
    trod_store32(trod_store32(trod_store64(bytes, 0), module->nfunction),
        module->mode); /* no counters, no hash table */
    put_bytes(&w->payload.sink, bytes, sizeof(struct trod_format_module));
    for (uint32_t f = 0; f < module->nfunction; f++) {
        const struct trod_profile_function *function = &module->function[f];
        uint8_t *p = trod_store64(bytes, function->name);

        p = trod_store64(p, function->graph);
        p = trod_store64(p, function->cuts);
        p = trod_store64(p, function->npath);
        p = trod_store64(p, 0);
        p = trod_store64(p, function->nchosen);
        trod_store32(trod_store32(p, function->counted), 0);
        put_bytes(&w->payload.sink, bytes, sizeof bytes);
    }
    for (uint32_t f = 0; f < module->nfunction; f++)
        for (size_t i = 0; i < module->function[f].nchosen; i++) {
            trod_store64(bytes, module->function[f].chosen[i]);
            put_bytes(&w->payload.sink, bytes, 8);
        }
    put_bytes(&w->payload.sink, module->path, strlen(module->path) + 1);
    put_bytes(&w->payload.sink, module->build_id, strlen(module->build_id) + 1);
    return close_section(w, TROD_SECTION_MODULE, number, 0);
}

/* --- paths ------------------------------------------------------------------------------------ */

static void put_tally(
    struct trod_sink *sink, const struct trod_profile_tally *tally, uint32_t next)
{
    uint64_t next_id = 0;

    put_varint(sink, tally->function - next);
    put_varint(sink, tally->npath);
    for (size_t i = 0; i < tally->npath; i++) {
        put_varint(sink, tally->path[i].id - next_id);
        put_varint(sink, tally->path[i].count);
        next_id = tally->path[i].id + 1;
    }
}

static bool write_group(struct writer *w, const struct trod_profile_tally *const *tally,
    size_t ntally, uint32_t module, uint32_t group)
{
    uint32_t next = 0;

    open_section(w);
    for (size_t i = 0; i < ntally; i++) {
        put_tally(&w->payload.sink, tally[i], next);
        next = tally[i]->function + 1;
    }
    return close_section(w, TROD_SECTION_PATHS, module, group);
}

/* Tallies of a module are sorted by group here; in the profile they are sorted by function first. */
static bool write_paths(
    struct writer *w, uint32_t module, const struct trod_profile_tally *tally, size_t n)
{
    const struct trod_profile_tally **sorted =
        trod_new(w->mem, const struct trod_profile_tally *, n);
    size_t *end = trod_new(w->mem, size_t, w->profile->ngroup + 1);
    size_t from = 0;

    for (size_t i = 0; i < n; i++)
        end[tally[i].group + 1]++;
    for (uint32_t g = 0; g < w->profile->ngroup; g++)
        end[g + 1] += end[g];
    for (size_t i = 0; i < n; i++)
        sorted[end[tally[i].group]++] = &tally[i];
    for (uint32_t g = 0; g < w->profile->ngroup; from = end[g++])
        if (from < end[g] && !write_group(w, sorted + from, end[g] - from, module, g))
            return false;
    return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

static void put_part(struct trod_sink *sink, const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;

    put_varint(sink, part->nrule);
    for (uint32_t r = 0; r < part->nrule; r++) {
        put_varint(sink, first[r + 1] - first[r]);
        for (uint32_t s = first[r]; s < first[r + 1]; s++)
            put_varint(sink, 2 * part->value_of_symbol[s] + trod_has(part->is_rule, s));
    }
}

/* The last part carries the number of dropped steps. */
static bool write_steps(struct writer *w, const struct trod_profile_steps *steps)
{
    uint32_t npart = steps->grammar.npart;

    for (uint32_t i = 0; i < npart; i++) {
        open_section(w);
        put_varint(&w->payload.sink, i);
        put_varint(&w->payload.sink, i + 1 < npart ? 0 : steps->ngiven);
        put_part(&w->payload.sink, &steps->grammar.part[i]);
        if (!close_section(w, TROD_SECTION_PART, steps->module, steps->thread))
            return false;
    }
    return true;
}

/* --- samples ---------------------------------------------------------------------------------- */

static uint8_t *put_double(uint8_t *p, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return trod_store64(p, bits);
}

static uint8_t *put_float(uint8_t *p, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return trod_store32(p, bits);
}

static void put_how(struct trod_sink *sink, const struct trod_profile_samples *s)
{
    const struct trod_format_sample *how = &s->how;
    uint8_t bytes[sizeof *how] = {0};
    uint8_t *p = bytes;

    p = trod_store32(
        trod_store32(trod_store32(p, how->thread), (uint32_t)s->nsampled), 0);
    p = trod_store32(trod_store32(p, how->identity), how->lengths);
    p = trod_store32(
        trod_store32(trod_store32(p, how->shortest), how->longest), how->nlength);
    p = put_double(p, how->bias);
    for (int i = 0; i < TROD_SAMPLE_LENGTHS; i++)
        p = put_float(trod_store32(p, how->length[i].length), how->length[i].chance);
    p = trod_store32(trod_store32(p, how->costs), how->ageing);
    p = put_double(trod_store64(p, how->period), how->threshold);
    for (int i = 0; i < TROD_SAMPLE_LEVELS; i++)
        p = put_double(p, how->frequency[i]);
    p = trod_store64(
        trod_store64(trod_store64(p, how->level), how->nbegun), how->nsample);
    p = trod_store64(
        trod_store64(trod_store64(p, how->ndropped), how->nrejected), how->nonce);
    p = trod_store64(trod_store64(trod_store64(p, how->time), how->cost), how->floor);
    trod_store32(p, how->budget);
    put_bytes(sink, bytes, sizeof bytes);
}

static bool write_samples(struct writer *w, const struct trod_profile_samples *s)
{
    struct trod_sink *sink = &w->payload.sink;

    open_section(w);
    put_how(sink, s);
    for (size_t i = 0; i < s->nsampled; i++) {
        const struct trod_profile_sampled *one = &s->sampled[i];

        put_varint(sink, one->count);
        put_varint(sink, one->level);
        put_varint(sink, one->length);
        put_varint(sink, one->block[0]);
        for (uint32_t k = 1; k < one->length; k++) {
            int64_t step = (int64_t)one->block[k] - (int64_t)one->block[k - 1];

            put_varint(sink, (uint64_t)(step < 0 ? -2 * step - 1 : 2 * step));
        }
    }
    return close_section(w, TROD_SECTION_SAMPLE, s->module, s->how.thread);
}

/* --- bursts ----------------------------------------------------------------------------------- */

static bool write_burst(struct writer *w, const struct trod_profile_burst *burst)
{
    const struct trod_format_burst *how = &burst->how;
    uint8_t bytes[sizeof *how + (size_t)16 * TROD_BURST_TYPES] = {0};
    uint64_t n = burst->nthread;
    uint8_t *p = bytes;

    p = trod_store32(
        trod_store32(p, n < UINT32_MAX ? (uint32_t)n : UINT32_MAX), how->types);
    p = trod_store32(trod_store32(p, how->trigger), how->period);
    p = trod_store32(
        trod_store32(trod_store32(trod_store32(p, how->words), how->hz), how->budget),
        0);
    p = trod_store64(trod_store64(trod_store64(p, how->time), how->cost), how->nevent);
    p = trod_store64(trod_store64(p, how->npassed), how->nmissed);
    for (int t = 0; t < TROD_BURST_TYPES; t++) {
        p = trod_store64(trod_store64(p, how->type[t].burst), how->type[t].sparsity);
        p = trod_store64(trod_store64(p, how->type[t].weight), how->type[t].nburst);
        p = trod_store64(p, how->type[t].nevent);
    }
    p = trod_store64(trod_store64(p, how->ticks), how->nanoseconds);
    trod_store64(p, how->floor);
    p = bytes + sizeof *how;
    for (int t = 0; t < TROD_BURST_TYPES; t++)
        p = trod_store64(
            trod_store64(p, burst->most_sparsity[t]), burst->most_weight[t]);
    open_section(w);
    put_bytes(&w->payload.sink, bytes, sizeof bytes);
    return close_section(w, TROD_SECTION_BURST, 0, burst->group);
}

bool trod_profile_write(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_profile_codec *codec, struct trod_arena *mem,
    struct trod_err *err)
{
    struct writer w = {
        .sink = sink, .profile = profile, .codec = codec, .mem = mem, .err = err};
    size_t from = 0, to;
    uint32_t s = 0, sampler = 0;

    trod_string_init(&w.payload, mem);
    put_header(sink);
    for (uint32_t i = 0; i < profile->nrun; i++)
        if (!write_run(&w, &profile->run[i]))
            return false;
    for (uint32_t i = 0; i < profile->nburst; i++)
        if (!write_burst(&w, &profile->burst[i]))
            return false;
    for (uint32_t m = 0; m < profile->nmodule; m++, from = to) {
        for (to = from; to < profile->ntally && profile->tally[to].module == m;)
            to++;
        if (!write_module(&w, m) ||
            !write_paths(&w, m, profile->tally + from, to - from))
            return false;
        for (; s < profile->nsteps && profile->steps[s].module == m; s++)
            if (!write_steps(&w, &profile->steps[s]))
                return false;
        for (; sampler < profile->nsamples && profile->samples[sampler].module == m;
            sampler++)
            if (!write_samples(&w, &profile->samples[sampler]))
                return false;
    }
    if (!write_notes(&w))
        return false;
    open_section(&w);
    trod_put(&w.payload.sink, "chain %08" PRIx32 "\n", w.chain);
    return close_section(&w, TROD_SECTION_END, 0, 0);
}
