/* sampled: what online and burst profiles hold.
 */
#ifndef TROD_CLI_SAMPLED_H
#define TROD_CLI_SAMPLED_H

#include "input/input.h"

/* --- bursts_in.c: what was counted in bursts ------------------------------------------------------ */

/* What a profile has of it, with names from maps and binaries. */
bool cli_bursts_build(struct trod_bursts *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map);

/* Is it the text form of that? */
bool cli_bursts_is_text(const struct cli_bytes *in);

/* Of all files, in the form asked for. */
bool cli_bursts_put(struct cli *cli, enum trod_bursts_kind kind);

/* --- streams_in.c: what was loaded and stored in bursts -------------------------------------------- */

/* A file's references, or streams that were found before. */
struct cli_streams {
    const char *name;
    bool found; /* it is streams, in their text form */
    struct trod_streams streams;
    size_t nrefs; /* one for each image, or section of a text */
    struct trod_stream_refs *refs;
};
bool cli_streams_read(struct cli_streams *out, struct cli *cli, const char *path);

/* How they are to be found; fails as one who was called wrongly. */
bool cli_streams_options(struct trod_stream_options *out, struct cli *cli);

/* All streams of a file: if it has several images, of the one with most references. */
bool cli_streams_find(
    struct trod_streams *out, struct cli_streams *in, struct cli *cli);

/* --- cmd_subpaths_exact.c: all subpaths of a trace, counted --------------------------------------- */

/* trod sample subpaths --exact */
bool cmd_subpaths_exact(struct cli *cli);

/* --- cmd_subpaths.c: hot subpaths ------------------------------------------------------------------ */

/* How these are to be reported; fails as one who was called wrongly. */
bool cli_online_options(struct trod_subpaths_options *out, struct cli *cli);

/* As text, or as an object in JSON: remarks of a profile, if there is one, behind. */
bool cli_subpaths_put(struct cli *cli, const struct trod_subpaths *subpaths,
    const struct trod_map *map, const struct trod_profile *profile);

/* Those that were sampled, in the form asked for. */
bool cli_subpaths_put_sampled(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);

#endif
