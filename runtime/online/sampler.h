/* sampler: subpaths of blocks, sampled while they run.
 *
 *     options (text) -> sampler -> struct trod_format_sample, which readers estimate from
 *
 * A concise sample after Gibbons and Matias ("New Sampling-Based Summary Statistics for Improving
 * Approximate Query Answers") of subpaths after David Oren ("Online Subpath Profiling"): every
 * block is a start with probability 1/f, independently of all others; the length is drawn; equal
 * subpaths are one entry with a count. When there is no more room f is raised, and every sample
 * there is kept with the probability by which new ones have become rarer.
 *
 * Starts may lie within samples that have not come to their end: a ring has the last blocks, and
 * a sample is a place in it. So no start is ever refused, and estimates are unbiased, at any
 * moment: count * f / chance of the length.
 *
 * Glossary
 *   f         of so many blocks, one is a start
 *   gap       blocks up to the next start, that one counted
 *   level     where f is written, among TROD_SAMPLE_LEVELS that are used in turn
 *   once      where a subpath was sampled once, its hash may be all that is kept of it. It has an entry
 *             when it is sampled again. Most of what there is to keep is such, and not hot
 *   pending   begun, not yet at its end. Such samples know how often f had been raised when
 *             they began, and are thinned at their end if it was raised since
 *   thin      keep each sample with probability 1 / grow
 *   entry, chunk, shared: as in trod/format.h. Free entries are a list through their field
 *             chunk, free chunks one through next; both are of nobody's concern who reads
 *   private   the sampler itself: index, ring and log in the bytes behind the struct
 *
 * Memory: what the caller gives, two pieces, together no more than the option says. Nothing else
 * is ever taken. No system call, no libc, no library of mathematics; floating-point registers
 * are used. Less than a kilobyte of stack.
 *
 * Who else writes to the shared part, which may be a file, spoils the sample and nothing else: numbers found there
 * are not trusted to be in range.
 *
 * One thread at a time, and nothing of it is for handlers that come in between: that is the
 * caller's business. Who reads the shared part needs no lock.
 */
#ifndef TROD_SAMPLER_H
#define TROD_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trod/format.h"

#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

/* --- sampler_options.c: what is sampled, and how ----------------------------------------- */

struct trod_sampler_options {
    uint64_t memory;  /* bytes: shared and private */
    double f;         /* at first */
    double least_f;   /* f is no less when as many samples are kept as it takes for a
                         first look */
    bool has_least_f; /* said to be so, and not just what f is at first */
    double grow;      /* what f is multiplied by */
    uint64_t most;    /* samples kept, repeats counted, before f is raised although
                                       there is room */
    uint32_t lengths; /* enum trod_sample_lengths */
    uint32_t shortest, longest;
    uint32_t nlength; /* of a list */
    struct {
        uint32_t length;
        float chance; /* they add up to 1 */
    } length[TROD_SAMPLE_LENGTHS];
    double bias;
    uint32_t identity; /* enum trod_sample_identity */
    uint32_t ageing;   /* enum trod_sample_ageing */
    uint64_t period;
    double threshold; /* 0: none */
    uint64_t seed;    /* where has_seed is */
    bool has_seed;
    bool never; /* nothing is ever a start */
    bool costs;
    bool ones; /* what was sampled once has an entry, too */
};

void __trod_sampler_options_default(struct trod_sampler_options *out);

/* Change what the text says: "key=value,...", doc/production/online-library.md has the keys. An empty text
 * changes nothing.
 *
 * needs:  *out, as filled by the above or by an earlier call
 * fails:  with *why a sentence, and nothing changed
 */
bool __trod_sampler_options_parse(
    struct trod_sampler_options *out, const char *text, const char **why);

/* Whether there can be such a sampler. NULL, or why not. Who filled the options by hand asks. */
const char *__trod_sampler_options_check(const struct trod_sampler_options *o);

/* --- sampler_layout.c: what lies where ------------------------------------------------- */

/* A block, and the start that it may be. */
struct trod_sampler_block {
    uint32_t block;
    uint16_t ending;  /* 1 + place of a start whose sample's last block this will be;
                        0: none */
    uint16_t other;   /* start: another one that ends at the same place, as above */
    uint16_t length;  /* start */
    uint16_t nraised; /* start: how often f had been raised */
    uint32_t cost;
};

/* In private memory, zeros at first. All its arrays lie behind it. */
struct trod_sampler {
    uint64_t at; /* blocks so far, 1 at first: the next is in ring[at & mask] */
    struct trod_sampler_block *ring;
    uint32_t mask;
    uint32_t npending;

    struct trod_format_sample *shared;
    struct trod_format_sampled *entry;
    struct trod_format_chunk *chunk;
    uint32_t *index;    /* tag << 16 | 1 + number of an entry; 0: none */
    uint64_t *likely;   /* that a length is the i-th or one before it, of 2^64 */
    uint16_t *length;   /* the i-th that may be */
    uint32_t *row;      /* the blocks of a sample, twice */
    uint64_t *once;     /* the first half of the hash; 0: none */
    uint16_t *log;      /* of a window: entries */
    uint32_t *nthinned; /* of a window: of each entry, while thinning */
    uint32_t nindex, index_used, nlength;
    uint32_t nonce, most_once; /* places, and how many of them may be taken */
    uint32_t nlog, log_first, log_used;
    uint32_t shortest, level, once_used;
    uint32_t all_entries, all_chunks;
    uint32_t free_entry, free_chunk; /* 0: none; an entry is 1 + its number */
    uint32_t nentry, nchunk; /* used so far, chunk 0 among them; the free ones too */
    uint32_t identity;
    uint16_t nraised;
    bool raised, never, costs;

    uint64_t begun;     /* where the last start is */
    uint64_t random[4]; /* xoshiro256** */
    uint64_t kept;      /* samples, repeats counted */
    double least_f;
    uint64_t most;
    uint64_t period, due; /* ageing: samples until it is time */
    uint64_t keep;        /* 1 / grow, of 2^64 */
    double per_gap;       /* -1 / ln(1 - 1/f) */
    double per_thin; /* the same of what is kept or what is not, the rarer of both */
    double f, grow;

    /* Told of each sample that is counted, if anybody wants to know. */
    void (*counted)(struct trod_sampler *s, struct trod_format_sampled *entry);
    void *context;
};

struct trod_sampler_layout {
    uint32_t nentry, nchunk, nindex, nonce, nring, nlength, nlog;
    size_t shared; /* with the head of a section before it: a multiple of a page */
    size_t private_size;
    size_t ring, once, index, likely, length, row, log, nthinned; /* in private */
};

/* As much as fits. False if not even a handful of entries does. */
bool __trod_sampler_layout(
    struct trod_sampler_layout *out, const struct trod_sampler_options *o);

/* Bytes. The shared part is such that with the 64 bytes of a section's head it is a multiple of
 * TROD_FORMAT_PAGE; head, shared and private are no more than o->memory.
 *
 * needs:  options that were checked
 */
size_t __trod_sampler_shared_size(const struct trod_sampler_options *o);
size_t __trod_sampler_private_size(const struct trod_sampler_options *o);

/* --- sampler_draw.c: chance -------------------------------------------------------------- */

void __trod_sampler_seed(struct trod_sampler *s, uint64_t seed);
uint64_t __trod_sampler_random(struct trod_sampler *s);
/* Of a normal number above 0, to 1e-15 of its size. */
double __trod_sampler_ln(double x);
/* -1 / ln(1 - 1/f): a geometric draw is 1 + the whole part of this times an exponential one. */
double __trod_sampler_per(double f);
/* Of count samples, how many are left when each is kept with probability 1 / grow. */
uint64_t __trod_sampler_thin(struct trod_sampler *s, uint64_t count);
/* Whether a sample is still kept when it was thinned that many times. */
bool __trod_sampler_keeps(struct trod_sampler *s, uint32_t times);
uint32_t __trod_sampler_draw_length(struct trod_sampler *s);

/* At least 1: that many blocks from now is the next start. Geometric at the f in force; blocks that
 * do not run may be counted in, if their starts are not begun.
 */
uint64_t __trod_sampler_gap(struct trod_sampler *s);

/* --- sampler_text.c: which subpath it is ------------------------------------------------- */

/* Where the least of the rotations of a row begins. cost: O(n) */
uint32_t __trod_sampler_least(const uint32_t *row, uint32_t n);
void __trod_sampler_hash(uint64_t out[2], const uint32_t *row, uint32_t n);
/* Bring the n blocks at s->row to the order that is stored, and hash them: where they begin. */
const uint32_t *__trod_sampler_identify(
    struct trod_sampler *s, uint32_t n, uint64_t id[2]);
/* Write them to free chunks. False if there are too few, and nothing was taken. */
bool __trod_sampler_write(struct trod_sampler *s, struct trod_format_sampled *entry,
    const uint32_t *row, uint32_t n);

/* Free the chunks of an entry. */
void __trod_sampler_erase(
    struct trod_sampler *s, const struct trod_format_sampled *entry);

/* --- sampler.c: the machine ---------------------------------------------------------------- */

/* needs:  both zeros, of the sizes above; private aligned to 8 bytes, shared too */
void __trod_sampler_open(struct trod_sampler *s, struct trod_format_sample *shared,
    const struct trod_sampler_options *o, uint64_t seed, uint32_t thread);

/* Another thread goes on with it: what is pending is dropped. */
void __trod_sampler_adopt(struct trod_sampler *s, uint32_t thread);

/* The block that is added next is a start. cost: about 60 instructions */
void __trod_sampler_begin(struct trod_sampler *s);

/* The samples that end with the block just added. */
void __trod_sampler_end(struct trod_sampler *s, uint32_t place);

/* A block began. Whether samples are pending afterwards. cost is from 1 to 255.
 *
 * cost:   a dozen instructions unless a sample ends
 */
static inline bool __trod_sampler_add(
    struct trod_sampler *s, uint32_t block, uint32_t cost)
{
    uint32_t place = (uint32_t)s->at & s->mask;

    s->ring[place].block = block;
    s->ring[place].cost = cost;
    s->at++;
    if (s->ring[place].ending)
        __trod_sampler_end(s, place);
    return s->npending != 0;
}

/* Blocks were missed: drop what is pending, and count it. */
void __trod_sampler_break(struct trod_sampler *s);

/* Whether f was raised since this was asked last: gaps drawn before are to be drawn anew, from the
 * next block on.
 */
static inline bool __trod_sampler_raised(struct trod_sampler *s)
{
    bool raised = s->raised;

    s->raised = false;
    return raised;
}

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
