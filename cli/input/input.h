/* input: files that commands read: profiles, maps, path sets, sources.
 *
 * Memory: in the arena of the command, unless a parameter says otherwise.
 */
#ifndef TROD_CLI_INPUT_H
#define TROD_CLI_INPUT_H

#include <time.h>

#include "cli.h"
#include "file/file.h"

/* --- in.c: files ------------------------------------------------------------------ */

/* Read a whole file, or standard input for "-".
 *
 * fills:  *text, at its start, with the name that messages use
 * fails:  TROD_E_SYSTEM
 */
bool cli_in_read(struct cli *cli, struct trod_text *text, const char *path);

/* Read a text section by section: each with its first word, or "" if there is none. Memory
 * allocated meanwhile is released. heads: valid first words, for a message.
 */
bool cli_in_sections(struct cli *cli, const char *path,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads);

/* The same for a text in memory. */
bool cli_text_sections(struct cli *cli, struct trod_text *text,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads);

/* The same for bytes that may not be text, in the caller's arena. */
struct cli_bytes {
    const char *name, *bytes;
    size_t length;
    const char
        *again; /* the same a moment later, for a profile that may change; or NULL */
    size_t nagain;
    const struct trod_extent *data; /* ranges outside of holes */
    uint32_t ndata;
    struct trod_arena *mem;
    bool in_pieces; /* a file that is not read yet: there are no bytes */
    struct trod_file_pieces pieces;
};
bool cli_in_bytes(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem);

/* The same for what may be a profile: a file with one, in its binary form, stays open until cli_in_close, for
 * cli_profiles_take to read it in pieces.
 */
bool cli_in_open(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem);
void cli_in_close(const struct cli_bytes *in);
/* It cannot be read, with this errno. */
bool cli_in_fail(struct cli *cli, const struct cli_bytes *in, int error);

/* --- folders.c: folders as input ---------------------------------- */

bool cli_is_folder(const char *path);
bool cli_ends(const char *name, const char *suffix); /* with something before it */

/* Add the files in and below a folder with this suffix; then sort all.
 *
 * fails:  TROD_E_SYSTEM
 */
bool cli_folder_add(
    struct cli_list *out, struct cli *cli, const char *folder, const char *suffix);

/* Expand folders to the *.trod files in and below them. out may be files.
 *
 * fails:  TROD_E_INPUT if a folder has none; TROD_E_SYSTEM
 */
bool cli_profiles_list(
    struct cli_list *out, struct cli *cli, const struct cli_list *files);

/* --- profiles_in.c: files with profiles ----------------------------------------------- */

/* The profiles of one file: one if it is binary, at least one if it is text. */
struct cli_profiles {
    const char *name;
    struct trod_profile *profile;
    uint32_t count, room;
    bool text;
    struct trod_profile_health health; /* if not text */
};

/* fails:  TROD_E_SYSTEM; TROD_E_INPUT when the file is not a profile; damaged files are
 *         read as far as possible
 */
bool cli_profiles_read(struct cli_profiles *out, struct cli *cli, const char *path,
    struct trod_arena *mem);

/* The same for bytes in memory, or an open file. */
bool cli_profiles_take(
    struct cli_profiles *out, struct cli *cli, const struct cli_bytes *in);

/* If there are several files, those that are not profiles are skipped with a note, and the result has their number. It is an
 * error if it is the only file, cannot be opened, or with --strict.
 *
 *     struct cli_skips skips = {.of = files->count};
 *     for each file: if (!read(...) && !cli_skips_take(&skips, cli)) return false;
 *     if (!cli_skips_end(&skips, cli)) return false;
 *
 * cli_skips_end fails with TROD_E_INPUT if all were skipped.
 */
bool cli_skips_take(struct cli_skips *skips, struct cli *cli);
bool cli_skips_end(const struct cli_skips *skips, struct cli *cli);
/* A profile with only a note of the number of skipped files, to be merged with the others; empty if there were none. */
const struct trod_profile *cli_skips_noted(struct cli *cli, struct trod_arena *mem);
/* The same as a member of the open object. */
void cli_skips_json(struct cli *cli);

/* --- mapped.c: profiles of running processes ------------------------------------------------ */

/* Add the profiles that a process has mapped, also those without a name; if there are none, the one that would have its
 * default name.
 *
 * fails:  TROD_E_SYSTEM when the process cannot be looked at
 */
bool cli_process_profiles(struct cli_list *out, struct cli *cli, uint64_t pid);

/* Has a process mapped the file with this number? Also false if it cannot be looked at. */
bool cli_process_has_mapped(struct cli *cli, uint64_t pid, uint64_t inode);

/* --- profile_sum.c: the sum of profiles, file by file --------------------------------------- */

/* Memory grows with the size of the sum, not with the number of profiles. */
struct cli_sum {
    struct trod_arena mem[2]; /* the sum so far lives in one of them */
    int now;
    struct trod_profile sum;
    struct trod_arena batch_mem; /* of profiles that were read and not yet added */
    const struct trod_profile **batch;
    uint32_t nbatch, room;
    struct trod_profile_merge_options options;
};
void cli_sum_begin(struct cli_sum *sum, struct cli *cli, bool keep_runs);
/* All profiles of a file. look: may refuse them */
bool cli_sum_add(struct cli_sum *sum, struct cli *cli, const char *path,
    bool (*look)(struct cli *cli, const struct cli_profiles *in));
/* The same for profiles in sum->batch_mem. */
bool cli_sum_take(struct cli_sum *sum, struct cli *cli, const struct cli_profiles *in);
/* The sum, with a note if files were skipped, in the command's arena. */
bool cli_sum_end(struct trod_profile *out, struct cli_sum *sum, struct cli *cli);
/* Free everything; call in any case. */
void cli_sum_drop(struct cli_sum *sum);

/* The sum of all profiles of some files, or of standard input. */
bool cli_profiles_sum(
    struct trod_profile *out, struct cli *cli, const struct cli_list *files);

/* One profile as output: packed, or with --text as text. Bytes are not written to a terminal, which is checked before any work
 * is done.
 */
bool cli_profile_is_asked(struct cli *cli);
bool cli_profile_write(struct cli *cli, const struct trod_profile *profile);

/* Call fn for every file named, or for standard input. */
bool cli_profiles_each(struct cli *cli,
    bool (*fn)(struct cli *cli, const char *path, void *ctx), void *ctx);

/* Open the JSON object of the output, with an array of this name. */
void cli_profiles_open_json(struct cli *cli, const char *array);
void cli_profiles_close_json(struct cli *cli);

/* --- pathsets_in.c: files with profiles or path lists -------------------------------------- */

struct cli_chosen {
    const struct trod_profile **profile;
    uint32_t nprofile; /* 0 or 1: the profiles of all files are added, run by run */
    struct trod_profile sum; /* of all, if requested */
    struct trod_list list;   /* union of the lists */
    uint32_t nlist;
};

/* All files named, each a profile or a list. */
bool cli_chosen_read(
    struct cli_chosen *out, struct cli *cli, const struct cli_list *files);

/* The maps of the profiles, or those named; fills chosen->sum. */
bool cli_chosen_maps(struct trod_map *out, struct cli *cli, struct cli_chosen *chosen);

/* What a profile lacks, and why: functions abandoned, not counted at all, and
 * its notes. As comments, or as members of the open object; or as notes.
 */
void cli_chosen_remarks(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);
void cli_chosen_notes(struct cli *cli, const struct cli_chosen *chosen);

/* The union of all paths that ran and all listed paths. */
bool cli_chosen_list(struct trod_list *out, struct cli *cli,
    const struct cli_chosen *chosen, const struct trod_map *map);

/* Print a note for each function of a list with one of these fates, a bit set; returns their number. */
size_t cli_chosen_complain(struct cli *cli, const struct trod_list *list,
    const struct trod_list_match *match, unsigned fates);

/* Write the output, and exit with status 1. */
bool cli_no(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* --- maps_in.c: maps ---------------------------------- */

/* The maps of --binary; or those of a profile's modules, from the folders of --maps, from the
 * binaries, or from files beside them. If one is missing, or was rebuilt, names are missing, and there is a
 * note.
 */
bool cli_maps_read(
    struct cli *cli, struct trod_map *out, const struct trod_profile *profile);

/* The same, as text and parsed. */
bool cli_maps_text(
    struct cli *cli, struct trod_string *out, const struct trod_profile *profile);
bool cli_maps_parse(
    struct cli *cli, struct trod_map *out, const struct trod_string *text);

/* --- unfinished.c: flow of unfinished paths -------------------------------------------------- */

/* trod_flows_add_unfinished() with the stacks of the runs.
 *
 * needs:  flows that were just built of this profile
 */
void cli_add_unfinished(
    struct cli *cli, struct trod_flows *flows, const struct trod_profile *profile);

/* --- places.c: directories of units ------------------------------------------------------ */

/* Find a directory that a map names without its parents, in and above some folders; unchanged if it is not found.
 * file: of the unit
 */
const char *cli_place_find(struct cli *cli, const char *directory, const char *file,
    const struct cli_list *around);
void cli_place_add(struct cli *cli, struct cli_list *around, const char *file);
/* Find all directories of a map, near the working directory and the programs of a profile (or NULL). */
void cli_places_find(
    struct cli *cli, struct trod_map *map, const struct trod_profile *profile);

/* --- sources_in.c: text of source files -------------------------------------------------------------- */

struct cli_source {
    const char *name;  /* as in the map */
    const char *path;  /* where it was found; NULL: nowhere */
    const char **line; /* [nline], without their ends; NULL: see why */
    uint32_t nline;
    time_t changed;
    const char *why; /* reason why there are no lines: the file, and the error */
};

/* The text of a file of a map, compiled in a directory (NULL: unknown). It is searched in the folders of --source: by
 * its whole name, then without its first folder, and so on; then where it was compiled, and in the folders above; then in the
 * working directory. The file found, with links resolved, must be a regular file below a folder of --source, the working
 * directory or its git checkout, because maps are untrusted. Returning false is not a failure: out->why has the reason
 * why there are no lines, and cli->err is unchanged.
 */
bool cli_source_read(
    struct cli_source *out, struct cli *cli, const char *name, const char *directory);

/* The displayed path of a source: relative to the working directory, if the source is below a folder from which sources may be
 * read.
 */
const char *cli_source_heading(struct cli *cli, const char *path);

/* The latest modification time of the programs of a profile; 0: unknown. A source that was changed
 * later may not be what ran.
 */
time_t cli_sources_built(const struct trod_profile *profile);

/* --- condition_text.c: text of conditions --------------------------------------------------------- */

/* Sources of conditions. */
struct cli_text {
    struct cli *cli;
    const struct trod_map *map;
    time_t built;
    const struct trod_source_text **source; /* by name; NULL: it cannot be read */
    uint32_t nsource, room;
    struct trod_names names;
    uint32_t nunreadable, nchanged;
    bool quiet; /* do not report unreadable files */
    struct trod_condition_source source_text;
};
/* profile: NULL if the build time of the program is unknown */
const struct trod_condition_source *cli_text_open(struct cli_text *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map);

/* --- code_shown.c: which code is shown ---------------------------------------------------------- */

/* Does a file match the GLOB of an option, by its name or its whole path? */
bool cli_file_matches(const char *glob, const char *file);

/* Hide functions of files that --file and --directory do not name. cli_maps_read() does so.
 *
 * fails:  TROD_E_INPUT if no selected function remains
 */
bool cli_code_filter(struct cli *cli, struct trod_map *map) TROD_MUST_CHECK;

/* Without these and --all-code: hide functions of system headers and libraries. */
void cli_code_choose(struct cli *cli, struct trod_map *map);

/* Drop programs and libraries that --program does not name, and profiles of nothing else. cli_profiles_take() does so. */
void cli_programs_filter(
    struct cli_profiles *profiles, struct cli *cli, struct trod_arena *mem);

/* When all were read: was one of them named? cli_maps_read() asks.
 *
 * fails:  TROD_E_INPUT
 */
bool cli_programs_check(struct cli *cli) TROD_MUST_CHECK;

/* --- other_runs.c --------------------------------------------------------------------------------------- */

/* Print a note for each profile with others of the same TROD_OUT beside it. */
void cli_other_runs(struct cli *cli, const struct cli_list *files);

/* --- own_file.c: files of trod ---------------------------------------------- */

/* Find a file of this name beside the program, or where `make install` puts it. */
bool cli_own_file(struct cli *cli, char **out, const char *name);
/* The same where it may be missing: NULL. */
char *cli_find_own(struct cli *cli, const char *name);

#endif
