/* processor: branch streams, machine code and machines that commands read.
 */
#ifndef TROD_CLI_PROCESSOR_H
#define TROD_CLI_PROCESSOR_H

#include "input/input.h"

/* --- branches_in.c: what a processor did ----------------------------------------------------------- */

struct cli_branches {
    const char *file; /* for messages */
    const char *name; /* of the stream */
    bool is_trace;    /* not text */
    const char *bytes;
    size_t nbyte;
    struct trod_text text;            /* of texts: after the name */
    uint64_t from, to;                /* --from, --to */
    struct trod_branch_health health; /* of traces */
};

/* A stream: a trace file or its text form, whichever it is. */
bool cli_branches_open(struct cli_branches *out, struct cli *cli, const char *path);

/* All of it, or the part that --from and --to say. What could not be read is noted. */
bool cli_branches_drive(
    struct trod_branch_sink *to, struct cli_branches *in, struct cli *cli);

/* --- cmd_model.c: how a processor would see its paths ---------------------------------------------------- */

/* The register of --control, changed by --set; fails as one who was called wrongly. */
bool cli_control_read(struct trod_control *out, struct cli *cli);

/* --- code_in.c: machine code that ran ---------------------------------------------------------------- */

struct trod_ipt_memory;

struct cli_code {
    struct trod_ipt_memory *memory;
    size_t nmemory, room;
};

/* What --image names. FILE: a program at its own addresses. FILE@ADDRESS: one that was moved by so much, or bytes
 * that were there.
 */
bool cli_code_read(struct cli_code *out, struct cli *cli);

/* The mappings that 'perf script --show-mmap-events' prints, of files that still exist. */
void cli_code_mapped(struct cli_code *out, struct cli *cli, const struct cli_bytes *in);

/* --- cmd_core.c: machines ---------------------------------------------------------------------------- */
/* The one that --machine says, by name or in a file; without, that of table 5.3. */
bool cli_machine_read(struct trod_timing_machine *out, struct cli *cli);

#endif
