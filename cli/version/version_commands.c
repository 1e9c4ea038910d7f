#include "input/input.h"
#include "version/versions.h"

#include <inttypes.h>
#include <string.h>

void cli_unit_add(struct cli *cli, struct cli_unit *unit, const char *arg)
{
    trod_reserve(&cli->mem, unit->arg, unit->narg + 1, unit->room);
    unit->arg[unit->narg++] = arg;
    unit->arg[unit->narg] = NULL;
}

/* --- shell words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

/* Parse one word from *at on; the result is at most as long as its source. */
static bool take_word(const char **at, char *to)
{
    const char *p = *at;
    char quote = 0;

    for (; *p && (quote || !is_blank(*p)); p++) {
        if (*p == '\\' && quote != '\'' && p[1] &&
            (!quote || strchr("\"\\$`\n", p[1]))) {
            p++;
            if (*p != '\n')
                *to++ = *p;
        } else if (quote ? *p == quote : *p == '\'' || *p == '"') {
            quote = quote ? 0 : *p;
        } else {
            *to++ = *p;
        }
    }
    *to = '\0';
    *at = p;
    return !quote;
}

bool cli_command_words(struct cli *cli, struct cli_unit *out, const char *command)
{
    for (;;) {
        char *word;

        while (is_blank(*command))
            command++;
        if (!*command)
            return true;
        word = trod_arena_take(&cli->mem, strlen(command) + 1, 1);
        if (!take_word(&command, word))
            return false;
        cli_unit_add(cli, out, word);
    }
}

/* --- entries ----------------------------------------------------------------------------------------- */

/* "arguments" is a list of words; "command" is a shell command line. */
static bool read_words(struct cli *cli, struct cli_unit *out,
    const struct trod_json_doc *doc, uint32_t entry)
{
    uint32_t list = trod_json_member(doc, entry, "arguments");
    const char *line = trod_json_text_of(doc, trod_json_member(doc, entry, "command"));

    if (line && list == TROD_JSON_NONE)
        return cli_command_words(cli, out, line) ||
               trod_fail(&cli->err, TROD_E_INPUT,
                   "%s:%" PRIu32 ": a quote in the command is not closed", doc->file,
                   doc->value[entry].line);
    if (list == TROD_JSON_NONE || doc->value[list].kind != TROD_JSON_ARRAY)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s:%" PRIu32 ": an entry has neither \"command\" nor \"arguments\"",
            doc->file, doc->value[entry].line);
    for (uint32_t v = trod_json_first(doc, list); v != TROD_JSON_NONE;
        v = trod_json_next(doc, list, v)) {
        const char *word = trod_json_text_of(doc, v);

        if (!word)
            return trod_fail(&cli->err, TROD_E_INPUT,
                "%s:%" PRIu32 ": an argument is not a string", doc->file,
                doc->value[v].line);
        cli_unit_add(cli, out, word);
    }
    return true;
}

/* trod's own options are not passed to the compiler. */
static void drop_own(struct cli_unit *unit)
{
    const char *name = unit->narg ? strrchr(unit->arg[0], '/') : NULL;
    uint32_t n = 2;

    name = name ? name + 1 : unit->narg ? unit->arg[0] : "";
    if (strcmp(name, "trod") != 0 || unit->narg < 3)
        return;
    while (n < unit->narg && strncmp(unit->arg[n], "--", 2) == 0)
        n++;
    unit->arg[n - 1] = strcmp(unit->arg[1], "c++") == 0 ? "clang++" : "clang";
    unit->arg += n - 1;
    unit->narg -= n - 1;
    unit->room -= n - 1;
}

bool cli_is_c(const char *file)
{
    static const char *const suffix[] = {
        ".c", ".i", ".cc", ".cp", ".cxx", ".cpp", ".c++", ".C", ".CPP", ".ii"};
    const char *dot = strrchr(file, '.');

    for (size_t i = 0; dot && i < sizeof suffix / sizeof *suffix; i++)
        if (strcmp(dot, suffix[i]) == 0)
            return true;
    return false;
}

static bool is_by_itself(const struct cli_unit *unit)
{
    return unit->narg > 1 && strcmp(unit->arg[1], "-cc1") == 0;
}

static bool read_entry(struct cli *cli, struct cli_version *version,
    const struct trod_json_doc *doc, uint32_t entry, uint32_t *nby_itself)
{
    struct cli_unit unit = {
        .file = trod_json_text_of(doc, trod_json_member(doc, entry, "file")),
        .directory = trod_json_text_of(doc, trod_json_member(doc, entry, "directory"))};

    if (!unit.file || !unit.directory)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s:%" PRIu32 ": an entry needs \"file\" and \"directory\"", doc->file,
            doc->value[entry].line);
    if (!read_words(cli, &unit, doc, entry))
        return false;
    drop_own(&unit);
    if (is_by_itself(&unit))
        ++*nby_itself;
    else if (!cli_is_c(unit.file))
        cli_version_note(
            cli, version, "%s: it is neither C nor C++, and is omitted", unit.file);
    else
        cli_version_add(cli, version, &unit);
    return true;
}

bool cli_version_commands(
    struct cli *cli, struct cli_version *version, const char *path)
{
    struct trod_json_doc doc;
    struct cli_bytes in;
    uint32_t nby_itself = 0;

    if (!cli_in_bytes(cli, &in, path, &cli->mem) ||
        !trod_json_read(&doc, path, in.bytes, in.length, &cli->mem, &cli->err))
        return false;
    if (doc.value[0].kind != TROD_JSON_ARRAY)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s:1: expected an array of commands, as cmake and bear write it", path);
    for (uint32_t v = trod_json_first(&doc, 0); v != TROD_JSON_NONE;
        v = trod_json_next(&doc, 0, v))
        if (!read_entry(cli, version, &doc, v, &nby_itself))
            return false;
    if (nby_itself)
        cli_version_note(cli, version,
            "%s: %" PRIu32
            " entries are internal compiler commands (-cc1), and are omitted",
            path, nby_itself);
    return true;
}
