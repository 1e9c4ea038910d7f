/* What the shells' completions share: they are printed from the tables of commands and options, and know no name of their own. */
#ifndef TROD_COMPLETION_H
#define TROD_COMPLETION_H

#include "commands.h"

/* --- complete.c ------------------------------------------------------------------- */

/* Call fn for every option of a command, its own and those it shares. */
void cli_each_option(const struct cli_command *command,
    void (*fn)(struct trod_sink *sink, const struct cli_command *command,
        const struct argp_option *option),
    struct trod_sink *sink);

/* Call fn once for options that are the same in several commands: with all of these. */
void cli_each_distinct_option(
    void (*fn)(struct trod_sink *sink, const struct cli_command *const *command,
        size_t ncommand, const struct argp_option *option),
    struct trod_sink *sink);

/* What is after an option or a command. */
enum cli_behind {
    CLI_BEHIND_NOTHING,
    CLI_BEHIND_TEXT, /* any text */
    CLI_BEHIND_WORDS,
    CLI_BEHIND_FILE,
    CLI_BEHIND_FOLDER,
};
enum cli_behind cli_behind(const struct argp_option *option);

/* Do names of commands follow? */
bool cli_takes_command(const struct cli_command *command);

/* What an option is for, up to the first pause: menus are narrow. put: one character, as the shell wants it */
void cli_put_gist(struct trod_sink *sink, const char *doc,
    void (*put)(struct trod_sink *sink, char c));

/* Commands of a namespace (NULL: those of none, and the namespaces), with blanks between. */
void cli_put_commands(struct trod_sink *sink, const struct cli_namespace *namespace);

/* What `trod help` takes: all of these, and the last words of all others. */
void cli_put_topics(struct trod_sink *sink);

/* The words that an option takes, with blanks between. */
void cli_put_choices(struct trod_sink *sink, const struct argp_option *words);

/* The namespaces, with this between them. */
void cli_put_namespaces(struct trod_sink *sink, const char *between);

/* --- complete_zsh.c, complete_fish.c ---------------------------------------------- */

void cli_complete_zsh(struct trod_sink *sink);
void cli_complete_fish(struct trod_sink *sink);

#endif
