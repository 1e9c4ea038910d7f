#include "cli.h"
#include "commands.h"

#include <stdio.h>
#include <string.h>

/* Suggestions for mistyped options: argp only says that there is no such option. */

/* Options built into argp. */
static const struct argp_option builtin[] = {
    {"help", 0, 0, 0, 0, 0}, {"usage", 0, 0, 0, 0, 0}, {"version", 0, 0, 0, 0, 0}, {0}};

struct search {
    const char *typed;
    size_t length;
    bool found; /* it is an option, or a prefix of one */
    struct cli_nearest nearest;
};

static void look_in(struct search *s, const struct argp_option *options)
{
    for (; options && (options->name || options->key || options->doc); options++) {
        if (!options->name || (options->flags & OPTION_DOC))
            continue;
        s->found |= strncmp(options->name, s->typed, s->length) == 0;
        cli_nearest_try(&s->nearest, options->name);
    }
}

static void look_below(struct search *s, const struct argp *argp)
{
    look_in(s, argp->options);
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        look_in(s, child->argp->options);
}

bool cli_option_check(struct cli *cli, const char *word)
{
    char typed[64];
    struct search s = {.typed = typed, .nearest = {.typed = typed}};

    s.length = strcspn(word + 2, "=");
    if (s.length >= sizeof typed)
        return true;
    snprintf(typed, sizeof typed, "%.*s", (int)s.length, word + 2);
    look_in(&s, builtin);
    look_below(&s, cli->command->argp);
    if (s.found)
        return true;
    return s.nearest.word
               ? cli_misused(cli,
                     "--%s is not an option of trod %s; did you mean --%s?", typed,
                     cli->command->name, s.nearest.word)
               : cli_misused(cli,
                     "--%s is not an option of trod %s; 'trod %s --help' lists them",
                     typed, cli->command->name, cli->command->name);
}
