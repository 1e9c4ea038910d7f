#include "llvm/across/across.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The calls to follow, cached for all modules of the process. */
static struct trod_across_wanted wanted;
static struct trod_arena mem;

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: out of memory while reading segments\n");
    exit(TROD_E_SYSTEM);
}

struct reader {
    const struct trod_profile **profile;
    uint32_t nprofile, room;
    uint32_t nlist;
    struct trod_err err;
};

/* Does the text begin with a section of segments? If so, moves to after its name. */
static bool begins_segments(const char **name, struct trod_text *text)
{
    struct trod_text at = *text;
    struct trod_token head, second;
    struct trod_err err;

    do {
        if (!trod_text_next(&head, &at, &mem, &err))
            return false;
    } while (head.kind == TROD_T_LINE);
    if (head.kind != TROD_T_NAME || strcmp(head.name, "segments") != 0 ||
        !trod_text_next(&second, &at, &mem, &err) || second.kind != TROD_T_NAME)
        return false;
    *name = second.name;
    *text = at;
    return true;
}

static bool read_segments(
    struct reader *r, const char *path, const char *name, struct trod_text *text)
{
    struct trod_segments *out = &wanted.segments;

    if (r->nlist++)
        return trod_fail(&r->err, TROD_E_INPUT,
            "%s: segments were already given; combine lists with 'trod calls segments'",
            path);
    if (!trod_segments_parse(out, name, text, &mem, &r->err))
        return false;
    for (uint32_t i = 0; i < out->function.count; i++)
        if (!out->identity || !out->identity[i].npath)
            return trod_fail(&r->err, TROD_E_INPUT,
                "%s: function '%s' is not identified; create the list with 'trod calls segments' "
                "from profiles of 'trod cc --wpp'",
                path, out->function.name[i]);
    wanted.by_segments = true;
    return true;
}

static bool read_profile(
    struct reader *r, const char *path, const char *bytes, size_t length)
{
    struct trod_profile *profile = trod_new(&mem, struct trod_profile, 1);

    if (!trod_llvm_read_profile(
            profile, path, bytes, length, "a list of segments", &mem, &r->err))
        return false;
    if (profile->nmodule && profile->module[0].mode != TROD_MODE_STEPS)
        return trod_fail(&r->err, TROD_E_MISMATCH,
            "%s: its paths do not end at calls (mode %s); use a profile of a build with 'trod cc "
            "--subpaths' or '--wpp'",
            path, trod_profile_mode_name(profile->module[0].mode));
    trod_push(&mem, r->profile, r->nprofile, r->room, profile);
    return true;
}

static bool read_file(struct reader *r, const char *path)
{
    const char *name;
    struct trod_text text;
    char *bytes;
    size_t length;

    if (!trod_llvm_read_bytes(&bytes, &length, path, &mem, &r->err))
        return false;
    trod_text_init(&text, path, bytes, length);
    return begins_segments(&name, &text) ? read_segments(r, path, name, &text)
                                         : read_profile(r, path, bytes, length);
}

const struct trod_across_wanted *trod_across_load(const char *files, uint64_t depth)
{
    static bool loaded;
    struct reader r = {0};
    const char *end;

    if (loaded)
        return &wanted;
    loaded = true;
    trod_arena_init(&mem, out_of_memory, NULL);
    for (; *files; files = end + (*end == '\n')) {
        end = strchrnul(files, '\n');
        if (!read_file(&r, trod_copy_text(&mem, files, (size_t)(end - files))))
            trod_llvm_fail(&r.err);
    }
    if (r.nlist && r.nprofile) {
        trod_err_set(&r.err, TROD_E_INPUT,
            "segments and profiles of subpaths cannot be combined; give one of them");
        trod_llvm_fail(&r.err);
    }
    if (r.nlist && depth) {
        trod_err_set(
            &r.err, TROD_E_INPUT, "segments have a depth of their own; remove --depth");
        trod_llvm_fail(&r.err);
    }
    if (!trod_ran_build(&wanted.ran, r.profile, r.nprofile, &mem, &r.err))
        trod_llvm_fail(&r.err);
    wanted.depth = wanted.by_segments ? wanted.segments.depth : depth ? depth : 1;
    return &wanted;
}

static bool is_known(const struct trod_ran *ran, uint64_t name)
{
    for (size_t i = 0; i < ran->nfunction; i++)
        if (ran->function[i].function.name == name)
            return true;
    return false;
}

bool trod_across_ran(struct trod_super_ran *out, const struct trod_across_wanted *from,
    const struct trod_rt_function *record, struct trod_arena *into)
{
    struct trod_profile_function function = {.name = record->name,
        .graph = record->graph,
        .cuts = record->cuts,
        .npath = record->npath};
    const struct trod_ran_function *ran = trod_ran_find(&from->ran, &function);
    trod_path *id;
    uint64_t *count;
    size_t n = 0;

    *out = (struct trod_super_ran){0};
    if (!ran)
        return !is_known(&from->ran, record->name);
    id = trod_new(into, trod_path, ran->npath);
    count = trod_new(into, uint64_t, ran->npath);
    for (size_t i = 0; i < ran->npath; i++) {
        if (ran->path[i].id >= record->npath)
            continue;
        id[n] = ran->path[i].id;
        count[n++] = ran->path[i].count;
    }
    *out = (struct trod_super_ran){{id, n}, count};
    return true;
}
