#include "trod/trod.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cxx/demangle.h"
#include "elf/section.h"
#include "file/file.h"
#include "report/report.h"
#include "zstd/zstd_port.h"

/* A function of the public interface, and the internal one behind it. */
struct function {
    struct trod_data_function public;
    const struct trod_map_entry *entry; /* NULL: in no map */
    struct trod_data_path *path;        /* most frequent first */
};

struct trod_data {
    struct trod_arena mem;
    jmp_buf exhausted;
    struct trod_profile profile;
    struct trod_map map;
    struct function *function;
    size_t nfunction, room_function;
    const char **note;
    size_t nnote, room_note;
};

int trod_api(void)
{
    return TROD_API;
}

const char *trod_version(void)
{
    return TROD_VERSION;
}

/* --- failures ------------------------------------------------------------------------------ */

/* The arena's handler must not return when memory is exhausted: it jumps back to the public
 * function that was called. */
static void jump(void *ctx)
{
    struct trod_data *data = ctx;

    longjmp(data->exhausted, 1);
}

static bool fail(struct trod_failure *why, int status, const char *text)
{
    if (why) {
        why->status = status;
        snprintf(why->text, sizeof why->text, "%s", text);
    }
    return false;
}

static bool fail_with(struct trod_failure *why, const struct trod_err *err)
{
    return fail(
        why, err->code == TROD_E_LIMIT ? TROD_E_INPUT : (int)err->code, err->text);
}

static const char *const out_of_memory = "out of memory; read fewer profiles at a time";

static void add_note(struct trod_data *data, const char *text)
{
    trod_reserve(&data->mem, data->note, data->nnote, data->room_note);
    data->note[data->nnote++] = trod_copy_text(&data->mem, text, strlen(text));
}

/* --- files ---------------------------------------------------------------------------------- */

static bool fail_to_read(const char *file, int error, struct trod_err *err)
{
    return trod_fail(err, TROD_E_SYSTEM, "%s: %s; name a file that can be read", file,
        strerror(error));
}

static bool has_something(const struct trod_profile *profile,
    const struct trod_profile_health *health, const char *file, struct trod_err *err)
{
    return !health->nloss || profile->nmodule ||
           trod_fail(err, TROD_E_INPUT,
               "%s: nothing can be read from this profile: it was truncated or overwritten; run the "
               "program again",
               file);
}

static bool read_pieces(struct trod_data *data, struct trod_profile *out,
    const struct trod_profile_read_options *options, struct trod_file_pieces *pieces,
    struct trod_err *err)
{
    struct trod_source source = trod_file_source(pieces);
    struct trod_profile_health health;
    bool ok = trod_profile_read_from(out, &health, &source, options, &data->mem, err);

    if (pieces->error)
        return fail_to_read(options->name, pieces->error, err);
    return ok && has_something(out, &health, options->name, err);
}

/* Text, or a pipe. */
static bool read_whole(struct trod_data *data, struct trod_profile *out,
    const struct trod_profile_read_options *options, int fd, struct trod_err *err)
{
    struct trod_profile_health health;
    struct trod_text text;
    char *bytes = NULL;
    size_t length = 0;
    int error = fd < 0 ? errno : trod_file_read(&bytes, &length, fd, &data->mem);
    bool more = false;

    if (error)
        return fail_to_read(options->name, error, err);
    if (trod_profile_is_binary((const uint8_t *)bytes, length))
        return trod_profile_read(out, &health, (const uint8_t *)bytes, length, options,
                   &data->mem, err) &&
               has_something(out, &health, options->name, err);
    trod_text_init(&text, options->name, bytes, length);
    if (!trod_profile_parse(out, &more, &text, &data->mem, err))
        return false;
    return more ||
           trod_fail(err, TROD_E_INPUT,
               "%s: not a profile; name a file that an instrumented program or 'trod merge' wrote",
               options->name);
}

static bool read_profile(struct trod_data *data, struct trod_profile *out,
    const char *file, struct trod_err *err)
{
    struct trod_profile_read_options options = {
        .name = file, .codec = &trod_zstd_codec};
    struct trod_file_pieces pieces;
    int fd = trod_elf_open(file);
    uint8_t head[8];
    bool ok;

    if (fd >= 0 && trod_file_pieces_begin(&pieces, fd, head, sizeof head) &&
        trod_profile_is_binary(head, sizeof head))
        ok = read_pieces(data, out, &options, &pieces, err);
    else
        ok = read_whole(data, out, &options, fd, err);
    if (fd >= 0)
        close(fd);
    return ok;
}

static bool read_profiles(
    struct trod_data *data, const char *const *file, size_t nfile, struct trod_err *err)
{
    struct trod_profile_merge_options options = {0};
    const struct trod_profile **all =
        trod_new(&data->mem, const struct trod_profile *, nfile);

    for (size_t i = 0; i < nfile; i++) {
        struct trod_profile *one = trod_new(&data->mem, struct trod_profile, 1);

        if (!read_profile(data, one, file[i], err))
            return false;
        all[i] = one;
    }
    return trod_profile_merge(
        &data->profile, all, (uint32_t)nfile, &options, &data->mem, err);
}

/* --- maps ----------------------------------------------------------------------------------- */

static void find_map(struct trod_data *data, struct trod_string *text,
    const struct trod_profile_module *module)
{
    struct trod_string beside;
    struct trod_err err, ignored;

    if (trod_elf_map(text, module->path, module->build_id, &data->mem, &err))
        return;
    trod_string_init(&beside, &data->mem);
    trod_put(&beside.sink, "%s" TROD_MAP_SUFFIX, module->path);
    if (!trod_elf_map(text, beside.text, module->build_id, &data->mem, &ignored))
        add_note(data, err.text);
}

static bool read_map(struct trod_data *data, const char *binary, struct trod_err *err)
{
    struct trod_string text;
    struct trod_text in;

    trod_string_init(&text, &data->mem);
    if (binary && !trod_elf_map(&text, binary, NULL, &data->mem, err))
        return false;
    for (uint32_t i = 0; !binary && i < data->profile.nmodule; i++)
        find_map(data, &text, &data->profile.module[i]);
    trod_text_init(&in, ".trod.map", text.text, text.length);
    if (!trod_map_parse(&data->map, &in, &data->mem, err))
        return false;
    for (uint32_t i = 0; i < data->map.nentry; i++)
        data->map.entry[i].display_name =
            trod_cxx_name(data->map.entry[i].name, &data->mem);
    return true;
}

/* --- functions -------------------------------------------------------------------------------- */

static int most_frequent_first(const void *a, const void *b)
{
    const struct trod_data_path *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->id > y->id) - (x->id < y->id);
}

static const char *name_of_hash(struct trod_data *data, uint64_t hash)
{
    struct trod_string out;

    trod_string_init(&out, &data->mem);
    trod_put(&out.sink, "?%016" PRIx64, hash);
    return out.text;
}

/* Ids above those of paths count how often the function was begun or abandoned. */
static void add_function(struct trod_data *data, const struct trod_profile_tally *tally)
{
    const struct trod_profile_function *from =
        &data->profile.module[tally->module].function[tally->function];
    struct function *f;

    if (trod_profile_is_events(from))
        return;
    trod_reserve(&data->mem, data->function, data->nfunction, data->room_function);
    f = &data->function[data->nfunction];
    *f = (struct function){.entry = trod_map_find(&data->map, from),
        .path = trod_new(&data->mem, struct trod_data_path, tally->npath)};
    f->public.npossible = from->npath;
    for (size_t i = 0; i < tally->npath && tally->path[i].id < from->npath; i++) {
        f->path[f->public.npath++] =
            (struct trod_data_path){tally->path[i].id, tally->path[i].count};
        f->public.count = trod_sat_add(f->public.count, tally->path[i].count);
    }
    if (!f->public.npath)
        return;
    qsort(f->path, f->public.npath, sizeof *f->path, most_frequent_first);
    f->public.name = f->entry ? f->entry->display_name : name_of_hash(data, from->name);
    if (f->entry) {
        f->public.linkage = f->entry->name;
        f->public.file = f->entry->file;
        f->public.line = f->entry->declared;
    }
    data->nfunction++;
}

/* --- opening ---------------------------------------------------------------------------------- */

static bool open_data(struct trod_data *data, const char *const *file, size_t nfile,
    const char *binary, struct trod_failure *why)
{
    struct trod_err err;

    if (setjmp(data->exhausted))
        return fail(why, TROD_E_SYSTEM, out_of_memory);
    if (!nfile)
        return fail(why, TROD_E_INPUT, "no profile was named");
    if (!read_profiles(data, file, nfile, &err) || !read_map(data, binary, &err))
        return fail_with(why, &err);
    for (uint32_t i = 0; i < data->profile.nnote; i++)
        add_note(data, data->profile.note[i]);
    for (size_t i = 0; i < data->profile.ntally; i++)
        add_function(data, &data->profile.tally[i]);
    return true;
}

struct trod_data *trod_data_open(
    const char *const *file, size_t nfile, const char *binary, struct trod_failure *why)
{
    struct trod_data *data = calloc(1, sizeof *data);

    if (!data) {
        fail(why, TROD_E_SYSTEM, out_of_memory);
        return NULL;
    }
    trod_arena_init(&data->mem, jump, data);
    if (open_data(data, file, nfile, binary, why))
        return data;
    trod_data_close(data);
    return NULL;
}

void trod_data_close(struct trod_data *data)
{
    if (data)
        trod_arena_free(&data->mem);
    free(data);
}

/* --- writing ---------------------------------------------------------------------------------- */

bool trod_data_write(struct trod_data *data, const char *file, struct trod_failure *why)
{
    struct trod_file_beside beside;
    struct trod_string text;
    struct trod_err err;
    char message[512];
    int error;

    if (setjmp(data->exhausted))
        return fail(why, TROD_E_SYSTEM, out_of_memory);
    trod_string_init(&text, &data->mem);
    if (!trod_profile_write(
            &text.sink, &data->profile, &trod_zstd_codec, &data->mem, &err))
        return fail_with(why, &err);
    error = trod_file_begin(&beside, file, false, &data->mem);
    if (!error)
        error =
            trod_file_end(&beside, trod_file_write(beside.fd, text.text, text.length));
    if (!error)
        return true;
    snprintf(message, sizeof message, "%.400s: %s", file, strerror(error));
    return fail(why, TROD_E_SYSTEM, message);
}

/* --- access ------------------------------------------------------------------------------------- */

size_t trod_data_nnote(const struct trod_data *data)
{
    return data->nnote;
}

const char *trod_data_note(const struct trod_data *data, size_t note)
{
    return note < data->nnote ? data->note[note] : NULL;
}

size_t trod_data_nfunction(const struct trod_data *data)
{
    return data->nfunction;
}

const struct trod_data_function *trod_data_function(
    const struct trod_data *data, size_t function)
{
    return function < data->nfunction ? &data->function[function].public : NULL;
}

const struct trod_data_path *trod_data_path(
    const struct trod_data *data, size_t function, size_t path)
{
    if (function >= data->nfunction || path >= data->function[function].public.npath)
        return NULL;
    return &data->function[function].path[path];
}

const char *trod_data_path_text(struct trod_data *data, size_t function, size_t path)
{
    const struct trod_data_path *volatile of = trod_data_path(data, function, path);
    struct trod_string text;

    if (!of || !data->function[function].entry || setjmp(data->exhausted))
        return NULL;
    trod_string_init(&text, &data->mem);
    trod_path_print_folded(&text.sink, &data->map, data->function[function].entry,
        of->id, NULL, &data->mem);
    return text.text;
}

const uint32_t *trod_data_path_lines(
    struct trod_data *data, size_t function, size_t path, size_t *nline)
{
    const struct trod_data_path *of = trod_data_path(data, function, path);

    *nline = 0;
    if (!of || !data->function[function].entry || setjmp(data->exhausted))
        return NULL;
    return trod_path_lines(
        nline, &data->map, data->function[function].entry, of->id, &data->mem);
}
