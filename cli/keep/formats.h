/* formats: what `trod export` writes.
 */
#ifndef TROD_CLI_FORMATS_H
#define TROD_CLI_FORMATS_H

#include "cli.h"

/* --- cmd_export.c: formats of other tools -------------------------------------------------------- */

/* By number, from 0, those of the library first; NULL: there are no more. */
const struct trod_export_format *cli_export_format(uint32_t number);

/* Their names become the words of --to; before options are parsed. */
void cli_export_fill_words(void);

/* The numbers that compilers gave to blocks of what ran, for formats that need them. */
void cli_block_ids(struct cli *cli, struct trod_exported *in);

#endif
