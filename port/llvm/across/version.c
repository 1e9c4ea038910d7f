#include "llvm/across/across.h"

#include <inttypes.h>
#include <stdio.h>

uint32_t trod_frame_behind(
    const struct trod_super_tree *tree, uint32_t frame, trod_node node, uint32_t part)
{
    for (uint32_t f = frame + 1; frame != TROD_NONE && f < tree->nframe; f++)
        if (tree->frame[f].parent == frame && tree->frame[f].node == node &&
            tree->frame[f].function == part)
            return f;
    return TROD_NONE;
}

void trod_versions_left(const struct trod_versions *v,
    const struct trod_across_part *part, trod_node node, const char *callee,
    const char *why)
{
    struct trod_string text;

    trod_string_init(&text, v->mem);
    trod_put(&text.sink, "the call of %s ", callee ? callee : "an unknown function");
    if (node != TROD_NONE)
        trod_put(&text.sink, "in block %u ", node);
    trod_put(&text.sink, "of %s is not followed: %s", part->body.name, why);
    if (v->u->settings.explain)
        fprintf(stderr, "trod: %s\n", text.text);
    trod_put(&v->u->map.sink, "# %s\n", text.text);
}

struct trod_version *trod_version_behind(uint32_t *nlevel,
    const struct trod_versions *v, const struct trod_version *from, trod_node node,
    uint32_t part)
{
    for (uint32_t j = from->depth + 1; j-- > 0;) {
        const struct trod_across_part *root = v->part[from->level[j].part];
        uint32_t frame =
            trod_frame_behind(&root->tree, from->level[j].frame, node, part);

        *nlevel = j + 1;
        if (frame != TROD_NONE)
            return root->version_of_frame[frame];
    }
    return NULL;
}

/* --- copies ------------------------------------------------------------------------------------ */

static void copy_body(struct trod_body *out, const struct trod_body *of,
    LLVMValueRef copy, struct trod_arena *mem)
{
    uint32_t n = of->graph.nnode;

    *out = *of;
    out->function = copy;
    out->block = trod_new(mem, LLVMBasicBlockRef, n);
    LLVMGetBasicBlocks(copy, out->block);
    out->call_of_node = trod_new(mem, LLVMValueRef, n);
    for (trod_node i = 0; i < n; i++)
        if (of->call_of_node[i])
            out->call_of_node[i] = trod_bridge_entering_call(out->block[i]);
}

static struct trod_version *new_version(
    struct trod_versions *v, uint32_t part, uint32_t depth)
{
    struct trod_version *out = trod_new(v->mem, struct trod_version, 1);

    out->part = part;
    out->depth = depth;
    out->level[0] = (struct trod_across_level){part, 0};
    out->body = v->part[part]->body;
    trod_push(v->mem, v->version, v->nversion, v->room, out);
    return out;
}

static void make_copy(struct trod_versions *v, struct trod_version *version,
    const char *what, unsigned nfurther)
{
    const struct trod_body *of = &v->part[version->part]->body;
    struct trod_string name;

    trod_string_init(&name, v->mem);
    trod_put(&name.sink, "%s.trod.%s", of->name, what);
    copy_body(&version->body, of, trod_bridge_copy(of->function, name.text, nfurther),
        v->mem);
}

static struct trod_version *shared_version(struct trod_versions *v, uint32_t part)
{
    struct trod_across_part *p = v->part[part];
    struct trod_version *out = p->as_shared;
    const struct trod_graph *graph = &p->body.graph;

    if (out)
        return out;
    out = new_version(v, part, 0);
    out->shared = true;
    out->relays =
        trod_new(v->mem, uint64_t, TROD_WORDS(graph->nedge + graph->nnode + 1));
    make_copy(v, out, "shared", 3);
    return p->as_shared = out;
}

/* Fills the level of the frame's root, and those of the functions between the root and the frame. */
static void fill_levels(struct trod_version *out, const struct trod_versions *v,
    uint32_t root, uint32_t frame)
{
    const struct trod_super_tree *tree = &v->part[root]->tree;
    uint32_t way[TROD_CC_DEEPEST + 1], n = 0;

    for (uint32_t f = frame; f; f = tree->frame[f].parent)
        way[n++] = f; /* from the frame up to the root */
    out->level[n] = (struct trod_across_level){root, frame};
    for (uint32_t j = 1; j < n; j++) {
        /* The function j calls above, and the frame in its own tree that the same calls lead to. */
        uint32_t part = tree->frame[way[j]].function, at = 0;

        for (uint32_t i = j; i-- > 0 && at != TROD_NONE;)
            at = trod_frame_behind(&v->part[part]->tree, at, tree->frame[way[i]].node,
                tree->frame[way[i]].function);
        out->level[j] = (struct trod_across_level){part, at};
    }
}

/* --- frames ------------------------------------------------------------------------------------ */

/* The reason why a frame cannot be followed below its parent; NULL: it can. `parent` is an index into the new tree. */
static const char *why_no_frame(const struct trod_versions *v,
    const struct trod_across_part *root, const struct trod_super_frame *frame,
    uint32_t parent)
{
    const struct trod_body *from;
    LLVMValueRef callee = v->part[frame->function]->body.function;

    if (parent == TROD_NONE)
        return "its caller is not followed";
    from = &v->part[root->tree.frame[parent].function]->body;
    if (trod_bridge_is_coroutine(root->body.function))
        return "its caller is a coroutine";
    if (frame->depth > TROD_CC_DEEPEST)
        return "it is too deep";
    if (root->version_of_frame[parent] && root->version_of_frame[parent]->shared)
        return "its caller is a copy shared by several callers";
    if (frame->guarded &&
        !trod_bridge_may_guard(from->call_of_node[frame->node], callee))
        return "an indirect call that cannot reach it";
    return NULL;
}

static void make_frames(struct trod_versions *v, uint32_t r, uint64_t most_code)
{
    struct trod_across_part *root = v->part[r];
    struct trod_super_tree tree = root->tree;
    struct trod_super_frame *frame =
        trod_new(v->mem, struct trod_super_frame, tree.nframe);
    uint32_t *now = trod_new(v->mem, uint32_t, tree.nframe), n = 0;
    uint64_t code = 0;

    root->version_of_frame = trod_new(v->mem, struct trod_version *, tree.nframe);
    frame[n++] = tree.frame[0];
    root->tree = (struct trod_super_tree){n, frame};
    for (uint32_t i = 1; i < tree.nframe; i++) {
        const struct trod_super_frame *f = &tree.frame[i];
        LLVMValueRef callee = v->part[f->function]->body.function;
        uint64_t size = trod_bridge_size(callee);
        bool apart = trod_bridge_stays_apart(callee) || code + size > most_code;
        const char *why = why_no_frame(v, root, f, now[f->parent]);

        if (!why && apart && f->depth > 1)
            why = "the limit on code is reached";
        now[i] = TROD_NONE;
        if (why) {
            trod_versions_left(v, v->part[tree.frame[f->parent].function], f->node,
                v->part[f->function]->body.name, why);
            continue;
        }
        frame[n] = *f;
        frame[n].parent = now[f->parent];
        if (apart)
            root->version_of_frame[n] = shared_version(v, f->function);
        else
            root->version_of_frame[n] = new_version(v, f->function, f->depth);
        code += apart ? 0 : size;
        root->tree.nframe = n + 1;
        now[i] = n++;
    }
}

void trod_versions_make(struct trod_versions *v, uint64_t most_code)
{
    for (uint32_t r = 0; r < v->npart; r++) {
        make_frames(v, r, most_code);
        new_version(v, r, 0);
        v->part[r]->version_of_frame[0] = v->version[v->nversion - 1];
    }
    for (uint32_t r = 0; r < v->npart; r++) {
        const struct trod_across_part *root = v->part[r];

        for (uint32_t f = 1; f < root->tree.nframe; f++) {
            struct trod_version *version = root->version_of_frame[f];
            char what[64];

            if (version->shared)
                continue;
            fill_levels(version, v, r, f);
            snprintf(what, sizeof what, "%" PRIu32 ".%" PRIu32, r, f);
            make_copy(v, version, what, 2 * version->depth);
            trod_bridge_inline_always(version->body.function);
        }
    }
}
