/* online_instance: an instance of the online library, for the files that it is made of. */
#ifndef TROD_ONLINE_INSTANCE_H
#define TROD_ONLINE_INSTANCE_H

#include "trod/online.h"

#include "online/sampler.h"
#include "online/sampler_budget.h"

/* The parts of a file (online_profile.c), or NULL. */
struct trod_online_parts {
    uint8_t *run, *sample, *module, *note, *end; /* heads of sections */
    size_t run_size, sample_size, module_size, file_size;
    uint32_t room;   /* functions */
    uint64_t nblock; /* numbers in use */
};

struct instance {
    struct trod_online head; /* must be first */
    uint64_t left; /* blocks before the next start, while samples are pending */
    struct trod_sampler *sampler;
    double weights; /* sum over all lengths */
    double needed;  /* 2 ln(1 / delta), for the confidence of the threshold */
    uint64_t most;  /* blocks of the path that is expanded, otherwise 1 */
    struct trod_sampler_budget budget;
    struct trod_online_parts parts;
    struct trod_online_options options;
};

static inline struct instance *instance_of(struct trod_online *o)
{
    return (struct instance *)o;
}

#pragma GCC visibility push(hidden)

/* Find the place of each part; shared: bytes of the sampler's part, whose place is then after the head at sample.
 *
 * fails:  *why, if a path is missing
 */
bool __trod_online_lay_out(struct trod_online_parts *out,
    const struct trod_online_profile *profile, size_t shared, const char **why);

/* Make the file readable, once the sampler is open. */
void __trod_online_publish(
    const struct trod_online_parts *parts, const struct trod_online_profile *profile);

/* Add a note that checks alone take more than the budget. */
void __trod_online_note_budget(const struct trod_online_parts *parts);

#pragma GCC visibility pop

#endif
