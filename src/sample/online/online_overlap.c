#include "profile/overlap.h"
#include "online/online.h"
#include "base/order.h"

#include <stdlib.h>

/* --- blocks of both profiles ------------------------------------------------------------------ */

static bool is_same(
    const struct trod_profile_function *a, const struct trod_profile_function *b)
{
    return a->name == b->name && a->graph == b->graph && a->cuts == b->cuts &&
           a->npath == b->npath;
}

TROD_ORDER(by_function, struct trod_profile_function, TROD_UP(name), TROD_UP(graph),
    TROD_UP(cuts), TROD_UP(npath))

static bool have_equal_blocks(
    const struct trod_online_blocks *a, const struct trod_online_blocks *b)
{
    if (a->nfunction != b->nfunction)
        return false;
    for (uint32_t f = 0; f < a->nfunction; f++)
        if (!is_same(&a->function[f], &b->function[f]))
            return false;
    return true;
}

/* Block numbers determine which rotation is canonical, and the order of subpaths. If both profiles
 * number blocks alike, that numbering is used; otherwise functions are sorted, so that the result
 * does not depend on which profile is A.
 */
static bool number_blocks(struct trod_online_blocks *out,
    const struct trod_online_blocks *a, const struct trod_online_blocks *b,
    struct trod_arena *mem, struct trod_err *err)
{
    bool equal = have_equal_blocks(a, b);
    uint32_t n = a->nfunction + (equal ? 0 : b->nfunction);
    struct trod_profile_function *function =
        trod_new(mem, struct trod_profile_function, n);
    struct trod_profile_module all = {.nfunction = n, .function = function};
    struct trod_online_blocks_module module;

    for (uint32_t f = 0; f < n; f++)
        function[f] = f < a->nfunction ? a->function[f] : b->function[f - a->nfunction];
    if (!equal && n)
        trod_sort(function, n, by_function);
    trod_online_blocks_init(out, mem);
    return trod_online_blocks_add(&module, out, &all, err);
}

/* --- members ------------------------------------------------------------------------------------ */

struct members {
    struct trod_online_set set;
    struct trod_overlap_member *member; /* by subpath of the set */
    size_t nmember, room;
};

static uint64_t whole(double value)
{
    return value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

/* For each function of one of the profiles, its number in `both`. */
static bool number_functions(uint32_t **out, struct trod_online_blocks *both,
    const struct trod_online_blocks *own, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_profile_module all = {
        .nfunction = own->nfunction, .function = own->function};
    struct trod_online_blocks_module module;

    if (!trod_online_blocks_add(&module, both, &all, err))
        return false;
    *out = trod_new(mem, uint32_t, own->nfunction);
    for (uint32_t f = 0; f < own->nfunction; f++)
        (*out)[f] = module.function[f];
    return true;
}

static void join(struct members *j, const struct trod_subpaths *from,
    const struct trod_online_blocks *both, const uint32_t *function_of, bool in_b)
{
    static const struct trod_overlap_member nothing;
    trod_block block[TROD_PROFILE_LONGEST];

    for (size_t i = 0; i < from->nsubpath; i++) {
        const struct trod_online_subpath *s = &from->subpath[i];
        struct trod_overlap_member *m;
        size_t at;

        for (uint32_t k = 0; k < s->length; k++) {
            uint32_t f = trod_online_blocks_function(from->blocks, s->block[k]);

            block[k] = both->first[function_of[f]] +
                       trod_online_blocks_node(from->blocks, f, s->block[k]);
        }
        at = (size_t)(trod_online_set_add(&j->set, block, s->length) - j->set.subpath);
        if (at == j->nmember)
            trod_push(j->set.mem, j->member, j->nmember, j->room, nothing);
        m = &j->member[at];
        if (in_b)
            m->b = trod_sat_add(m->b, whole(s->estimate));
        else
            m->a = trod_sat_add(m->a, whole(s->estimate));
    }
}

struct placed {
    const struct trod_online_subpath *subpath;
    trod_block all; /* exclusive or of its blocks, if that is the identity */
    struct trod_overlap_member member;
};

static int by_blocks(const void *x, const void *y)
{
    const struct placed *p = x, *q = y;
    const struct trod_online_subpath *a = p->subpath, *b = q->subpath;
    int by = trod_compare(a->length, b->length);

    by = by ? by : trod_compare(p->all, q->all);
    for (uint32_t i = 0; !by && i < a->length; i++)
        by = trod_compare(a->block[i], b->block[i]);
    return by;
}

/* The order does not depend on which profile is A. */
static struct trod_overlap_member *put_in_order(
    struct trod_subpaths *both, const struct members *j, struct trod_arena *mem)
{
    struct placed *placed = trod_new(mem, struct placed, j->nmember);
    struct trod_online_subpath *subpath =
        trod_new(mem, struct trod_online_subpath, j->nmember);
    struct trod_overlap_member *member =
        trod_new(mem, struct trod_overlap_member, j->nmember);

    for (size_t i = 0; i < j->nmember; i++) {
        const struct trod_online_subpath *s = &j->set.subpath[i];

        placed[i] = (struct placed){.subpath = s, .member = j->member[i]};
        for (uint32_t k = 0; both->identity == TROD_SAMPLE_XOR && k < s->length; k++)
            placed[i].all ^= s->block[k];
    }
    trod_sort(placed, j->nmember, by_blocks);
    for (size_t i = 0; i < j->nmember; i++) {
        subpath[i] = *placed[i].subpath;
        member[i] = placed[i].member;
    }
    both->nsubpath = j->nmember;
    both->subpath = subpath;
    return member;
}

/* --- the overlap ---------------------------------------------------------------------------------- */

/* needs:  blocks of both profiles */
static bool check(const struct trod_subpaths *a, const struct trod_subpaths *b,
    const struct trod_online_blocks *both, struct trod_err *err)
{
    if (!a->nsubpath || !b->nsubpath)
        return trod_fail(err, TROD_E_MISMATCH,
            "the %s of the two, of '%s', has no subpath, so there are no shares; let the program "
            "run longer, or sample more often",
            a->nsubpath ? "second" : "first", a->nsubpath ? b->name : a->name);
    if (a->identity != b->identity)
        return trod_fail(err, TROD_E_MISMATCH,
            "subpaths of '%s' are identified by %s, those of '%s' by %s; sample or count both "
            "with the same identity",
            a->name, trod_profile_identity_name(a->identity), b->name,
            trod_profile_identity_name(b->identity));
    if (a->costs != b->costs)
        return trod_fail(err, TROD_E_MISMATCH,
            "of '%s' and '%s', subpaths of one are weighted by cost and of the other are not; "
            "sample both in the same way",
            a->name, b->name);
    if (both->nfunction == a->blocks->nfunction + b->blocks->nfunction)
        return trod_fail(err, TROD_E_MISMATCH,
            "no function of '%s' is also in '%s' with the same name, graph and cuts; compare "
            "samples of one program, built from the same source with the same options",
            a->name, b->name);
    if (a->identity == TROD_SAMPLE_XOR && !have_equal_blocks(a->blocks, b->blocks))
        return trod_fail(err, TROD_E_MISMATCH,
            "subpaths of '%s' and '%s' are identified by block numbers, which differ between "
            "builds; compare samples of one build",
            a->name, b->name);
    return true;
}

bool trod_online_overlap_build(struct trod_online_overlap *out,
    const struct trod_subpaths *a, const struct trod_subpaths *b, uint32_t top_of,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_online_blocks *both = trod_new(mem, struct trod_online_blocks, 1);
    struct members j = {0};
    uint32_t *function_a, *function_b;

    *out = (struct trod_online_overlap){
        .both = {.name = a->name, .blocks = both, .identity = a->identity}};
    if (!number_blocks(both, a->blocks, b->blocks, mem, err) ||
        !number_functions(&function_a, both, a->blocks, mem, err) ||
        !number_functions(&function_b, both, b->blocks, mem, err) ||
        !check(a, b, both, err))
        return false;
    trod_online_set_init(&j.set, a->identity, mem);
    join(&j, a, both, function_a, false);
    join(&j, b, both, function_b, true);
    trod_overlap_build(
        &out->overlap, put_in_order(&out->both, &j, mem), j.nmember, top_of, mem);
    return true;
}

/* --- output ----------------------------------------------------------------------------------------- */

struct words {
    struct trod_online_names names;
    struct trod_arena *mem;
};

static void put_member(struct trod_sink *sink, size_t member, const void *ctx)
{
    const struct words *w = ctx;

    trod_subpath_print(sink, &w->names, &w->names.subpaths->subpath[member], false);
}

static void json_member(struct trod_json *json, size_t member, const void *ctx)
{
    const struct words *w = ctx;
    struct trod_string text;

    trod_string_init(&text, w->mem);
    put_member(&text.sink, member, ctx);
    trod_json_uint(json, "length", w->names.subpaths->subpath[member].length);
    trod_json_text(json, "subpath", text.text);
}

static struct trod_overlap_format format_of(const struct words *words, size_t most)
{
    return (struct trod_overlap_format){.word = "subpaths",
        .head = "subpath",
        .most = most,
        .put = put_member,
        .json = json_member,
        .ctx = words};
}

void trod_online_overlap_print(struct trod_sink *sink,
    const struct trod_online_overlap *overlap, const struct trod_map *map, size_t most,
    struct trod_arena *mem)
{
    struct words words = {.mem = mem};
    struct trod_overlap_format format = format_of(&words, most);

    trod_online_names(&words.names, &overlap->both, map, mem);
    trod_overlap_print(sink, &overlap->overlap, &format);
}

void trod_online_overlap_json(struct trod_json *json, const char *key,
    const struct trod_online_overlap *overlap, const struct trod_map *map, size_t most,
    struct trod_arena *mem)
{
    struct words words = {.mem = mem};
    struct trod_overlap_format format = format_of(&words, most);

    trod_online_names(&words.names, &overlap->both, map, mem);
    trod_json_open(json, key, '{');
    trod_overlap_json(json, &overlap->overlap, &format);
    trod_json_close(json, '}');
}
