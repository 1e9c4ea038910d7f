#include "output/output.h"

void cli_note_ending(
    struct cli *cli, const char *program, const struct trod_child *child)
{
    char ending[80];

    if (trod_child_failed(child))
        cli_note(cli, "%s %s%s", program, trod_child_ending(ending, child),
            child->signal ? "; its execution up to then is reported" : "");
}
