#include "commands.h"
#include "sample/sampled.h"

#include <stdlib.h>
#include <string.h>

#include "elf/section.h"

/* --- profiles ------------------------------------------------------------------------------------ */

static size_t list_symbols(const struct trod_stream_symbol **out, struct cli *cli,
    const char *file, enum trod_elf_symbols which)
{
    struct trod_elf_symbol *symbol;
    struct trod_stream_symbol *list;
    struct trod_err none;
    size_t count;

    if (!trod_elf_symbols(&symbol, &count, file, which, &cli->mem, &none))
        return 0;
    list = trod_new(&cli->mem, struct trod_stream_symbol, count + 1);
    for (size_t i = 0; i < count; i++)
        list[i] = (struct trod_stream_symbol){
            symbol[i].name, symbol[i].offset, symbol[i].nbyte};
    *out = list;
    return trod_stream_tidy_symbols(list, count);
}

/* Variables of the binary that ran, or of a named one with its build id. Without either, variables
 * are printed as addresses.
 */
static void read_symbols(
    struct trod_stream_image *out, struct cli *cli, const struct trod_profile_image *of)
{
    const struct cli_list *binary = &cli->options.binary;
    struct trod_err none;

    for (uint32_t i = 0; i <= binary->count && !out->nglobal; i++) {
        const char *file = i < binary->count ? binary->item[i] : of->path;
        char *id;

        if (!trod_elf_build_id(&id, file, &cli->mem, &none) ||
            strcmp(id, of->build_id) != 0)
            continue;
        out->nglobal = list_symbols(&out->global, cli, file, TROD_ELF_OBJECTS);
        out->nlocal = list_symbols(&out->local, cli, file, TROD_ELF_LOCALS);
    }
}

static void open_image(struct trod_stream_refs *out, struct cli *cli,
    const struct cli_bytes *in, const struct trod_profile_health *health,
    const struct trod_profile_image *image, const struct trod_map *map)
{
    struct trod_stream_chunk *chunk =
        trod_new(&cli->mem, struct trod_stream_chunk, (size_t)health->nrefs + 1);
    struct trod_stream_image *known = trod_new(&cli->mem, struct trod_stream_image, 1);
    struct trod_stream_maps *maps = trod_new(&cli->mem, struct trod_stream_maps, 1);
    size_t nchunk = 0;

    *maps = (struct trod_stream_maps){image, map};
    known->code = trod_stream_find_code;
    known->ctx = maps;
    read_symbols(known, cli, image);
    for (uint32_t i = 0; i < health->nrefs; i++)
        if (health->refs[i].module == image->number)
            chunk[nchunk++] = (struct trod_stream_chunk){
                (const uint8_t *)in->bytes + health->refs[i].at, health->refs[i].nbyte};
    trod_stream_open(out, in->name, chunk, nchunk, known, &cli->mem);
}

static bool take_profile(
    struct cli_streams *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_map *map = trod_new(&cli->mem, struct trod_map, 1);
    struct cli_profiles read;

    if (!cli_profiles_take(&read, cli, in))
        return false;
    if (read.text || !read.health.nrefs || !read.health.nimage)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: it has no recorded loads and stores; name a profile of a program compiled with "
            "'trod cc --burst=types=streams' ('trod merge' omits them)",
            in->name);
    if (!cli_maps_read(cli, map, &read.profile[0]))
        return false;
    out->refs =
        trod_new(&cli->mem, struct trod_stream_refs, (size_t)read.health.nimage);
    for (uint32_t i = 0; i < read.health.nimage; i++)
        open_image(&out->refs[out->nrefs++], cli, in, &read.health,
            &read.health.image[i], map);
    return true;
}

/* --- texts ------------------------------------------------------------------------------------------ */

static bool is_text(const struct cli_bytes *in)
{
    struct trod_text text;
    size_t left;

    trod_text_init(&text, in->name, in->bytes, in->length);
    while (text.at < text.end && (*text.at == '\n' || *text.at == ' '))
        text.at++;
    left = (size_t)(text.end - text.at);
    return (left >= 5 && memcmp(text.at, "refs ", 5) == 0) ||
           (left >= 8 && memcmp(text.at, "streams ", 8) == 0);
}

static bool take_section(struct cli_streams *out, struct cli *cli,
    const struct trod_token *head, const char *name, struct trod_text *text)
{
    if (trod_token_is_word(head, "refs") && !out->found) {
        size_t n = out->nrefs;

        out->refs = trod_arena_grow(&cli->mem, out->refs, n, n + 1, sizeof *out->refs);
        out->nrefs++;
        return trod_stream_refs_parse(&out->refs[n], name, text, &cli->mem, &cli->err);
    }
    if (out->found || out->nrefs)
        return trod_text_fail(text, &cli->err,
            "expected the end of the file; put streams in a separate file");
    out->found = true;
    return trod_streams_parse(&out->streams, name, text, &cli->mem, &cli->err);
}

static bool take_text(
    struct cli_streams *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    for (;;) {
        struct trod_token head;
        const char *name;

        if (!trod_text_next(&head, &text, &cli->mem, &cli->err))
            return false;
        if (head.kind == TROD_T_END)
            return true;
        if (head.kind == TROD_T_LINE)
            continue;
        if (!trod_token_is_word(&head, "refs") && !trod_token_is_word(&head, "streams"))
            return trod_text_fail(&text, &cli->err,
                "expected the head of a section, 'refs NAME' or 'streams NAME'");
        if (!trod_text_take_name(&name, "a name", &text, &cli->mem, &cli->err) ||
            !take_section(out, cli, &head, name, &text))
            return false;
    }
}

bool cli_streams_read(struct cli_streams *out, struct cli *cli, const char *path)
{
    struct cli_bytes in;

    *out = (struct cli_streams){0};
    if (!cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    out->name = in.name;
    return is_text(&in) ? take_text(out, cli, &in) : take_profile(out, cli, &in);
}

/* --- streams ------------------------------------------------------------------------------------------ */

static bool read_share(struct cli *cli, double *out, const char *text)
{
    char *end;

    *out = strtod(text, &end) / 100;
    if (*end == '%')
        end++;
    return (*text && !*end && *out >= 0 && *out <= 1) ||
           cli_misused(cli, "--least: '%s' is not a number from 0 to 100", text);
}

bool cli_streams_options(struct trod_stream_options *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    *out = (struct trod_stream_options){
        .by = o->stream_by ? (enum trod_stream_by)(o->stream_by - 1)
                           : TROD_STREAM_BY_OBJECT,
        .no_stack = o->no_stack,
        .most_symbols = o->most_symbols};
    if (o->shortest > TROD_STREAM_LONGEST_EVER || o->longest > TROD_STREAM_LONGEST_EVER)
        return cli_misused(
            cli, "streams have at most %d references", TROD_STREAM_LONGEST_EVER);
    out->shortest = (uint32_t)o->shortest;
    out->longest = (uint32_t)o->longest;
    if (out->shortest == 1)
        return cli_misused(cli, "a stream has at least two references");
    if ((out->shortest ? out->shortest : TROD_STREAM_SHORTEST) >
        (out->longest ? out->longest : TROD_STREAM_LONGEST))
        return cli_misused(cli, "the shortest stream is longer than the longest");
    if (o->most_symbols > TROD_GRAMMAR_MOST)
        return cli_misused(cli, "a grammar has at most 2^30 symbols");
    return !o->least || read_share(cli, &out->least, o->least);
}

static bool check_streams(struct cli *cli, const struct trod_streams *streams)
{
    return !(cli->options.check || TROD_CHECKED) ||
           trod_streams_check(streams, &cli->err);
}

bool cli_streams_find(struct trod_streams *out, struct cli_streams *in, struct cli *cli)
{
    struct trod_stream_options options;
    struct trod_streams streams;

    *out = in->streams;
    if (in->found)
        return check_streams(cli, out);
    if (!cli_streams_options(&options, cli))
        return false;
    for (size_t i = 0; i < in->nrefs; i++) {
        if ((cli->options.check || TROD_CHECKED) &&
            !trod_stream_refs_check(&in->refs[i], &cli->err))
            return false;
        trod_stream_find(&streams, &in->refs[i], &options, &cli->mem, &cli->mem);
        if (cli->options.exact)
            trod_stream_look(
                &streams, &in->refs[i], &options, SIZE_MAX, true, &cli->mem, &cli->mem);
        if (!i || streams.nref > out->nref)
            *out = streams;
    }
    return check_streams(cli, out);
}
