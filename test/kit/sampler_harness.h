/* What tests of the sampler share: one that is fed as the runtime feeds it, in memory with no room to spare,
 * with faults to plant; what it holds, read back; and a validator of all that is promised of it.
 */
#ifndef KIT_SAMPLER_HARNESS_H
#define KIT_SAMPLER_HARNESS_H

#include "kit/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>

#include "trod/online.h"

#include "online/sampler.h"

enum { SAMPLER_HARNESS_PAGE = 4096 };

enum sampler_harness_fault {
    SAMPLER_HARNESS_RIGHT,
    SAMPLER_HARNESS_LATE,  /* each gap is a block too long */
    SAMPLER_HARNESS_EVEN,  /* gaps are even */
    SAMPLER_HARNESS_STALE, /* a gap is not drawn anew when f was raised */
    SAMPLER_HARNESS_FLAT, /* when f was lowered, all samples count as if taken with it */
    SAMPLER_HARNESS_UNTHINNED, /* what was pending when f was raised counts as if begun since */
    SAMPLER_HARNESS_ALONE,      /* nothing starts within a sample, as in the thesis */
    SAMPLER_HARNESS_FORGETTING, /* readers subtract what was passed by */
    SAMPLER_HARNESS_EAGER /* after a raise, what lost its first sample is taken in by the next */
};

struct sampler_harness {
    struct trod_sampler_options options;
    struct trod_sampler *s;
    struct trod_format_sample *shared;
    size_t shared_size, private_size;
    uint64_t gap;
    bool pending;
    bool lowered; /* f was, at some time */
    enum sampler_harness_fault fault;
};

/* --- memory between inaccessible pages --------------------------------------------------------- */

static inline size_t sampler_harness_pages(size_t size)
{
    return (size + SAMPLER_HARNESS_PAGE - 1) / SAMPLER_HARNESS_PAGE *
           SAMPLER_HARNESS_PAGE;
}

/* Its last byte is the last before such a page, and before its first page there is another. */
static inline void *sampler_harness_take(size_t size)
{
    size_t whole = sampler_harness_pages(size);
    char *at = mmap(NULL, whole + 2 * (size_t)SAMPLER_HARNESS_PAGE, PROT_NONE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED ||
        mprotect(at + SAMPLER_HARNESS_PAGE, whole, PROT_READ | PROT_WRITE))
        abort();
    return at + SAMPLER_HARNESS_PAGE + (whole - size);
}

static inline void sampler_harness_give_back(void *at, size_t size)
{
    size_t whole = sampler_harness_pages(size);

    munmap((char *)at - (whole - size) - SAMPLER_HARNESS_PAGE,
        whole + 2 * (size_t)SAMPLER_HARNESS_PAGE);
}

/* --- feeding --------------------------------------------------------------------------------------- */

static inline void sampler_harness_draw(struct sampler_harness *f)
{
    f->gap = __trod_sampler_gap(f->s);
    if (f->fault == SAMPLER_HARNESS_LATE)
        f->gap++;
    if (f->fault == SAMPLER_HARNESS_EVEN)
        f->gap += f->gap & 1;
}

/* False, and sets why, if the options are wrong. */
static inline bool sampler_harness_open(
    struct sampler_harness *f, const char *options, uint64_t seed, const char **why)
{
    memset(f, 0, sizeof *f);
    __trod_sampler_options_default(&f->options);
    if (!__trod_sampler_options_parse(&f->options, options, why))
        return false;
    f->shared_size = __trod_sampler_shared_size(&f->options);
    f->private_size = __trod_sampler_private_size(&f->options);
    f->shared = (struct trod_format_sample *)sampler_harness_take(f->shared_size);
    f->s = (struct trod_sampler *)sampler_harness_take(f->private_size);
    __trod_sampler_open(f->s, f->shared, &f->options, seed, 1);
    sampler_harness_draw(f);
    return true;
}

static inline void sampler_harness_close(struct sampler_harness *f)
{
    sampler_harness_give_back(f->s, f->private_size);
    sampler_harness_give_back(f->shared, f->shared_size);
}

static inline void sampler_harness_flatten(struct sampler_harness *f)
{
    uint32_t i;

    for (i = 0; i < f->s->nentry; i++)
        f->s->entry[i].state = (f->s->entry[i].state & ~(UINT64_C(0xff) << 40)) |
                               (uint64_t)f->s->level << 40;
}

static inline void sampler_harness_after_raise(struct sampler_harness *f)
{
    uint32_t i;

    if (f->fault != SAMPLER_HARNESS_STALE)
        sampler_harness_draw(f);
    if (f->fault == SAMPLER_HARNESS_FLAT)
        sampler_harness_flatten(f);
    if (f->fault == SAMPLER_HARNESS_EAGER)
        f->s->per_hold = 0;
    if (f->fault == SAMPLER_HARNESS_UNTHINNED)
        for (i = 0; i <= f->s->mask; i++)
            f->s->ring[i].nraised = f->s->nraised;
}

/* As a budget does. */
static inline void sampler_harness_aim(struct sampler_harness *f, double to)
{
    f->lowered |= to < f->s->f;
    __trod_sampler_aim(f->s, to);
    if (__trod_sampler_raised(f->s))
        sampler_harness_after_raise(f);
}

static inline void sampler_harness_block_of(
    struct sampler_harness *f, uint32_t block, uint32_t cost)
{
    if (f->fault == SAMPLER_HARNESS_ALONE && f->s->npending)
        f->gap++;
    if (--f->gap == 0) {
        __trod_sampler_begin(f->s);
        sampler_harness_draw(f);
        f->pending = true;
    }
    if (!f->pending)
        return;
    f->pending = __trod_sampler_add(f->s, block, cost);
    if (__trod_sampler_raised(f->s))
        sampler_harness_after_raise(f);
}

static inline void sampler_harness_block(struct sampler_harness *f, uint32_t block)
{
    sampler_harness_block_of(f, block, 255);
}

static inline void sampler_harness_break(struct sampler_harness *f)
{
    __trod_sampler_break(f->s);
    f->pending = false;
}

/* --- what it holds -------------------------------------------------------------------------------- */

struct sampled {
    uint64_t count;
    uint32_t length;
    unsigned level;
    uint32_t block[TROD_ONLINE_LONGEST];
};

static inline const struct trod_format_sampled *sampler_harness_entry(
    const struct trod_format_sample *shared, uint32_t i)
{
    return (const struct trod_format_sampled *)(shared + 1) + i;
}

static inline const struct trod_format_chunk *sampler_harness_chunk(
    const struct trod_format_sample *shared, uint32_t i)
{
    return (const struct trod_format_chunk *)sampler_harness_entry(
               shared, shared->nentry) +
           i;
}

/* The text of an entry, decoded as specified. False if it is malformed. */
static inline bool sampler_harness_text(struct sampled *out,
    const struct trod_format_sample *shared, const struct trod_format_sampled *entry)
{
    uint32_t chunk = entry->chunk, at = 0, nbyte = 0, before = 0;

    for (out->length = 0; out->length < entry->length; out->length++) {
        uint64_t value = 0;
        unsigned shift = 0;
        uint8_t byte;

        do {
            if (at == TROD_SAMPLE_TEXT) {
                chunk = sampler_harness_chunk(shared, chunk)->next;
                at = 0;
            }
            if (!chunk || chunk >= shared->nchunk || shift > 35)
                return false;
            byte = sampler_harness_chunk(shared, chunk)->text[at++];
            value |= (uint64_t)(byte & 127) << shift;
            shift += 7;
            nbyte++;
        } while (byte & 128);
        before = out->length
                     ? before + (uint32_t)(value & 1 ? ~(value >> 1) : value >> 1)
                     : (uint32_t)value;
        out->block[out->length] = before;
    }
    return nbyte == entry->nbyte && !sampler_harness_chunk(shared, chunk)->next;
}

/* The i-th entry; false if it is free. */
static inline bool sampler_harness_get(
    struct sampled *out, const struct trod_format_sample *shared, uint32_t i)
{
    const struct trod_format_sampled *entry = sampler_harness_entry(shared, i);

    out->count = entry->state & TROD_SAMPLE_COUNT;
    out->level = trod_sample_level(entry->state);
    return out->count && sampler_harness_text(out, shared, entry);
}

static inline double sampler_harness_estimate(
    const struct trod_format_sample *shared, const struct sampled *sampled)
{
    return (double)sampled->count * shared->frequency[sampled->level] /
           trod_online_chance(shared, sampled->length);
}

/* Of a block sequence, its entry; false if it has none. */
static inline bool sampler_harness_find(struct sampled *out,
    const struct trod_format_sample *shared, const uint32_t *row, uint32_t n)
{
    uint32_t i;

    for (i = 0; i < shared->nentry; i++)
        if (sampler_harness_entry(shared, i)->length == n &&
            sampler_harness_get(out, shared, i) &&
            !memcmp(out->block, row, n * sizeof *row))
            return true;
    return false;
}

/* --- the validator ----------------------------------------------------------------------------------- */

/* What readers rely on, and what must be true of the file of a program that was killed: NULL, or what
 * is wrong.
 */
static inline const char *sampler_harness_check_shared(
    const struct trod_format_sample *shared)
{
    static struct sampled sampled;
    bool *taken = calloc(shared->nchunk, 1);
    const char *why = NULL;
    uint32_t i, j;

    for (i = 0; i < shared->nentry && !why; i++) {
        const struct trod_format_sampled *entry = sampler_harness_entry(shared, i);
        uint64_t id[2];
        uint32_t chunk;

        if (!(entry->state & TROD_SAMPLE_COUNT))
            continue;
        if (!sampler_harness_get(&sampled, shared, i)) {
            why = "an entry has no text";
            break;
        }
        for (chunk = entry->chunk; chunk && !why;
            chunk = sampler_harness_chunk(shared, chunk)->next) {
            if (taken[chunk])
                why = "two entries share a chunk";
            taken[chunk] = true;
        }
        if (sampled.level >= TROD_SAMPLE_LEVELS ||
            !(shared->frequency[sampled.level] >= 1))
            why = "an entry has no frequency";
        if (!(trod_online_chance(shared, sampled.length) > 0))
            why = "an entry has a length that is never drawn";
        __trod_sampler_hash(id, sampled.block, sampled.length);
        if (shared->identity != TROD_SAMPLE_XOR &&
            (id[0] != entry->id[0] || id[1] != entry->id[1]))
            why = "an entry has the wrong hash";
        if (shared->identity == TROD_SAMPLE_ROTATION &&
            __trod_sampler_least(sampled.block, sampled.length) != 0)
            why = "an entry is not the least of its rotations";
        for (j = 0; j < i; j++)
            if (sampler_harness_entry(shared, j)->state & TROD_SAMPLE_COUNT &&
                !memcmp(entry->id, sampler_harness_entry(shared, j)->id,
                    sizeof entry->id) &&
                trod_sample_level(sampler_harness_entry(shared, j)->state) ==
                    sampled.level)
                why = "there are two entries for a block sequence";
    }
    free(taken);
    return why;
}

/* Every entry and chunk is free or taken, once. */
static inline const char *sampler_harness_check_free(const struct sampler_harness *f)
{
    const struct trod_sampler *s = f->s;
    uint32_t nfree = 0, nchunk = 0, i, at;

    for (at = s->free_entry; at && nfree <= s->nentry; at = s->entry[at - 1].chunk)
        nfree++;
    for (i = 0; i < s->nentry; i++) {
        if (!(s->entry[i].state & TROD_SAMPLE_COUNT))
            continue;
        nfree++;
        for (at = s->entry[i].chunk; at; at = s->chunk[at].next)
            nchunk++;
    }
    for (at = s->free_chunk; at && nchunk <= s->nchunk; at = s->chunk[at].next)
        nchunk++;
    if (nfree != s->nentry)
        return "an entry is lost";
    return nchunk + 1 == s->nchunk ? NULL : "a chunk is lost";
}

static inline const char *sampler_harness_check_window(const struct sampler_harness *f)
{
    const struct trod_sampler *s = f->s;
    uint32_t i, j;

    if (!s->nlog)
        return NULL;
    if (s->log_used > s->nlog || s->kept != s->log_used)
        return "the window does not match the entries";
    for (i = 0; i < s->nentry; i++) {
        uint64_t count = 0;

        for (j = 0; j < s->log_used; j++)
            count += s->log[(s->log_first + j) % s->nlog] == i;
        if (count != (s->entry[i].state & TROD_SAMPLE_COUNT))
            return "an entry's count differs from the window";
    }
    return NULL;
}

/* Hashes of what was sampled once are found, and have no entry. */
static inline const char *sampler_harness_check_once(const struct sampler_harness *f)
{
    const struct trod_sampler *s = f->s;
    uint32_t n = 0, i, at, by;
    double sum = 0;

    for (i = 0; i < s->nonce; i++) {
        if (!s->once[i])
            continue;
        n++;
        by = (uint32_t)(s->once[i] - s->level) % TROD_SAMPLE_LEVELS;
        if (by > s->above)
            return "a hash is at the wrong level";
        sum += s->hold * pow(s->grow, by);
        for (at = (uint32_t)((s->once[i] >> 32) * s->nonce >> 32); at != i;
            at = (at + 1) % s->nonce)
            if (!s->once[at] || (!f->lowered && s->once[at] == s->once[i]))
                return "a hash is not found";
        for (at = 0; at < s->nentry && !f->lowered; at++)
            if (s->entry[at].state & TROD_SAMPLE_COUNT &&
                s->entry[at].id[0] / TROD_SAMPLE_LEVELS ==
                    s->once[i] / TROD_SAMPLE_LEVELS)
                return "a hash has an entry";
    }
    if (n != s->once_used)
        return "the number of hashes is wrong";
    return fabs(sum - (double)s->shared->nonce) < 0.6 ? NULL
                                                      : "hashes have the wrong weight";
}

static inline const char *sampler_harness_check(const struct sampler_harness *f)
{
    const struct trod_sampler *s = f->s;
    const struct trod_format_sample *shared = f->shared;
    const char *why = sampler_harness_check_shared(shared);
    uint64_t kept = (uint64_t)s->once_used * s->hold;
    uint32_t nindex = 0, nentry = 0, i;

    for (i = 0; i < shared->nentry; i++) {
        kept += s->entry[i].state & TROD_SAMPLE_COUNT;
        nentry += (s->entry[i].state & TROD_SAMPLE_COUNT) != 0;
        if (!s->period && s->entry[i].state & TROD_SAMPLE_COUNT &&
            (s->entry[i].state & TROD_SAMPLE_COUNT) < s->hold)
            return "an entry counts less than its first sample";
        if (s->entry[i].state & TROD_SAMPLE_COUNT &&
            (trod_sample_level(s->entry[i].state) - shared->level) %
                    TROD_SAMPLE_LEVELS >
                s->above)
            return "an entry is at the wrong level";
    }
    for (i = 0; i < s->nindex; i++)
        nindex += s->index[i] != 0;
    if (!why && 64 + f->shared_size + f->private_size > f->options.memory)
        why = "it uses more memory than allowed";
    if (!why && (64 + f->shared_size) % SAMPLER_HARNESS_PAGE)
        why = "the size of the section is not a multiple of the page size";
    if (!why && kept != s->kept)
        why = "the number of entries is wrong";
    if (!why && kept >= f->options.most)
        why = "there are too many samples";
    if (!why && nindex != nentry)
        why = "the index has the wrong size";
    if (!why && shared->nbegun != shared->nsample + shared->ndropped +
                                      shared->nrejected + s->npending)
        why = "a sample was lost";
    if (!why)
        why = sampler_harness_check_once(f);
    if (!why)
        why = sampler_harness_check_free(f);
    return why ? why : sampler_harness_check_window(f);
}

#endif
