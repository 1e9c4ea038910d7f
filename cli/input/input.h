/* input: files that commands read: profiles, maps, path sets, sources.
 *
 * Memory: in the arena of the command, unless a parameter says otherwise.
 */
#ifndef TROD_CLI_INPUT_H
#define TROD_CLI_INPUT_H

#include <time.h>

#include "cli.h"

/* --- in.c: files ------------------------------------------------------------------ */

/* The whole of a file, or of standard input for "-".
 *
 * fills:  *text, at its start, with the name that messages use
 * fails:  TROD_E_SYSTEM
 */
bool cli_in_read(struct cli *cli, struct trod_text *text, const char *path);

/* Take a text section by section: each with the word it begins with, "" if that is none. What is
 * taken from the arena meanwhile does not stay. heads: how a section may begin, for a message.
 */
bool cli_in_sections(struct cli *cli, const char *path,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads);

/* The same of a text that has been read. */
bool cli_text_sections(struct cli *cli, struct trod_text *text,
    bool (*take)(struct cli *cli, const char *head, struct trod_text *text),
    const char *heads);

/* The same for what may not be text, in an arena of the caller's. */
struct cli_bytes {
    const char *name, *bytes;
    size_t length;
    const char
        *again; /* the same a moment later, of a profile that may change; or NULL */
    size_t nagain;
    const struct trod_extent *data; /* what is not in holes */
    uint32_t ndata;
    struct trod_arena *mem;
};
bool cli_in_bytes(
    struct cli *cli, struct cli_bytes *out, const char *path, struct trod_arena *mem);

/* --- folders.c: folders that stand for their files ---------------------------------- */

bool cli_is_folder(const char *path);
bool cli_ends(const char *name, const char *suffix); /* with something before it */

/* Add the files in and below a folder whose names end so; then sort all.
 *
 * fails:  TROD_E_SYSTEM
 */
bool cli_folder_add(
    struct cli_list *out, struct cli *cli, const char *folder, const char *suffix);

/* Files as they are named; a folder stands for the *.trod files in and below it. out may be files.
 *
 * fails:  TROD_E_INPUT if a folder has none; TROD_E_SYSTEM
 */
bool cli_profiles_list(
    struct cli_list *out, struct cli *cli, const struct cli_list *files);

/* --- profiles.c: files that hold profiles ----------------------------------------------- */

/* Those of one file: one if it is binary, any number but 0 if it is text. */
struct cli_profiles {
    const char *name;
    struct trod_profile *profile;
    uint32_t count, room;
    bool text;
    struct trod_profile_health health; /* if not text */
};

/* fails:  TROD_E_SYSTEM; TROD_E_INPUT when the file is not a profile; what is damaged is
 *         read as far as it goes
 */
bool cli_profiles_read(struct cli_profiles *out, struct cli *cli, const char *path,
    struct trod_arena *mem);

/* The same of what has been read already. */
bool cli_profiles_take(
    struct cli_profiles *out, struct cli *cli, const struct cli_bytes *in);

/* Of several files, those that are not profiles are skipped: they are noted, and the result says how many there were. One
 * that is the only one, or cannot be opened, is an error, and so is any with --strict.
 *
 *     struct cli_skips skips = {.of = files->count};
 *     for each file: if (!read(...) && !cli_skips_take(&skips, cli)) return false;
 *     if (!cli_skips_end(&skips, cli)) return false;
 *
 * cli_skips_end fails with TROD_E_INPUT when all were skipped.
 */
bool cli_skips_take(struct cli_skips *skips, struct cli *cli);
bool cli_skips_end(const struct cli_skips *skips, struct cli *cli);
/* A profile of nothing but a note that says how many were skipped, to be merged with the others; empty if none was. */
const struct trod_profile *cli_skips_noted(struct cli *cli, struct trod_arena *mem);
/* The same as a member of the object that is open. */
void cli_skips_json(struct cli *cli);

/* --- profile_sum.c: profiles added up, file by file --------------------------------------- */

/* Memory grows with what is in the profiles, not with their number. */
struct cli_sum {
    struct trod_arena mem[2]; /* the sum so far lives in one of them */
    int now;
    struct trod_profile sum;
    struct trod_arena batch_mem; /* of those that were read and not yet added */
    const struct trod_profile **batch;
    uint32_t nbatch, room;
    struct trod_profile_merge_options options;
};
void cli_sum_begin(struct cli_sum *sum, struct cli *cli, bool keep_runs);
/* All profiles of a file. look: may refuse them */
bool cli_sum_add(struct cli_sum *sum, struct cli *cli, const char *path,
    bool (*look)(struct cli *cli, const struct cli_profiles *in));
/* The same of profiles that were read into sum->batch_mem. */
bool cli_sum_take(struct cli_sum *sum, struct cli *cli, const struct cli_profiles *in);
/* The sum, with a note if files were skipped, in the command's arena. */
bool cli_sum_end(struct trod_profile *out, struct cli_sum *sum, struct cli *cli);
/* At last, whatever happened. */
void cli_sum_drop(struct cli_sum *sum);

/* All profiles of some files, or of standard input, added up. */
bool cli_profiles_sum(
    struct trod_profile *out, struct cli *cli, const struct cli_list *files);

/* One profile as output: packed, or with --text as text. Bytes are nothing for a terminal, which is asked before work
 * is done.
 */
bool cli_profile_is_asked(struct cli *cli);
bool cli_profile_write(struct cli *cli, const struct trod_profile *profile);

/* Call fn for every file named, or for standard input. */
bool cli_profiles_each(struct cli *cli,
    bool (*fn)(struct cli *cli, const char *path, void *ctx), void *ctx);

/* The object around what is printed in JSON, with an array of this name. */
void cli_profiles_open_json(struct cli *cli, const char *array);
void cli_profiles_close_json(struct cli *cli);

/* --- chosen.c: files that hold profiles or lists of paths -------------------------------------- */

struct cli_chosen {
    const struct trod_profile **profile;
    uint32_t nprofile;       /* 0 or 1: those of all files are added up, run by run */
    struct trod_profile sum; /* of all, as far as it was asked for */
    struct trod_list list;   /* of the files that are lists, put together */
    uint32_t nlist;
};

/* All files named, each a profile or a list. */
bool cli_chosen_read(
    struct cli_chosen *out, struct cli *cli, const struct cli_list *files);

/* The maps of the profiles, or those named; fills chosen->sum. */
bool cli_chosen_maps(struct trod_map *out, struct cli *cli, struct cli_chosen *chosen);

/* What is not in a profile, and why: functions abandoned, not counted at all, and
 * its notes. As comments, or as members of the object that is open; or as notes.
 */
void cli_chosen_remarks(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map);
void cli_chosen_notes(struct cli *cli, const struct cli_chosen *chosen);

/* What ran in the profiles, and all that is listed, as one list. */
bool cli_chosen_list(struct trod_list *out, struct cli *cli,
    const struct cli_chosen *chosen, const struct trod_map *map);

/* A note for each function of a list with one of these fates, as bits; how many there are. */
size_t cli_chosen_complain(struct cli *cli, const struct trod_list *list,
    const struct trod_list_match *match, unsigned fates);

/* Write what was collected, and answer no. */
bool cli_no(struct cli *cli, const char *format, ...) TROD_FORMAT(2, 3);

/* --- maps.c, cmd_report.c: what binaries know of their paths ---------------------------------- */

/* The maps of --binary; or those of a profile's modules, from the folders of --maps, from the
 * binaries, or from files beside them. One that is gone, or was built anew, costs names and a
 * note.
 */
bool cli_maps_read(
    struct cli *cli, struct trod_map *out, const struct trod_profile *profile);

/* The same as text, and parsed. */
bool cli_maps_text(
    struct cli *cli, struct trod_string *out, const struct trod_profile *profile);
bool cli_maps_parse(
    struct cli *cli, struct trod_map *out, const struct trod_string *text);

/* --- unfinished.c: what unfinished paths ran -------------------------------------------------- */

/* trod_flows_add_unfinished() with the stacks of the runs.
 *
 * needs:  flows that were just built of this profile
 */
void cli_add_unfinished(
    struct cli *cli, struct trod_flows *flows, const struct trod_profile *profile);

/* --- places.c: where units were compiled ------------------------------------------------------ */

/* A directory that a map names without what is above it, looked for in and above some folders; as it is if it is not there.
 * file: of the unit
 */
const char *cli_place_find(struct cli *cli, const char *directory, const char *file,
    const struct cli_list *around);
void cli_place_add(struct cli *cli, struct cli_list *around, const char *file);
/* Those of a map, around the user and the programs of a profile (or NULL). */
void cli_places_find(
    struct cli *cli, struct trod_map *map, const struct trod_profile *profile);

/* --- sources.c: text of source files -------------------------------------------------------------- */

struct cli_source {
    const char *name;  /* as a map has it */
    const char *path;  /* where it was found; NULL: nowhere */
    const char **line; /* [nline], without their ends; NULL: see why */
    uint32_t nline;
    time_t changed;
    const char *why; /* there are no lines: the file, and what is wrong */
};

/* The text of a file of a map, compiled in a directory (NULL: not known). It is looked for in the folders of --source: by
 * its whole name, then without its first folder, and so on; then where it was compiled, and in folders above; then in the
 * working directory. Wherever it is found, links resolved, it must be a regular file below a folder of --source, the working
 * directory or the git checkout that this is in: what a map says is not to be trusted. False is not a failure: out->why says why
 * there are no lines, and cli->err is left alone.
 */
bool cli_source_read(
    struct cli_source *out, struct cli *cli, const char *name, const char *directory);

/* The path of a source for people: as seen from the working directory, if the source is below a folder that sources are read
 * from.
 */
const char *cli_source_heading(struct cli *cli, const char *path);

/* When the programs of a profile were last changed, the latest of them; 0: not known. A source that was changed
 * after that may not be what ran.
 */
time_t cli_sources_built(const struct trod_profile *profile);

/* --- written.c: what is written in sources --------------------------------------------------------- */

/* Sources that conditions are taken from. */
struct cli_text {
    struct cli *cli;
    const struct trod_map *map;
    time_t built;
    const struct trod_source_text **source; /* by name; NULL: it cannot be read */
    uint32_t nsource, room;
    struct trod_names names;
    uint32_t nunreadable, nchanged;
    bool quiet; /* others say what cannot be read */
    struct trod_condition_source source_text;
};
/* profile: NULL if it is not known when the program was built */
const struct trod_condition_source *cli_text_open(struct cli_text *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map);

/* --- code_shown.c: whose code is shown ---------------------------------------------------------- */

/* Does a file match the GLOB of an option, by its name or its whole path? */
bool cli_file_matches(const char *glob, const char *file);

/* Hide functions of files that --file and --directory do not name. cli_maps_read() does so.
 *
 * fails:  TROD_E_INPUT if nothing is left
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

/* A note for each profile that has others of the same TROD_OUT beside it. */
void cli_other_runs(struct cli *cli, const struct cli_list *files);

/* --- own_file.c: what belongs to trod ---------------------------------------------- */

/* A file of this name beside the program, or where `make install` puts it. */
bool cli_own_file(struct cli *cli, char **out, const char *name);

#endif
