#include "llvm/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static uint64_t hash_name(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* FNV-1a of the linkage name. Functions that other units cannot see may share a name with others,
 * so their file is included. In a whole program the linker has made most functions local and renamed some:
 * debug information still has what they were in their own unit.
 */
static uint64_t name_of(const struct trod_unit *u, const struct trod_body *body)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    LLVMLinkage linkage = LLVMGetLinkage(body->function);
    struct trod_bridge_origin from = {
        .name = body->name,
        .nname = strlen(body->name),
        .local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage,
    };

    from.file = LLVMGetSourceFileName(u->module, &from.nfile);
    if (u->settings.whole)
        trod_bridge_find_origin(&from, body->function);
    if (from.local) {
        hash = hash_name(hash, from.file, from.nfile);
        hash = hash_name(hash, ":", 1);
    }
    return hash_name(hash, from.name, from.nname);
}

static uint64_t hash_of_cuts(const struct trod_dag *dag)
{
    uint64_t hash = 0;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END)
            hash = trod_mix(hash, dag->origin_of_edge[e]);
    return hash;
}

struct trod_rt_function trod_unit_record(const struct trod_unit *u,
    const struct trod_body *body, const struct trod_numbering *numbering,
    struct trod_arena *mem)
{
    return (struct trod_rt_function){.name = name_of(u, body),
        .graph = trod_graph_hash(numbering->dag->graph, mem),
        .cuts = hash_of_cuts(numbering->dag),
        .npath = numbering->npath};
}

bool trod_unit_number(struct trod_numbered *out, const struct trod_unit *u,
    const struct trod_body *body, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_limit limit = {.most = u->settings.limit};

    if (!trod_number_limit(&out->view, &out->report, &body->graph, &limit, mem, err) ||
        !trod_number_ballarus(&out->numbering, &out->view.dag, mem, err))
        return false;
    out->record = trod_unit_record(u, body, &out->numbering, mem);
    return true;
}

/* A stale set of a function that other units may also have is not reported: optimised copies may
 * differ, and the linker decided which one was counted. If no copy matches, `trod cc` reports that
 * after linking.
 */
void trod_unit_set(struct trod_set *out, struct trod_unit *u,
    const struct trod_body *body, const struct trod_rt_function *record)
{
    size_t length;

    trod_llvm_sets_find(out, record, &u->mem);
    if (out->state != TROD_SET_STALE || trod_llvm_is_shared(body->function))
        return;
    if (!u->settings.partial)
        u->nstale++;
    fprintf(stderr,
        "trod: %s: '%s' differs from the function of the given paths in its graph or cuts%s\n",
        LLVMGetSourceFileName(u->module, &length), body->name,
        !u->settings.partial ? ""
        : u->settings.want == TROD_WANT_CHOSEN
            ? "; it is not counted"
            : "; all its paths are treated as untested");
}

static void explain(const struct trod_unit *u, const struct trod_body *body,
    const struct trod_choice *choice)
{
    if (!u->settings.explain)
        return;
    if (choice->needless) {
        fprintf(stderr, "trod: %s: nothing is counted: %s\n", body->name, choice->why);
        return;
    }
    fprintf(stderr, "trod: %s: %s by %s, %s; %zu of %" PRIu64 " paths known\n",
        body->name, trod_want_name(choice->ending.want), trod_ending_name(choice->kind),
        choice->why, choice->interest.paths.count, choice->ballarus.npath);
    for (int k = 0; k < TROD_NENDING; k++) {
        const struct trod_candidate *c = &choice->candidate[k];

        if (c->possible)
            fprintf(stderr,
                "trod:     %-12s %6.1f operations a call, %u in the code, %" PRIu64
                " bytes\n",
                trod_ending_name((enum trod_ending_kind)k), c->cost.per_call,
                c->cost.nop, c->bytes);
        else
            fprintf(stderr, "trod:     %-12s %s\n",
                trod_ending_name((enum trod_ending_kind)k), c->why_not);
    }
}

bool trod_unit_choose(struct trod_choice *out, struct trod_unit *u,
    const struct trod_body *body, const struct trod_numbering *numbering,
    const struct trod_loops *loops, const struct trod_choose_options *options,
    const struct trod_pathset *paths)
{
    struct trod_choose_options any = *options;
    struct trod_err err;

    if (!trod_probe_choose(out, numbering, paths, loops, options, &u->mem, &err)) {
        /* The requested plan is impossible here. */
        any.only = 0;
        if (!trod_probe_choose(out, numbering, paths, loops, &any, &u->mem, &err)) {
            trod_unit_skip(u, body->name, err.text);
            return false;
        }
    }
    explain(u, body, out);
    return true;
}
