/* What a sampler keeps: entries, an index of them by hash and level, and hashes of what was sampled once. */
#include <stdatomic.h>

#include "sampler.h"

static inline uint32_t level_of(const struct trod_sampler *s, uint32_t number)
{
    return trod_sample_level(s->entry[number].state) % TROD_SAMPLE_LEVELS;
}

/* --- the index ---------------------------------------------------------------------------- */

static inline uint32_t home(const struct trod_sampler *s, const uint64_t id[2])
{
    return (uint32_t)((id[0] >> 32) * s->nindex >> 32);
}

static inline uint32_t after(const struct trod_sampler *s, uint32_t i)
{
    return i + 1 < s->nindex ? i + 1 : 0;
}

/* There is always an empty slot. */
uint32_t __trod_sampler_look_up(
    const struct trod_sampler *s, const uint64_t id[2], uint32_t level)
{
    uint32_t i = home(s, id), tag = (uint32_t)id[1] & 0xffff, number;

    for (; s->index[i]; i = after(s, i)) {
        if (s->index[i] >> 16 != tag)
            continue;
        number = (s->index[i] & 0xffff) - 1;
        if (s->entry[number].id[0] == id[0] && s->entry[number].id[1] == id[1] &&
            level_of(s, number) == level)
            break;
    }
    return i;
}

static inline void put(struct trod_sampler *s, uint32_t i, uint32_t number)
{
    s->index_used += !s->index[i];
    s->index[i] = (uint32_t)(s->entry[number].id[1] & 0xffff) << 16 | (number + 1);
}

/* Backward-shift deletion: later entries move closer to their home slots. */
void __trod_sampler_take_out(struct trod_sampler *s, uint32_t i)
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

/* The low bits of a hash say at which level it was sampled. */
static inline uint64_t key_of(const uint64_t id[2], uint32_t level)
{
    uint64_t hash = id[0] / TROD_SAMPLE_LEVELS;

    return (hash ? hash : 1) * TROD_SAMPLE_LEVELS + level;
}

/* In units of the current level. */
static double weight_of(const struct trod_sampler *s, uint64_t key)
{
    uint32_t by = (uint32_t)(key - s->level) % TROD_SAMPLE_LEVELS;
    double weight = 1;

    while (by-- > 0)
        weight *= s->grow;
    return weight;
}

static void show_once(struct trod_sampler *s)
{
    s->shared->nonce = s->above ? (uint64_t)(s->once_weight * s->hold + 0.5)
                                : (uint64_t)s->once_used * s->hold;
}

void __trod_sampler_weigh_once(struct trod_sampler *s)
{
    uint32_t i;

    s->once_weight = 0;
    for (i = 0; s->above && i < s->nonce; i++)
        if (s->once[i])
            s->once_weight += weight_of(s, s->once[i]);
    show_once(s);
}

static void change_once(struct trod_sampler *s, uint64_t key, int by)
{
    s->once_used += (uint32_t)by;
    if (s->above)
        s->once_weight += by * weight_of(s, key);
    show_once(s);
}

static inline uint32_t home_of_once(const struct trod_sampler *s, uint64_t hash)
{
    return (uint32_t)((hash >> 32) * s->nonce >> 32);
}

static inline uint32_t after_once(const struct trod_sampler *s, uint32_t i)
{
    return i + 1 < s->nonce ? i + 1 : 0;
}

static inline uint32_t look_up_once(const struct trod_sampler *s, uint64_t key)
{
    uint32_t i = home_of_once(s, key);

    while (s->once[i] && s->once[i] != key)
        i = after_once(s, i);
    return i;
}

/* Deletes as from the index. */
static void remove_singleton(struct trod_sampler *s, uint32_t i)
{
    uint32_t j = i;

    change_once(s, s->once[i], -1);
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

/* Where levels were merged, a key may be there more than once. */
static bool put_once(struct trod_sampler *s, uint64_t key)
{
    uint32_t i = home_of_once(s, key);

    if (s->once_used >= s->most_once)
        return false;
    while (s->once[i])
        i = after_once(s, i);
    s->once[i] = key;
    change_once(s, key, 1);
    return true;
}

/* Take out a key, as often as it is there. */
static uint32_t take_once(struct trod_sampler *s, uint64_t key)
{
    uint32_t n = 0, i;

    for (i = look_up_once(s, key); s->once[i]; i = look_up_once(s, key)) {
        remove_singleton(s, i);
        n++;
    }
    return n;
}

/* The scan starts after an empty slot, so that entries which deletion moves into visited slots come from slots that were
 * not visited.
 */
void __trod_sampler_thin_once(struct trod_sampler *s,
    bool (*keeps)(struct trod_sampler *, uint64_t *key, uint32_t from), uint32_t from)
{
    uint32_t i = 0, n;

    if (!s->once_used)
        return;
    while (s->once[i])
        i++;
    for (n = 0; n < s->nonce; n++) {
        while (s->once[i] && !keeps(s, &s->once[i], from))
            remove_singleton(s, i);
        i = after_once(s, i);
    }
}

void __trod_sampler_forget_once(struct trod_sampler *s)
{
    uint32_t i;

    for (i = 0; i < s->nonce; i++) {
        s->once[i] = 0;
        __asm__ volatile("" ::: "memory"); /* avoids a call of memset */
    }
    s->once_used = 0;
    s->once_weight = 0;
    s->shared->nonce = 0;
}

/* --- entries ------------------------------------------------------------------------------ */

static inline void set_state(struct trod_format_sampled *entry, uint64_t state)
{
    __atomic_store_n(&entry->state, state, __ATOMIC_RELEASE);
}

/* At 0 the entry and its chunks are free, which readers must see before any other change to it. */
void __trod_sampler_set_count(
    struct trod_sampler *s, uint32_t number, uint64_t count, uint32_t level)
{
    struct trod_format_sampled *entry = s->entry + number;

    if (count == s->hold && s->nonce && put_once(s, key_of(entry->id, level)))
        count = 0;
    set_state(
        entry, (entry->state & UINT64_C(0xffff) << 48) | (uint64_t)level << 40 | count);
    if (count)
        return;
    atomic_thread_fence(memory_order_release);
    __trod_sampler_erase(s, entry);
    entry->chunk = (uint16_t)s->free_entry;
    s->free_entry = number + 1;
}

/* A new entry; false if there is no room. */
static bool insert(struct trod_sampler *s, const uint32_t *row, uint32_t n,
    const uint64_t id[2], uint64_t count, uint32_t level)
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
    set_state(entry, ((entry->state >> 48) + 1) << 48 | (uint64_t)level << 40 | count);
    put(s, __trod_sampler_look_up(s, id, level), number);
    return true;
}

bool __trod_sampler_is_once(
    const struct trod_sampler *s, const uint64_t id[2], uint32_t level)
{
    return s->nonce && s->once[look_up_once(s, key_of(id, level))];
}

bool __trod_sampler_count_new(struct trod_sampler *s, const uint32_t *row, uint32_t n,
    const uint64_t id[2], uint32_t level)
{
    uint64_t key = key_of(id, level);
    struct trod_format_sampled *entry;

    if (!s->nonce)
        return insert(s, row, n, id, s->hold, level);
    if (!s->once[look_up_once(s, key)])
        return put_once(s, key);
    if (!insert(s, row, n, id, 1, level))
        return false;
    entry = s->entry + (s->index[__trod_sampler_look_up(s, id, level)] & 0xffff) - 1;
    set_state(entry, entry->state + (uint64_t)take_once(s, key) * s->hold);
    return true;
}

/* Entries of a block sequence that came to be of one level become one, and so do its entry and its hash. */
void __trod_sampler_rebuild(struct trod_sampler *s)
{
    uint32_t i;

    s->index_used = 0;
    for (i = 0; i < s->nindex; i++) {
        s->index[i] = 0;
        __asm__ volatile("" ::: "memory"); /* avoids a call of memset */
    }
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = __trod_sampler_count_of(s, i);
        uint32_t level = level_of(s, i), at, other;

        if (!count)
            continue;
        at = __trod_sampler_look_up(s, s->entry[i].id, level);
        if (s->index[at]) {
            other = (s->index[at] & 0xffff) - 1;
            count += __trod_sampler_count_of(s, other);
            __trod_sampler_set_count(s, i, 0, level);
            __trod_sampler_set_count(s, other, count, level);
            continue;
        }
        if (s->mixed && s->nonce) {
            count += (uint64_t)take_once(s, key_of(s->entry[i].id, level)) * s->hold;
            __trod_sampler_set_count(s, i, count, level);
        }
        if (__trod_sampler_count_of(s, i))
            put(s, at, i);
    }
}
