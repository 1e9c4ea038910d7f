/* A concise sample of subpaths: begin, add, end; raise f, thin, age. */
#include <stdatomic.h>

#include "trod/online.h"

#include "sampler.h"

__extension__ typedef unsigned __int128 trod_wide;

enum { FIRST_LOOK = 512 }; /* samples after which f is first raised as needed */

/* --- opening -------------------------------------------------------------------------- */

static void describe(struct trod_format_sample *shared,
    const struct trod_sampler_options *o, const struct trod_sampler_layout *layout)
{
    uint32_t i;

    shared->nentry = layout->nentry;
    shared->nchunk = layout->nchunk;
    shared->identity = o->identity;
    shared->lengths = o->lengths;
    shared->shortest = o->shortest;
    shared->longest = o->longest;
    shared->nlength = o->nlength;
    shared->bias = o->bias;
    for (i = 0; i < o->nlength; i++) {
        shared->length[i].length = o->length[i].length;
        shared->length[i].chance = o->length[i].chance;
    }
    shared->costs = o->costs;
    shared->ageing = o->ageing;
    shared->period = o->period;
    shared->threshold = o->threshold;
}

/* The possible lengths, with the cumulative probability of each. */
static void fill_lengths(struct trod_sampler *s)
{
    const struct trod_format_sample *shared = s->shared;
    double sum = trod_online_weights(shared), upto = 0;
    uint32_t n, i = 0;

    for (n = shared->shortest; n <= shared->longest && i < s->nlength; n++) {
        double weight = trod_online_weight(shared, n);

        if (weight <= 0)
            continue;
        upto += weight;
        s->length[i] = (uint16_t)n;
        s->likely[i++] = upto < sum ? (uint64_t)(upto / sum * 0x1p64) : UINT64_MAX;
    }
    s->nlength = i;
    s->likely[i - 1] = UINT64_MAX;
}

static void set_frequency(struct trod_sampler *s, uint32_t level, double f)
{
    s->f = f;
    s->level = level;
    s->per_gap = __trod_sampler_per(f);
    s->shared->frequency[level] = f;
    atomic_thread_fence(memory_order_release);
    s->shared->level = level;
}

void __trod_sampler_open(struct trod_sampler *s, struct trod_format_sample *shared,
    const struct trod_sampler_options *o, uint64_t seed, uint32_t thread)
{
    struct trod_sampler_layout layout;
    char *base = (char *)s;

    __trod_sampler_layout(&layout, o);
    describe(shared, o, &layout);
    shared->thread = thread;
    s->shared = shared;
    s->entry = (struct trod_format_sampled *)(shared + 1);
    s->chunk = (struct trod_format_chunk *)(s->entry + layout.nentry);
    s->ring = (struct trod_sampler_block *)(base + layout.ring);
    s->index = (uint32_t *)(base + layout.index);
    s->row = (uint32_t *)(base + layout.row);
    s->length = (uint16_t *)(base + layout.length);
    s->log = (uint16_t *)(base + layout.log);
    s->nthinned = (uint32_t *)(base + layout.nthinned);
    s->once = (uint64_t *)(base + layout.once);
    s->nonce = layout.nonce;
    s->most_once = layout.nonce / 4 * 3;
    s->mask = layout.nring - 1;
    s->nindex = layout.nindex;
    s->nlog = layout.nlog;
    s->all_entries = layout.nentry;
    s->all_chunks = layout.nchunk;
    s->nchunk = 1;
    s->shortest = o->shortest;
    s->identity = o->identity;
    s->never = o->never;
    s->costs = o->costs;
    s->most = o->most;
    s->period = o->ageing == TROD_SAMPLE_HALVES ? o->period : 0;
    s->due = s->period;
    s->grow = o->grow;
    s->keep = (uint64_t)(0x1p64 / o->grow);
    s->per_thin = __trod_sampler_per(o->grow < 2 ? o->grow / (o->grow - 1) : o->grow);
    s->at = 1;
    if (layout.nlength) {
        s->likely = (uint64_t *)(base + layout.likely);
        s->nlength = layout.nlength;
        fill_lengths(s);
    } else {
        s->nlength = o->longest - o->shortest + 1;
    }
    __trod_sampler_seed(s, seed);
    s->least_f = o->least_f;
    set_frequency(s, 0, o->f);
}

/* --- the index ---------------------------------------------------------------------------- */

/* The count of an entry, limited to the possible maximum, so that loops over it terminate. */
static inline uint64_t count_of(const struct trod_sampler *s, uint32_t number)
{
    uint64_t count = s->entry[number].state & TROD_SAMPLE_COUNT;

    return count < s->most ? count : s->most;
}

static inline uint32_t home(const struct trod_sampler *s, const uint64_t id[2])
{
    return (uint32_t)((id[0] >> 32) * s->nindex >> 32);
}

static inline uint32_t after(const struct trod_sampler *s, uint32_t i)
{
    return i + 1 < s->nindex ? i + 1 : 0;
}

/* The slot of the key, or the empty slot where it would go. There is always an empty one. */
static inline uint32_t look_up(const struct trod_sampler *s, const uint64_t id[2])
{
    uint32_t i = home(s, id), tag = (uint32_t)id[1] & 0xffff;

    for (; s->index[i]; i = after(s, i)) {
        const struct trod_format_sampled *entry;

        if (s->index[i] >> 16 != tag)
            continue;
        entry = s->entry + (s->index[i] & 0xffff) - 1;
        if (entry->id[0] == id[0] && entry->id[1] == id[1])
            break;
    }
    return i;
}

static inline void put(struct trod_sampler *s, uint32_t i, uint32_t number)
{
    s->index_used += !s->index[i];
    s->index[i] = (uint32_t)(s->entry[number].id[1] & 0xffff) << 16 | (number + 1);
}

static void rebuild_index(struct trod_sampler *s)
{
    uint32_t i;

    s->index_used = 0;
    for (i = 0; i < s->nindex; i++) {
        s->index[i] = 0;
        __asm__ volatile("" ::: "memory"); /* avoids a call of memset */
    }
    for (i = 0; i < s->nentry; i++)
        if (count_of(s, i))
            put(s, look_up(s, s->entry[i].id), i);
}

/* Backward-shift deletion: later entries move closer to their home slots. */
static void take_out(struct trod_sampler *s, uint32_t i)
{
    uint32_t j = i;

    s->index_used--;
    for (;;) {
        uint32_t to;

        j = after(s, j);
        if (!s->index[j])
            break;
        to = home(s, s->entry[(s->index[j] & 0xffff) - 1].id);
        if (i < j ? i < to && to <= j : i < to || to <= j)
            continue;
        s->index[i] = s->index[j];
        i = j;
    }
    s->index[i] = 0;
}

/* --- subpaths sampled once ---------------------------------------------------------------- */

static inline uint64_t half(const uint64_t id[2])
{
    return id[0] ? id[0] : 1;
}

static inline uint32_t home_of_once(const struct trod_sampler *s, uint64_t hash)
{
    return (uint32_t)((hash >> 32) * s->nonce >> 32);
}

static inline uint32_t after_once(const struct trod_sampler *s, uint32_t i)
{
    return i + 1 < s->nonce ? i + 1 : 0;
}

static inline uint32_t look_up_once(const struct trod_sampler *s, uint64_t hash)
{
    uint32_t i = home_of_once(s, hash);

    while (s->once[i] && s->once[i] != hash)
        i = after_once(s, i);
    return i;
}

/* Deletes as from the index. */
static void remove_singleton(struct trod_sampler *s, uint32_t i)
{
    uint32_t j = i;

    s->shared->nonce = --s->once_used;
    for (;;) {
        uint32_t to;

        j = after_once(s, j);
        if (!s->once[j])
            break;
        to = home_of_once(s, s->once[j]);
        if (i < j ? i < to && to <= j : i < to || to <= j)
            continue;
        s->once[i] = s->once[j];
        i = j;
    }
    s->once[i] = 0;
}

static bool put_once(struct trod_sampler *s, uint64_t hash)
{
    uint32_t i;

    if (s->once_used >= s->most_once)
        return false;
    i = look_up_once(s, hash);
    s->once_used += !s->once[i];
    s->once[i] = hash;
    s->shared->nonce = s->once_used;
    return true;
}

/* Keep a random subset. The scan starts after an empty slot, so that entries which deletion moves
 * into visited slots come from slots that were not visited.
 */
static void thin_singletons(
    struct trod_sampler *s, bool (*keeps)(struct trod_sampler *))
{
    uint32_t i = 0, n;

    if (!s->once_used)
        return;
    while (s->once[i])
        i++;
    for (n = 0; n < s->nonce; n++) {
        while (s->once[i] && !keeps(s))
            remove_singleton(s, i);
        i = after_once(s, i);
    }
}

/* --- entries ------------------------------------------------------------------------------ */

static inline void set_state(struct trod_format_sampled *entry, uint64_t state)
{
    __atomic_store_n(&entry->state, state, __ATOMIC_RELEASE);
}

/* Set the entry's count at the current level. At 0 the entry and its chunks are free, which readers
 * must see before any other change to it.
 */
static void set_count(struct trod_sampler *s, uint32_t number, uint64_t count)
{
    struct trod_format_sampled *entry = s->entry + number;

    if (count == 1 && put_once(s, half(entry->id)))
        count = 0;
    set_state(entry,
        (entry->state & UINT64_C(0xffff) << 48) | (uint64_t)s->level << 40 | count);
    if (count)
        return;
    atomic_thread_fence(memory_order_release);
    __trod_sampler_erase(s, entry);
    entry->chunk = (uint16_t)s->free_entry;
    s->free_entry = number + 1;
}

/* A new entry; false if there is no room. */
static bool insert(struct trod_sampler *s, const uint32_t *row, uint32_t n,
    const uint64_t id[2], uint64_t count)
{
    uint32_t number = s->free_entry ? s->free_entry - 1 : s->nentry, next = 0;
    struct trod_format_sampled *entry = s->entry + number;

    if (number >= s->all_entries || s->index_used + 1 >= s->nindex)
        return false;
    if (s->free_entry)
        next = entry->chunk <= s->nentry ? entry->chunk : 0;
    atomic_thread_fence(memory_order_release);
    if (!__trod_sampler_write(s, entry, row, n))
        return false;
    if (s->free_entry)
        s->free_entry = next;
    else
        s->nentry++;
    entry->reserved = 0;
    entry->id[0] = id[0];
    entry->id[1] = id[1];
    set_state(
        entry, ((entry->state >> 48) + 1) << 48 | (uint64_t)s->level << 40 | count);
    put(s, look_up(s, id), number);
    return true;
}

/* --- thinning ------------------------------------------------------------------------------- */

/* Each place in the log is a sample: thin the log, then update the entries. */
static void thin_log(struct trod_sampler *s)
{
    uint32_t left = 0, i;

    for (i = 0; i < s->nentry; i++) {
        s->nthinned[i] = 0;
        __asm__ volatile("" ::: "memory");
    }
    for (i = 0; i < s->log_used; i++) {
        uint32_t from = s->log_first + i, to = s->log_first + left;
        uint16_t number = s->log[from < s->nlog ? from : from - s->nlog];

        if (__trod_sampler_keeps(s, 1)) {
            s->log[to < s->nlog ? to : to - s->nlog] = number;
            left++;
        } else {
            s->nthinned[number]++;
        }
    }
    s->log_used = left;
}

static bool is_thinned_in(struct trod_sampler *s)
{
    return __trod_sampler_keeps(s, 1);
}

/* cost: O(entries), plus the cost of thinning their counts */
static void raise(struct trod_sampler *s)
{
    uint32_t i;

    s->raised = true;
    s->nraised++;
    set_frequency(s, (s->level + 1) % TROD_SAMPLE_LEVELS, s->f * s->grow);
    if (s->nlog)
        thin_log(s);
    thin_singletons(s, is_thinned_in);
    s->kept = s->once_used;
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = count_of(s, i);

        if (!count)
            continue;
        if (!s->nlog)
            count = __trod_sampler_thin(s, count);
        else
            count = count > s->nthinned[i] ? count - s->nthinned[i] : 0;
        s->kept += count;
        set_count(s, i, count);
    }
    if (s->nlog)
        s->kept = s->log_used;
    rebuild_index(s);
}

static bool is_up(struct trod_sampler *s)
{
    return __trod_sampler_random(s) >> 63;
}

/* Halve all counts; odd ones are rounded up or down at random. */
static void age(struct trod_sampler *s)
{
    uint32_t i;

    thin_singletons(s, is_up);
    s->kept = s->once_used;
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = count_of(s, i);

        if (!count)
            continue;
        if (count & 1)
            count += is_up(s);
        s->kept += count / 2;
        set_count(s, i, count / 2);
    }
    rebuild_index(s);
}

/* Drop the oldest sample of a full window. */
static void forget_oldest(struct trod_sampler *s)
{
    uint32_t number, i;
    uint64_t count;

    if (s->log_used < s->nlog)
        return;
    number = s->log[s->log_first];
    s->log_first = s->log_first + 1 < s->nlog ? s->log_first + 1 : 0;
    s->log_used--;
    s->kept--;
    count = count_of(s, number);
    if (!count)
        return;
    i = look_up(s, s->entry[number].id);
    set_count(s, number, count - 1);
    if (count > 1)
        return;
    if ((s->index[i] & 0xffff) == number + 1)
        take_out(s, i);
    else
        rebuild_index(s); /* its id was overwritten */
}

static void remember(struct trod_sampler *s, uint32_t number)
{
    uint32_t at = s->log_first + s->log_used++;

    s->log[at < s->nlog ? at : at - s->nlog] = (uint16_t)number;
}

/* --- completed samples ------------------------------------------------------------------------ */

/* Count a subpath without an entry: either it is new among those sampled once, or this is its
 * second sample. False if there is no room.
 */
static bool count_new(
    struct trod_sampler *s, const uint32_t *row, uint32_t n, const uint64_t id[2])
{
    uint32_t once;

    if (!s->nonce)
        return insert(s, row, n, id, 1);
    once = look_up_once(s, half(id));
    if (!s->once[once])
        return put_once(s, half(id));
    if (!insert(s, row, n, id, 2))
        return false;
    remove_singleton(s, once);
    return true;
}

/* Count the subpath in s->row. False if f was raised to make room and this sample did not survive. */
static bool count_row(struct trod_sampler *s, uint32_t n, uint64_t id[2])
{
    const uint32_t *row = __trod_sampler_identify(s, n, id);

    for (;;) {
        uint32_t found = s->index[look_up(s, id)] & 0xffff;

        if (found) {
            set_state(s->entry + found - 1, s->entry[found - 1].state + 1);
            return true;
        }
        if (count_new(s, row, n, id))
            return true;
        raise(s);
        if (!__trod_sampler_keeps(s, 1))
            return false;
    }
}

static void count_sample(struct trod_sampler *s, uint32_t n)
{
    uint64_t id[2];
    uint32_t number;

    if (s->nlog)
        forget_oldest(s);
    if (!count_row(s, n, id))
        return;
    s->kept++;
    if (s->nlog || s->counted) {
        number = s->index[look_up(s, id)] & 0xffff;
        if (s->nlog && number) /* unless its id was overwritten meanwhile */
            remember(s, number - 1);
        if (s->counted && number)
            s->counted(s, s->entry + number - 1);
    }
    while (s->kept >= s->most || (s->kept >= FIRST_LOOK && s->f < s->least_f))
        raise(s);
}

/* With a probability proportional to the mean cost of its blocks. */
static bool accept_by_cost(struct trod_sampler *s, uint32_t start, uint32_t n)
{
    uint64_t cost = 0;
    uint32_t i;

    for (i = 0; i < n; i++)
        cost += s->ring[(start + i) & s->mask].cost;
    return (uint64_t)((trod_wide)__trod_sampler_random(s) * 255 * n >> 64) < cost;
}

static void finish(struct trod_sampler *s, uint32_t start)
{
    uint32_t n = s->ring[start].length, i;

    if (s->costs && !accept_by_cost(s, start, n)) {
        s->shared->nrejected++;
        return;
    }
    s->shared->nsample++;
    if (__trod_sampler_keeps(s, (uint16_t)(s->nraised - s->ring[start].nraised))) {
        for (i = 0; i < n; i++)
            s->row[i] = s->ring[(start + i) & s->mask].block;
        count_sample(s, n);
    }
    if (s->period && --s->due == 0) {
        s->due = s->period;
        age(s);
    }
}

/* --- begin, end, break ------------------------------------------------------------------------ */

void __trod_sampler_begin(struct trod_sampler *s)
{
    uint32_t place = (uint32_t)s->at & s->mask, n, last;

    if (s->begun == s->at)
        return;
    s->begun = s->at;
    n = __trod_sampler_draw_length(s);
    last = (place + n - 1) & s->mask;
    s->ring[place].length = (uint16_t)n;
    s->ring[place].nraised = s->nraised;
    s->ring[place].other = s->ring[last].ending;
    s->ring[last].ending = (uint16_t)(place + 1);
    s->npending++;
    s->shared->nbegun++;
}

void __trod_sampler_end(struct trod_sampler *s, uint32_t place)
{
    uint32_t ending = s->ring[place].ending;

    s->ring[place].ending = 0;
    while (ending) {
        uint32_t other = s->ring[ending - 1].other;

        s->npending--;
        finish(s, ending - 1);
        ending = other;
    }
}

void __trod_sampler_break(struct trod_sampler *s)
{
    uint32_t i;

    s->begun = 0;
    s->shared->ndropped += s->npending;
    for (i = 0; s->npending && i <= s->mask; i++)
        s->ring[i].ending = 0;
    s->npending = 0;
}

void __trod_sampler_adopt(struct trod_sampler *s, uint32_t thread)
{
    __trod_sampler_break(s);
    s->shared->thread = thread;
}

/* --- other rates -------------------------------------------------------------------------------- */

void __trod_sampler_slow(struct trod_sampler *s, double f)
{
    s->least_f = f;
    while (s->f < f)
        raise(s);
}

static void forget_singletons(struct trod_sampler *s)
{
    uint32_t i;

    for (i = 0; i < s->nonce; i++) {
        s->once[i] = 0;
        __asm__ volatile("" ::: "memory"); /* avoids a call of memset */
    }
    s->once_used = 0;
    s->shared->nonce = 0;
}

void __trod_sampler_restart(struct trod_sampler *s, double f, double least_f)
{
    uint32_t i;

    __trod_sampler_break(s);
    for (i = 0; i < s->nentry; i++)
        if (count_of(s, i))
            set_count(s, i, 0);
    rebuild_index(s);
    forget_singletons(s);
    s->log_first = s->log_used = 0;
    s->kept = 0;
    s->due = s->period;
    s->shared->nbegun = s->shared->nsample = 0;
    s->shared->ndropped = s->shared->nrejected = 0;
    s->least_f = least_f;
    s->raised = true;
    set_frequency(s, (s->level + 1) % TROD_SAMPLE_LEVELS, f);
}
