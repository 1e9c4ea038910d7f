#include "commands.h"
#include "help/completion.h"

#include <stdio.h>
#include <string.h>

/* Completion for bash, from the tables of commands and options. */

static const char head[] =
    "# Completion of trod for bash, printed by `trod help --completion=bash`.\n"
    "\n"
    "# shellcheck shell=bash disable=SC2207\n"
    "_trod()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local words='' others=''\n"
    "\n"
    "    COMPREPLY=()\n"
    "    # --option=value comes as three words.\n"
    "    if [ \"$cur\" = = ]; then\n"
    "        cur=\n"
    "    elif [ \"$prev\" = = ]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    local command=${COMP_WORDS[1]} at=1\n"
    "    case $command in\n";

static const char middle[] = ")\n"
                             "        command=\"$command ${COMP_WORDS[2]}\"\n"
                             "        at=2\n"
                             "        ;;\n"
                             "    esac\n"
                             "    if [ \"$COMP_CWORD\" -le \"$at\" ]; then\n"
                             "        case ${COMP_WORDS[1]}:$COMP_CWORD in\n";

static const char options[] =
    "        esac\n"
    "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    case $command:$prev in\n";

static const char tail[] =
    "    esac\n"
    "    if [ \"${cur#-}\" != \"$cur\" ] || [ -n \"$others\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$words $others\" -- \"$cur\"))\n"
    "    else\n"
    "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
    "    fi\n"
    "}\n"
    "complete -o filenames -F _trod trod\n";

static void each_of_table(const struct cli_command *command,
    const struct argp_option *table,
    void (*fn)(struct trod_sink *sink, const struct cli_command *command,
        const struct argp_option *option),
    struct trod_sink *sink)
{
    for (const struct argp_option *o = table; o->name; o++)
        if (!(o->flags & OPTION_DOC))
            fn(sink, command, o);
}

void cli_each_option(const struct cli_command *command,
    void (*fn)(struct trod_sink *sink, const struct cli_command *command,
        const struct argp_option *option),
    struct trod_sink *sink)
{
    const struct argp_child *child = command->argp->children;

    each_of_table(command, command->argp->options, fn, sink);
    for (; child && child->argp; child++)
        each_of_table(command, child->argp->options, fn, sink);
}

enum cli_behind cli_behind(const struct argp_option *option)
{
    if (!option->arg)
        return CLI_BEHIND_NOTHING;
    if (cli_words_of(option->key))
        return CLI_BEHIND_WORDS;
    if (strcmp(option->arg, "FILE") == 0)
        return CLI_BEHIND_FILE;
    return strcmp(option->arg, "FOLDER") == 0 ? CLI_BEHIND_FOLDER : CLI_BEHIND_TEXT;
}

bool cli_takes_command(const struct cli_command *command)
{
    return strcmp(command->argp->args_doc, "[COMMAND]") == 0;
}

void cli_put_gist(struct trod_sink *sink, const char *doc,
    void (*put)(struct trod_sink *sink, char c))
{
    for (size_t n = strcspn(doc, ";:("); n && *doc; n--, doc++) {
        if ((*doc == '.' && doc[1] == ' ') || (n == 1 && *doc == ' '))
            return;
        put(sink, *doc);
    }
}

void cli_put_choices(struct trod_sink *sink, const struct argp_option *words)
{
    for (const struct argp_option *w = words; w->name; w++)
        trod_put(sink, "%s%s", w == words ? "" : " ", w->name);
}

void cli_put_namespaces(struct trod_sink *sink, const char *between)
{
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++)
        trod_put(sink, "%s%s", n == cli_namespaces ? "" : between, n->name);
}

void cli_put_commands(struct trod_sink *sink, const struct cli_namespace *namespace)
{
    const char *blank = "";

    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (cli_command_namespace(c) == namespace) {
            trod_put(sink, "%s%s", blank, cli_command_word(c));
            blank = " ";
        }
    if (!namespace) {
        trod_put(sink, " ");
        cli_put_namespaces(sink, " ");
    }
}

void cli_put_topics(struct trod_sink *sink)
{
    cli_put_commands(sink, NULL);
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++) {
        trod_put(sink, " ");
        cli_put_commands(sink, n);
    }
}

/* --- options shared by commands ------------------------------------------------------- */

/* Options of all commands. */
struct rules {
    struct trod_sink
        sink; /* unused, but must be the first member, for cli_each_option */
    struct rule {
        const struct cli_command *command;
        const struct argp_option *option;
    } rule[1000];
    size_t count;
};

static void add_rule(struct trod_sink *sink, const struct cli_command *command,
    const struct argp_option *o)
{
    struct rules *rules = (struct rules *)sink;

    assert(rules->count < sizeof rules->rule / sizeof *rules->rule);
    rules->rule[rules->count++] = (struct rule){command, o};
}

static void fill_rules(struct rules *out)
{
    out->count = 0;
    for (const struct cli_command *c = cli_commands; c->name; c++)
        cli_each_option(c, add_rule, &out->sink);
}

static bool is_same(const struct argp_option *a, const struct argp_option *b)
{
    return a->key == b->key && a->flags == b->flags && !a->arg == !b->arg &&
           strcmp(a->name, b->name) == 0 && strcmp(a->doc, b->doc) == 0 &&
           (!a->arg || strcmp(a->arg, b->arg) == 0);
}

void cli_each_distinct_option(
    void (*fn)(struct trod_sink *sink, const struct cli_command *const *command,
        size_t ncommand, const struct argp_option *option),
    struct trod_sink *sink)
{
    const struct cli_command *command[100];
    struct rules rules;

    fill_rules(&rules);
    for (size_t i = 0; i < rules.count; i++) {
        const struct argp_option *o = rules.rule[i].option;
        size_t n = 0;
        bool is_first = true;

        for (size_t k = 0; k < rules.count; k++)
            if (is_same(o, rules.rule[k].option)) {
                is_first = is_first && k >= i;
                assert(n < sizeof command / sizeof *command);
                command[n++] = rules.rule[k].command;
            }
        if (is_first)
            fn(sink, command, n, o);
    }
}

/* --- bash ------------------------------------------------------------------------- */

/* The argument of an option is printed once, unless it depends on the command. */

/* An optional argument must follow '=', so the next word is not it. */
static enum cli_behind next_word(const struct argp_option *o)
{
    return o->flags & OPTION_ARG_OPTIONAL ? CLI_BEHIND_NOTHING : cli_behind(o);
}

/* Is it the first option of its name? *same: all options of that name take the same argument. */
static bool is_first(const struct rules *rules, size_t i, bool *same)
{
    const struct argp_option *o = rules->rule[i].option, *other;
    bool first = true;

    *same = true;
    for (size_t k = 0; k < rules->count; k++) {
        other = rules->rule[k].option;
        if (strcmp(o->name, other->name) != 0)
            continue;
        first = first && k >= i;
        *same = *same && next_word(o) == next_word(other) &&
                cli_words_of(o->key) == cli_words_of(other->key);
    }
    return first;
}

/* Has an earlier option with another name the same letter? Then both take the same argument. */
static bool has_taken_letter(const struct rules *rules, size_t i)
{
    const struct argp_option *o = rules->rule[i].option, *other;

    for (size_t k = 0; k < i; k++) {
        other = rules->rule[k].option;
        if (o->key == other->key && strcmp(o->name, other->name) != 0) {
            assert(next_word(o) == next_word(other));
            return true;
        }
    }
    return false;
}

static void put_pattern(struct trod_sink *sink, const char *command,
    const struct argp_option *o, bool letter)
{
    trod_put(sink, "%s:--%s", command, o->name);
    if (letter && o->key < 256)
        trod_put(sink, " | %s:-%c", command, o->key);
}

static void put_answer(struct trod_sink *sink, const struct argp_option *o)
{
    const struct argp_option *words = cli_words_of(o->key);
    enum cli_behind behind = next_word(o);

    trod_put(sink, ")\n");
    if (words) {
        trod_put(sink, "        COMPREPLY=($(compgen -W \"");
        cli_put_choices(sink, words);
        trod_put(sink, "\" -- \"$cur\"))\n");
    } else if (behind != CLI_BEHIND_TEXT) {
        trod_put(sink, "        COMPREPLY=($(compgen -%c -- \"$cur\"))\n",
            behind == CLI_BEHIND_FILE ? 'f' : 'd');
    }
    trod_put(sink, "        return\n        ;;\n");
}

/* Options that take words, and options that depend on the command, are listed one by one. */
static void put_single(struct trod_sink *sink, const struct rules *rules)
{
    char command[80];
    bool same;

    for (size_t i = 0; i < rules->count; i++) {
        const struct argp_option *o = rules->rule[i].option;
        bool first = is_first(rules, i, &same);

        if (next_word(o) == CLI_BEHIND_NOTHING ||
            (same && (!first || next_word(o) != CLI_BEHIND_WORDS)))
            continue;
        snprintf(command, sizeof command, "'%s'", rules->rule[i].command->name);
        trod_put(sink, "    ");
        put_pattern(sink, same ? "*" : command, o, true);
        put_answer(sink, o);
    }
}

static void put_all_of(
    struct trod_sink *sink, const struct rules *rules, enum cli_behind behind)
{
    const struct argp_option *last = NULL;
    bool same;

    for (size_t i = 0; i < rules->count; i++) {
        const struct argp_option *o = rules->rule[i].option;

        if (next_word(o) != behind || !is_first(rules, i, &same) || !same)
            continue;
        trod_put(sink, last ? " | \\\n        " : "    ");
        put_pattern(sink, "*", o, !has_taken_letter(rules, i));
        last = o;
    }
    if (last)
        put_answer(sink, last);
}

static void put_name(struct trod_sink *sink, const struct cli_command *command,
    const struct argp_option *o)
{
    (void)command;
    trod_put(sink, " --%s", o->name);
}

void cli_complete_bash(struct trod_sink *sink)
{
    struct rules rules;

    fill_rules(&rules);
    trod_put(sink, "%s    ", head);
    cli_put_namespaces(sink, " | ");
    trod_put(sink, "%s", middle);
    for (const struct cli_namespace *n = cli_namespaces; n->name; n++) {
        trod_put(sink, "        %s:2) words=\"--help ", n->name);
        cli_put_commands(sink, n);
        trod_put(sink, "\" ;;\n");
    }
    trod_put(sink, "        *) words=\"--help --version ");
    cli_put_commands(sink, NULL);
    trod_put(sink, "\" ;;\n%s", options);
    /* Letters after these commands belong to compilers and programs. */
    for (const struct cli_command *c = cli_commands; c->name; c++)
        if (c->raw)
            trod_put(sink, "    %s:-?) ;;\n", c->name);
    put_single(sink, &rules);
    put_all_of(sink, &rules, CLI_BEHIND_FILE);
    put_all_of(sink, &rules, CLI_BEHIND_FOLDER);
    put_all_of(sink, &rules, CLI_BEHIND_TEXT);
    trod_put(sink, "    esac\n    case $command in\n");
    for (const struct cli_command *c = cli_commands; c->name; c++) {
        trod_put(sink, "    '%s')\n        words=\"--help", c->name);
        cli_each_option(c, put_name, sink);
        trod_put(sink, "\"\n");
        if (cli_takes_command(c)) {
            trod_put(sink, "        others=\"");
            cli_put_topics(sink);
            trod_put(sink, "\"\n");
        }
        trod_put(sink, "        ;;\n");
    }
    trod_put(sink, "%s", tail);
}
