#include "llvm/port.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The given profiles and path lists, kept as long as the compiler runs. */
static struct {
    bool loaded;
    struct trod_arena mem;
    struct trod_ran ran;
    struct trod_list list; /* union of the executed paths and the lists */
    uint64_t *name;        /* [nname] of known functions, ascending */
    size_t nname;
} sets;

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: out of memory while reading paths\n");
    exit(TROD_E_SYSTEM);
}

struct reader {
    const struct trod_profile **profile;
    uint32_t nprofile, room;
    struct trod_list list;
    struct trod_err err;
};

static bool read_list(struct reader *r, struct trod_text *text)
{
    struct trod_list list;

    return trod_list_parse(&list, text, &sets.mem, &r->err) &&
           trod_list_combine(
               &r->list, TROD_LIST_UNION, &r->list, &list, &sets.mem, &r->err);
}

static bool read_profile(
    struct reader *r, const char *path, const char *bytes, size_t length)
{
    struct trod_profile *profile = trod_new(&sets.mem, struct trod_profile, 1);

    if (!trod_llvm_read_profile(
            profile, path, bytes, length, "a path list", &sets.mem, &r->err))
        return false;
    trod_push(&sets.mem, r->profile, r->nprofile, r->room, profile);
    return true;
}

static bool read_file(struct reader *r, const char *path)
{
    struct trod_text text;
    char *bytes;
    size_t length;

    if (!trod_llvm_read_bytes(&bytes, &length, path, &sets.mem, &r->err))
        return false;
    trod_text_init(&text, path, bytes, length);
    return trod_list_begins(&text, &sets.mem) ? read_list(r, &text)
                                              : read_profile(r, path, bytes, length);
}

static bool read_files(struct reader *r, const char *files)
{
    const char *end;

    for (; *files; files = end + (*end == '\n')) {
        end = strchrnul(files, '\n');
        if (!read_file(r, trod_copy_text(&sets.mem, files, (size_t)(end - files))))
            return false;
    }
    return true;
}

/* --- lookup ------------------------------------------------------------------------------- */

TROD_ORDER(by_number, uint64_t, trod_compare(*a, *b))

static void fill_names(void)
{
    sets.name = trod_new(&sets.mem, uint64_t, sets.ran.nfunction + sets.list.nfunction);
    for (size_t i = 0; i < sets.ran.nfunction; i++)
        sets.name[sets.nname++] = sets.ran.function[i].function.name;
    for (size_t i = 0; i < sets.list.nfunction; i++)
        sets.name[sets.nname++] = sets.list.function[i].function.name;
    trod_sort(sets.name, sets.nname, by_number);
}

static void check_mode(enum trod_format_mode mode)
{
    struct trod_err err;

    if (sets.list.mode == mode || !sets.nname)
        return;
    trod_err_set(&err, TROD_E_MISMATCH,
        "the given paths belong to the %s, and this build counts those of the %s; use "
        "--at=%s, as in the build they came from",
        trod_profile_mode_name(sets.list.mode), trod_profile_mode_name(mode),
        trod_profile_mode_name(sets.list.mode));
    trod_llvm_fail(&err);
}

void trod_llvm_sets_load(
    const char *files, enum trod_format_mode mode, enum trod_want want)
{
    struct reader r = {.list = {.mode = TROD_MODE_SOURCE}};
    struct trod_list ran;

    if (sets.loaded)
        return;
    sets.loaded = true;
    trod_arena_init(&sets.mem, out_of_memory, NULL);
    if (!read_files(&r, files) ||
        !trod_ran_build(&sets.ran, r.profile, r.nprofile, &sets.mem, &r.err))
        trod_llvm_fail(&r.err);
    trod_list_ran(&ran, &sets.ran, NULL, &sets.mem);
    if (want == TROD_WANT_CHOSEN)
        trod_list_several(&ran, &ran, &sets.mem);
    if (!trod_list_combine(
            &sets.list, TROD_LIST_UNION, &ran, &r.list, &sets.mem, &r.err))
        trod_llvm_fail(&r.err);
    fill_names();
    check_mode(mode);
}

/* The count of each path in the set; 1 for paths that only lists have. */
static const uint64_t *counts(const struct trod_pathset *paths,
    const struct trod_ran_function *ran, struct trod_arena *mem)
{
    uint64_t *count = trod_new(mem, uint64_t, paths->count);

    for (size_t i = 0, k = 0; i < paths->count; i++) {
        while (ran && k < ran->npath && ran->path[k].id < paths->id[i])
            k++;
        count[i] = ran && k < ran->npath && ran->path[k].id == paths->id[i]
                       ? ran->path[k].count
                       : 1;
    }
    return count;
}

void trod_llvm_sets_find(
    struct trod_set *out, const struct trod_rt_function *record, struct trod_arena *mem)
{
    struct trod_profile_function function = {.name = record->name,
        .graph = record->graph,
        .cuts = record->cuts,
        .npath = record->npath};
    const struct trod_list_function *listed = trod_list_find(&sets.list, &function);
    const struct trod_ran_function *ran = trod_ran_find(&sets.ran, &function);

    *out = (struct trod_set){.state = TROD_SET_FOUND};
    if (listed) {
        trod_pathset_build(&out->paths, listed->id, listed->count, mem);
        out->count = counts(&out->paths, ran, mem);
    } else if (!ran) {
        out->state = sets.nname && bsearch(&record->name, sets.name, sets.nname,
                                       sizeof *sets.name, by_number)
                         ? TROD_SET_STALE
                         : TROD_SET_UNKNOWN;
    }
}
