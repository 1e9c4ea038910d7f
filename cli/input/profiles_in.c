#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <inttypes.h>
#include <string.h>

#include "zstd/zstd_port.h"

static bool read_pieces(struct cli_profiles *out, struct cli *cli,
    const struct cli_bytes *in, const struct trod_profile_read_options *options)
{
    struct trod_file_pieces pieces = in->pieces;
    struct trod_source source = trod_file_source(&pieces);
    bool ok = trod_profile_read_from(
        out->profile, &out->health, &source, options, in->mem, &cli->err);

    return pieces.error ? cli_in_fail(cli, in, pieces.error) : ok;
}

static bool read_binary(
    struct cli_profiles *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_profile_read_options options = {.name = in->name,
        .codec = &trod_zstd_codec,
        .most = cli->options.max_expand,
        .again = (const uint8_t *)in->again,
        .nagain = in->nagain,
        .data = in->data,
        .ndata = in->ndata};

    out->profile = trod_new(in->mem, struct trod_profile, 1);
    out->count = 1;
    if (in->in_pieces)
        return read_pieces(out, cli, in, &options);
    return trod_profile_read(out->profile, &out->health, (const uint8_t *)in->bytes,
        in->length, &options, in->mem, &cli->err);
}

static bool read_text(
    struct cli_profiles *out, struct cli *cli, const struct cli_bytes *in)
{
    struct trod_text text;
    bool more = true;

    trod_text_init(&text, in->name, in->bytes, in->length);
    out->text = true;
    for (;;) {
        struct trod_profile profile;

        if (!trod_profile_parse(&profile, &more, &text, in->mem, &cli->err))
            return false;
        if (!more)
            break;
        trod_push(in->mem, out->profile, out->count, out->room, profile);
    }
    return out->count ||
           trod_fail(&cli->err, TROD_E_INPUT,
               "%s: not a profile: the file is empty; name a file that an instrumented program or "
               "'trod merge' wrote",
               in->name);
}

bool cli_profiles_read(
    struct cli_profiles *out, struct cli *cli, const char *path, struct trod_arena *mem)
{
    struct cli_bytes in;
    bool ok;

    if (!cli_in_open(cli, &in, path, mem))
        return false;
    ok = cli_profiles_take(out, cli, &in);
    cli_in_close(&in);
    return ok;
}

bool cli_profiles_take(
    struct cli_profiles *out, struct cli *cli, const struct cli_bytes *in)
{
    bool binary, ok;

    *out = (struct cli_profiles){.name = in->name};
    /* Text never contains a NUL; a profile always does, unless it was truncated in its header. */
    binary = in->in_pieces ||
             trod_profile_begins_binary((const uint8_t *)in->bytes, in->length);
    ok = binary ? read_binary(out, cli, in) : read_text(out, cli, in);
    cli->unusable = !ok && cli->err.code == TROD_E_INPUT;
    for (uint32_t i = 0; TROD_CHECKED && ok && i < out->count; i++)
        ok = trod_profile_check(&out->profile[i], &cli->err);
    if (ok)
        cli_programs_filter(out, cli, in->mem);
    return ok;
}

/* --- unusable files ----------------------------------------------------------------------- */

enum { MOST_NAMED = 3 };

bool cli_skips_take(struct cli_skips *skips, struct cli *cli)
{
    if (!cli->unusable || skips->of < 2 || cli->options.strict)
        return false;
    cli->unusable = false;
    if (++skips->count <= MOST_NAMED)
        cli_note(cli, "skipped: %s", cli->err.text);
    return true;
}

bool cli_skips_end(const struct cli_skips *skips, struct cli *cli)
{
    if (!skips->count)
        return true;
    if (skips->count == skips->of)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "none of the %" PRIu32
            " files could be used; 'trod check' prints what is wrong with each",
            skips->of);
    cli->skipped.count += skips->count;
    cli->skipped.of += skips->of;
    cli_note(cli,
        "%" PRIu32 " of %" PRIu32
        " files could not be used and were skipped; --strict makes this an error",
        skips->count, skips->of);
    return true;
}

const struct trod_profile *cli_skips_noted(struct cli *cli, struct trod_arena *mem)
{
    struct trod_profile *out = trod_new(mem, struct trod_profile, 1);
    const char **note = trod_new(mem, const char *, 1);
    char *text;

    *out = (struct trod_profile){0};
    if (!cli->skipped.count)
        return out;
    text = trod_format(mem,
        "lost %" PRIu32 " of %" PRIu32
        " files: they could not be used and were skipped",
        cli->skipped.count, cli->skipped.of);
    *note = text;
    out->note = note;
    out->nnote = 1;
    return out;
}

bool cli_profiles_each(struct cli *cli,
    bool (*fn)(struct cli *cli, const char *path, void *ctx), void *ctx)
{
    struct cli_list *file = &cli->options.file;
    struct cli_skips skips;

    if (!cli_profiles_list(file, cli, file))
        return false;
    if (!file->count)
        return fn(cli, "-", ctx);
    skips = (struct cli_skips){.of = file->count};
    for (uint32_t i = 0; i < file->count; i++)
        if (!fn(cli, file->item[i], ctx) && !cli_skips_take(&skips, cli))
            return false;
    return cli_skips_end(&skips, cli);
}

void cli_profiles_open_json(struct cli *cli, const char *array)
{
    if (cli->options.form != CLI_JSON)
        return;
    cli_json_begin(cli);
    trod_json_open(&cli->json, array, '[');
}

void cli_profiles_close_json(struct cli *cli)
{
    if (cli->options.form != CLI_JSON)
        return;
    trod_json_close(&cli->json, ']');
    cli_skips_json(cli);
    trod_json_close(&cli->json, '}');
}

void cli_skips_json(struct cli *cli)
{
    if (!cli->skipped.count)
        return;
    trod_json_open(&cli->json, "skipped", '{');
    trod_json_uint(&cli->json, "files", cli->skipped.count);
    trod_json_uint(&cli->json, "of", cli->skipped.of);
    trod_json_close(&cli->json, '}');
}

/* --- the sum of all ------------------------------------------------------------------------ */

static bool has_something(struct cli *cli, const struct cli_profiles *in)
{
    if (in->text || !in->count || !in->health.nloss || in->profile->nmodule)
        return true;
    cli->unusable = true;
    return trod_fail(&cli->err, TROD_E_INPUT,
        "%s: nothing can be read from this profile: it was truncated or overwritten; run the "
        "program again ('trod check' prints details)",
        in->name);
}

static bool sum_files(struct trod_profile *out, struct cli *cli, struct cli_sum *sum,
    const struct cli_list *files)
{
    struct cli_skips skips = {.of = files->count};
    struct cli_progress progress;

    cli_progress_begin(&progress, "reading", "files");
    if (!files->count && !cli_sum_add(sum, cli, "-", has_something))
        return false;
    for (uint32_t i = 0; i < files->count; i++) {
        if (!cli_sum_add(sum, cli, files->item[i], has_something) &&
            !cli_skips_take(&skips, cli))
            return false;
        cli_progress_report(&progress, cli, i + 1, files->count);
    }
    cli_progress_end(&progress, files->count, files->count);
    if (!cli_skips_end(&skips, cli))
        return false;
    cli_other_runs(cli, files);
    return cli_sum_end(out, sum, cli);
}

bool cli_profiles_sum(
    struct trod_profile *out, struct cli *cli, const struct cli_list *files)
{
    struct cli_list each;
    struct cli_sum sum;
    bool ok;

    if (!cli_profiles_list(&each, cli, files))
        return false;
    cli_sum_begin(&sum, cli, false);
    ok = sum_files(out, cli, &sum, &each);
    cli_sum_drop(&sum);
    return ok;
}

/* --- writing a profile ------------------------------------------------------------------- */

bool cli_profile_is_asked(struct cli *cli)
{
    if (!cli->options.as_text && cli_to_terminal(cli))
        return cli_misused(cli,
            "a binary profile cannot be written to a terminal; name a file with -o, or use --text");
    return true;
}

bool cli_profile_write(struct cli *cli, const struct trod_profile *profile)
{
    if (TROD_CHECKED && !trod_profile_check(profile, &cli->err))
        return false;
    if (!cli->options.as_text)
        return trod_profile_write(
            &cli->out.sink, profile, &trod_zstd_codec, &cli->mem, &cli->err);
    trod_profile_print(&cli->out.sink, profile);
    return true;
}
