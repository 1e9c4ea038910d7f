#include "llvm/port.h"
#include "trod/rt.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `trod cc` says through the environment; the plugin alone uses the defaults.
 *
 *     TROD_AT       source (default) or code: which paths
 *     TROD_LIMIT    most paths of a function before it is cut
 *     TROD_LEFT     no: do not count what is left in the middle
 *     TROD_STEPS    record or count: paths end at calls, too, and each that ran is noted in a row,
 *                   or counted
 *     TROD_ONLY     glob: functions to instrument; TROD_SKIP: functions not to
 *     TROD_WANT     chosen, residual or untested: not every path is counted
 *     TROD_SETS     with that: profiles and path lists, one a line, chosen or tested
 *     TROD_PLAN     all, selective, preferential or hash: not whatever is best
 *     TROD_PARTIAL  yes: functions that are not as they were are no error
 *     TROD_EXPLAIN  yes: say how each function is counted, and why
 *     TROD_CC_OUT   where the program leaves its profile
 *     TROD_COMMAND  how the unit was compiled, for the map
 *     TROD_ORACLE   log blocks instead of counting paths, for tests
 */
struct settings {
    enum trod_format_mode mode;
    uint64_t limit;
    const char *only, *skip;
    bool oracle, no_left;
    enum trod_want want;
    unsigned plan; /* bits of enum trod_ending_kind; 0: any */
    bool partial, explain;
    bool records;
};

/* A table of this many counters is half a megabyte of address space, of which only what is
 * counted in is ever backed by memory.
 */
enum { DEFAULT_LIMIT = 1 << 16 };

static bool says_yes(const char *variable)
{
    const char *value = getenv(variable);

    return value && strcmp(value, "yes") == 0;
}

static void read_choice(struct settings *out)
{
    const char *want = getenv("TROD_WANT"), *plan = getenv("TROD_PLAN");
    const char *files = getenv("TROD_SETS");

    for (int w = TROD_WANT_CHOSEN; want && files && w <= TROD_WANT_UNTESTED; w++)
        if (strcmp(want, trod_want_name((enum trod_want)w)) == 0)
            out->want = (enum trod_want)w;
    for (int k = 0; plan && k < TROD_NENDING; k++)
        if (strcmp(plan, trod_ending_name((enum trod_ending_kind)k)) == 0)
            out->plan = 1u << k;
    out->partial = says_yes("TROD_PARTIAL");
    out->explain = says_yes("TROD_EXPLAIN");
    if (out->want != TROD_WANT_ALL)
        trod_llvm_sets_load(files, out->mode, out->want);
}

static void read_settings(struct settings *out)
{
    const char *at = getenv("TROD_AT"), *limit = getenv("TROD_LIMIT");
    const char *left = getenv("TROD_LEFT"), *steps = getenv("TROD_STEPS");

    *out = (struct settings){.mode = TROD_MODE_SOURCE,
        .limit = DEFAULT_LIMIT,
        .only = getenv("TROD_ONLY"),
        .skip = getenv("TROD_SKIP"),
        .oracle = getenv("TROD_ORACLE") != NULL,
        .no_left = left && strcmp(left, "no") == 0};
    if (at && strcmp(at, "code") == 0)
        out->mode = TROD_MODE_CODE;
    if (steps && *steps) {
        out->mode = TROD_MODE_STEPS;
        out->records = strcmp(steps, "record") == 0;
    }
    if (limit && (!trod_text_uint(&out->limit, limit) || !out->limit))
        out->limit = DEFAULT_LIMIT;
    read_choice(out);
}

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: out of memory while instrumenting\n");
    exit(TROD_E_SYSTEM);
}

struct unit {
    LLVMModuleRef module;
    struct settings settings;
    struct trod_arena mem;     /* of one function */
    struct trod_arena map_mem; /* of the unit */
    struct trod_string map;
    bool changed, skipped; /* some function was */
    bool tells;            /* some function may meet an untested path */
    unsigned nstale;       /* functions that are not as they were */
};

static uint64_t hash_name(uint64_t hash, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* FNV-1a of the linkage name; functions that other units cannot see may share a name with
 * theirs, so the file is part of it.
 */
static uint64_t name_of(const struct unit *u, const struct trod_body *body)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    LLVMLinkage linkage = LLVMGetLinkage(body->function);
    size_t length;
    const char *file = LLVMGetSourceFileName(u->module, &length);

    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage) {
        hash = hash_name(hash, file, length);
        hash = hash_name(hash, ":", 1);
    }
    return hash_name(hash, body->name, strlen(body->name));
}

static uint64_t hash_of_cuts(const struct trod_dag *dag)
{
    uint64_t hash = 0;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END)
            hash = trod_mix(hash, dag->origin_of_edge[e]);
    return hash;
}

/* Never silent: what is not counted stands in the map, with the reason. */
static void skip(struct unit *u, const char *name, const char *why)
{
    u->skipped = true;
    trod_put(&u->map.sink, "skipped ");
    trod_put_name(&u->map.sink, name);
    trod_put(&u->map.sink, " ");
    trod_put_name(&u->map.sink, why);
    trod_put(&u->map.sink, "\n");
}

/* --- which paths ------------------------------------------------------------------------- */

/* Whoever's ids do not mean what they meant is refused, or, if that is asked for, taken as if
 * nothing were known of it. So is a copy of a function that other units have, too: optimised code
 * may differ from copy to copy, and which one was counted the linker decided. If it was none of
 * them, `trod cc` says so when it has linked.
 */
static void find_set(struct unit *u, struct trod_set *out, const struct trod_body *body,
    const struct trod_rt_function *record)
{
    size_t length;

    trod_llvm_sets_find(out, record, &u->mem);
    if (out->state != TROD_SET_STALE || trod_llvm_is_shared(body->function))
        return;
    if (!u->settings.partial)
        u->nstale++;
    fprintf(stderr,
        "trod: %s: '%s' is not the function that the paths given are of: its graph is "
        "another, or where it is cut%s\n",
        LLVMGetSourceFileName(u->module, &length), body->name,
        !u->settings.partial                   ? ""
        : u->settings.want == TROD_WANT_CHOSEN ? "; nothing of it is counted"
                                               : "; all its paths count as untested");
}

static void explain(const struct unit *u, const struct trod_body *body,
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

/* False: nothing is to be counted. */
static bool choose(struct unit *u, struct trod_choice *out,
    const struct trod_body *body, const struct trod_numbering *numbering,
    const struct trod_view *view, const struct trod_rt_function *record)
{
    struct trod_choose_options options = {
        .want = u->settings.want, .only = u->settings.plan};
    struct trod_set set;
    struct trod_err err;

    find_set(u, &set, body, record);
    options.count_of_path = set.count;
    if (!trod_probe_choose(
            out, numbering, &set.paths, &view->loops, &options, &u->mem, &err)) {
        /* What was asked for cannot be had here. */
        options.only = 0;
        if (!trod_probe_choose(
                out, numbering, &set.paths, &view->loops, &options, &u->mem, &err)) {
            skip(u, body->name, err.text);
            return false;
        }
    }
    explain(u, body, out);
    return true;
}

static void instrument_chosen(struct unit *u, const struct trod_body *body,
    const struct trod_numbering *numbering, const struct trod_view *view,
    struct trod_map_body *map, struct trod_rt_function *record)
{
    struct trod_choice *choice = trod_new(&u->mem, struct trod_choice, 1);

    if (!choose(u, choice, body, numbering, view, record))
        return;
    if (choice->needless && u->settings.want == TROD_WANT_CHOSEN) {
        skip(u, body->name, choice->why);
        return;
    }
    map->choice = choice;
    trod_llvm_map_body(&u->map.sink, map);
    u->changed = true;
    if (choice->needless)
        return;
    u->tells |= choice->kind != TROD_END_ALL && !choice->ending.direct &&
                trod_wants_others(u->settings.want);
    trod_llvm_emit(body, &choice->plan, record, false, &u->mem);
}

static void instrument_body(struct unit *u, const struct trod_body *body)
{
    struct trod_limit limit = {.most = u->settings.limit};
    struct trod_limit_report report;
    struct trod_numbering numbering;
    struct trod_rt_function record;
    struct trod_probe_options options = {0};
    struct trod_map_body map = {body, &record, &numbering, &report, NULL, false};
    struct trod_plan plan;
    struct trod_view view;
    struct trod_err err;

    if (!trod_number_limit(&view, &report, &body->graph, &limit, &u->mem, &err) ||
        !trod_number_ballarus(&numbering, &view.dag, &u->mem, &err)) {
        skip(u, body->name, err.text);
        return;
    }
    record = (struct trod_rt_function){.name = name_of(u, body),
        .graph = trod_graph_hash(&body->graph, &u->mem),
        .cuts = hash_of_cuts(&view.dag),
        .npath = numbering.npath};
    if (u->settings.want != TROD_WANT_ALL && !u->settings.oracle) {
        instrument_chosen(u, body, &numbering, &view, &map, &record);
        return;
    }
    options.no_begin = u->settings.no_left || u->settings.records;
    options.no_trips = u->settings.records;
    trod_probe_plan(&plan, &numbering, &view.loops, &options, &u->mem);
    map.begins = plan.begins;
    trod_llvm_map_body(&u->map.sink, &map);
    if (u->settings.oracle)
        trod_llvm_oracle(body, &record, &u->mem);
    else
        trod_llvm_emit(body, &plan, &record, u->settings.records, &u->mem);
    u->changed = true;
}

static bool wanted(const struct unit *u, const char *name)
{
    return !(u->settings.only && fnmatch(u->settings.only, name, 0) != 0) &&
           !(u->settings.skip && fnmatch(u->settings.skip, name, 0) == 0);
}

static void instrument_function(struct unit *u, LLVMValueRef function)
{
    struct trod_body body;
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);

    if (trod_bridge_leave_alone(function))
        return;
    if (!wanted(u, name)) {
        skip(u, name, "not chosen");
        return;
    }
    if (trod_bridge_is_resolver(function)) {
        skip(u, name, "runs while the program is being loaded");
        return;
    }
    trod_llvm_graph(&body, function, u->settings.mode == TROD_MODE_STEPS, &u->mem);
    if (body.why_not)
        skip(u, name, body.why_not);
    else
        instrument_body(u, &body);
}

/* A number that every object of an image has, and the linker keeps once. */
static void add_number(const struct unit *u, const char *name, unsigned value)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(u->module));
    LLVMValueRef global = LLVMAddGlobal(u->module, type, name);

    LLVMSetInitializer(global, LLVMConstInt(type, value, 0));
    LLVMSetLinkage(global, LLVMWeakODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(global, true);
    trod_bridge_keep(u->module, global);
}

/* Where untested paths are noted: one for all of an image, among its counters. */
static void add_met(const struct unit *u)
{
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(u->module));
    LLVMTypeRef type = LLVMArrayType2(
        i64, TROD_RT_MET * (sizeof(struct trod_format_met) / sizeof(uint64_t)));
    LLVMValueRef met = LLVMAddGlobal(u->module, type, "__trod_met");

    LLVMSetInitializer(met, LLVMConstNull(type));
    LLVMSetLinkage(met, LLVMWeakODRLinkage);
    LLVMSetVisibility(met, LLVMHiddenVisibility);
    LLVMSetAlignment(met, 8);
    LLVMSetComdat(met, LLVMGetOrInsertComdat(u->module, "__trod_met"));
    trod_bridge_set_bss_section(met, "__trod_cnt");
    trod_bridge_keep(u->module, met);
}

/* Where the program leaves its profile, if `trod cc --out` says so. */
static void add_out(const struct unit *u)
{
    const char *out = getenv("TROD_CC_OUT");
    LLVMValueRef text, global;

    if (!out || !*out)
        return;
    text = LLVMConstStringInContext2(
        LLVMGetModuleContext(u->module), out, strlen(out), false);
    global = LLVMAddGlobal(u->module, LLVMTypeOf(text), "__trod_out");
    LLVMSetInitializer(global, text);
    LLVMSetLinkage(global, LLVMWeakODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(global, true);
    trod_bridge_keep(u->module, global);
}

static void open_map(struct unit *u)
{
    const char *command = getenv("TROD_COMMAND");
    size_t length;
    const char *file = LLVMGetSourceFileName(u->module, &length);

    trod_string_init(&u->map, &u->map_mem);
    trod_put(&u->map.sink, "unit ");
    trod_put_name(&u->map.sink, *file ? file : "-");
    trod_put(&u->map.sink, " %s\n", trod_profile_mode_name(u->settings.mode));
    if (command && *command) {
        trod_put(&u->map.sink, "command ");
        trod_put_name(&u->map.sink, command);
        trod_put(&u->map.sink, "\n");
    }
}

static bool lower_counts(LLVMModuleRef module)
{
    bool asks = trod_llvm_lower_asks(module);

    return trod_llvm_lower_counts(module) || asks;
}

static bool lower(LLVMModuleRef module)
{
    bool counts = lower_counts(module);

    return trod_llvm_lower_threads(module) || counts;
}

static _Noreturn void refuse(const struct unit *u)
{
    fprintf(stderr,
        "trod: %u function%s changed since the paths given were counted; run the tests "
        "with this version, or write --partial\n",
        u->nstale, u->nstale == 1 ? " has" : "s have");
    exit(TROD_E_MISMATCH);
}

bool trod_instrument_module(LLVMModuleRef module, enum trod_bridge_point point)
{
    struct unit u = {.module = module};
    bool here;

    read_settings(&u.settings);
    here = (u.settings.mode == TROD_MODE_CODE) == (point == TROD_POINT_LATE);
    if (point == TROD_POINT_MIDDLE)
        return lower_counts(module);
    if (trod_bridge_is_marked(module) && point == TROD_POINT_LATE)
        return lower(module);
    if (!here || trod_bridge_is_marked(module))
        return false;
    trod_bridge_mark(module);
    trod_arena_init(&u.map_mem, out_of_memory, NULL);
    open_map(&u);
    trod_llvm_find_leaving(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f); /* emitting may append functions */
        trod_arena_init(&u.mem, out_of_memory, NULL);
        instrument_function(&u, f);
        trod_arena_free(&u.mem);
    }
    if (u.nstale)
        refuse(&u);
    if (u.tells)
        add_met(&u);
    if (u.changed) {
        add_number(&u, "__trod_mode", u.settings.mode);
        if (u.settings.records)
            add_number(&u, "__trod_records", 1);
        if (trod_wants_others(u.settings.want))
            add_number(&u, "__trod_seeks", 1);
        add_out(&u);
    }
    if (u.changed || u.skipped)
        trod_llvm_map_embed(module, u.map.text, u.map.length);
    trod_arena_free(&u.map_mem);
    if (point == TROD_POINT_LATE)
        lower(module);
    return true;
}
