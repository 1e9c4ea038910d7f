#include "build/lifted.h"
#include "commands.h"
#include "input/input.h"
#include "output/output.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dwfl/dwfl_port.h"
#include "elf/section.h"
#include "zstd/zstd_port.h"

static const size_t most_bytes = (size_t)1 << 34; /* of one file, uncompressed */

static bool is_packed(const struct cli_bytes *in)
{
    static const unsigned char magic[] = {0x28, 0xb5, 0x2f, 0xfd};

    return in->length >= sizeof magic && memcmp(in->bytes, magic, sizeof magic) == 0;
}

static bool read_seen(struct cli *cli, struct trod_seen *out, const char *path)
{
    struct cli_bytes in;
    struct trod_text text;

    if (!cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    if (is_packed(&in)) {
        uint8_t *bytes;

        if (!trod_zstd_codec.decompress(&bytes, &in.length, (const uint8_t *)in.bytes,
                in.length, most_bytes, &cli->mem, &cli->err))
            return false;
        in.bytes = (const char *)bytes;
    }
    trod_text_init(&text, in.name, in.bytes, in.length);
    return trod_seen_parse(out, &text, &cli->mem, &cli->err) &&
           (!TROD_CHECKED || trod_seen_check(out, &cli->err));
}

static void note_missing(void *ctx, const char *path, const char *why)
{
    cli_note(ctx, "%s: %s; its functions are printed as file and offset", path, why);
}

static bool read_all(struct cli *cli, const struct trod_seen **seen, uint32_t *count,
    const struct cli_list *files)
{
    for (uint32_t i = 0; i < files->count; i++) {
        struct trod_seen *one = trod_new(&cli->mem, struct trod_seen, 1);

        if (!read_seen(cli, one, files->item[i]))
            return false;
        seen[(*count)++] = one;
    }
    return true;
}

bool cli_lifted_build(
    struct cli *cli, struct cli_lifted *out, const struct cli_lift_options *from)
{
    const struct trod_seen **seen = trod_new(&cli->mem, const struct trod_seen *,
        (size_t)from->seen.count + from->also.count);
    struct trod_lift_files *files = trod_new(&cli->mem, struct trod_lift_files, 1);
    struct trod_lift_options options = {.files = files, .limit = from->limit};
    uint32_t n = 0;
    bool ok;

    *out = (struct cli_lifted){
        .seen = seen, .ncounted = from->seen.count, .dwfl = trod_dwfl_open(&cli->mem)};
    trod_dwfl_files(files, out->dwfl);
    ok = read_all(cli, seen, &n, &from->seen) && read_all(cli, seen, &n, &from->also) &&
         trod_lift_build(
             &out->lifted, seen, n, out->ncounted, &options, &cli->mem, &cli->err) &&
         (!TROD_CHECKED || trod_lift_check(&out->lifted, &cli->mem, &cli->err));
    if (ok)
        trod_dwfl_each_missing(out->dwfl, note_missing, cli);
    return ok;
}

void cli_lifted_close(struct cli_lifted *lifted)
{
    trod_dwfl_close(lifted->dwfl);
}

/* --- writing ---------------------------------------------------------------------------------------- */

static bool write_map(
    struct cli *cli, const struct trod_lifted *lifted, const char *path)
{
    struct trod_string text, file;

    trod_string_init(&text, &cli->mem);
    trod_lift_print_map(&text.sink, lifted);
    trod_string_init(&file, &cli->mem);
    return trod_elf_map_write(
               &file.sink, text.text, text.length, "", 0, &cli->mem, &cli->err) &&
           cli_out_file(cli, path, &file);
}

static bool write_profile(
    struct cli *cli, const struct trod_profile *profile, const char *path)
{
    struct trod_string file;

    if (!path)
        return trod_profile_write(
            &cli->out.sink, profile, &trod_zstd_codec, &cli->mem, &cli->err);
    trod_string_init(&file, &cli->mem);
    return trod_profile_write(
               &file.sink, profile, &trod_zstd_codec, &cli->mem, &cli->err) &&
           cli_out_file(cli, path, &file);
}

static bool write_both(struct cli *cli, const struct cli_lifted *lifted,
    const char *profile, const char *map)
{
    struct trod_profile_field field = {.key = "map"};
    struct trod_lift_fields fields = {.field = &field};
    struct trod_profile out;
    char whole[PATH_MAX];

    if (map) {
        if (!write_map(cli, &lifted->lifted, map))
            return false;
        /* The absolute path is known only now that the file exists. */
        field.value = realpath(map, whole) ? whole : map;
        fields.nfield = 1;
    }
    return trod_lift_profile(&out, &lifted->lifted, lifted->seen, lifted->ncounted,
               &fields, &cli->mem, &cli->err) &&
           (!TROD_CHECKED || trod_profile_check(&out, &cli->err)) &&
           write_profile(cli, &out, profile);
}

bool cli_lifted_write(struct cli *cli, const struct cli_lift_options *from,
    const char *profile, const char *map)
{
    struct cli_lifted lifted;
    bool ok =
        cli_lifted_build(cli, &lifted, from) && write_both(cli, &lifted, profile, map);

    cli_lifted_close(&lifted);
    return ok;
}
