#include "build/compiler.h"
#include "commands.h"
#include "option_tables.h"

#include <stdlib.h>
#include <string.h>

/* The options of trod cc itself, as the table in port/cc describes them. */

/* --- help ---------------------------------------------------------------------------------- */

struct argp_option cli_cc_options[TROD_CC_NOPTION + 1];
static struct argp_option words[TROD_CC_NOPTION][TROD_CC_WORDS + 1];

void cli_cc_fill_options(void)
{
    for (int i = 0; i < TROD_CC_NOPTION; i++) {
        const struct trod_cc_option *of = &trod_cc_option[i];

        cli_cc_options[i] = (struct argp_option){of->name, KEY_CC + i, of->argument,
            of->optional ? OPTION_ARG_OPTIONAL : 0, of->help, 0};
        for (int w = 0; w < TROD_CC_WORDS; w++)
            words[i][w].name = of->word[w];
    }
}

const struct argp_option *cli_cc_words_of(int key)
{
    int i = key - KEY_CC;

    return i >= 0 && i < TROD_CC_NOPTION && words[i]->name ? words[i] : NULL;
}

/* --- the command line ---------------------------------------------------------------------- */

/* The option that a word is, and its value after '=', or NULL. TROD_CC_NOPTION: the word belongs to
 * the compiler. */
static enum trod_cc find(const char **value, const char *word)
{
    size_t length = strcspn(word, "=");
    int i = 0;

    *value = word[length] ? word + length + 1 : NULL;
    while (
        i < TROD_CC_NOPTION &&
        (strncmp(word, "--", 2) != 0 || strlen(trod_cc_option[i].name) + 2 != length ||
            strncmp(word + 2, trod_cc_option[i].name, length - 2) != 0))
        i++;
    return (enum trod_cc)i;
}

/* An invalid value on the command line is a usage error; an invalid file is bad input. */
static bool refuse(struct cli *cli)
{
    if (cli->err.code == TROD_E_INPUT)
        cli->exit = CLI_USAGE;
    return false;
}

static bool take_value(
    struct cli *cli, struct cli_cc *cc, enum trod_cc option, const char *value)
{
    const struct trod_cc_option *of = &trod_cc_option[option];
    const char **given = &cc->given.of[option];

    if (!trod_cc_check_value(
            option, trod_format(&cli->mem, "--%s", of->name), value, &cli->err))
        return refuse(cli);
    *given = of->kind == TROD_CC_FILES && *given
                 ? trod_format(&cli->mem, "%s\n%s", *given, value)
                 : value;
    if (option == TROD_CC_PATHS || option == TROD_CC_TESTED)
        trod_push(&cli->mem, cc->sets.item, cc->sets.count, cc->sets.room, value);
    return true;
}

static bool take_option(
    struct cli *cli, struct cli_cc *cc, const char *word, bool *found)
{
    const char *value;
    enum trod_cc option = find(&value, word);
    const struct trod_cc_option *of = &trod_cc_option[option];

    *found = option != TROD_CC_NOPTION;
    if (!*found)
        return true;
    if (value && !of->argument)
        return cli_misused(cli, "--%s takes no argument", of->name);
    if (value)
        return take_value(cli, cc, option, value);
    if (of->argument && !of->optional)
        return cli_misused(
            cli, "--%s needs an argument: --%s=%s", of->name, of->name, of->argument);
    if (!cc->given.of[option])
        cc->given.of[option] = of->argument ? "" : "yes";
    return true;
}

/* trod's options must precede those of the compiler, which does not know them. A word after
 * -Xlinker and the like belongs to another program.
 */
static bool check_rest(struct cli *cli, char **args)
{
    const char *value;

    for (char **arg = args; *arg; arg++)
        if (find(&value, *arg) != TROD_CC_NOPTION &&
            (arg == args || strncmp(arg[-1], "-X", 2) != 0))
            return cli_misused(cli,
                "%s is an option of trod; put it before the compiler's arguments: trod cc %s %s ...",
                *arg, *arg, args[0]);
    return true;
}

/* The first option that is not trod's is passed to the compiler, which may not know it either. */
static void suggest(struct cli *cli, const char *arg)
{
    struct cli_nearest nearest = {
        .typed = trod_copy_text(&cli->mem, arg + 2, strcspn(arg, "=") - 2)};

    for (int i = 0; i < TROD_CC_NOPTION; i++)
        cli_nearest_try(&nearest, trod_cc_option[i].name);
    if (nearest.word)
        cli_note(cli,
            "--%s is not an option of trod cc and goes to the compiler; did you mean "
            "--%s?",
            nearest.typed, nearest.word);
}

/* Options for a whole build, one per line, as if they preceded those of each command. */
static bool take_more(struct cli *cli, struct cli_cc *cc)
{
    char *text = getenv("TROD_CC_OPTIONS"), *end;
    bool found;

    if (!text)
        return true;
    for (text = trod_copy(&cli->mem, text); *text; text = end) {
        end = text + strcspn(text, "\n");
        if (*end)
            *end++ = '\0';
        if (!*text)
            continue;
        if (!take_option(cli, cc, text, &found))
            return false;
        if (!found)
            return cli_misused(cli,
                "'%s' in TROD_CC_OPTIONS is not an option of trod cc; write one option per line",
                text);
    }
    return true;
}

/* The budget is an option of what samples: bursts, whose trigger it may select, unless --online is given. */
static bool join_budget(struct cli *cli, struct cli_cc *cc)
{
    const char *budget = cc->given.of[TROD_CC_BUDGET];
    enum trod_cc key = cc->given.of[TROD_CC_ONLINE] ? TROD_CC_ONLINE : TROD_CC_BURST;
    const char *given = cc->given.of[key];

    return !budget || take_value(cli, cc, key,
                          trod_format(&cli->mem, "%s%sbudget=%s", given ? given : "",
                              given && *given ? "," : "", budget));
}

/* Link-time optimisation is meant to see the whole program; so are paths across calls. */
static void imply_whole(struct cli_cc *cc, char **args)
{
    const char *const *given = cc->given.of;
    bool lto = false;

    if (!given[TROD_CC_WPP] && !given[TROD_CC_SUBPATHS] && !given[TROD_CC_SEGMENTS])
        return;
    for (; *args; args++)
        if (strcmp(*args, "-flto") == 0 || strncmp(*args, "-flto=", 6) == 0)
            lto = true;
        else if (strcmp(*args, "-fno-lto") == 0)
            lto = false;
    if (lto)
        cc->given.of[TROD_CC_WHOLE_PROGRAM] = "yes";
}

bool cli_cc_take_own(struct cli_cc *out, struct cli *cli, char ***args)
{
    const char *only;
    bool found = true;

    *out = (struct cli_cc){0};
    if (!take_more(cli, out))
        return false;
    while (**args && found) {
        if (!take_option(cli, out, **args, &found))
            return false;
        *args += found;
    }
    if (**args && strncmp(**args, "--", 2) == 0)
        suggest(cli, **args);
    if (!check_rest(cli, *args))
        return false;
    imply_whole(out, *args);
    if (!trod_cc_check(&out->given, &cli->err))
        return refuse(cli);
    only = out->given.of[TROD_CC_ONLY];
    out->only = only && strchr(only, '/') ? only : NULL;
    return join_budget(cli, out) && trod_cc_store(&out->given, &cli->err);
}
