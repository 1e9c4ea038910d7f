#include "migrate/migrator.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* --- words ------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *about;
} fates[TROD_UNIT_FATES] = {
    {"unaffected", "nothing that it depends on changed, according to the method"},
    {"same", "its source differs, its blocks do not"},
    {"granted", "it changed, but its counts are the same in the check run"},
    {"affected", "it changed, or what it depends on did"},
    {"withdrawn", "it did not change, but its counts differ in the check run"},
    {"unmapped", "its counterpart in the new version is unknown"},
    {"new", "it is in the new version only"},
    {"gone", "it is in the old version only"},
};

const char *trod_fate_name(enum trod_fate fate)
{
    return fates[fate].name;
}

const char *trod_fate_about(enum trod_fate fate)
{
    return fates[fate].about;
}

bool trod_fate_parse(enum trod_fate *out, const char *word)
{
    for (int i = 0; i < TROD_UNIT_FATES; i++) {
        if (strcmp(fates[i].name, word) == 0) {
            *out = (enum trod_fate)i;
            return true;
        }
    }
    return false;
}

static const char *const states[] = {"run", "skipped", "check"};

const char *trod_input_state_name(enum trod_input_state state)
{
    return states[state];
}

static bool state_parse(enum trod_input_state *out, const char *word)
{
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (strcmp(states[i], word) == 0) {
            *out = (enum trod_input_state)i;
            return true;
        }
    }
    return false;
}

/* --- building ------------------------------------------------------------------------------------------- */

/* The fate with the higher rank requires more work. */
static unsigned rank(enum trod_fate fate)
{
    static const unsigned of[TROD_UNIT_FATES] = {0, 1, 2, 6, 5, 4, 7, 3};

    return of[fate];
}

static void put_loops(struct trod_migrate_plan *out, struct trod_plan_function *f,
    const struct trod_migration *m, uint32_t joined, struct trod_arena *mem)
{
    f->first_loop = out->nloop;
    for (uint32_t i = m->first_unit[joined]; i < m->first_unit[joined + 1]; i++) {
        const struct trod_migrate_unit *u = &m->unit[i];

        if (u->part == TROD_NONE)
            continue;
        trod_push(mem, out->loop, out->nloop, out->room_loop,
            (struct trod_plan_loop){u->part, u->new_part, u->line, u->fate, u->why});
        f->nloop++;
    }
}

static void put_function(struct trod_migrate_plan *out, const struct trod_migration *m,
    uint32_t joined, struct trod_arena *mem)
{
    const struct trod_joined *j = &m->join.joined[joined];
    struct trod_plan_function f = {.name = j->in_old ? j->name : NULL,
        .file = j->in_old ? j->file : NULL,
        .new_name = j->new_name,
        .new_file = j->new_file};
    bool again = trod_has(m->again, joined);

    for (uint32_t i = m->first_unit[joined]; i < m->first_unit[joined + 1]; i++) {
        const struct trod_migrate_unit *u = &m->unit[i];

        if (i == m->first_unit[joined] || rank(u->fate) > rank(f.fate)) {
            f.fate = u->fate;
            f.why = u->why;
        }
    }
    if (again && trod_fate_is_exempt(f.fate)) {
        f.fate = TROD_UNIT_UNMAPPED;
        f.why = "it has new loops";
    }
    put_loops(out, &f, m, joined, mem);
    trod_push(mem, out->function, out->nfunction, out->room_function, f);
    if (again) {
        struct trod_entry e = {
            .function = j->new_name, .file = j->new_file, .part = TROD_NONE};

        trod_entries_add(&out->again, &e, mem);
    }
}

void trod_migrate_plan_build(struct trod_migrate_plan *out,
    const struct trod_migration *m, const char *old, const char *new,
    const struct trod_migrate_module *module, struct trod_arena *mem)
{
    static const char *const methods[TROD_IMPACT_METHODS] = {
        "none", "blind", "hash", "ba", "ag", "sl", "hybrid", "own"};

    *out = (struct trod_migrate_plan){.type = m->type.name,
        .method = methods[m->method],
        .old = old,
        .later = new,
        .level = m->level,
        .module = *module,
        .nagreed = m->nagreed,
        .ndisagreed = m->ndisagreed,
        .again = {.type = "again"},
        .note = m->note,
        .nnote = m->nnote,
        .room_note = m->room_note};
    for (uint32_t i = 0; i < m->ninput; i++) {
        trod_push(mem, out->input, out->ninput, out->room_input,
            (struct trod_plan_input){
                m->input[i].name, m->input[i].why, m->input[i].state});
    }
    for (uint32_t i = 0; i < m->join.njoined; i++)
        put_function(out, m, i, mem);
    trod_entries_order(&out->again);
}

/* --- printing ------------------------------------------------------------------------------------------------ */

static void put_word(struct trod_sink *sink, const char *word)
{
    trod_put(sink, " ");
    if (word && *word)
        trod_put_name(sink, word);
    else
        trod_put(sink, "-");
}

static void put_number(struct trod_sink *sink, uint32_t number)
{
    if (number == TROD_NONE)
        trod_put(sink, " -");
    else
        trod_put(sink, " %" PRIu32, number);
}

static void put_why(struct trod_sink *sink, const char *why)
{
    if (why)
        put_word(sink, why);
    trod_put(sink, "\n");
}

static void print_function(struct trod_sink *sink, const struct trod_migrate_plan *plan,
    const struct trod_plan_function *f)
{
    trod_put(sink, "function %s", trod_fate_name(f->fate));
    put_word(sink, f->name);
    put_word(sink, f->file);
    put_word(sink, f->new_name);
    put_word(sink, f->new_file);
    put_why(sink, f->why);
    for (uint32_t i = f->first_loop; i < f->first_loop + f->nloop; i++) {
        const struct trod_plan_loop *loop = &plan->loop[i];

        trod_put(sink, "loop %s", trod_fate_name(loop->fate));
        put_number(sink, loop->part);
        put_number(sink, loop->new_part);
        put_number(sink, loop->line);
        put_why(sink, loop->why);
    }
}

void trod_migrate_plan_print(
    struct trod_sink *sink, const struct trod_migrate_plan *plan)
{
    trod_put(sink, "migration");
    put_word(sink, plan->type);
    put_word(sink, plan->method);
    trod_put(sink, " %" PRIu32 "\nold", plan->level);
    put_word(sink, plan->old);
    trod_put(sink, "\nnew");
    put_word(sink, plan->later);
    trod_put(sink, "\nmodule");
    put_word(sink, plan->module.path);
    put_word(sink, plan->module.build_id);
    trod_put(sink, "\n");
    if (plan->nagreed || plan->ndisagreed)
        trod_put(
            sink, "agreed %" PRIu64 " %" PRIu64 "\n", plan->nagreed, plan->ndisagreed);
    for (uint32_t i = 0; i < plan->ninput; i++) {
        trod_put(sink, "input");
        put_word(sink, plan->input[i].name);
        trod_put(sink, " %s", trod_input_state_name(plan->input[i].state));
        put_why(sink, plan->input[i].why);
    }
    for (uint32_t i = 0; i < plan->nfunction; i++)
        print_function(sink, plan, &plan->function[i]);
    for (uint32_t i = 0; i < plan->again.nentry; i++) {
        trod_put(sink, "again");
        put_word(sink, plan->again.entry[i].function);
        put_word(sink, plan->again.entry[i].file);
        trod_put(sink, "\n");
    }
    for (uint32_t i = 0; i < plan->nnote; i++) {
        trod_put(sink, "note");
        put_why(sink, plan->note[i]);
    }
}

void trod_migrate_plan_reprofile(
    struct trod_sink *sink, const struct trod_migrate_plan *plan)
{
    trod_put(sink, "# functions to profile again: trod cc --only=FILE\n");
    for (uint32_t i = 0; i < plan->again.nentry; i++) {
        trod_put_name(sink, plan->again.entry[i].function);
        if (plan->again.entry[i].file)
            put_word(sink, plan->again.entry[i].file);
        trod_put(sink, "\n");
    }
}

/* --- parsing --------------------------------------------------------------------------------------------------- */

struct parser {
    struct trod_migrate_plan *plan;
    struct trod_parse in;
};

static bool take_word(struct parser *p, const char **out, const char *what)
{
    struct trod_token token;

    if (!trod_parse_next(&token, &p->in))
        return false;
    *out = NULL;
    if (trod_token_is_mark(&token, '-'))
        return true;
    *out = token.name;
    return (token.kind == TROD_T_NAME && token.length) ||
           trod_parse_fail(&p->in, "expected %s, or '-' for none", what);
}

static bool take_must(struct parser *p, const char **out, const char *what)
{
    return take_word(p, out, what) &&
           (*out || trod_parse_fail(&p->in, "expected %s", what));
}

static bool take_number(struct parser *p, uint32_t *out, const char *what)
{
    const char *word;
    uint64_t value;

    if (!take_word(p, &word, what))
        return false;
    *out = TROD_NONE;
    if (!word)
        return true;
    if (!trod_text_uint(&value, word) || value >= TROD_NONE)
        return trod_parse_fail(&p->in, "expected %s, not '%s'", what, word);
    *out = (uint32_t)value;
    return true;
}

/* An optional reason, then the end of the line. */
static bool take_why(struct parser *p, const char **out)
{
    struct trod_token token;

    *out = NULL;
    if (!trod_parse_next(&token, &p->in))
        return false;
    if (trod_token_is_over(&token))
        return true;
    if (token.kind != TROD_T_NAME)
        return trod_parse_fail(&p->in, "expected a reason, or nothing");
    *out = token.length ? token.name : NULL;
    return trod_parse_end(&p->in, "that");
}

static bool parse_head(struct parser *p)
{
    struct trod_migrate_plan *plan = p->plan;

    return take_must(p, &plan->type, "a type of profiles") &&
           take_must(p, &plan->method, "a method") &&
           take_number(p, &plan->level, "a level") &&
           (plan->level != TROD_NONE || trod_parse_fail(&p->in, "expected a level")) &&
           trod_parse_end(&p->in, "that");
}

static bool parse_old(struct parser *p)
{
    return take_word(p, &p->plan->old, "a version") && trod_parse_end(&p->in, "that");
}

static bool parse_new(struct parser *p)
{
    return take_word(p, &p->plan->later, "a version") && trod_parse_end(&p->in, "that");
}

static bool parse_module(struct parser *p)
{
    return take_word(p, &p->plan->module.path, "a path") &&
           take_word(p, &p->plan->module.build_id, "a build id") &&
           trod_parse_end(&p->in, "that");
}

static bool parse_agreed(struct parser *p)
{
    return trod_parse_uint(&p->plan->nagreed, &p->in, "how many") &&
           trod_parse_uint(&p->plan->ndisagreed, &p->in, "how many") &&
           trod_parse_end(&p->in, "that");
}

static bool parse_input(struct parser *p)
{
    struct trod_migrate_plan *plan = p->plan;
    struct trod_plan_input input;
    const char *state;

    if (!take_must(p, &input.name, "the name of an input") ||
        !take_must(p, &state, "what becomes of it"))
        return false;
    if (!state_parse(&input.state, state))
        return trod_parse_fail(
            &p->in, "an input is run, skipped or check, not '%s'", state);
    if (!take_why(p, &input.why))
        return false;
    trod_push(p->in.mem, plan->input, plan->ninput, plan->room_input, input);
    return true;
}

static bool take_fate(struct parser *p, enum trod_fate *out)
{
    const char *word;

    return take_must(p, &word, "what becomes of it") &&
           (trod_fate_parse(out, word) ||
               trod_parse_fail(
                   &p->in, "'%s' is not a fate, such as unaffected or affected", word));
}

static bool parse_function(struct parser *p)
{
    struct trod_migrate_plan *plan = p->plan;
    struct trod_plan_function f = {.first_loop = plan->nloop};

    if (!take_fate(p, &f.fate) || !take_word(p, &f.name, "a function") ||
        !take_word(p, &f.file, "its file") ||
        !take_word(p, &f.new_name, "the new function") ||
        !take_word(p, &f.new_file, "its file") || !take_why(p, &f.why))
        return false;
    if (!f.name && !f.new_name)
        return trod_parse_fail(&p->in, "a function must be in one version at least");
    trod_push(p->in.mem, plan->function, plan->nfunction, plan->room_function, f);
    return true;
}

static bool parse_loop(struct parser *p)
{
    struct trod_migrate_plan *plan = p->plan;
    struct trod_plan_loop loop;

    if (!plan->nfunction)
        return trod_parse_fail(&p->in, "a loop must follow its function; add a line "
                                       "'function' above it");
    if (!take_fate(p, &loop.fate) || !take_number(p, &loop.part, "a loop") ||
        !take_number(p, &loop.new_part, "the new loop") ||
        !take_number(p, &loop.line, "its line") || !take_why(p, &loop.why))
        return false;
    trod_push(p->in.mem, plan->loop, plan->nloop, plan->room_loop, loop);
    plan->function[plan->nfunction - 1].nloop++;
    return true;
}

static bool parse_again(struct parser *p)
{
    struct trod_entry e = {.part = TROD_NONE};

    if (!take_must(p, &e.function, "a function") ||
        !take_word(p, &e.file, "its file") || !trod_parse_end(&p->in, "that"))
        return false;
    trod_entries_add(&p->plan->again, &e, p->in.mem);
    return true;
}

static bool parse_note(struct parser *p)
{
    struct trod_migrate_plan *plan = p->plan;
    const char *note;

    if (!take_must(p, &note, "a note") || !trod_parse_end(&p->in, "that"))
        return false;
    trod_push(p->in.mem, plan->note, plan->nnote, plan->room_note, note);
    return true;
}

static const struct line {
    const char *word;
    bool (*parse)(struct parser *p);
} lines[] = {
    {"migration", parse_head},
    {"old", parse_old},
    {"new", parse_new},
    {"module", parse_module},
    {"agreed", parse_agreed},
    {"input", parse_input},
    {"function", parse_function},
    {"loop", parse_loop},
    {"again", parse_again},
    {"note", parse_note},
};

static bool parse_line(struct parser *p, const struct trod_token *head)
{
    bool first = !p->plan->type;

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (trod_token_is_word(head, lines[i].word) && first == (i == 0))
            return lines[i].parse(p);
    return trod_parse_fail(&p->in,
        first
            ? "not a plan: expected 'migration TYPE METHOD LEVEL'"
            : "expected input, function, loop, again, note, or what a plan begins with");
}

bool trod_migrate_plan_parse(struct trod_migrate_plan *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .plan = out};
    struct trod_token token;

    *out = (struct trod_migrate_plan){.again = {.type = "again"}};
    do {
        if (!trod_text_next(&token, text, mem, err))
            return false;
        if (!trod_token_is_over(&token) && !parse_line(&p, &token))
            return false;
    } while (token.kind != TROD_T_END);
    if (!out->type)
        return trod_text_fail(
            text, err, "not a plan: expected 'migration TYPE METHOD LEVEL'");
    trod_entries_order(&out->again);
    return true;
}
