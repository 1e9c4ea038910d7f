#include "commands.h"
#include "compare/migrate_in.h"
#include "sample/sampled.h"
#include "version/carried.h"

#include <string.h>
#include <unistd.h>

/* --- names of inputs ------------------------------------------------------------------------------- */

static bool drop_end(char *name, const char *end)
{
    size_t n = strlen(name), k = strlen(end);

    if (n <= k || strcmp(name + n - k, end) != 0)
        return false;
    name[n - k] = '\0';
    return true;
}

/* v1-small.1234.trod belongs to input v1-small. */
static const char *name_of(struct cli *cli, const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name, *dot;

    file = slash ? slash + 1 : file;
    name = trod_copy(&cli->mem, file);
    if (!drop_end(name, ".trod") && !drop_end(name, ".entries") &&
        !drop_end(name, ".spans"))
        return name;
    dot = strrchr(name, '.');
    if (dot && dot > name && dot[1] && strspn(dot + 1, "0123456789") == strlen(dot + 1))
        *dot = '\0';
    return name;
}

static bool check_name(struct cli *cli, const char *name)
{
    if (!*name || strchr(name, '/') || name[0] == '.')
        return cli_misused(cli,
            "'%s' is not a valid input name: it becomes a file name; write NAME=FILE",
            name);
    if (strcmp(name, "all") == 0)
        return cli_misused(
            cli, "an input cannot be named 'all', which means all inputs together");
    return true;
}

struct cli_input *cli_inputs_find(const struct cli_inputs *of, const char *name)
{
    for (uint32_t i = 0; i < of->count; i++)
        if (strcmp(of->input[i].name, name) == 0)
            return &of->input[i];
    return NULL;
}

bool cli_inputs_list(
    struct cli *cli, struct cli_inputs *out, const struct cli_list *words)
{
    *out = (struct cli_inputs){0};
    for (uint32_t i = 0; i < words->count; i++) {
        const char *word = words->item[i], *equals = strchr(word, '='), *file = word,
                   *name;
        struct cli_input *input;

        /* NAME=FILE, unless a file has that name. */
        if (equals && access(word, F_OK) != 0) {
            name = trod_copy_text(&cli->mem, word, (size_t)(equals - word));
            file = equals + 1;
        } else {
            name = name_of(cli, word);
        }
        if (!check_name(cli, name))
            return false;
        input = cli_inputs_find(out, name);
        if (!input) {
            trod_reserve(&cli->mem, out->input, out->count, out->room);
            input = &out->input[out->count++];
            *input = (struct cli_input){.name = name};
        }
        trod_push(
            &cli->mem, input->file.item, input->file.count, input->file.room, file);
    }
    return true;
}

/* --- profiles ------------------------------------------------------------------------------------------ */

static bool is_entries(const struct cli_bytes *in)
{
    size_t i = 0;

    while (i < in->length && (in->bytes[i] == '\n' || in->bytes[i] == ' '))
        i++;
    return in->length - i > 8 && memcmp(in->bytes + i, "entries ", 8) == 0;
}

static bool take_entries(struct cli *cli, struct cli_input *input, const char *type,
    const struct cli_bytes *in)
{
    struct trod_entries entries;
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    if (!trod_entries_parse(&entries, &text, &cli->mem, &cli->err))
        return false;
    if (strcmp(entries.type, type) != 0)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: entries are of type '%s', not '%s'; use --type=%s", in->name,
            entries.type, type, entries.type);
    for (uint32_t i = 0; i < entries.nentry; i++)
        trod_entries_add(&input->entries, &entries.entry[i], &cli->mem);
    return true;
}

/* A profile of another profiler: its addresses are resolved with the symbols of the program. */
static bool take_foreign(struct cli *cli, struct cli_input *input,
    const struct cli_input_of *of, const struct cli_bytes *in)
{
    struct cli_list saved = cli->options.binary;
    const char *program = of->program;
    struct trod_entries entries;
    bool ok;

    /* The first program named belongs to the old version, the last to the new one. */
    if (saved.count)
        program = saved.item[of->is_new ? saved.count - 1 : 0];
    cli->options.binary = (struct cli_list){&program, program ? 1 : 0, 1};
    ok = cli_foreign_read(&entries, cli, of->type, in);
    cli->options.binary = saved;
    for (uint32_t i = 0; ok && i < entries.nentry; i++)
        trod_entries_add(&input->entries, &entries.entry[i], &cli->mem);
    return ok;
}

static bool is_of(const struct trod_profile *profile, const char *build_id)
{
    for (uint32_t i = 0; i < profile->nmodule; i++)
        if (strcmp(profile->module[i].build_id, build_id) == 0)
            return true;
    return false;
}

/* Targets of indirect calls are resolved with the symbols of the program. */
static bool take_bursts(struct cli *cli, struct cli_input *input,
    const struct trod_profile *sum, const struct cli_input_of *of)
{
    const char *program = of->program;
    struct cli_list saved = cli->options.binary;
    struct trod_bursts burst;
    bool ok;

    cli->options.binary = (struct cli_list){&program, program ? 1 : 0, 1};
    ok = cli_bursts_build(&burst, cli, sum, of->map) &&
         trod_migrate_pairs(&input->entries, &burst, &cli->mem, &cli->err);
    cli->options.binary = saved;
    return ok;
}

static bool take_paths(struct cli *cli, struct cli_input *input, const char *type,
    const struct trod_profile *sum, const struct trod_map *map)
{
    struct trod_flows *flows = trod_new(&cli->mem, struct trod_flows, 1);
    uint64_t nmissing;

    if (!trod_flows_build(flows, sum, map, &cli->mem, &cli->err) ||
        !trod_flows_entries(
            &input->entries, &nmissing, type, flows, false, &cli->mem, &cli->err))
        return false;
    input->flows = flows;
    if (nmissing)
        cli_note(cli,
            "%s: %llu indirect calls are omitted: paths do not record their targets",
            input->name, (unsigned long long)nmissing);
    return true;
}

static bool take_profiles(struct cli *cli, struct cli_input *input,
    const struct cli_list *files, const struct cli_input_of *of)
{
    struct trod_profile sum;

    if (!cli_profiles_sum(&sum, cli, files))
        return false;
    if (of->build_id && *of->build_id && !is_of(&sum, of->build_id))
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: this profile does not belong to %s; name the build that wrote it",
            files->item[0], of->program);
    if (!of->map)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: a profile needs the map of its program; name the program, not its sources",
            files->item[0]);
    if (strcmp(of->type, "callgraph") == 0 && trod_profile_has_bursts(&sum))
        return take_bursts(cli, input, &sum, of);
    return take_paths(cli, input, of->type, &sum, of->map);
}

bool cli_input_read(
    struct cli *cli, struct cli_input *input, const struct cli_input_of *of)
{
    const char *type = of->type;
    struct cli_list profiles = {0};
    uint32_t ntext = 0;

    if (cli_is_sequences(type))
        return cli_sequence_input(cli, input);
    input->entries = (struct trod_entries){.type = type};
    for (uint32_t i = 0; i < input->file.count; i++) {
        struct cli_bytes in;

        if (!cli_in_bytes(cli, &in, input->file.item[i], &cli->mem))
            return false;
        if (is_entries(&in)) {
            ntext++;
            if (!take_entries(cli, input, type, &in))
                return false;
            continue;
        }
        if (cli_foreign_is(&in)) {
            ntext++;
            if (!take_foreign(cli, input, of, &in))
                return false;
            continue;
        }
        trod_push(&cli->mem, profiles.item, profiles.count, profiles.room,
            input->file.item[i]);
    }
    if (ntext && profiles.count)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "input '%s' has both entries and profiles; give them different names, as NAME=FILE",
            input->name);
    if (profiles.count && !take_profiles(cli, input, &profiles, of))
        return false;
    input->entries.type = type;
    input->entries.input = input->name;
    trod_entries_order(&input->entries);
    return !of->whole || trod_entries_sum(&input->entries) ||
           trod_fail(&cli->err, TROD_E_INPUT,
               "%s: all its counts of type %s are 0, so there is nothing to migrate; was the "
               "program run, and could it write?",
               input->file.item[0], type);
}
