/* reader: what the files that read profiles, and the one that writes them, share. Not part
 * of the interface.
 *
 *     read.c         header and chain of sections, damaged or not
 *     read_source.c  where bytes come from
 *     read_lines.c   RUN, END, NOTE, SHARED
 *     read_module.c  MODULE
 *     read_sums.c    COUNTS
 *     read_bundles.c BUNDLES
 *     read_paths.c   COUNTS, PATHS
 *     read_steps.c   STEPS, PART
 *     read_samples.c SAMPLE
 *     read_bursts.c  BURST, REFS
 *     read_control.c CONTROL
 */
#ifndef TROD_READER_H
#define TROD_READER_H

#include "base/bytes.h"
#include "profile/profile.h"

#include <string.h>

/* A section whose head is sound. */
struct section {
    size_t at;   /* offset of its head */
    size_t size; /* bytes present in the file */
    struct trod_format_head head;
    const uint8_t *payload; /* NULL: it stays in the file */
    size_t npayload;        /* bytes present in the file */
    bool cut;               /* the file ends before the section does */
};

/* COUNTS and PATHS wait until all modules are known. */
struct counted {
    struct section section;
    struct counted *next;    /* of the same module */
    bool again;              /* a duplicate of module and thread */
    struct trod_extent data; /* counters, found last, that may not be 0 */
};

/* Some counters of an image that are not 0, in all threads together: ascending. */
struct sums {
    uint64_t first;
    uint32_t count;
    const uint16_t *place; /* distance from the first */
    const uint64_t *sum;
};

/* A stop cell of a thread that is not 0. */
struct stop {
    uint64_t counter, cell;
};

/* A module as it is in the file. */
struct image {
    uint32_t number;
    uint32_t module; /* in the builder */
    uint32_t nfunction;
    uint64_t ncounter;
    const uint64_t *counter_of_function; /* UINT64_MAX: unknown */
    const struct trod_profile_function *function;
    const uint64_t *const *id_of_slot; /* of a function; NULL: all paths are counted */
    const uint64_t *nslot_of_function;
    const bool *stops_of_function; /* a stop cell follows begun */
    uint64_t hashed,
        nhashed; /* first counter and number of hash table entries; 0: none */
    struct counted *counts;
    struct sums *sums; /* ascending */
    size_t nsums, room_sums;
    struct stop *stop; /* by counter */
    size_t nstop, room_stop;
    unsigned flags; /* TROD_MODULE_* */
    bool has_bundles;
    /* What bundles add to counters, by ascending counter, each once. */
    struct extra {
        uint64_t counter, count;
    } *extra;
    size_t nextra;
};

struct reader {
    const struct trod_source *source;
    const uint8_t *bytes; /* all of it, if it is in memory; otherwise NULL */
    size_t length;
    uint8_t *window; /* of the source, if it is not in memory */
    size_t room_window;
    struct trod_extent in_window;
    const struct trod_profile_read_options *options;
    struct trod_arena *mem;
    struct trod_profile_builder builder;
    struct trod_profile_health health;
    uint64_t expanded; /* bytes that sections were decompressed to */
    bool too_large;    /* some would have been more than options->most */
    bool pinned;       /* sections are in the window */
    struct image *image;
    uint32_t nimage, room_image;
    struct counted **counted;
    uint32_t ncounted, room_counted;
    struct section *bundles; /* BUNDLES */
    uint32_t nbundles, room_bundles;
    struct section *recorded; /* STEPS and PART */
    uint32_t nrecorded, room_recorded;
    struct section *sampled; /* SAMPLE */
    uint32_t nsampled, room_sampled;
    uint32_t nburst;                /* BURST sections */
    struct trod_profile_refs *refs; /* health.nrefs */
    uint32_t room_refs;
    uint64_t npart;  /* PART sections */
    uint64_t ngiven; /* dropped steps according to STEPS */
    /* Fields of the run of a live file. */
    struct trod_profile_field *field;
    uint32_t nfield, room_field;
    uint64_t ncounts;    /* COUNTS sections */
    bool has_private;    /* a note says that counts are in memory */
    bool has_unrecorded; /* a note says that untested paths could not be recorded */
    bool has_given;      /* a note says that steps could not be recorded */
    uint64_t nweeded;    /* counts of chosen paths that were reported as untested */
    bool has_run;        /* a RUN section was there */
    struct section end;  /* of a live file that ended */
    struct section
        shared; /* of a live file of several processes; otherwise without payload */
    struct section control; /* of a live file; otherwise without payload */
    uint32_t chain;         /* of the sound heads so far */
};

/* The chain of heads up to and with one more: doc/format.md, END. */
static inline uint32_t trod_profile_chain(uint32_t chain, const uint8_t *head)
{
    uint8_t link[8];

    trod_store32(link, chain);
    memcpy(link + 4, head + sizeof(struct trod_format_head) - 4, 4);
    return trod_crc32(link, sizeof link);
}

/* Note a loss. */
void trod_profile_lose(struct reader *r, size_t at, const char *format, ...)
    TROD_FORMAT(3, 4);

/* The name of a type of sections; NULL if it is unknown. */
const char *trod_profile_section_name(uint32_t type);

/* --- read_source.c ------------------------------------------------------------------ */

/* A source of bytes in memory. */
struct memory {
    const uint8_t *bytes;
    size_t length;
    const struct trod_extent *data; /* NULL: all of it */
    uint32_t ndata;
};
void trod_profile_memory(struct trod_source *out, struct memory *memory);

/* The number of bytes that can be looked at together; not less than a head has. */
size_t trod_profile_window(const struct reader *r);
/* Bytes of the file, until the next look.
 *
 * needs:  they are in the file, and not more than a window
 */
const uint8_t *trod_profile_look(struct reader *r, size_t at, size_t n);
/* The same, without reading on after them. */
const uint8_t *trod_profile_look_only(struct reader *r, size_t at, size_t n);
/* Bytes of the file that stay. */
const uint8_t *trod_profile_load(struct reader *r, size_t at, size_t n);
/* The same, as they are now. */
const uint8_t *trod_profile_load_anew(struct reader *r, size_t at, size_t n);
/* Are all bytes in this range 0? */
bool trod_profile_are_zero(struct reader *r, size_t from, size_t to);

/* --- read_lines.c ------------------------------------------------------------------- */

void trod_profile_read_run(struct reader *r, const struct section *s);
void trod_profile_read_end(struct reader *r, const struct section *s);
void trod_profile_read_notes(struct reader *r, const struct section *s);
/* SHARED: also kept until then. */
void trod_profile_read_shared(struct reader *r, const struct section *s);
/* Build the run of a live file, at the end of the file. */
void trod_profile_finish_run(struct reader *r);

/* --- read_module.c ------------------------------------------------------------------ */

void trod_profile_read_module(struct reader *r, const struct section *s);

/* --- read_paths.c ------------------------------------------------------------------- */

/* COUNTS or PATHS: kept until all modules are known, and then read. */
void trod_profile_defer(struct reader *r, const struct section *s);
void trod_profile_read_counted(struct reader *r);
/* A module by its number in the file; NULL if it is not there. */
struct image *trod_profile_image_of(struct reader *r, uint32_t number);

/* --- read_bundles.c ----------------------------------------------------------------- */

/* BUNDLES: kept until all COUNTS are known; then the image's extra is filled. */
void trod_profile_defer_bundles(struct reader *r, const struct section *s);
void trod_profile_read_bundles(struct reader *r);

/* --- read_sums.c -------------------------------------------------------------------- */

/* Add up the counters of an image's COUNTS sections. Each is read once.
 *
 * fills:  image->sums, image->stop
 * cost:   O(bytes outside of holes)
 */
void trod_profile_sum_counters(struct reader *r, struct image *image);

/* Counters of an image, in all threads together, that are not 0. */
struct sum_place {
    size_t sums;
    uint32_t i;
};
/* The first one at or after a counter. */
struct sum_place trod_profile_find_sum(const struct image *image, uint64_t counter);
/* The sum there, and go on to the next; false if there is none up to the last counter. */
bool trod_profile_next_sum(uint64_t *counter, uint64_t *sum, struct sum_place *place,
    const struct image *image, uint64_t last);
/* A counter's sum. */
uint64_t trod_profile_counter_sum(const struct image *image, uint64_t counter);

/* The next counters, from one on and below an end, that may not be 0 in a thread; from is UINT64_MAX if there are none.
 * What was found is kept: counters ascend from call to call, or c->data is cleared first.
 */
struct trod_extent trod_profile_find_counters(
    struct reader *r, struct counted *c, uint64_t counter, uint64_t end);
/* Words of a COUNTS section, until the next look.
 *
 * needs:  they are in the section, and not more than a window
 */
const uint8_t *trod_profile_look_at_counters(
    struct reader *r, const struct section *s, uint64_t counter, size_t n);

/* --- read_steps.c ------------------------------------------------------------------- */

/* Numbers of steps and blocks in the file: counters in a live file, otherwise terminals. */
struct places {
    struct place {
        uint64_t counter, first, npath; /* of a function; its first terminal */
    } *place;                           /* by counter */
    uint32_t nplace;
    struct trod_profile_terminals terminals;
    bool packed;
};
void trod_profile_list_places(
    struct places *out, struct reader *r, const struct image *image);
/* The terminal of a number; false if there is none. */
bool trod_profile_find_terminal(
    uint64_t *out, const struct places *places, uint64_t number);

/* STEPS or PART: likewise. */
void trod_profile_defer_steps(struct reader *r, const struct section *s);
void trod_profile_read_steps(struct reader *r);

/* --- read_samples.c ----------------------------------------------------------------- */

/* SAMPLE: likewise. */
void trod_profile_defer_samples(struct reader *r, const struct section *s);
void trod_profile_read_samples(struct reader *r);

/* --- read_bursts.c ------------------------------------------------------------------ */

void trod_profile_read_burst(struct reader *r, const struct section *s);
/* Recorded in health, for other readers. */
void trod_profile_read_refs(struct reader *r, const struct section *s);
/* For readers of sections, when all modules are known. */
void trod_profile_list_images(struct reader *r);

/* --- read_control.c ----------------------------------------------------------------- */

/* Kept until all bursts are known. */
void trod_profile_read_control(struct reader *r, const struct section *s);
/* Rates were changed: the greatest weights of each type are those that were ever in force. */
void trod_profile_widen_weights(struct reader *r);

#endif
