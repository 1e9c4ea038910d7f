/* emulated: a program as it is, run in an emulator that takes notes. */
#ifndef TROD_CLI_EMULATED_H
#define TROD_CLI_EMULATED_H

#include "commands.h"

struct cli_emulated {
    const char *program;  /* file */
    const char *emulator; /* and its machine */
    const char *machine;
    struct cli_list
        argv; /* of the program; after the first words, those of an interpreter */
    char folder[64];   /* of what the plugin writes */
    const char *trace; /* absolute, or NULL */
    bool accesses;     /* of a trace: with what is loaded and stored */
    bool aside;        /* what the program prints goes to the standard error */
    char *plugin;
};

/* The program that argv says, from beginning to end. What it left is in the folder, for cli_emulated_remove() to clear
 * away; there may be a folder even if this fails.
 */
bool cli_emulated_run(struct cli *cli, struct cli_emulated *e);
void cli_emulated_remove(struct cli *cli, const struct cli_emulated *e);

char *cli_joined(struct cli *cli, const char *a, const char *b, const char *c);

#endif
