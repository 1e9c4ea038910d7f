/* sampler_feed: one sampler and one trace for the tests of a program.
 *
 *     open_feed, make_trace -> feed, trace -> close_feed, which checks the sampler's invariants
 */
#ifndef KIT_SAMPLER_FEED_H
#define KIT_SAMPLER_FEED_H

#include "kit/sampler_harness.h"

extern struct sampler_harness feed;

/* Open `feed` with these options, or fail the test. */
void open_feed(const char *options, uint64_t seed);

/* Check it, and close it. */
void close_feed(void);

enum { TRACE = 4000 };
extern uint32_t trace[TRACE];

/* A number below bound, for traces: from another generator than the sampler's. */
uint32_t draw(uint32_t bound);

/* Fill `trace` with a loop whose turns are more or less likely, and now and then another block. */
void make_trace(uint64_t seed);

/* How often a block sequence occurs in `trace` from this position on. */
uint32_t count_in_trace(const uint32_t *row, uint32_t n, uint32_t from);

/* The rotation of a block sequence that begins with its block `first`. */
void rotate_to(uint32_t *out, const uint32_t *row, uint32_t n, uint32_t first);

/* Continue `draw` from a seed. */
void draw_from(uint64_t seed);

#endif
