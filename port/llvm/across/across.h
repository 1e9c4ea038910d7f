/* across: functions whose paths continue into some of their calls.
 *
 *     module, segments -> trees of frames -> versions, copies -> supergraphs, plans -> emit
 *
 * Every function keeps the sum of its own supergraph, as its root. If a call is followed, the caller passes its sum
 * to the callee, which is a frame of that supergraph. So a callee has its own sum and, by pointers, that of its
 * caller, and with depth 2 that of the caller's caller. It updates these up to a place where paths end. From there on
 * only its own sum is updated, and the caller's sum stays as it is until the return. A mask beside each sum says
 * whether it is followed. Callers do not share code: each frame of a tree has a version of its function, in a
 * separate copy.
 *
 * Glossary
 *   part     a function of the module, with its subpaths numbered, as the root of its supergraph
 *   version  of a part: itself, or a copy for one frame of another's tree
 *   level    of a version: the supergraph that it updates. 0 is its own, 1 its
 *            caller's, and so on.
 *   shared   said of a version that serves several frames, instead of one for each; a context
 *            says what to do for its caller
 */
#ifndef TROD_LLVM_ACROSS_H
#define TROD_LLVM_ACROSS_H

#include "llvm/emit/emitter.h"
#include "cc/cc.h"
#include "llvm/unit.h"

struct trod_version {
    uint32_t part;
    uint32_t depth; /* levels beyond its own */
    struct trod_across_level {
        uint32_t part;  /* the root of the supergraph */
        uint32_t frame; /* of its tree; TROD_NONE: none */
    } level[TROD_CC_DEEPEST + 1];
    struct trod_body body;
    bool shared;
    uint64_t *relays; /* shared: set of sites at which some caller has operations */
};

struct trod_across_part {
    struct trod_body body;
    struct trod_numbered steps;
    const char *name; /* in segments */
    bool *returns;
    uint64_t *unwinds;

    /* as a root */
    struct trod_super_tree tree;
    struct trod_version **version_of_frame;
    const struct trod_super_numbered *numbered;
    struct trod_rt_function record; /* of the supergraph */
    bool counts;                    /* it counts something */
    struct trod_plan plan;          /* if so */
    struct trod_llvm_data data;
    uint32_t **site_of_frame; /* by frame, by site of its function: site of the plan */
    uint32_t *call_site_of_frame;   /* of the plan, on the edge into the frame */
    uint64_t *pauses;               /* set of sites of the plan: see TROD_SUPER_PAUSE */
    LLVMValueRef *context_of_frame; /* of those whose version is shared */
    struct trod_version *as_shared; /* or NULL */
};

/* --- segment_file.c: which calls to follow ---------------------------------------------------- */

struct trod_across_wanted {
    bool by_segments;
    struct trod_segments segments; /* by_segments */
    struct trod_ran ran;           /* else: subpaths that ran */
    uint64_t depth;
};

/* Read segments, or profiles of subpaths, once for all modules of a process. If a file cannot be
 * read, the compiler ends with a message.
 *
 * depth:  with profiles, depth of followed calls; 0: not given
 */
const struct trod_across_wanted *trod_across_load(const char *files, uint64_t depth);

/* The subpaths of a function that ran, according to the profiles. False: their function of this name has another
 * graph.
 */
bool trod_across_ran(struct trod_super_ran *out, const struct trod_across_wanted *from,
    const struct trod_rt_function *record, struct trod_arena *mem);

/* --- across_module.c: a whole module ------------------------------------------------------------ */

/* Instrument a module for paths across calls. */
void trod_across_module(struct trod_unit *u);

/* --- version.c: versions ---------------------------------------------------------- */

struct trod_versions {
    struct trod_unit *u;
    struct trod_arena *mem;
    struct trod_across_part **part;
    uint32_t npart;
    struct trod_version **version;
    uint32_t nversion, room;
};

/* Makes versions for the frames of all trees, and copies of functions. Removes frames that cannot be followed from
 * the trees.
 *
 * needs:  trees; nothing was emitted yet
 * fills:  tree, version_of_frame and as_shared of parts
 */
void trod_versions_make(struct trod_versions *v, uint64_t most_code);

/* The version of a part that a call in a version enters, and the number of levels that it updates: the most possible.
 * NULL: the call is not followed.
 */
struct trod_version *trod_version_behind(uint32_t *nlevel,
    const struct trod_versions *v, const struct trod_version *from, trod_node node,
    uint32_t part);

/* The frame for a call in some frame of a tree, or TROD_NONE. */
uint32_t trod_frame_behind(
    const struct trod_super_tree *tree, uint32_t frame, trod_node node, uint32_t part);

/* Record that a call is not followed. */
void trod_versions_left(const struct trod_versions *v,
    const struct trod_across_part *part, trod_node node, const char *callee,
    const char *why);

/* --- across.c: plans into versions ------------------------------------------------------------------- */

/* Finds the sites of frames.
 *
 * needs:  super, numbered, counts, plan and data of a part with a tree
 * fills:  sites of frames
 */
void trod_across_fill_sites(struct trod_across_part *part, struct trod_arena *mem);

/* An exception leaves a frame at an unknown place, so the sum is meaningless and the path is abandoned. After it a
 * path begins, and none ends.
 */
void trod_across_drop_false_ends(struct trod_across_part *part, struct trod_arena *mem);

/* Emits the operations of all levels of a version, and its calls of other versions.
 *
 * needs:  sites and contexts of all parts; all copies
 */
void trod_across_emit(const struct trod_versions *v, struct trod_version *version,
    struct trod_arena *mem);

/* --- shared.c: versions for several callers -------------------------------------------------------- */

/* Emit the contexts of shared versions for frames of a part, and record their sites.
 *
 * needs:  plan, data and sites of the part
 * fills:  context_of_frame
 */
void trod_across_add_contexts(const struct trod_versions *v,
    struct trod_across_part *part, struct trod_arena *mem);

LLVMValueRef trod_across_declare_relay(LLVMModuleRef module);

#endif
