/* counted: reads what bench/counted built and ran for a subject.
 *
 * A folder has a program, whose map has the graphs of its functions, and profiles of its runs.
 */
#ifndef TROD_COUNTED_H
#define TROD_COUNTED_H

#include "bench.h"
#include "elf/section.h"
#include "zstd/zstd_port.h"

static inline const char *counted_file(
    const char *folder, const char *file, struct trod_arena *mem)
{
    struct trod_string path;

    trod_string_init(&path, mem);
    trod_put(&path.sink, "%s/%s", folder, file);
    return path.text;
}

/* The subject: the last part of the folder's name. */
static inline const char *counted_name(const char *folder)
{
    const char *slash = strrchr(folder, '/');

    return slash ? slash + 1 : folder;
}

/* The functions of the program, whether they ran or not. */
static inline void counted_map(
    struct trod_map *out, const char *folder, struct trod_arena *mem)
{
    const char *program = counted_file(folder, "program", mem);
    struct trod_text text;
    struct trod_err err;
    char *bytes;
    size_t length;

    bench_require(
        trod_elf_section(&bytes, &length, program, ".trod.map", mem, &err), &err);
    trod_text_init(&text, program, bytes, length);
    bench_require(trod_map_parse(out, &text, mem, &err), &err);
}

static inline uint8_t *counted_bytes(
    size_t *length, const char *path, struct trod_arena *mem)
{
    FILE *f = fopen(path, "rb");
    uint8_t *bytes;
    long size;

    if (!f || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0) {
        perror(path);
        exit(5);
    }
    rewind(f);
    bytes = trod_new(mem, uint8_t, (size_t)size + 1);
    *length = fread(bytes, 1, (size_t)size, f);
    fclose(f);
    return bytes;
}

/* The paths that ran: "test.trod" or "field.trod". */
static inline void counted_ran(struct trod_ran *out, const char *folder,
    const char *profile, struct trod_arena *mem)
{
    struct trod_profile_read_options options = {
        .name = counted_file(folder, profile, mem), .codec = &trod_zstd_codec};
    struct trod_profile *p = trod_new(mem, struct trod_profile, 1);
    const struct trod_profile *one = p;
    struct trod_err err;
    size_t length;
    uint8_t *bytes = counted_bytes(&length, options.name, mem);

    bench_require(trod_profile_read(p, NULL, bytes, length, &options, mem, &err), &err);
    bench_require(trod_ran_build(out, &one, 1, mem, &err), &err);
}

#endif
