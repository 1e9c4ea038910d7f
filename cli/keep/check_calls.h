/* check_calls: do the counts of functions agree with those of their callers? For `trod check --calls`. */
#ifndef TROD_CLI_CHECK_CALLS_H
#define TROD_CLI_CHECK_CALLS_H

#include "commands.h"

/* Print functions that were called more often than they were entered, in all files together; *count is their number. */
bool cli_check_calls(struct cli *cli, uint32_t *count) TROD_MUST_CHECK;

#endif
