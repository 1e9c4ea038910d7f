/* controlled: programs that sample, while they run.
 *
 *     FILE or process -> CONTROL section (trod/format.h) -> setting -> the program
 *
 * The program is not stopped and gets no signal. It follows a setting when its threads next look.
 */
#ifndef TROD_CLI_CONTROLLED_H
#define TROD_CLI_CONTROLLED_H

#include "input/input.h"
#include "trod/format.h"

struct cli_controlled {
    const char *path;
    int fd;
    void *page;                        /* of the file, mapped */
    struct trod_format_control *block; /* in it */
    struct trod_format_setting before; /* what is asked of the program now */
    bool is_damaged;                   /* then before is what programs do by default */
};

/* Open the profile of a running program, and keep other controllers away until it is closed.
 *
 * fails:  TROD_E_INPUT when the program cannot be controlled, or does not run; TROD_E_SYSTEM when the file is
 *         another user's, or another controller has it
 */
bool cli_control_open(
    struct cli_controlled *out, struct cli *cli, const char *path) TROD_MUST_CHECK;
void cli_control_close(struct cli_controlled *c);

/* The id of the process that a profile says it is controlled in; 0: it says nothing. */
uint32_t cli_control_pid(struct cli *cli, const char *path);

/* Ask the program for this, all of it. */
void cli_control_write(
    struct cli_controlled *c, const struct trod_format_setting *setting);

enum cli_control_answer {
    CLI_CONTROL_FOLLOWED, /* by a thread at least */
    CLI_CONTROL_PENDING,  /* no thread has come to look */
    CLI_CONTROL_REFUSED   /* the program found it damaged or impossible */
};

/* The program's answer, after a second at most. */
enum cli_control_answer cli_control_wait(const struct cli_controlled *c);

/* As options of trod cc have it: "on; rate 1000; ...". */
void cli_control_put(struct trod_sink *sink, const struct trod_format_control *block,
    const struct trod_format_setting *setting);
void cli_control_json(struct trod_json *json, const char *key,
    const struct trod_format_control *block, const struct trod_format_setting *setting);

/* The rate that matters most: of the first type that is sampled. */
uint64_t cli_control_rate(
    const struct trod_format_control *block, const struct trod_format_setting *setting);

#endif
