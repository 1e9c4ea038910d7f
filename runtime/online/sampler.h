/* sampler: a bounded-memory sample of block sequences.
 *
 *     options (text) -> sampler -> struct trod_format_sample, which readers estimate from
 *
 * A concise sample after Gibbons and Matias ("New Sampling-Based Summary Statistics for Improving
 * Approximate Query Answers") of subpaths after David Oren ("Online Subpath Profiling"): every
 * block is a start with probability 1/f, independently of all others; the length is drawn; equal
 * subpaths are one entry with a count. When there is no more room, only one of so many samples of subpaths that are not
 * in the sample is taken, as in their counting samples; when that is not enough, f is raised, and every existing
 * sample is kept with the probability by which new ones have become rarer. A budget (sampler_budget.h) raises and lowers f.
 *
 * Samples may overlap: a ring has the last blocks, and a sample is a position in it. So no start is
 * ever refused, and estimates are unbiased at any
 * moment: count * f / probability of the length. f begins low, and is raised as samples come in: a short run gets samples, too,
 * and a long one more of them at every time, but not in proportion.
 *
 * Glossary
 *   f         the sampling period: one of f blocks is a start
 *   gap       number of blocks up to and including the next start
 *   level     the index of an f, among TROD_SAMPLE_LEVELS that are used in turn: the next is f * grow. Each entry and
 *             hash has one. The current one is the lowest in use; above it are those from before f was lowered, until
 *             it is raised to them again: then samples of the same subpath become one entry
 *   once      a subpath that was sampled once may be kept as a hash only. It gets an entry
 *             when it is sampled again. Most subpaths are sampled once, and are not hot
 *   hold      one of so many samples of a subpath that is not in the sample takes it in, with a count of hold: as many
 *             samples were passed by on average, itself included. From then on each sample counts 1. So counts stay
 *             unbiased, and what is hot loses next to nothing when memory is full of what is not
 *   pending   begun, but not complete. Such samples record how often f had been raised when
 *             they began. At their end they are thinned if it was raised since, and counted at the level
 *             of their beginning if it was lowered
 *   thin      keep each sample with probability 1 / grow
 *   entry, chunk, shared: as in trod/format.h. Free entries are linked through their field
 *             chunk, free chunks through next; readers ignore both
 *   private   the sampler itself: index, ring and log follow the struct in memory
 *
 * Memory: the caller provides two pieces, together no more than the option allows. The sampler never
 * allocates. No system call, no libc, no libm; it uses floating-point
 * registers and less than a kilobyte of stack.
 *
 * Another writer of the shared part, which may be a file, can only spoil the sample: numbers read from it
 * are checked before they are used as indices.
 *
 * Only one thread at a time may use a sampler, and no signal handler in between: the caller
 * ensures this. Readers of the shared part need no lock.
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
    double f;         /* initial value */
    double least_f;   /* lower limit of f, once enough samples are kept for a
                         first look */
    bool has_least_f; /* it was set explicitly, and does not default to f */
    double grow;      /* factor by which f is raised */
    uint64_t most;    /* samples kept, including repeats, before f is raised although
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
    uint64_t seed;    /* if has_seed */
    bool has_seed;
    bool never; /* no block is ever a start */
    bool costs;
    bool ones; /* subpaths that were sampled once have entries, too */
    bool has_f, has_most;
    uint32_t hold;   /* the most that it may become: 1, 2, 4 or 8 */
    uint32_t budget; /* in millionths; 0: none */
};

void __trod_sampler_options_default(struct trod_sampler_options *out);

/* Apply a text of options: "key=value,...", doc/production/online-library.md has the keys. An empty text
 * changes nothing.
 *
 * needs:  *out, as filled by the above or by an earlier call
 * fails:  with *why the reason, and nothing changed
 */
bool __trod_sampler_options_parse(
    struct trod_sampler_options *out, const char *text, const char **why);

/* Check options that were filled by hand. NULL if they are valid, otherwise the reason. */
const char *__trod_sampler_options_check(const struct trod_sampler_options *o);

/* --- sampler_layout.c: memory layout ------------------------------------------------- */

/* A block in the ring, and the sample that starts there, if any. */
struct trod_sampler_block {
    uint32_t block;
    uint16_t ending;  /* 1 + position of the start of a sample that ends here;
                        0: none */
    uint16_t other;   /* start: another sample that ends at the same block, as above */
    uint16_t length;  /* start */
    uint16_t nraised; /* start: how often f had been raised, less how often lowered */
    uint32_t cost;
};

/* In private memory, initially zeros. All its arrays follow it. */
struct trod_sampler {
    uint64_t at; /* blocks so far, plus 1: the next is ring[at & mask] */
    struct trod_sampler_block *ring;
    uint32_t mask;
    uint32_t npending;

    struct trod_format_sample *shared;
    struct trod_format_sampled *entry;
    struct trod_format_chunk *chunk;
    uint32_t *index;  /* tag << 16 | 1 + number of an entry; 0: none */
    uint64_t *likely; /* cumulative probabilities of lengths, times 2^64 */
    uint16_t *length; /* the i-th possible length */
    uint32_t *row;    /* the blocks of a sample, twice */
    uint64_t *
        once; /* the first half of the hash, its low bits replaced by the level; 0: none */
    uint16_t *log;      /* of a window: entries */
    uint32_t *nthinned; /* of a window: of each entry, while thinning */
    uint32_t nindex, index_used, nlength;
    uint32_t nonce, most_once; /* slots, and how many of them may be used */
    uint32_t nlog, log_first, log_used;
    uint32_t shortest, level, once_used;
    uint32_t above; /* levels above the current one that may be in use */
    double
        once_weight; /* of hashes, in units of the current level; only if there are levels above */
    uint32_t all_entries, all_chunks;
    uint32_t free_entry, free_chunk; /* 0: none; an entry is 1 + its number */
    uint32_t nentry, nchunk;         /* used so far, including chunk 0 and free ones */
    uint32_t identity;
    uint16_t nraised;
    bool raised; /* or lowered */
    bool
        mixed; /* when f was last raised, it came to a level that may have been in use */
    bool never, costs;

    uint64_t begun;     /* position of the last start */
    uint64_t random[4]; /* xoshiro256** */
    uint64_t kept;      /* samples, including repeats, and those that were passed by */
    double seen;        /* samples at the current f: what ran in units of it */
    double first_f, least_f;
    uint32_t hold, most_hold;
    double per_hold; /* as per_gap, of samples that are passed by */
    uint64_t most;
    uint64_t period, due; /* ageing: samples until it is due */
    uint64_t keep;        /* 1 / grow, times 2^64 */
    double per_gap;       /* -1 / ln(1 - 1/f) */
    double
        per_thin; /* the same for thinning: for kept or dropped samples, whichever are rarer */
    double f, grow;
    uint64_t rate; /* f, rounded down */

    /* Called for each sample that is counted; may be NULL. */
    void (*counted)(struct trod_sampler *s, struct trod_format_sampled *entry);
    void *context;
};

struct trod_sampler_layout {
    uint32_t nentry, nchunk, nindex, nonce, nring, nlength, nlog;
    size_t shared; /* plus the head of a section: a multiple of a page */
    size_t private_size;
    size_t ring, once, index, likely, length, row, log, nthinned; /* in private */
};

/* Lay out as many entries as fit. False if there is no room for a handful. */
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
/* Natural logarithm of a normal number above 0, with a relative error of 1e-15. */
double __trod_sampler_ln(double x);
/* -1 / ln(1 - 1/f): a geometric number is 1 + the integer part of this times an exponential one. */
double __trod_sampler_per(double f);
/* The number of samples that remain of count, if each is kept with probability 1 / grow. */
uint64_t __trod_sampler_thin(struct trod_sampler *s, uint64_t count);
/* The count of a subpath whose first sample was lost, when so many are left: it is taken in by one of these, or is not. */
uint64_t __trod_sampler_take_in(struct trod_sampler *s, uint64_t left);
/* Does a sample take in its subpath? *asked: the hold at which it did before; 0: none. */
bool __trod_sampler_admits(struct trod_sampler *s, uint32_t *asked);
/* Is a sample still kept after so many thinnings? */
bool __trod_sampler_keeps(struct trod_sampler *s, uint32_t times);
uint32_t __trod_sampler_draw_length(struct trod_sampler *s);

/* At least 1: the number of blocks up to the next start. Geometric with the current f. Blocks that
 * do not run may be included, if their starts are not begun.
 */
uint64_t __trod_sampler_gap(struct trod_sampler *s);

/* --- sampler_text.c: identity of subpaths ------------------------------------------------- */

/* Where the least rotation of a sequence begins. cost: O(n) */
uint32_t __trod_sampler_least(const uint32_t *row, uint32_t n);
void __trod_sampler_hash(uint64_t out[2], const uint32_t *row, uint32_t n);
/* Rotate the n blocks at s->row to their canonical order, and hash them. Returns their first block. */
const uint32_t *__trod_sampler_identify(
    struct trod_sampler *s, uint32_t n, uint64_t id[2]);
/* Write them to free chunks. False if there are too few; then none is used. */
bool __trod_sampler_write(struct trod_sampler *s, struct trod_format_sampled *entry,
    const uint32_t *row, uint32_t n);

/* Free the chunks of an entry. */
void __trod_sampler_erase(
    struct trod_sampler *s, const struct trod_format_sampled *entry);

/* --- sampler_table.c: what is kept, for the other files ------------------------------------ */

/* The count of an entry, limited to the possible maximum, so that loops over it terminate. */
static inline uint64_t __trod_sampler_count_of(
    const struct trod_sampler *s, uint32_t number)
{
    uint64_t count = s->entry[number].state & TROD_SAMPLE_COUNT;

    return count < s->most ? count : s->most;
}

/* One more sample of an entry. */
static inline void __trod_sampler_count_again(struct trod_format_sampled *entry)
{
    __atomic_store_n(&entry->state, entry->state + 1, __ATOMIC_RELEASE);
}

/* The slot of the index that has the entry, or the empty slot where it would go. */
uint32_t __trod_sampler_look_up(
    const struct trod_sampler *s, const uint64_t id[2], uint32_t level);
/* Is it among those sampled once? */
bool __trod_sampler_is_once(
    const struct trod_sampler *s, const uint64_t id[2], uint32_t level);
/* Count a subpath without an entry: either it is new among those sampled once, or this is its
 * second sample. False if there is no room.
 */
bool __trod_sampler_count_new(struct trod_sampler *s, const uint32_t *row, uint32_t n,
    const uint64_t id[2], uint32_t level);
/* Of an entry; 0 frees it, and the count of one sample may replace it by a hash. The index does not follow. */
void __trod_sampler_set_count(
    struct trod_sampler *s, uint32_t number, uint64_t count, uint32_t level);
void __trod_sampler_take_out(struct trod_sampler *s, uint32_t slot);
/* The index, anew. */
void __trod_sampler_rebuild(struct trod_sampler *s);
/* Keep some of the hashes, which may get other levels. */
void __trod_sampler_thin_once(struct trod_sampler *s,
    bool (*keeps)(struct trod_sampler *, uint64_t *key, uint32_t from), uint32_t from);
void __trod_sampler_weigh_once(struct trod_sampler *s);
void __trod_sampler_forget_once(struct trod_sampler *s);

/* --- sampler_rate.c: other rates ----------------------------------------------------------- */

void __trod_sampler_set_frequency(struct trod_sampler *s, uint32_t level, double f);
/* From now on hold is twice as high, and so it is as if it had always been. cost: O(entries) */
void __trod_sampler_hold(struct trod_sampler *s);
/* cost: O(entries), plus the cost of thinning their counts */
void __trod_sampler_raise(struct trod_sampler *s);
/* From now on f is at least this; samples are thinned accordingly. */
void __trod_sampler_slow(struct trod_sampler *s, double f);
/* Raise f, or lower it, but not below least_f, to about this. Not lower with a window, whose samples have one f. */
void __trod_sampler_aim(struct trod_sampler *s, double f);
/* As if nothing had been sampled, with this f. */
void __trod_sampler_restart(struct trod_sampler *s, double f, double least_f);
/* Halve all counts. */
void __trod_sampler_age(struct trod_sampler *s);
/* Drop the oldest sample of a full window. */
void __trod_sampler_forget_oldest(struct trod_sampler *s);

/* --- sampler.c: sampling ---------------------------------------------------------------- */

/* needs:  both zeros, of the sizes above; private aligned to 8 bytes, shared too */
void __trod_sampler_open(struct trod_sampler *s, struct trod_format_sample *shared,
    const struct trod_sampler_options *o, uint64_t seed, uint32_t thread);

/* Another thread continues with it: pending samples are dropped. */
void __trod_sampler_adopt(struct trod_sampler *s, uint32_t thread);

/* The block that is added next is a start, drawn when s->nraised was this. cost: about 60 instructions */
void __trod_sampler_begin_of(struct trod_sampler *s, uint16_t nraised);

static inline void __trod_sampler_begin(struct trod_sampler *s)
{
    __trod_sampler_begin_of(s, s->nraised);
}

/* The samples that end with the block just added. */
void __trod_sampler_end(struct trod_sampler *s, uint32_t place);

/* A block began. Returns whether samples are pending afterwards. cost is from 1 to 255.
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

/* Blocks were missed: drop pending samples, and count them. */
void __trod_sampler_break(struct trod_sampler *s);

/* Was f raised or lowered since the last call? Then gaps that were drawn before must be drawn again, from the
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
