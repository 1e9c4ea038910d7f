/* html_kinds: what 'trod html' reads beside plain path profiles, and shows beside paths.
 *
 *     files, each for what it is -> profiles added up, map -> spans, tables, hardware, marks
 */
#ifndef TROD_CLI_HTML_KINDS_H
#define TROD_CLI_HTML_KINDS_H

#include "commands.h"

/* --- html_in.c: what the files are ------------------------------------------------------------------- */

/* A profile as it was read. */
struct cli_html_profile {
    const char *file;
    const struct trod_profile *profile;
    bool refs; /* loads and stores were noted beside it */
};

struct cli_html_input {
    struct cli_list trace, entries; /* files */
    struct cli_html_profile *one;
    uint32_t none, room;
    struct trod_profile_module *module; /* of all profiles, each once */
    uint32_t nmodule, room_module;
    struct trod_map map;
    struct trod_profile *sum; /* [nsum], of each mode; the first is of the first file */
    uint32_t nsum;
    bool recorded; /* steps were; they are counted as subpaths in the sums */
};

/* Files of the command line, or standard input. Profiles of different modes cannot be added up: paths are shown of the
 * first, and of all others what is there beside paths. Streams of branches and merged entries are identified by how they begin; all
 * else is taken for profiles.
 *
 * fills:  one sum at least, of nothing if there is no profile
 * fails:  as reading profiles and maps does
 */
bool cli_html_read(struct cli_html_input *out, struct cli *cli);

/* --- html_facts.c: the head of the page ------------------------------------------------------------------- */

/* Title and facts: which program, how it was profiled, when and where it ran.
 *
 * fills:  page->title, page->fact, page->nfact
 */
void cli_html_facts(struct trod_page *page, struct cli *cli);

/* --- html_tables.c: spans, tables and marks -------------------------------------------------------------- */

/* Whatever there is in what was read.
 *
 * fills:  *out, but for hardware
 */
bool cli_html_kinds(
    struct trod_page_kinds *out, struct cli *cli, const struct cli_html_input *in);

void cli_html_note(struct trod_page_kinds *kinds, struct cli *cli, const char *format,
    ...) TROD_FORMAT(3, 4);

/* --- html_hardware.c: a hot path table, window by window ------------------------------------------------ */

/* Of the first trace, if there is one. */
bool cli_html_hardware(struct trod_page_kinds *kinds, struct cli *cli,
    const struct cli_html_input *in, const struct trod_page_names *names);

#endif
