#include <inttypes.h>
#include <string.h>

#include "lift/lifter.h"

const char *trod_seen_image_fault(const struct trod_image *image)
{
    if (image->start >= image->end)
        return "an image must end after it starts";
    if (image->offset + (image->end - image->start) < image->offset)
        return "an image of a file that would be larger than 2^64 bytes";
    if (image->build_id && image->build_id[strspn(image->build_id, "0123456789abcdef")])
        return "a build id is hexadecimal, in small letters";
    return NULL;
}

const char *trod_seen_code_fault(const struct trod_code *code)
{
    if (code->kind >= TROD_BRANCH_KINDS)
        return "a code of no known kind";
    if (code->pc > code->last || code->last >= code->after)
        return "the first, last and next address of a code must ascend";
    if (!code->ninsn || code->ninsn > code->after - code->pc)
        return "a code has an instruction at least, and no more than bytes";
    if (!trod_branch_is_direct(code->kind) && code->target)
        return "only if, jump and call have a target; it is 0x0 for all others";
    return NULL;
}

const char *trod_seen_path_fault(const struct trod_seen_path *path)
{
    uint32_t length = path->path.length;

    if (!path->count)
        return "a path has a count of 0; remove it, or correct the count";
    if (length % 64 && path->path.outcome[length / 64] >> length % 64)
        return "a path has bits after its outcomes";
    return NULL;
}

static bool fault_of(
    struct trod_err *err, const char *what, uint64_t number, const char *fault)
{
    return !fault ||
           trod_fail(err, TROD_E_INTERNAL, "%s %" PRIu64 ": %s", what, number, fault);
}

bool trod_seen_check(const struct trod_seen *seen, struct trod_err *err)
{
    for (uint32_t i = 0; i < seen->nimage; i++)
        if (!fault_of(err, "image", i, trod_seen_image_fault(&seen->image[i])))
            return false;
    for (uint32_t i = 0; i < seen->ncode; i++) {
        if (!fault_of(err, "code", i, trod_seen_code_fault(&seen->code[i])))
            return false;
        if (seen->code[i].number != i)
            return fault_of(err, "code", i, "its number is another");
    }
    for (uint64_t i = 0; i < seen->npath; i++)
        if (!fault_of(err, "path", i, trod_seen_path_fault(&seen->path[i])))
            return false;
    return true;
}

/* --- lifted functions ----------------------------------------------------------------------------- */

static bool check_nodes(const struct trod_lift_function *f, struct trod_err *err)
{
    for (trod_node v = 0; v < f->ncode; v++) {
        const struct trod_lift_node *node = &f->node[v];

        if (trod_place_unit(node->start) != f->unit || node->after < node->start)
            return trod_fail(err, TROD_E_INTERNAL,
                "node %" PRIu32 " of '%s' is not where its function is", v, f->name);
        if (v && node->start <= f->node[v - 1].start)
            return trod_fail(err, TROD_E_INTERNAL,
                "nodes %" PRIu32 " and %" PRIu32 " of '%s' do not ascend", v - 1, v,
                f->name);
    }
    return true;
}

static bool check_edges(const struct trod_lift_function *f, struct trod_err *err)
{
    const struct trod_graph *g = &f->graph;

    for (trod_edge e = 0; e < g->nedge; e++) {
        trod_node u = g->src_of_edge[e], v = g->dst_of_edge[e];
        bool cut = g->cut_of_edge && g->cut_of_edge[e];

        if (u < f->ncode && v < f->ncode && !cut &&
            f->node[v].start <= f->node[u].start)
            return trod_fail(err, TROD_E_INTERNAL,
                "edge %" PRIu32 " of '%s' goes backward and is not cut", e, f->name);
        if (u < f->ncode && !cut && f->node[u].end == TROD_LIFT_FALLS &&
            f->node[v].start != f->node[u].after)
            return trod_fail(err, TROD_E_INTERNAL,
                "node %" PRIu32 " of '%s' does not fall through to its successor", u,
                f->name);
    }
    return true;
}

static bool check_paths(const struct trod_lift_function *f, struct trod_err *err)
{
    for (size_t i = 0; i < f->npath; i++)
        if (f->path[i].id >= f->numbering.npath || !f->path[i].count ||
            (i && f->path[i].id <= f->path[i - 1].id))
            return trod_fail(err, TROD_E_INTERNAL,
                "path %zu of '%s' is out of order, or none", i, f->name);
    return true;
}

bool trod_lift_check(
    const struct trod_lifted *lifted, struct trod_arena *mem, struct trod_err *err)
{
    for (uint32_t i = 0; i < lifted->nfunction; i++) {
        const struct trod_lift_function *f = lifted->function[i];

        if (i && f->entry <= lifted->function[i - 1]->entry)
            return trod_fail(
                err, TROD_E_INTERNAL, "function '%s' is out of order", f->name);
        if (!check_nodes(f, err) || !check_edges(f, err) || !check_paths(f, err) ||
            !trod_graph_check(&f->graph, err) ||
            !trod_dag_check(&f->view.dag, mem, err) ||
            !trod_number_check(&f->numbering, mem, err))
            return false;
    }
    return true;
}
