/* The sampler as a library: an instance in memory that the caller provides. */
#include "online_instance.h"

/* --- creating ------------------------------------------------------------------------------------- */

/* Words of memory that may have held anything. */
typedef uint64_t __attribute__((may_alias)) trod_word;

static void erase(void *memory, size_t size)
{
    volatile char *at = memory; /* volatile: or the compiler emits a call of memset */

    for (; size && (uintptr_t)at % sizeof(trod_word); size--)
        *at++ = 0;
    for (; size >= sizeof(trod_word); size -= sizeof(trod_word)) {
        *(volatile trod_word *)at = 0;
        at += sizeof(trod_word);
    }
    while (size--)
        *at++ = 0;
}

static void copy(struct trod_online_options *to, const struct trod_online_options *from)
{
    to->text = from->text;
    to->seed = from->seed;
    to->expand = from->expand;
    to->hot = from->hot;
    to->confidence = from->confidence;
    to->context = from->context;
    to->clock = from->clock;
    to->times = from->times;
}

static bool read_options(struct trod_sampler_options *out, size_t room,
    const struct trod_online_options *options, const char **why)
{
    __trod_sampler_options_default(out);
    out->memory = room < (size_t)1 << 30 ? room : (size_t)1 << 30;
    if (!__trod_sampler_options_parse(
            out, options && options->text ? options->text : "", why))
        return false;
    if (out->budget && !(options && options->clock)) {
        *why = "budget= needs a clock, which the program did not give";
        return false;
    }
    if (out->memory <= room)
        return true;
    *why = "memory= is more than the memory that was given";
    return false;
}

const char *trod_online_check(const char *text)
{
    struct trod_sampler_options options;
    const char *why;

    __trod_sampler_options_default(&options);
    return __trod_sampler_options_parse(&options, text, &why) ? NULL : why;
}

bool trod_online_budget(uint32_t *out, const char *text)
{
    const char *end = text;

    while (*end)
        end++;
    return __trod_budget_read(text, end, out);
}

static void check_threshold(struct trod_sampler *s, struct trod_format_sampled *entry);

/* Bytes before the instance, and its own. */
static size_t own_size(const void *memory)
{
    return (-(uintptr_t)memory & 15) + (sizeof(struct instance) + 15) / 16 * 16;
}

size_t trod_online_profile_size(
    size_t memory, const struct trod_online_options *options, const char **why)
{
    size_t own = own_size(NULL) + 15; /* wherever the memory is */
    struct trod_sampler_options sampled;
    struct trod_online_parts parts;
    const char *reason;

    if (!why)
        why = &reason;
    *why = "an instance needs more memory, and a profile";
    if (!options || !options->profile || memory < own ||
        !read_options(&sampled, memory - own, options, why) ||
        !__trod_online_lay_out(
            &parts, options->profile, __trod_sampler_shared_size(&sampled), why))
        return 0;
    return parts.file_size;
}

/* Where the shared part of the sampler goes: after the instance, or into the file. */
static void *place_shared(struct instance *o, size_t own, size_t shared,
    const struct trod_online_profile *profile, const char **why)
{
    if (!profile)
        return (char *)o + own;
    if (!__trod_online_lay_out(&o->parts, profile, shared, why))
        return NULL;
    *why = "the file of the profile is not aligned, or shorter than it must be";
    if (!profile->file || (uintptr_t)profile->file % TROD_FORMAT_PAGE ||
        profile->size < o->parts.file_size)
        return NULL;
    return o->parts.sample + sizeof(struct trod_format_head);
}

static void open_sampler(struct instance *o, struct trod_format_sample *shared,
    const struct trod_sampler_options *sampled)
{
    __trod_sampler_open(o->sampler, shared, sampled,
        sampled->has_seed ? sampled->seed : o->options.seed, 0);
    o->weights = trod_online_weights(shared);
    if (o->options.confidence > 0 && o->options.confidence < 1)
        o->needed = -2 * __trod_sampler_ln(1 - o->options.confidence);
    if (o->options.hot && sampled->threshold > 0) {
        o->sampler->counted = check_threshold;
        o->sampler->context = o;
    }
    o->most = 1;
    __trod_sampler_budget_open(
        &o->budget, o->sampler, sampled->budget, o->options.clock, o->options.times);
    o->left = __trod_sampler_gap(o->sampler);
    o->head.skip = (int64_t)(o->left - 1);
}

struct trod_online *trod_online_create(void *memory, size_t size,
    const struct trod_online_options *options, const char **why)
{
    size_t before = -(uintptr_t)memory & 15, all = own_size(memory), shared;
    const struct trod_online_profile *profile = options ? options->profile : NULL;
    struct trod_sampler_options sampled;
    struct instance *o;
    const char *reason;
    void *place;

    if (!why)
        why = &reason;
    *why = "an instance needs more memory";
    if (!memory || size < all || !read_options(&sampled, size - all, options, why))
        return NULL;
    shared = __trod_sampler_shared_size(&sampled);
    o = (struct instance *)((char *)memory + before);
    erase(o,
        all - before + (profile ? 0 : shared) + __trod_sampler_private_size(&sampled));
    place = place_shared(o, all - before, shared, profile, why);
    if (!place)
        return NULL;
    o->sampler =
        (struct trod_sampler *)((char *)o + (all - before) + (profile ? 0 : shared));
    if (options)
        copy(&o->options, options);
    open_sampler(o, place, &sampled);
    if (profile)
        __trod_online_publish(&o->parts, profile);
    return &o->head;
}

/* --- feeding ---------------------------------------------------------------------------------------- */

/* Take a start, and draw the next. The check that came here stands for as many as make one likely. */
static void start(struct instance *o)
{
    struct trod_sampler *s = o->sampler;
    bool first = !s->npending;

    __trod_sampler_budget_check(&o->budget, s->rate, o->most);
    __trod_sampler_begin(s);
    if (first)
        __trod_sampler_budget_episode(&o->budget);
    o->left = __trod_sampler_gap(s);
}

/* Let f follow the budget. */
static void settle(struct instance *o)
{
    uint64_t f = __trod_sampler_budget_control(&o->budget);

    if (o->budget.is_exceeded && !o->budget.is_noted) {
        o->budget.is_noted = true;
        __trod_online_note_budget(&o->parts);
    }
    if (f)
        __trod_sampler_aim(o->sampler, (double)f);
    if (__trod_sampler_raised(o->sampler))
        o->left = __trod_sampler_gap(o->sampler);
}

/* Called only when a start is due or samples are pending. While they are, skip is 0, and the rest
 * of the gap is counted here.
 */
void trod_online_sample(struct trod_online *online, uint32_t block, uint32_t cost)
{
    struct instance *o = instance_of(online);
    struct trod_sampler *s = o->sampler;
    bool pending, heavy, moved;
    uint64_t began;

    if (!s->npending)
        o->left = 1;
    heavy = --o->left == 0 || s->ring[s->at & s->mask].ending;
    began = __trod_sampler_budget_enter(&o->budget, heavy);
    if (o->left == 0)
        start(o);
    pending = __trod_sampler_add(s, block, cost);
    moved = __trod_sampler_raised(s);
    if (moved)
        o->left = __trod_sampler_gap(s);
    __trod_sampler_budget_leave(&o->budget, began, heavy, moved, pending);
    if (heavy && __trod_sampler_budget_is_due(&o->budget))
        settle(o);
    o->head.skip = pending ? 0 : (int64_t)(o->left - 1);
}

void trod_online_expand(struct trod_online *online, uint64_t path, uint32_t nblock)
{
    struct instance *o = instance_of(online);

    o->head.skip += nblock;
    o->most = nblock ? nblock : 1;
    o->options.expand(o->options.context, online, path);
    o->most = 1;
}

void trod_online_break(struct trod_online *online)
{
    struct instance *o = instance_of(online);

    if (!o->sampler->npending)
        return;
    __trod_sampler_break(o->sampler);
    o->head.skip = (int64_t)(o->left - 1);
}

/* --- estimates -------------------------------------------------------------------------------------- */

/* A consistent copy of an entry; false if the entry is empty or changed meanwhile. */
struct seen {
    uint64_t count, id[2];
    double f;
    uint32_t length, nbyte, chunk;
};

static bool look(struct seen *out, const struct trod_sampler *s, uint32_t number)
{
    const struct trod_format_sampled *entry = s->entry + number;
    uint64_t state = __atomic_load_n(&entry->state, __ATOMIC_ACQUIRE), again;

    out->count = state & TROD_SAMPLE_COUNT;
    if (!out->count)
        return false;
    out->f = s->shared->frequency[trod_sample_level(state) % TROD_SAMPLE_LEVELS];
    out->id[0] = entry->id[0];
    out->id[1] = entry->id[1];
    out->length = entry->length;
    out->nbyte = entry->nbyte;
    out->chunk = entry->chunk;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    again = __atomic_load_n(&entry->state, __ATOMIC_RELAXED);
    return again >> 48 == state >> 48 && again & TROD_SAMPLE_COUNT;
}

/* Looks up the index of an instance that may be fed concurrently: entries that move may be missed. */
static bool find(struct seen *out, const struct trod_sampler *s, const uint64_t id[2])
{
    uint32_t i = (uint32_t)((id[0] >> 32) * s->nindex >> 32), n;

    for (n = 0; n < s->nindex; n++) {
        uint32_t at = __atomic_load_n(s->index + i, __ATOMIC_RELAXED);

        if (!at)
            return false;
        if (at >> 16 == (id[1] & 0xffff) && look(out, s, (at & 0xffff) - 1) &&
            out->id[0] == id[0] && out->id[1] == id[1])
            return true;
        i = i + 1 < s->nindex ? i + 1 : 0;
    }
    return false;
}

/* The number of executions that a sample of the entry stands for. */
static double worth(const struct instance *o, const struct seen *seen)
{
    double weight = trod_online_weight(o->sampler->shared, seen->length);
    return weight > 0 ? seen->f * o->weights / weight : 0;
}

static void estimate(struct trod_online_hot *out, const struct instance *o,
    const struct seen *seen, double *square)
{
    double w = worth(o, seen), executions = (double)seen->count * w;

    out->estimate += executions;
    *square += executions * w;
    out->samples = *square > 0 ? out->estimate * out->estimate / *square : 0;
}

static void begin_hot(struct trod_online_hot *out, const struct seen *seen)
{
    out->estimate = out->rank = out->samples = 0;
    out->length = seen->length;
    out->id[0] = seen->id[0];
    out->id[1] = seen->id[1];
}

/* The sum over all instances; false if an instance before the first has the subpath, too. */
static bool add_up(struct trod_online_hot *out, const struct seen *seen,
    struct trod_online *const *all, size_t nall, size_t first)
{
    double square = 0;
    size_t i;

    begin_hot(out, seen);
    for (i = 0; i < nall; i++) {
        const struct instance *o = instance_of(all[i]);
        struct seen other;

        if (i == first) {
            estimate(out, o, seen, &square);
        } else if (find(&other, o->sampler, seen->id)) {
            if (i < first)
                return false;
            estimate(out, o, &other, &square);
        }
    }
    return true;
}

static void move(struct trod_online_hot *to, const struct trod_online_hot *from)
{
    to->estimate = from->estimate;
    to->rank = from->rank;
    to->samples = from->samples;
    to->length = from->length;
    to->id[0] = from->id[0];
    to->id[1] = from->id[1];
}

/* Ties: the one with more samples, then the shorter one, then the lower id, so that the order is
 * deterministic. */
static bool is_hotter(const struct trod_online_hot *a, const struct trod_online_hot *b)
{
    if (a->rank != b->rank)
        return a->rank > b->rank;
    if (a->samples != b->samples)
        return a->samples > b->samples;
    if (a->length != b->length)
        return a->length < b->length;
    return a->id[0] < b->id[0];
}

size_t trod_online_hottest(struct trod_online_hot *out, size_t k,
    struct trod_online *const *all, size_t nall, double (*weight)(uint32_t length))
{
    struct trod_online_hot hot;
    size_t n = 0, i, at;
    uint32_t e;

    for (i = 0; i < nall; i++) {
        const struct trod_sampler *s = instance_of(all[i])->sampler;

        for (e = 0; e < s->shared->nentry && k; e++) {
            struct seen seen;

            if (!look(&seen, s, e) || !add_up(&hot, &seen, all, nall, i))
                continue;
            hot.rank = hot.estimate * (weight ? weight(hot.length) : 1);
            if (n == k && !is_hotter(&hot, out + k - 1))
                continue;
            at = n < k ? n++ : k - 1;
            for (; at > 0 && is_hotter(&hot, out + at - 1); at--)
                move(out + at, out + at - 1);
            move(out + at, &hot);
        }
    }
    return n;
}

void trod_online_sum(
    struct trod_online_sum *out, struct trod_online *const *all, size_t nall)
{
    size_t i;
    uint32_t e;

    erase(out, sizeof *out);
    for (i = 0; i < nall; i++) {
        const struct trod_sampler *s = instance_of(all[i])->sampler;
        const struct trod_format_sample *shared = s->shared;

        out->begun += shared->nbegun;
        out->sampled += shared->nsample;
        out->dropped += shared->ndropped;
        out->rejected += shared->nrejected;
        out->f = out->f > s->f ? out->f : s->f;
        out->blocks += (double)shared->nonce * s->f;
        for (e = 0; e < shared->nentry; e++) {
            struct seen seen;

            if (!look(&seen, s, e))
                continue;
            out->subpaths++;
            out->blocks += (double)seen.count * seen.f;
        }
    }
}

/* --- the threshold -------------------------------------------------------------------------------- */

/* With c samples of worth w: c w (1 - sqrt(needed / c)) >= threshold, without the root. */
static void check_threshold(struct trod_sampler *s, struct trod_format_sampled *entry)
{
    struct instance *o = s->context;
    struct trod_online_hot hot;
    struct seen seen;
    double square = 0, w, above;

    if (entry->reserved || !look(&seen, s, (uint32_t)(entry - s->entry)))
        return;
    w = worth(o, &seen);
    if (!(w > 0))
        return;
    above = (double)seen.count - s->shared->threshold / w;
    if (above < 0 || above * above < o->needed * (double)seen.count)
        return;
    entry->reserved = 1;
    begin_hot(&hot, &seen);
    estimate(&hot, o, &seen, &square);
    hot.rank = hot.estimate;
    o->options.hot(o->options.context, &o->head, &hot);
}

/* --- blocks ----------------------------------------------------------------------------------------- */

/* False if the text ends early, which happens only while it is being changed. */
static bool read_text(
    uint32_t *out, size_t room, const struct trod_sampler *s, const struct seen *seen)
{
    uint32_t chunk = seen->chunk, at = 0, left = seen->nbyte, block = 0, n;

    for (n = 0; n < seen->length; n++) {
        uint64_t value = 0;
        unsigned shift = 0;
        uint8_t byte;

        do {
            if (at == TROD_SAMPLE_TEXT) {
                chunk = s->chunk[chunk].next;
                at = 0;
            }
            if (!chunk || chunk >= s->shared->nchunk || !left-- || shift > 35)
                return false;
            byte = s->chunk[chunk].text[at++];
            value |= (uint64_t)(byte & 127) << shift;
            shift += 7;
        } while (byte & 128);
        block = n ? block + (uint32_t)(value >> 1 ^ -(value & 1)) : (uint32_t)value;
        if (n < room)
            out[n] = block;
    }
    return true;
}

size_t trod_online_blocks(uint32_t *out, size_t room, const struct trod_online_hot *hot,
    struct trod_online *const *all, size_t nall)
{
    size_t i;

    for (i = 0; i < nall; i++) {
        const struct trod_sampler *s = instance_of(all[i])->sampler;
        struct seen seen, again;

        if (find(&seen, s, hot->id) && read_text(out, room, s, &seen) &&
            find(&again, s, hot->id) && again.chunk == seen.chunk)
            return seen.length;
    }
    return 0;
}

/* --- errors ------------------------------------------------------------------------------------------ */

/* Newton's method, from above. */
static double root(double x)
{
    double r = x > 1 ? x : 1, next;

    while ((next = (r + x / r) / 2) < r)
        r = next;
    return r;
}

double trod_online_error(double samples, double confidence, bool both)
{
    if (!(samples > 0) || !(confidence > 0) || !(confidence < 1))
        return 0;
    return root(-(both ? 6 : 2) * __trod_sampler_ln(1 - confidence) / samples);
}
