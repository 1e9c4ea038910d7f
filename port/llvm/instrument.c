#include "llvm/across/across.h"
#include "llvm/source/condition.h"
#include "llvm/emit/counters.h"
#include "llvm/twin/twin_burst.h"
#include "llvm/unit.h"
#include "trod/rt.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <llvm-c/Comdat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trod_unit_skip(struct trod_unit *u, const char *name, const char *why)
{
    u->skipped = true;
    trod_put(&u->map.sink, "skipped ");
    trod_put_name(&u->map.sink, name);
    trod_put(&u->map.sink, " ");
    trod_put_name(&u->map.sink, why);
    trod_put(&u->map.sink, "\n");
}

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: out of memory while instrumenting\n");
    exit(TROD_E_SYSTEM);
}

void trod_unit_begin(struct trod_unit *u)
{
    trod_arena_init(&u->mem, out_of_memory, NULL);
}

static void instrument_chosen(struct trod_unit *u, const struct trod_body *body,
    struct trod_numbered *numbered, struct trod_map_body *map)
{
    struct trod_choice *choice = trod_new(&u->mem, struct trod_choice, 1);
    struct trod_choose_options options = {
        .want = u->settings.want, .only = u->settings.plan};
    struct trod_set set;

    trod_unit_set(&set, u, body, &numbered->record);
    options.count_of_path = set.count;
    if (!trod_unit_choose(choice, u, body, &numbered->numbering, &numbered->view.loops,
            &options, &set.paths))
        return;
    if (choice->needless && u->settings.want == TROD_WANT_CHOSEN) {
        trod_unit_skip(u, body->name, choice->why);
        return;
    }
    map->choice = choice;
    trod_llvm_map_body(&u->map.sink, map, &u->mem);
    u->changed = true;
    if (choice->needless)
        return;
    u->reports |= trod_unit_reports(choice);
    trod_llvm_emit(body, &choice->plan, &numbered->record, false, &u->mem);
}

#define MOST_STOPS (UINT64_C(1) << 62) /* limit of the values of a stop cell */

static void explain_chain(const struct trod_unit *u, const struct trod_body *body,
    const struct trod_chain *chain)
{
    bool fewer = chain->iterations < u->settings.iterations;

    if (!u->settings.explain)
        return;
    fprintf(
        stderr, "trod: %s: %" PRIu64 " paths, ", body->name, chain->ballarus->npath);
    if (chain->iterations == 1)
        fprintf(stderr, "counted without chains%s\n",
            trod_bridge_is_coroutine(body->function) ? ": it is a coroutine"
            : chain->ballarus->dag->ncut ? ": ids of chains of two do not fit"
                                         : ": no path follows another");
    else
        fprintf(stderr, "chains of %u, %s%s\n", chain->iterations,
            body->noted ? "recorded in a table" : "a counter for each chain",
            fewer ? "; ids of longer chains do not fit" : "");
}

/* Are there calls that may not return in a nested loop? The program may spend most of its time there. */
static bool leaves_deep(const struct trod_graph *g, const struct trod_loops *loops)
{
    for (trod_node v = 0; v < g->nnode; v++)
        if (trod_graph_leave(g, v) != TROD_STAYS && loops->depth_of_node[v] > 1)
            return true;
    return false;
}

/* Stop cells show how far an unfinished path came. In a function that runs once, a store before a call is cheap. */
static bool has_stops(const struct trod_unit *u, const struct trod_body *body,
    const struct trod_plan *plan, const struct trod_loops *loops)
{
    return plan->begins && !leaves_deep(&body->graph, loops) && !body->chain &&
           !u->settings.records && !u->settings.oracle &&
           !trod_bridge_is_coroutine(body->function) &&
           plan->numbering->npath < MOST_STOPS / body->graph.nnode &&
           trod_llvm_runs_once(body->function);
}

/* Counts every path, alone or as part of a chain, or records it as a step. */
static void instrument_all(struct trod_unit *u, const struct trod_body *body,
    struct trod_numbered *numbered, struct trod_map_body *map)
{
    struct trod_probe_options options = {
        .no_begin = u->settings.no_left || u->settings.records,
        .no_trips = u->settings.records,
        .placement = u->settings.records ? TROD_PLACE_PLAIN : TROD_PLACE_FRONTIER};
    struct trod_rt_function *record = &numbered->record;
    struct trod_body own = *body;
    struct trod_chain *chain = trod_new(&u->mem, struct trod_chain, 1);
    struct trod_plan plan;

    /* The variables of chains would be in the frame of a coroutine, which others may free. */
    trod_chain_init(chain, &numbered->numbering,
        trod_bridge_is_coroutine(body->function) ? 1 : u->settings.iterations);
    if (chain->iterations > 1) {
        own.chain = chain;
        own.noted = chain->nchain > u->settings.limit;
        options.no_trips = true; /* each iteration begins another chain */
    }
    record->npath = chain->nchain;
    trod_probe_plan(
        &plan, &numbered->numbering, &numbered->view.loops, &options, &u->mem);
    own.stops = has_stops(u, &own, &plan, &numbered->view.loops);
    map->begins = plan.begins;
    map->chain = chain;
    trod_llvm_map_body(&u->map.sink, map, &u->mem);
    if (u->settings.iterations > 1)
        explain_chain(u, &own, chain);
    if (u->settings.oracle)
        trod_llvm_oracle(body, record, &u->mem);
    else
        trod_llvm_emit(&own, &plan, record, u->settings.records, &u->mem);
    u->reports |= own.noted;
    u->changed = true;
}

static void instrument_body(struct trod_unit *u, const struct trod_body *body)
{
    struct trod_numbered numbered;
    struct trod_map_body map = {.body = body,
        .record = &numbered.record,
        .ballarus = &numbered.numbering,
        .report = &numbered.report,
        .inlined = trod_llvm_is_late(u->settings.mode)};
    struct trod_err err;

    if (!trod_unit_number(&numbered, u, body, &u->mem, &err))
        trod_unit_skip(u, body->name, err.text);
    else if (u->settings.want != TROD_WANT_ALL && !u->settings.oracle)
        instrument_chosen(u, body, &numbered, &map);
    else
        instrument_all(u, body, &numbered, &map);
}

/* Ids are those of blocks, not of paths. */
static void instrument_online(struct trod_unit *u, struct trod_body *body)
{
    struct trod_numbered numbered;
    struct trod_map_body map = {.body = body,
        .record = &numbered.record,
        .ballarus = &numbered.numbering,
        .report = &numbered.report,
        .inlined = true};
    const char *why = trod_bridge_why_not_twin(body->function);
    struct trod_err err;

    if (!why && !trod_unit_number(&numbered, u, body, &u->mem, &err))
        why = err.text;
    if (why) {
        trod_unit_skip(u, body->name, why);
        return;
    }
    numbered.record.npath = body->graph.nnode;
    trod_llvm_map_body(&u->map.sink, &map, &u->mem);
    if (u->settings.oracle)
        trod_llvm_oracle(body, &numbered.record, &u->mem);
    else
        trod_llvm_twin(body, &numbered.record, &u->mem);
    u->changed = true;
}

/* Paths are those of the optimised code. Events are counted in addition. */
static void instrument_burst(struct trod_unit *u, struct trod_body *body)
{
    struct trod_numbered numbered;
    struct trod_map_body map = {.body = body,
        .record = &numbered.record,
        .ballarus = &numbered.numbering,
        .report = &numbered.report,
        .inlined = true};
    struct trod_probe_options options = {
        .no_begin = true, .no_trips = true, .placement = TROD_PLACE_PLAIN};
    const char *why = trod_bridge_why_not_twin(body->function);
    struct trod_burst_events events;
    struct trod_burst_want want = {.types = u->settings.burst_types,
        .flag = u->settings.burst_flag,
        .metrics = u->settings.burst_metrics,
        .one = u->settings.burst_one,
        .events = &events,
        .record = &numbered.record};
    struct trod_plan plan;
    struct trod_err err;

    if (!why)
        why = body->why_not;
    if (!why && !trod_unit_number(&numbered, u, body, &u->mem, &err))
        why = err.text;
    if (why) {
        trod_unit_skip(u, body->name, why);
        return;
    }
    trod_burst_events(&events, body, &numbered.view.loops, want.types, &u->mem);
    trod_llvm_map_body(&u->map.sink, &map, &u->mem);
    trod_burst_map(&u->map.sink, body, &numbered.view.loops, &events);
    u->changed = true;
    if (u->settings.oracle) {
        trod_llvm_oracle(body, &numbered.record, &u->mem);
        return;
    }
    if (want.types &
        (1 << TROD_BURST_PATHS | 1 << TROD_BURST_HANDLER | 1 << TROD_BURST_TIME)) {
        trod_probe_plan(
            &plan, &numbered.numbering, &numbered.view.loops, &options, &u->mem);
        want.plan = &plan;
    }
    for (size_t i = 0; i < events.ncall; i++)
        u->reports |= events.call[i].indirect;
    u->reports |= want.types >> TROD_BURST_TIME & 1;
    trod_llvm_burst(body, &want, &u->mem);
}

static bool wanted(struct trod_unit *u, LLVMValueRef function, const char *name)
{
    return !(u->settings.only && fnmatch(u->settings.only, name, 0) != 0) &&
           !(u->settings.skip && fnmatch(u->settings.skip, name, 0) == 0) &&
           (!u->settings.list ||
               trod_llvm_only_has(u->settings.list, function, &u->map_mem));
}

bool trod_unit_takes(struct trod_unit *u, LLVMValueRef function)
{
    size_t length;
    const char *name = LLVMGetValueName2(function, &length), *why = NULL;

    if (trod_bridge_leave_alone(function))
        return false;
    if (!wanted(u, function, name))
        why = TROD_NOT_CHOSEN;
    else if (trod_bridge_is_resolver(function))
        why = "runs while the program is being loaded";
    if (why)
        trod_unit_skip(u, name, why);
    return !why;
}

/* Steps show the caller of each function, because the caller continues after every call. Sampled blocks need no last
 * call.
 */
static enum trod_bridge_last last_calls(const struct trod_settings *settings)
{
    if (settings->records || settings->mode == TROD_MODE_BLOCKS)
        return TROD_LAST_RETURNS;
    return trod_llvm_is_late(settings->mode) ? TROD_LAST_MARKED : TROD_LAST_POSITION;
}

static void instrument_function(struct trod_unit *u, LLVMValueRef function)
{
    struct trod_body body;

    if (!trod_unit_takes(u, function))
        return;
    if (u->settings.mode == TROD_MODE_BLOCKS)
        trod_bridge_spread_returns(function);
    trod_llvm_graph(&body, function, u->settings.mode == TROD_MODE_STEPS,
        last_calls(&u->settings), &u->mem);
    if (u->settings.counters)
        trod_llvm_take_counters(&body, &u->mem);
    if (u->settings.mode == TROD_MODE_BLOCKS)
        instrument_online(u, &body);
    else if (u->settings.mode == TROD_MODE_BURST)
        instrument_burst(u, &body);
    else if (body.why_not)
        trod_unit_skip(u, body.name, body.why_not);
    else
        instrument_body(u, &body);
}

static void instrument_functions(struct trod_unit *u)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(u->module), next; f; f = next) {
        next = LLVMGetNextFunction(f); /* emitting may append functions */
        trod_unit_begin(u);
        instrument_function(u, f);
        trod_arena_free(&u->mem);
    }
}

/* Adds a number that every object of an image defines, and of which the linker keeps one copy. */
static LLVMValueRef add_number(
    const struct trod_unit *u, const char *name, unsigned value)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetModuleContext(u->module));
    LLVMValueRef global = LLVMAddGlobal(u->module, type, name);

    LLVMSetInitializer(global, LLVMConstInt(type, value, 0));
    LLVMSetLinkage(global, LLVMWeakODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(global, true);
    trod_bridge_keep(global);
    return global;
}

/* Adds the hash table of untested paths or chains: one for each image, among its counters. */
static void add_hashed(const struct trod_unit *u)
{
    bool many = u->settings.iterations > 1 || u->settings.mode == TROD_MODE_SEGMENTS ||
                u->settings.mode == TROD_MODE_BURST;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(u->module));
    LLVMTypeRef type =
        LLVMArrayType2(i64, (many ? TROD_RT_HASHED_MANY : TROD_RT_HASHED) *
                                (sizeof(struct trod_format_hashed) / sizeof(uint64_t)));
    LLVMValueRef hashed = LLVMAddGlobal(u->module, type, "__trod_hashed");

    LLVMSetInitializer(hashed, LLVMConstNull(type));
    LLVMSetLinkage(hashed, LLVMWeakODRLinkage);
    LLVMSetVisibility(hashed, LLVMHiddenVisibility);
    LLVMSetAlignment(hashed, 8);
    LLVMSetComdat(hashed, LLVMGetOrInsertComdat(u->module, "__trod_hashed"));
    trod_bridge_set_bss_section(hashed, "__trod_cnt");
    trod_bridge_keep(hashed);
    if (many)
        LLVMSetComdat(add_number(u, "__trod_nhashed", TROD_RT_HASHED_MANY),
            LLVMGetOrInsertComdat(u->module, "__trod_hashed"));
}

/* Adds a string that every object of an image defines, and of which the linker keeps one copy. */
static void add_text(const struct trod_unit *u, const char *name, const char *from)
{
    LLVMValueRef text = LLVMConstStringInContext2(
        LLVMGetModuleContext(u->module), from, strlen(from), false);
    LLVMValueRef global = LLVMAddGlobal(u->module, LLVMTypeOf(text), name);

    LLVMSetInitializer(global, text);
    LLVMSetLinkage(global, LLVMWeakODRLinkage);
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(global, true);
    trod_bridge_keep(global);
}

/* The runtime keeps counts, samples and steps in different ways, so units that differ in this must not be linked
 * together. Each unit defines the same symbol, in a comdat group of its mode. Across modes this is a duplicate
 * definition, which the linker reports by the symbol's name.
 */
static const char *way_of(const struct trod_settings *settings)
{
    if (settings->mode == TROD_MODE_BLOCKS)
        return "cc--online";
    if (settings->mode == TROD_MODE_BURST)
        return "cc--burst";
    return settings->records ? "cc--wpp" : "cc";
}

static void refuse_others(const struct trod_unit *u)
{
    LLVMContextRef context = LLVMGetModuleContext(u->module);
    LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
    LLVMValueRef global = LLVMAddGlobal(u->module, i8,
        "__trod_cannot_mix_modes__build_all_units_with_the_same_option_of_trod_cc");
    char section[32], group[48];

    snprintf(section, sizeof section, ".trod.%s", way_of(&u->settings));
    snprintf(group, sizeof group, "__trod_built_by_%s", way_of(&u->settings));
    LLVMSetInitializer(global, LLVMConstInt(i8, 0, false));
    LLVMSetVisibility(global, LLVMHiddenVisibility);
    LLVMSetGlobalConstant(global, true);
    LLVMSetSection(global, section);
    LLVMSetComdat(global, LLVMGetOrInsertComdat(u->module, group));
    trod_bridge_keep(global);
}

/* Emits the options of this image. A build that counts only some functions reports if none of them ran. */
static void emit_options(const struct trod_unit *u)
{
    trod_llvm_name_own(u->module);
    add_number(u, "__trod_mode", u->settings.mode);
    refuse_others(u);
    if (u->settings.list)
        add_number(u, "__trod_always", 1);
    if (u->settings.records)
        add_number(u, "__trod_records", 1);
    if (trod_wants_others(u->settings.want))
        add_number(u, "__trod_seeks", 1);
    if (u->settings.out && *u->settings.out)
        add_text(u, "__trod_out", u->settings.out);
    if (u->settings.online)
        add_text(u, "__trod_online", u->settings.online);
    if (!u->settings.burst)
        return;
    add_text(u, "__trod_burst", u->settings.burst);
    add_number(u, "__trod_burst_types", u->settings.burst_types);
    add_number(u, "__trod_burst_flagged", u->settings.burst_flag);
}

static void put_setting(struct trod_unit *u, const char *word, const char *value)
{
    if (!value || !*value)
        return;
    trod_put(&u->map.sink, "%s ", word);
    trod_put_name(&u->map.sink, value);
    trod_put(&u->map.sink, "\n");
}

/* A linked program has no source file and no compile command of its own; its functions have files. */
static void open_map(struct trod_unit *u)
{
    size_t length;
    const char *file =
        u->settings.whole ? "" : LLVMGetSourceFileName(u->module, &length);

    trod_string_init(&u->map, &u->map_mem);
    trod_put(&u->map.sink, "unit ");
    trod_put_name(&u->map.sink, *file ? trod_llvm_file(file, &u->map_mem) : "-");
    trod_put(&u->map.sink, " %s\n", trod_profile_mode_name(u->settings.mode));
    put_setting(u, "directory", trod_llvm_directory(&u->map_mem));
    if (!u->settings.whole)
        put_setting(u, "command", trod_llvm_command(&u->map_mem));
}

/* Lookups become counts, and counts are joined. */
static bool join(LLVMModuleRef module)
{
    bool asks = trod_llvm_lower_asks(module), counts;
    struct trod_arena mem;

    trod_arena_init(&mem, out_of_memory, NULL);
    counts = trod_llvm_join_counts(module, &mem);
    trod_arena_free(&mem);
    return counts || asks;
}

static bool lower(LLVMModuleRef module)
{
    bool changed = join(module);
    struct trod_arena mem;

    trod_arena_init(&mem, out_of_memory, NULL);
    changed |= trod_llvm_lower_counts(module, &mem);
    trod_arena_free(&mem);
    return trod_llvm_lower_threads(module) || changed;
}

static _Noreturn void refuse(const struct trod_unit *u)
{
    struct trod_err err;

    trod_err_set(&err, TROD_E_MISMATCH,
        "%u function%s changed since the given paths were counted; run the tests with this "
        "version, or add --partial",
        u->nstale, u->nstale == 1 ? " has" : "s have");
    trod_llvm_fail(&err);
}

/* Machines and systems that emitted code and runtime are written for: 64 bits, ELF, Linux. */
static bool is_known_target(const char *triple)
{
    static const char *const machine[] = {"x86_64-", "aarch64-", "riscv64-"};

    for (size_t i = 0; i < sizeof machine / sizeof *machine; i++)
        if (strncmp(triple, machine[i], strlen(machine[i])) == 0)
            return strstr(triple, "-linux") && !strstr(triple, "x32");
    return false;
}

/* CUDA, HIP and OpenMP compile device code along with host code. Only the host code is instrumented. */
static bool is_device(const char *triple)
{
    return strncmp(triple, "nvptx", 5) == 0 || strncmp(triple, "amdgcn", 6) == 0 ||
           strncmp(triple, "spir", 4) == 0;
}

/* Can the module be instrumented? Ends the compiler if the user asked for an unsupported target. */
static bool check_target(LLVMModuleRef module, enum trod_bridge_point point)
{
    const char *triple = LLVMGetTarget(module);
    struct trod_err err;

    if (is_known_target(triple))
        return true;
    if (is_device(triple)) {
        if (point == TROD_POINT_START)
            fprintf(stderr, "trod: code for %s is not instrumented\n", triple);
        return false;
    }
    trod_err_set(&err, TROD_E_INPUT,
        "target %s: trod has no runtime for it; compile this file with clang itself",
        triple);
    trod_llvm_fail(&err);
}

bool trod_instrument_module(LLVMModuleRef module, enum trod_bridge_point point)
{
    struct trod_unit u = {.module = module};
    bool here;

    if (!check_target(module, point))
        return false;
    if (point == TROD_POINT_MIDDLE)
        return trod_llvm_without(TROD_LEVER_LATE) ? lower(module) : join(module);
    trod_llvm_settings(&u.settings);
    here = trod_llvm_is_late(u.settings.mode) == (point == TROD_POINT_LATE);
    if (point == TROD_POINT_START) {
        bool skip = !here || trod_bridge_is_marked(module);

        if (!skip) {
            trod_bridge_mark_arguments(module);
            trod_llvm_find_conditions(module, out_of_memory);
        }
        /* Value names were kept for trod_llvm_find_conditions only. */
        LLVMContextSetDiscardValueNames(LLVMGetModuleContext(module), true);
        if (skip)
            return false;
        if (u.settings.counters)
            trod_llvm_adopt_counters(module, out_of_memory);
        trod_llvm_keep_meanings(module, out_of_memory);
        return u.settings.counters;
    }
    if (trod_bridge_is_marked(module) && point == TROD_POINT_LATE)
        return lower(module);
    if (!here || trod_bridge_is_marked(module))
        return false;
    trod_bridge_mark(module);
    if (point == TROD_POINT_EARLY)
        trod_llvm_keep_meanings(
            module, out_of_memory); /* of functions that have none yet */
    trod_arena_init(&u.map_mem, out_of_memory, NULL);
    open_map(&u);
    trod_llvm_find_leaving(module);
    if (u.settings.burst && u.settings.burst_types >> TROD_BURST_STREAMS & 1)
        trod_llvm_heap(module);
    if (u.settings.mode == TROD_MODE_SEGMENTS)
        trod_across_module(&u);
    else
        instrument_functions(&u);
    if (u.nstale)
        refuse(&u);
    trod_llvm_drop_meanings(module);
    trod_llvm_drop_conditions(module);
    trod_llvm_drop_counters(module);
    if (u.changed &&
        (u.settings.mode == TROD_MODE_BLOCKS || u.settings.mode == TROD_MODE_BURST))
        trod_bridge_prepare_for_twins();
    if (u.reports)
        add_hashed(&u);
    if (u.changed || u.settings.list)
        emit_options(&u);
    if (u.changed || u.skipped)
        trod_llvm_map_embed(module, u.map.text, u.map.length);
    trod_arena_free(&u.map_mem);
    if (point == TROD_POINT_LATE)
        lower(module);
    return true;
}
