#include "kit/live.h"
#include "kit/random_profile.h"

#include <stdio.h>
#include <string.h>

struct file {
    struct trod_string *out;
    const struct kit_live_options *opt;
    uint64_t page;
};

static void put(struct trod_string *out, const void *bytes, size_t length)
{
    out->sink.put(&out->sink, bytes, length);
}

static void put_number(struct trod_string *out, uint64_t value, int nbyte)
{
    for (int i = 0; i < nbyte; i++, value >>= 8) {
        char byte = (char)(value & 0xff);

        put(out, &byte, 1);
    }
}

static void put_zeros(struct trod_string *out, size_t count)
{
    while (count-- > 0)
        put(out, "", 1);
}

/* CRC-32 one bit at a time, as the standard describes it. */
static uint32_t checksum(const char *bytes, size_t length)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
    }
    return ~crc;
}

static void put_section(struct file *f, uint32_t type, uint32_t flags, uint32_t module,
    uint32_t thread, const struct trod_string *payload)
{
    size_t at = f->out->length;
    uint64_t size = (64 + payload->length + f->page - 1) / f->page * f->page;

    put(f->out, "TORD", 4);
    put_number(f->out, type, 4);
    put_number(f->out, size, 8);
    put_number(f->out, payload->length, 8);
    put_number(f->out, flags, 4);
    put_number(f->out, module, 4);
    put_number(f->out, thread, 4);
    put_zeros(f->out, 20);
    put_number(f->out,
        flags & TROD_SECTION_LIVE ? 0 : checksum(payload->text, payload->length), 4);
    put_number(f->out, checksum(f->out->text + at, 60), 4);
    put(f->out, payload->text, payload->length);
    put_zeros(f->out, size - 64 - payload->length);
    if (f->opt->gaps)
        put_zeros(f->out, f->page);
}

static void put_field(struct trod_string *out, const struct trod_profile_field *field)
{
    char hex[8];

    put(out, field->key, strlen(field->key));
    put(out, " ", 1);
    for (const char *p = field->value; *p; p++) {
        unsigned char c = (unsigned char)*p;

        snprintf(hex, sizeof hex, "\\x%02x", c);
        if (c == '\\')
            put(out, "\\\\", 2);
        else if (c < 32 || c == 127)
            put(out, hex, 4);
        else
            put(out, p, 1);
    }
    put(out, "\n", 1);
}

/* --- counters: hashed paths first, then each function's after those of the one before ------- */

/* Slots are in the opposite order of their ids, and every third is not a path's. */
static uint64_t count_slots(const struct trod_profile_function *function)
{
    return function->nchosen + function->nchosen / 2;
}

static uint64_t id_of_slot(const struct trod_profile_function *function, uint64_t slot)
{
    return slot % 3 == 2 ? UINT64_MAX
                         : function->chosen[function->nchosen - 1 - (slot - slot / 3)];
}

static uint64_t count_counters(const struct trod_profile_function *function)
{
    return 1 + (trod_format_counts_each(function->counted) ? function->npath
                                                           : count_slots(function));
}

static bool is_hashed(
    const struct trod_profile_function *function, const struct trod_profile_path *path)
{
    return !trod_format_counts_each(function->counted) &&
           function->counted >= TROD_COUNTED_RESIDUAL && path->id < function->npath &&
           !kit_is_chosen(function, path->id);
}

/* Entries: two for each path, one that is half written, one that is free. */
static uint64_t count_hashed(const struct trod_profile *profile, uint32_t m)
{
    uint64_t n = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        for (size_t k = 0; t->module == m && k < t->npath; k++)
            n += is_hashed(&profile->module[m].function[t->function], &t->path[k]);
    }
    return 4 * n;
}

static uint64_t counter_of(
    const struct trod_profile *profile, uint32_t m, uint32_t function)
{
    uint64_t n = 3 * count_hashed(profile, m);

    for (uint32_t f = 0; f < function; f++)
        n += count_counters(&profile->module[m].function[f]);
    return n;
}

/* Bundles have the counters behind all functions'. Each is of three counters in a row, and of the first of these twice. */
enum { EACH = 3 };

static uint64_t count_bundles(
    const struct file *f, const struct trod_profile *profile, uint32_t m)
{
    uint64_t ncounter = counter_of(profile, m, profile->module[m].nfunction);

    return f->opt->bundles ? (ncounter - 3 * count_hashed(profile, m)) / EACH : 0;
}

static void put_bundles(struct file *f, const struct trod_profile *profile, uint32_t m,
    struct trod_arena *mem)
{
    uint64_t first = 3 * count_hashed(profile, m),
             own = counter_of(profile, m, profile->module[m].nfunction),
             n = count_bundles(f, profile, m);
    struct trod_string payload;

    if (!n)
        return;
    trod_string_init(&payload, mem);
    for (uint64_t i = 0; i < n; i++) {
        put_number(&payload, own + i, 4);
        put_number(&payload, EACH + 1, 4);
        put_number(&payload, first + EACH * i, 4);
        for (uint64_t k = 0; k < EACH; k++)
            put_number(&payload, first + EACH * i + k, 4);
    }
    put_section(f, TROD_SECTION_BUNDLES, 0, m, 0, &payload);
}

/* Some of what functions counted goes to bundles. */
static void put_bundled(
    struct trod_string *out, uint64_t *count, uint64_t own, uint64_t n)
{
    uint64_t *bundle = count + own;

    for (uint64_t i = 0; i < n; i++) {
        uint64_t *of = count + EACH * i, least = of[0] / 2;

        for (uint64_t k = 1; k < EACH; k++)
            least = of[k] < least ? of[k] : least;
        bundle[i] = least - least / 3;
        of[0] -= bundle[i];
        for (uint64_t k = 0; k < EACH; k++)
            of[k] -= bundle[i];
    }
    for (uint64_t i = 0; i < own + n; i++)
        put_number(out, count[i], 8);
}

static void put_module(struct file *f, const struct trod_profile *profile, uint32_t m,
    struct trod_arena *mem)
{
    const struct trod_profile_module *module = &profile->module[m];
    struct trod_string payload;

    trod_string_init(&payload, mem);
    put_number(&payload,
        counter_of(profile, m, module->nfunction) + count_bundles(f, profile, m), 8);
    put_number(&payload, module->nfunction, 4);
    put_number(&payload, module->mode, 2);
    put_number(&payload, count_bundles(f, profile, m) ? TROD_MODULE_BUNDLES : 0, 2);
    put_number(&payload, 0, 8);
    put_number(&payload, count_hashed(profile, m), 8);
    for (uint32_t i = 0; i < module->nfunction; i++) {
        const struct trod_profile_function *function = &module->function[i];

        put_number(&payload, function->name, 8);
        put_number(&payload, function->graph, 8);
        put_number(&payload, function->cuts, 8);
        put_number(&payload, function->npath, 8);
        put_number(&payload, counter_of(profile, m, i), 8);
        put_number(&payload, count_slots(function), 8);
        put_number(&payload, function->counted, 4);
        put_number(&payload, 0, 4);
    }
    for (uint32_t i = 0; i < module->nfunction; i++)
        for (uint64_t slot = 0; slot < count_slots(&module->function[i]); slot++)
            put_number(&payload, id_of_slot(&module->function[i], slot), 8);
    put(&payload, module->path, strlen(module->path) + 1);
    put(&payload, module->build_id, strlen(module->build_id) + 1);
    put_section(f, TROD_SECTION_MODULE, 0, m, 0, &payload);
}

static uint64_t count_of(
    const struct trod_profile *profile, uint32_t m, uint32_t f, uint64_t id)
{
    for (size_t i = 0; i < profile->ntally; i++)
        if (profile->tally[i].module == m && profile->tally[i].function == f)
            for (size_t k = 0; k < profile->tally[i].npath; k++)
                if (profile->tally[i].path[k].id == id)
                    return profile->tally[i].path[k].count;
    return 0;
}

/* Each thread has its share, and one of them the rest. */
static uint64_t share_of(uint64_t count, uint64_t id, uint32_t thread, uint32_t nthread)
{
    return count / nthread + (id % nthread == thread ? count % nthread : 0);
}

static void put_entry(
    struct trod_string *out, uint64_t function, uint64_t path, uint64_t count)
{
    put_number(out, function, 8);
    put_number(out, path, 8);
    put_number(out, count, 8);
}

static void put_hashed(struct trod_string *out, const struct trod_profile *profile,
    uint32_t m, uint32_t thread, uint32_t nthread)
{
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        for (size_t k = 0; t->module == m && k < t->npath; k++) {
            uint64_t counter = counter_of(profile, m, t->function), id = t->path[k].id;
            uint64_t count = share_of(t->path[k].count, id, thread, nthread);

            if (!is_hashed(&profile->module[m].function[t->function], &t->path[k]))
                continue;
            put_entry(out, counter + 1, id + 1, count / 3);
            put_entry(out, counter + 1, id % 2 ? id + 1 : 0, 0);
            put_entry(out, 0, 0, 0);
            put_entry(out, counter + 1, id + 1, count - count / 3);
        }
    }
}

static void put_counts(struct file *f, const struct trod_profile *profile, uint32_t m,
    uint32_t thread, uint32_t nthread, struct trod_arena *mem)
{
    const struct trod_profile_module *module = &profile->module[m];
    uint64_t nbundle = count_bundles(f, profile, m), own = 0;
    uint64_t *count = trod_new(
        mem, uint64_t, counter_of(profile, m, module->nfunction) + nbundle + 1);
    struct trod_string payload;

    trod_string_init(&payload, mem);
    put_hashed(&payload, profile, m, thread, nthread);
    for (uint32_t i = 0; i < module->nfunction; i++) {
        const struct trod_profile_function *function = &module->function[i];
        uint64_t last = count_counters(function) - 1;

        for (uint64_t k = 0; k <= last; k++) {
            uint64_t id = k == last ? function->npath
                          : trod_format_counts_each(function->counted)
                              ? k
                              : id_of_slot(function, k);

            count[own++] =
                k < last && id == UINT64_MAX
                    ? 7 /* ignored */
                    : share_of(count_of(profile, m, i, id), id, thread, nthread);
        }
    }
    put_bundled(&payload, count, own, nbundle);
    put_section(f, TROD_SECTION_COUNTS, TROD_SECTION_LIVE, m, thread, &payload);
}

/* --- bursts: one section for each thread, and one of a thread that has not begun --------------- */

static void put_burst(struct file *f, const struct trod_profile_burst *burst,
    uint64_t thread, struct trod_arena *mem)
{
    const struct trod_format_burst *how = &burst->how;
    bool first = !thread, last = thread + 1 == burst->nthread;
    struct trod_string payload;

    trod_string_init(&payload, mem);
    put_number(&payload, thread, 4);
    put_number(&payload, how->types, 4);
    put_number(&payload, how->trigger, 4);
    put_number(&payload, how->period, 4);
    put_number(&payload, how->words, 4);
    put_number(&payload, how->hz, 4);
    put_number(&payload, how->budget, 4);
    put_number(&payload, 7, 4); /* ignored */
    put_number(&payload, first ? how->time : 0, 8);
    put_number(&payload, first ? how->cost : 0, 8);
    put_number(&payload, last ? how->nevent : 0, 8);
    put_number(&payload, last ? how->npassed : 0, 8);
    put_number(&payload, first ? how->nmissed : 0, 8);
    for (int t = 0; t < TROD_BURST_TYPES; t++) {
        bool on = how->types >> t & 1;

        put_number(&payload, on ? how->type[t].burst : 7, 8);
        put_number(&payload, last ? burst->most_sparsity[t] : how->type[t].sparsity, 8);
        put_number(&payload, first ? how->type[t].weight : burst->most_weight[t], 8);
        put_number(&payload, last ? how->type[t].nburst : 0, 8);
        put_number(&payload, first ? how->type[t].nevent : 0, 8);
    }
    put_number(&payload, first ? how->ticks : 0, 8);
    put_number(&payload, last ? how->nanoseconds : 0, 8);
    put_number(&payload, first ? how->floor : 0, 8);
    put_section(
        f, TROD_SECTION_BURST, TROD_SECTION_LIVE, 0, (uint32_t)thread, &payload);
}

static void put_bursts(
    struct file *f, const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string nothing;

    if (!profile->nburst)
        return;
    for (uint32_t i = 0; i < profile->nburst; i++)
        for (uint64_t t = 0; t < profile->burst[i].nthread; t++)
            put_burst(f, &profile->burst[i], t, mem);
    trod_string_init(&nothing, mem);
    put_zeros(&nothing, 376);
    put_section(f, TROD_SECTION_BURST, TROD_SECTION_LIVE, 0, 7, &nothing);
    put_section(f, TROD_SECTION_REFS, TROD_SECTION_LIVE, 0, 0, &nothing);
    put_zeros(&nothing, sizeof(struct trod_format_control) - 376);
    put_section(f, TROD_SECTION_CONTROL, TROD_SECTION_LIVE, 0, 0, &nothing);
}

/* --- samples: every second entry is none, and texts lie backwards ------------------------- */

/* The number in the file of a block that is a terminal. */
static uint64_t number_of(
    const struct trod_profile *profile, uint32_t m, uint32_t terminal)
{
    const struct trod_profile_module *module = &profile->module[m];
    uint32_t f = 0;

    for (; terminal > module->function[f].npath; f++)
        terminal -= (uint32_t)module->function[f].npath + 1;
    return counter_of(profile, m, f) + terminal;
}

static void put_code(struct trod_string *out, uint64_t value)
{
    for (; value > 127; value /= 128)
        put_number(out, 128 + value % 128, 1);
    put_number(out, value, 1);
}

static void put_text(struct trod_string *out, const struct trod_profile *profile,
    uint32_t m, const struct trod_profile_sampled *one)
{
    for (uint32_t i = 0; i < one->length; i++) {
        uint64_t now = number_of(profile, m, one->block[i]), before;

        before = i ? number_of(profile, m, one->block[i - 1]) : 0;
        if (!i)
            put_code(out, now);
        else if (now >= before)
            put_code(out, 2 * (now - before));
        else
            put_code(out, 2 * (before - now) - 1);
    }
}

static void put_real(struct trod_string *out, const void *value, int nbyte)
{
    uint64_t bits = 0;

    memcpy(&bits, value, (size_t)nbyte);
    put_number(out, bits, nbyte);
}

static void put_how(struct trod_string *out, const struct trod_format_sample *how,
    uint64_t nentry, uint64_t nchunk)
{
    put_number(out, how->thread, 4);
    put_number(out, nentry, 4);
    put_number(out, nchunk, 4);
    put_number(out, how->identity, 4);
    put_number(out, how->lengths, 4);
    put_number(out, how->shortest, 4);
    put_number(out, how->longest, 4);
    put_number(out, how->nlength, 4);
    put_real(out, &how->bias, 8);
    for (int i = 0; i < TROD_SAMPLE_LENGTHS; i++) {
        put_number(out, how->length[i].length, 4);
        put_real(out, &how->length[i].chance, 4);
    }
    put_number(out, how->costs, 4);
    put_number(out, how->ageing, 4);
    put_number(out, how->period, 8);
    put_real(out, &how->threshold, 8);
    for (int i = 0; i < TROD_SAMPLE_LEVELS; i++)
        put_real(out, &how->frequency[i], 8);
    put_number(out, how->level, 8);
    put_number(out, how->nbegun, 8);
    put_number(out, how->nsample, 8);
    put_number(out, how->ndropped, 8);
    put_number(out, how->nrejected, 8);
    put_number(out, how->nonce, 8);
    put_number(out, how->time, 8);
    put_number(out, how->cost, 8);
    put_number(out, how->floor, 8);
    put_number(out, how->budget, 4);
    put_number(out, 7, 4); /* ignored */
    put_zeros(out, 24);
}

static size_t count_chunks(const struct trod_string *text)
{
    return (text->length + TROD_SAMPLE_TEXT - 1) / TROD_SAMPLE_TEXT;
}

static void put_samples(struct file *f, const struct trod_profile *profile,
    const struct trod_profile_samples *samples, struct trod_arena *mem)
{
    struct trod_string payload, chunks, *text;
    size_t n = samples->nsampled, nchunk = 1, first = 1;

    text = trod_new(mem, struct trod_string, n);
    for (size_t i = 0; i < n; i++) {
        trod_string_init(&text[i], mem);
        put_text(&text[i], profile, samples->module, &samples->sampled[i]);
        nchunk += count_chunks(&text[i]);
    }
    trod_string_init(&payload, mem);
    trod_string_init(&chunks, mem);
    put_zeros(&chunks, 16);
    put_how(&payload, &samples->how, 2 * n, nchunk);
    for (size_t i = 0; i < n; i++) {
        const struct trod_profile_sampled *one = &samples->sampled[i];
        size_t count = count_chunks(&text[i]);

        put_number(
            &payload, UINT64_C(0x1234) << 48, 8); /* none, whatever else it has */
        put_number(&payload, 7, 8);
        put_number(&payload, 7, 8);
        put_number(&payload, 7, 8);
        put_number(&payload, i << 48 | (uint64_t)one->level << 40 | one->count, 8);
        put_zeros(&payload, 16);
        put_number(&payload, one->length, 2);
        put_number(&payload, text[i].length, 2);
        put_number(&payload, first + count - 1, 2);
        put_zeros(&payload, 2);
        for (size_t k = count; k-- > 0;) {
            size_t from = k * TROD_SAMPLE_TEXT, left = text[i].length - from;

            left = left < TROD_SAMPLE_TEXT ? left : TROD_SAMPLE_TEXT;
            put(&chunks, text[i].text + from, left);
            put_zeros(&chunks, TROD_SAMPLE_TEXT - left);
            put_number(&chunks, k + 1 < count ? first + count - 1 - (k + 1) : 0, 2);
        }
        first += count;
    }
    put(&payload, chunks.text, chunks.length);
    put_section(f, TROD_SECTION_SAMPLE, TROD_SECTION_LIVE, samples->module,
        samples->how.thread, &payload);
}

void kit_live(struct trod_string *out, const struct trod_profile *profile,
    const struct kit_live_options *opt, struct trod_arena *mem)
{
    struct file f = {
        .out = out, .opt = opt, .page = opt->page ? opt->page : TROD_FORMAT_PAGE};
    const struct trod_profile_run *run = &profile->run[0];
    uint32_t nthread = opt->nthread ? opt->nthread : 1, i = 0;
    struct trod_string payload;

    assert(profile->nrun == 1 && profile->ngroup == 1);
    put(out, "\x89TROD\r\n\x1a", 8);
    put_number(out, TROD_FORMAT_VERSION, 4);
    put_number(out, TROD_FORMAT_LIVE, 4);
    put_number(out, f.page, 8);
    put_zeros(out, 36);
    put_number(out, checksum(out->text, 60), 4);
    put_zeros(out, f.page - 64);
    trod_string_init(&payload, mem);
    for (; i < run->nfield && strcmp(run->field[i].key, "exit") != 0; i++)
        put_field(&payload, &run->field[i]);
    put_section(&f, TROD_SECTION_RUN, 0, 0, 0, &payload);
    for (uint32_t m = 0; m < profile->nmodule; m++) {
        put_module(&f, profile, m, mem);
        put_bundles(&f, profile, m, mem);
        for (uint32_t t = 0; t < nthread; t++)
            put_counts(&f, profile, m, t, nthread, mem);
    }
    for (uint32_t n = 0; n < profile->nsamples; n++)
        put_samples(&f, profile, &profile->samples[n], mem);
    put_bursts(&f, profile, mem);
    if (i == run->nfield || strcmp(run->field[i].value, "unknown") == 0)
        return;
    trod_string_init(&payload, mem);
    for (; i < run->nfield; i++)
        put_field(&payload, &run->field[i]);
    put_section(&f, TROD_SECTION_END, 0, 0, 0, &payload);
}

/* --- what is in a file ---------------------------------------------------------------------- */

static uint64_t number_at(const uint8_t *p, int nbyte)
{
    uint64_t value = 0;

    while (nbyte-- > 0)
        value = value << 8 | p[nbyte];
    return value;
}

uint32_t kit_sections(struct kit_section **out, const uint8_t *bytes, size_t length,
    struct trod_arena *mem)
{
    bool live = number_at(bytes + 12, 4) == 1;
    struct kit_section *section = NULL;
    uint32_t n = 0, room = 0;

    for (size_t at = number_at(bytes + 16, 8); at < length;) {
        if (live && memcmp(bytes + at, "TORD", 4) != 0) {
            at += TROD_FORMAT_PAGE;
            continue;
        }
        trod_reserve(mem, section, n, room);
        section[n] = (struct kit_section){.at = at,
            .type = (uint32_t)number_at(bytes + at + 4, 4),
            .size = number_at(bytes + at + 8, 8),
            .payload = number_at(bytes + at + 16, 8),
            .flags = (uint32_t)number_at(bytes + at + 24, 4)};
        at += section[n++].size;
    }
    *out = section;
    return n;
}
