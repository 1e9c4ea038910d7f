#include "profile/profile.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* State of the parser. A line belongs to the last opened run, module or function. */
struct parser {
    struct trod_parse in;
    struct trod_profile_builder builder;

    bool in_run; /* fields may follow */
    uint32_t group;
    struct trod_profile_field *field;
    uint32_t nfield, room_field;

    bool in_module;
    struct trod_profile_module module;
    struct trod_profile_function *function;
    uint32_t room_function;
    uint32_t first_steps, first_samples; /* of the module */
    uint64_t *chosen;                    /* of the function */
    size_t room_chosen;

    struct trod_profile_path *path; /* of the function, in one group */
    uint32_t path_group;
    size_t npath, room_path;
};

/* `@N`, or nothing, which means 0. Reads the rest of the line. */
static bool take_group(struct parser *p, uint32_t *out)
{
    struct trod_token token;
    uint64_t group;

    *out = 0;
    if (!trod_parse_next(&token, &p->in))
        return false;
    if (trod_token_is_over(&token))
        return true;
    if (token.kind != TROD_T_NAME || token.name[0] != '@' ||
        !trod_text_uint(&group, token.name + 1) || group > UINT32_MAX)
        return trod_parse_fail(
            &p->in, "only the number of a group may stand here: '@0', '@1' ...");
    *out = (uint32_t)group;
    return trod_parse_end(&p->in, "the group");
}

/* --- ends of runs, modules and functions -------------------------------------------------- */

static void close_run(struct parser *p)
{
    if (p->in_run)
        trod_profile_add_run(&p->builder, p->group, p->field, p->nfield);
    p->in_run = false;
    p->field = NULL;
    p->nfield = p->room_field = 0;
}

/* needs:  its module is the next one to be added */
static void close_paths(struct parser *p)
{
    struct trod_profile_tally tally = {.module = p->builder.nmodule,
        .function = p->module.nfunction - 1,
        .group = p->path_group,
        .npath = p->npath,
        .path = p->path};

    if (p->npath)
        trod_profile_add_tally(&p->builder, &tally);
    p->path = NULL;
    p->npath = p->room_path = 0;
}

/* Checked when a module ends, since all its functions are known then. */
static bool check_steps(struct parser *p)
{
    struct trod_profile_terminals terminals;

    if (p->first_steps == p->builder.nsteps)
        return true;
    trod_profile_terminals(&terminals, &p->module, p->in.mem);
    for (uint32_t i = p->first_steps; i < p->builder.nsteps; i++) {
        const struct trod_profile_steps *steps = &p->builder.steps[i];
        uint64_t terminal;

        if (!trod_profile_check_terminals(&terminal, steps, &terminals))
            return trod_parse_fail(&p->in,
                "%" PRIu64 " in the steps of thread %" PRIu32
                " above is not a subpath of a function of the module",
                terminal, steps->thread);
    }
    return true;
}

/* Checked when a module ends, like steps. */
static bool check_samples(struct parser *p)
{
    struct trod_profile_terminals terminals;

    if (p->first_samples == p->builder.nsamples)
        return true;
    trod_profile_terminals(&terminals, &p->module, p->in.mem);
    for (uint32_t i = p->first_samples; i < p->builder.nsamples; i++) {
        const struct trod_profile_samples *samples = &p->builder.samples[i];
        uint64_t block;

        if (!trod_profile_check_blocks(&block, samples, &terminals))
            return trod_parse_fail(&p->in,
                "%" PRIu64 " in the samples of thread %" PRIu32
                " above is not a block of a function of the module",
                block, samples->how.thread);
    }
    return true;
}

static bool close_module(struct parser *p)
{
    close_paths(p);
    p->module.function = p->function;
    if (!check_steps(p) || !check_samples(p))
        return false;
    if (p->in_module)
        trod_profile_add_module(&p->builder, &p->module);
    p->in_module = false;
    p->function = NULL;
    p->module = (struct trod_profile_module){0};
    p->room_function = 0;
    p->first_steps = p->builder.nsteps;
    p->first_samples = p->builder.nsamples;
    return true;
}

/* --- lines ---------------------------------------------------------------------------------- */

static bool parse_run(struct parser *p)
{
    close_run(p);
    p->in_run = true;
    return take_group(p, &p->group);
}

static bool parse_field(struct parser *p, const char *key)
{
    struct trod_profile_field *field;
    struct trod_token value;

    if (!p->in_run)
        return trod_parse_fail(&p->in,
            "field '%s:' does not belong to a run; add a line 'run' above it", key);
    if (strpbrk(key, " \n"))
        return trod_parse_fail(
            &p->in, "the key of a field is one word, without blanks");
    if (!trod_parse_next(&value, &p->in))
        return false;
    trod_reserve(p->in.mem, p->field, p->nfield, p->room_field);
    field = &p->field[p->nfield++];
    *field = (struct trod_profile_field){.key = key, .value = ""};
    if (trod_token_is_over(&value))
        return true;
    if (value.kind != TROD_T_NAME)
        return trod_parse_fail(
            &p->in, "expected the value of '%s'; put it in quotes", key);
    field->value = value.name;
    return trod_parse_end(&p->in, "the value of a field; put it in quotes, or");
}

static bool parse_module(struct parser *p)
{
    struct trod_token token;

    close_run(p);
    if (!close_module(p))
        return false;
    p->in_module = true;
    p->module.build_id = "";
    if (!trod_parse_name(
            &p->module.path, &p->in, "the path of the module, in quotes") ||
        !trod_parse_next(&token, &p->in))
        return false;
    if (token.kind != TROD_T_NAME ||
        !trod_profile_mode_parse(&p->module.mode, token.name))
        return trod_parse_fail(&p->in,
            "expected the mode of the module: source, code, steps, segments, blocks, "
            "burst, machine or iterations2 to iterations8");
    if (!trod_parse_next(&token, &p->in))
        return false;
    if (trod_token_is_over(&token))
        return true;
    if (token.kind != TROD_T_NAME || token.name[strspn(token.name, "0123456789abcdef")])
        return trod_parse_fail(&p->in, "a build id is hexadecimal, in small letters");
    p->module.build_id = token.name;
    return trod_parse_end(&p->in, "the build id");
}

/* A word for what is counted; none: all paths. Reads the rest of the line. */
static bool take_counted(struct parser *p, enum trod_format_counted *out)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &p->in))
        return false;
    if (trod_token_is_over(&token))
        return true;
    for (*out = TROD_COUNTED_CHOSEN; *out <= TROD_COUNTED_EVENTS; ++*out)
        if (trod_token_is_word(&token, trod_profile_counted_name(*out)))
            return trod_parse_end(&p->in, "what is counted");
    *out = TROD_COUNTED_ALL;
    return trod_parse_fail(&p->in,
        "expected chosen, residual, untested, rest, events or nothing after the number of paths");
}

static bool parse_function(struct parser *p)
{
    struct trod_profile_function *f;

    if (!p->in_module)
        return trod_parse_fail(&p->in,
            "a function must belong to a module; add a line 'module PATH MODE' above it");
    if (p->module.nfunction == UINT32_MAX)
        return trod_parse_fail(&p->in, "too many functions in one module");
    close_paths(p);
    p->chosen = NULL;
    p->room_chosen = 0;
    trod_reserve(p->in.mem, p->function, p->module.nfunction, p->room_function);
    f = &p->function[p->module.nfunction++];
    return trod_parse_hash(&f->name, &p->in, "the hash of the function's name") &&
           trod_parse_hash(&f->graph, &p->in, "the hash of its graph") &&
           trod_parse_hash(&f->cuts, &p->in, "the hash of its cuts") &&
           trod_parse_uint(&f->npath, &p->in, "its number of paths") &&
           take_counted(p, &f->counted);
}

/* `slots =ID ...`, after the word. */
static bool parse_slots(struct parser *p)
{
    struct trod_profile_function *f;
    struct trod_token token;
    uint64_t id;

    if (!p->module.nfunction)
        return trod_parse_fail(&p->in,
            "slots must belong to a function; add a line 'function NAME GRAPH CUTS NPATH chosen' above them");
    f = &p->function[p->module.nfunction - 1];
    if (trod_format_counts_each(f->counted))
        return trod_parse_fail(&p->in,
            "a function with a counter for every path has no slots; remove them, or "
            "write chosen, residual or untested after its number of paths");
    for (;;) {
        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            return true;
        if (token.kind != TROD_T_MARK || token.mark != '=')
            return trod_parse_fail(
                &p->in, "expected the id of a path after 'slots', such as '=0'");
        if (!trod_parse_uint(&id, &p->in, "the id of a path"))
            return false;
        if (id >= f->npath)
            return trod_parse_fail(&p->in,
                "the function has %" PRIu64 " paths, ids are below that; %" PRIu64
                " is not",
                f->npath, id);
        if (f->nchosen && p->chosen[f->nchosen - 1] >= id)
            return trod_parse_fail(&p->in,
                "ids must ascend: %" PRIu64 " follows %" PRIu64, id,
                p->chosen[f->nchosen - 1]);
        trod_push(p->in.mem, p->chosen, f->nchosen, p->room_chosen, id);
        f->chosen = p->chosen;
    }
}

enum path_kind { PATH, BEGUN, STOP };

/* The next id; `begun` and stops have ids above those of paths. */
static bool take_id(struct parser *p, uint64_t *id,
    const struct trod_profile_function *f, enum path_kind kind)
{
    uint64_t place;

    *id = f->npath;
    if (kind == BEGUN)
        return true;
    if (kind == PATH)
        return trod_parse_uint(id, &p->in, "the id of a path");
    if (!trod_parse_uint(&place, &p->in, "where it stopped"))
        return false;
    if (f->counted != TROD_COUNTED_ALL || place > UINT64_MAX - f->npath - 1)
        return trod_parse_fail(&p->in,
            "only functions that count every path record where paths stopped, with "
            "lower numbers than this");
    *id = f->npath + 1 + place;
    return true;
}

/* `=ID COUNT`, `begun COUNT` or `stop PLACE COUNT`, after the first mark or word. */
static bool parse_path(struct parser *p, enum path_kind kind)
{
    struct trod_profile_path path = {0};
    const struct trod_profile_function *f;
    struct trod_token token;
    uint32_t group;

    if (!p->module.nfunction)
        return trod_parse_fail(&p->in,
            "a path must belong to a function; add a line 'function NAME GRAPH CUTS NPATH' above it");
    f = &p->function[p->module.nfunction - 1];
    if (!take_id(p, &path.id, f, kind))
        return false;
    if (!trod_parse_uint(&path.count, &p->in, "how often it ran") ||
        !trod_parse_peek(&token, &p->in))
        return false;
    if (trod_token_is_mark(&token, '+')) {
        if (path.count != UINT64_MAX)
            return trod_parse_fail(
                &p->in, "'+' is for counts that stopped at 18446744073709551615");
        if (!trod_parse_next(&token, &p->in))
            return false;
    }
    if (kind == PATH && path.id >= f->npath)
        return trod_parse_fail(&p->in,
            "the function has %" PRIu64 " paths, ids are below that; %" PRIu64
            " is not",
            f->npath, path.id);
    if (!path.count)
        return trod_parse_fail(
            &p->in, "a path that did not run has no line; remove it");
    if (!take_group(p, &group))
        return false;
    if (p->npath && (group != p->path_group || path.id <= p->path[p->npath - 1].id)) {
        if (group == p->path_group)
            return trod_parse_fail(&p->in,
                "ids must ascend: %" PRIu64 " follows %" PRIu64, path.id,
                p->path[p->npath - 1].id);
        close_paths(p);
    }
    p->path_group = group;
    trod_push(p->in.mem, p->path, p->npath, p->room_path, path);
    return true;
}

/* `steps THREAD`, or `steps THREAD given N`, after the word; then rules. */
static bool parse_steps(struct parser *p)
{
    struct trod_profile_steps steps = {.module = p->builder.nmodule};
    struct trod_token token;
    uint64_t thread;

    if (!p->in_module)
        return trod_parse_fail(&p->in,
            "steps must belong to a module; add a line 'module PATH MODE' above them");
    if (!trod_parse_uint(&thread, &p->in, "the number of a thread"))
        return false;
    if (thread > UINT32_MAX)
        return trod_parse_fail(&p->in, "the number of a thread is below 4294967296");
    steps.thread = (uint32_t)thread;
    if (p->builder.nsteps > p->first_steps &&
        p->builder.steps[p->builder.nsteps - 1].thread >= thread)
        return trod_parse_fail(&p->in,
            "threads must ascend: %" PRIu64 " follows %" PRIu32, thread,
            p->builder.steps[p->builder.nsteps - 1].thread);
    if (!trod_parse_peek(&token, &p->in))
        return false;
    if (trod_token_is_word(&token, "given") &&
        (!trod_parse_next(&token, &p->in) ||
            !trod_parse_uint(&steps.ngiven, &p->in, "how many are missing")))
        return false;
    if (!trod_grammar_parse(&steps.grammar, "", p->in.text, p->in.mem, p->in.err))
        return false;
    trod_profile_add_steps(&p->builder, &steps);
    return true;
}

/* `samples THREAD IDENTITY` and its lines, after the first word. */
static bool parse_samples(struct parser *p)
{
    struct trod_profile_samples samples;

    if (!p->in_module || p->module.mode != TROD_MODE_BLOCKS)
        return trod_parse_fail(&p->in,
            "samples must belong to a module; add a line 'module PATH blocks' above them");
    if (!trod_profile_samples_parse(&samples, p->in.text, p->in.mem, p->in.err))
        return false;
    samples.module = p->builder.nmodule;
    trod_profile_add_samples(&p->builder, &samples);
    return true;
}

/* `burst TRIGGER PERIOD THREADS` and its lines, after the first word. */
static bool parse_burst(struct parser *p)
{
    struct trod_profile_burst burst;

    close_run(p);
    if (!trod_profile_burst_parse(&burst, p->in.text, p->in.mem, p->in.err))
        return false;
    trod_profile_add_burst(&p->builder, &burst);
    return true;
}

static bool parse_note(struct parser *p)
{
    const char *note;

    if (!trod_parse_name(&note, &p->in, "a note, in quotes"))
        return false;
    trod_profile_add_note(&p->builder, "%s", note);
    return trod_parse_end(&p->in, "the note");
}

static bool parse_line(struct parser *p, const struct trod_token *head)
{
    struct trod_token token;

    if (trod_token_is_mark(head, '='))
        return parse_path(p, PATH);
    if (!trod_parse_peek(&token, &p->in))
        return false;
    if (head->kind == TROD_T_NAME && trod_token_is_mark(&token, ':'))
        return trod_parse_next(&token, &p->in) && parse_field(p, head->name);
    if (trod_token_is_word(head, "run"))
        return parse_run(p);
    if (trod_token_is_word(head, "module"))
        return parse_module(p);
    if (trod_token_is_word(head, "function"))
        return parse_function(p);
    if (trod_token_is_word(head, "slots"))
        return parse_slots(p);
    if (trod_token_is_word(head, "begun"))
        return parse_path(p, BEGUN);
    if (trod_token_is_word(head, "stop"))
        return parse_path(p, STOP);
    if (trod_token_is_word(head, "steps"))
        return parse_steps(p);
    if (trod_token_is_word(head, "samples"))
        return parse_samples(p);
    if (trod_token_is_word(head, "burst"))
        return parse_burst(p);
    if (trod_token_is_word(head, "note"))
        return parse_note(p);
    return trod_parse_fail(&p->in,
        "expected a line of a profile: 'run', 'KEY: VALUE', 'module PATH MODE', "
        "'function NAME GRAPH CUTS NPATH', 'slots =ID', '=ID COUNT', 'begun COUNT', "
        "'steps THREAD', 'samples THREAD IDENTITY' or 'burst TRIGGER PERIOD THREADS' and what follows, or "
        "'note TEXT'");
}

/* `profile`, alone on its line. */
static bool parse_head(struct parser *p, bool *more)
{
    struct trod_token token;

    do {
        if (!trod_parse_next(&token, &p->in))
            return false;
    } while (token.kind == TROD_T_LINE);
    *more = token.kind != TROD_T_END;
    if (!*more)
        return true;
    if (!trod_token_is_word(&token, "profile"))
        return trod_parse_fail(&p->in,
            "not a profile; name a file that an instrumented program or 'trod merge' wrote, or text that begins with 'profile'");
    return trod_parse_end(&p->in, "'profile'");
}

/* Add the line to an error that was reported without one. */
static bool place_failure(const struct trod_text *place, struct trod_err *err)
{
    struct trod_err plain = *err;

    trod_text_error(place, err, "%s", plain.text);
    err->code = plain.code;
    return false;
}

bool trod_profile_parse(struct trod_profile *out, bool *more, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}};
    struct trod_text place;

    trod_profile_builder_init(&p.builder, mem);
    if (!parse_head(&p, more))
        return false;
    if (!*more)
        return true;
    place = *text;
    for (;;) {
        struct trod_text before = *text;
        struct trod_token head, ahead;

        if (!trod_parse_next(&head, &p.in))
            return false;
        if (head.kind == TROD_T_END)
            break;
        if (head.kind == TROD_T_LINE)
            continue;
        if (trod_token_is_word(&head, "profile")) {
            if (!trod_text_peek(&ahead, text, mem, err))
                return false;
            if (trod_token_is_over(&ahead)) {
                *text = before;
                break;
            }
        }
        if (!parse_line(&p, &head))
            return false;
    }
    close_run(&p);
    if (!close_module(&p))
        return false;
    return trod_profile_build(out, &p.builder, err) || place_failure(&place, err);
}
