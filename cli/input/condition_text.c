#include "input/input.h"

/* A source is read once, when one of its conditions or lines is first needed. Unreadable sources
 * are reported in one note, with a remedy.
 */

static void report_unreadable(struct cli_text *t, const struct cli_source *source)
{
    if (!t->nunreadable++ && !t->quiet)
        cli_note(t->cli, "conditions are not shown: %s", source->why);
}

static void report_changed(struct cli_text *t, const struct cli_source *source)
{
    if (t->built && source->changed > t->built && !t->nchanged++)
        cli_note(t->cli,
            "%s changed after the program was built: the conditions shown may be wrong",
            source->path);
}

static const struct trod_source_text *source_of(
    const struct trod_map_entry *entry, const char *file, void *ctx)
{
    struct cli_text *t = ctx;
    struct cli *cli = t->cli;
    const char *directory = trod_flow_directory(t->map, entry);
    const char *name = file ? file : trod_flow_file(entry);
    uint32_t i = trod_names_add(&t->names, trod_only_path(directory, name, &cli->mem));
    struct cli_source source;

    if (i == t->nsource) {
        trod_push(&cli->mem, t->source, t->nsource, t->room, NULL);
        if (cli_source_read(&source, cli, name, directory)) {
            struct trod_source_text *text =
                trod_new(&cli->mem, struct trod_source_text, 1);

            trod_source_scan(text, source.line, source.nline, &cli->mem);
            t->source[i] = text;
            report_changed(t, &source);
        } else if (!trod_is_system_code(entry)) {
            report_unreadable(t, &source);
        }
    }
    return t->source[i];
}

const struct trod_condition_source *cli_text_open(struct cli_text *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_map *map)
{
    *out = (struct cli_text){
        .cli = cli, .map = map, .built = profile ? cli_sources_built(profile) : 0};
    trod_names_init(&out->names, &cli->mem);
    out->source_text = (struct trod_condition_source){source_of, out, &cli->mem};
    return &out->source_text;
}
