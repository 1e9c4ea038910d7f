#include "profile/read/reader.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    STEPS_BYTES = sizeof(struct trod_format_steps),
    NODE_BYTES = sizeof(struct trod_format_node),
};

/* A part of a thread's steps: a PART section, or a STEPS section with the queue after it. */
struct piece {
    const struct section *section;
    uint32_t module; /* in the builder */
    uint32_t thread, part;
    bool open;
    uint64_t ngiven;
    struct trod_grammar_part grammar;
    struct trod_grammar_part queue; /* of an open part, otherwise NULLs */
};

/* A part being read. */
struct intake {
    struct reader *r;
    struct places places;
    uint64_t *value;
    size_t nvalue, room_value;
    bool *is_rule;
    size_t room_is_rule;
    uint32_t *first;
    size_t nrule, room_rule;
};

TROD_ORDER(by_counter, struct place, TROD_UP(counter))

/* Terminals of a packed file need no translation. */
void trod_profile_list_places(
    struct places *out, struct reader *r, const struct image *image)
{
    struct trod_profile_module module = {
        .nfunction = image->nfunction, .function = image->function};

    *out = (struct places){.packed = r->health.kind == TROD_FORMAT_PACKED};
    trod_profile_terminals(&out->terminals, &module, r->mem);
    out->place = trod_new(r->mem, struct place, image->nfunction);
    for (uint32_t f = 0; f < image->nfunction; f++)
        if (image->counter_of_function[f] != UINT64_MAX &&
            out->terminals.first_of_function[f + 1] != UINT64_MAX)
            out->place[out->nplace++] =
                (struct place){.counter = image->counter_of_function[f],
                    .first = out->terminals.first_of_function[f],
                    .npath = image->function[f].npath};
    trod_sort(out->place, out->nplace, by_counter);
}

bool trod_profile_find_terminal(
    uint64_t *out, const struct places *places, uint64_t number)
{
    uint32_t from, function;
    const struct place *place;
    uint64_t id;

    if (places->packed) {
        *out = number;
        return trod_profile_step(&function, &id, &places->terminals, number);
    }
    from = TROD_LOWER_BOUND(
        middle, 0, places->nplace, places->place[middle].counter <= number);
    if (!from)
        return false;
    place = &places->place[from - 1];
    *out = place->first + (number - place->counter);
    return number - place->counter < place->npath;
}

static bool is_terminal(uint64_t *out, const struct intake *in, uint64_t number)
{
    return trod_profile_find_terminal(out, &in->places, number);
}

static void add_symbol(struct intake *in, uint64_t value, bool is_rule)
{
    trod_reserve(in->r->mem, in->value, in->nvalue, in->room_value);
    trod_reserve(in->r->mem, in->is_rule, in->nvalue, in->room_is_rule);
    in->is_rule[in->nvalue] = is_rule;
    in->value[in->nvalue++] = value;
}

static void open_rule(struct intake *in)
{
    trod_push(in->r->mem, in->first, in->nrule, in->room_rule, (uint32_t)in->nvalue);
}

static void start_part(struct intake *in)
{
    in->value = NULL;
    in->is_rule = NULL;
    in->first = NULL;
    in->nvalue = in->room_value = in->room_is_rule = in->nrule = in->room_rule = 0;
}

/* Complete the part. Returns its fault, or NULL. */
static const char *end_part(struct trod_grammar_part *out, struct intake *in)
{
    struct trod_mark mark;
    uint64_t *is_rule;
    uint32_t *order;
    bool cyclic;

    trod_reserve(in->r->mem, in->first, in->nrule, in->room_rule);
    in->first[in->nrule] = (uint32_t)in->nvalue;
    is_rule = trod_new(in->r->mem, uint64_t, TROD_WORDS(in->nvalue));
    for (size_t s = 0; s < in->nvalue; s++) {
        if (in->is_rule[s])
            trod_add(is_rule, s);
        if (in->is_rule[s] && (!in->value[s] || in->value[s] >= in->nrule))
            return "uses rules that are not there";
    }
    for (size_t rule = 1; rule < in->nrule; rule++)
        if (in->first[rule] == in->first[rule + 1])
            return "has rules without symbols";
    *out = (struct trod_grammar_part){.nrule = (uint32_t)in->nrule,
        .first_symbol_of_rule = in->first,
        .value_of_symbol = in->value,
        .is_rule = is_rule};
    mark = trod_arena_mark(in->r->mem);
    order = trod_new(in->r->mem, uint32_t, in->nrule);
    cyclic = trod_grammar_order(order, out, in->r->mem) < in->nrule;
    trod_arena_rewind(in->r->mem, mark);
    return cyclic ? "has rules that expand to themselves" : NULL;
}

/* --- PART ----------------------------------------------------------------------------------- */

static const char *read_rules(struct intake *in, const uint8_t *at, const uint8_t *end)
{
    uint64_t nrule, n, code, value;

    /* A rule and a symbol take at least one byte each. */
    if (!trod_load_varint(&nrule, &at, end) || !nrule || nrule > (uint64_t)(end - at))
        return "does not say how many rules it has";
    while (nrule--) {
        if (!trod_load_varint(&n, &at, end) || n > (uint64_t)(end - at))
            return "has a rule that does not end";
        open_rule(in);
        while (n--) {
            if (!trod_load_varint(&code, &at, end))
                return "has a rule that does not end";
            if (in->nvalue == TROD_GRAMMAR_MOST)
                return "has too many symbols";
            value = code >> 1;
            if (!(code & 1) && !is_terminal(&value, in, value))
                return "has steps of no function";
            add_symbol(in, value, code & 1);
        }
    }
    return at == end ? NULL : "has more than its rules";
}

static const char *read_part(struct piece *out, struct intake *in)
{
    const struct section *s = out->section;
    const uint8_t *at = s->payload, *end = at + s->npayload;
    const char *fault;
    uint64_t part;

    out->thread = s->head.thread;
    if (!trod_load_varint(&part, &at, end) || part > UINT32_MAX ||
        !trod_load_varint(&out->ngiven, &at, end))
        return "does not say which it is";
    out->part = (uint32_t)part;
    start_part(in);
    fault = read_rules(in, at, end);
    return fault ? fault : end_part(&out->grammar, in);
}

/* --- STEPS ---------------------------------------------------------------------------------- */

struct nodes {
    const uint8_t *at; /* the first node */
    uint64_t count;
    uint32_t nundo, node_of_undo[TROD_STEPS_UNDO], next_of_undo[TROD_STEPS_UNDO];
    uint64_t *seen;
    uint32_t *number_of_guard; /* number of the rule of a guard; 0: none yet */
    uint32_t *guard_of_rule;
    uint32_t last; /* of rule 0 */
};

/* The next node, as it was before an unfinished change. */
static uint32_t next_of(const struct nodes *nodes, uint32_t n)
{
    for (uint32_t i = 0; i < nodes->nundo; i++)
        if (nodes->node_of_undo[i] == n)
            return nodes->next_of_undo[i];
    return trod_load32(nodes->at + (size_t)n * NODE_BYTES);
}

static uint32_t symbol_of(const struct nodes *nodes, uint32_t n)
{
    return trod_load32(nodes->at + (size_t)n * NODE_BYTES + 4);
}

/* Each node must be in exactly one rule, once. */
static bool is_new(struct nodes *nodes, uint32_t n)
{
    if (n >= nodes->count || trod_has(nodes->seen, n))
        return false;
    trod_add(nodes->seen, n);
    return true;
}

static const char *read_rule(
    struct intake *in, struct nodes *nodes, uint32_t guard, uint32_t *nrule)
{
    uint64_t value;

    for (uint32_t n = next_of(nodes, guard); n != guard; n = next_of(nodes, n)) {
        uint32_t symbol = n < nodes->count ? symbol_of(nodes, n) : TROD_STEPS_NONE;
        uint32_t rule = symbol & ~TROD_STEPS_RULE;

        if (symbol >= TROD_STEPS_GUARD || !is_new(nodes, n))
            return "has rules that do not end";
        if (!(symbol & TROD_STEPS_RULE)) {
            if (!is_terminal(&value, in, symbol))
                return "has steps of no function";
            add_symbol(in, value, false);
        } else {
            if (rule >= nodes->count || symbol_of(nodes, rule) != TROD_STEPS_GUARD)
                return "uses rules that are not there";
            if (!nodes->number_of_guard[rule]) {
                nodes->number_of_guard[rule] = *nrule;
                nodes->guard_of_rule[(*nrule)++] = rule;
            }
            add_symbol(in, nodes->number_of_guard[rule], true);
        }
        if (!guard)
            nodes->last = n;
    }
    return NULL;
}

static const char *read_nodes(struct intake *in, struct nodes *nodes)
{
    uint32_t nrule = 1;

    nodes->seen = trod_new(in->r->mem, uint64_t, TROD_WORDS(nodes->count));
    nodes->number_of_guard = trod_new(in->r->mem, uint32_t, nodes->count);
    nodes->guard_of_rule = trod_new(in->r->mem, uint32_t, nodes->count + 1);
    for (uint32_t rule = 0; rule < nrule; rule++) {
        uint32_t guard = nodes->guard_of_rule[rule];
        const char *fault;

        if (!is_new(nodes, guard))
            return "has rules that do not end";
        open_rule(in);
        fault = read_rule(in, nodes, guard, &nrule);
        if (fault)
            return fault;
    }
    return NULL;
}

static const char *read_queue(
    struct intake *in, const uint8_t *p, const struct nodes *nodes)
{
    uint32_t taken = trod_load32(p + 8), linking = trod_load32(p + 12),
             queued = trod_load32(p + 16);
    uint64_t value;

    if (queued - taken > TROD_STEPS_QUEUE)
        return "has a queue that cannot be";
    open_rule(in);
    if (linking && linking == nodes->last && taken != queued)
        taken++;
    for (; taken != queued; taken++) {
        uint32_t entry = trod_load32(p + 64 + 4 * (size_t)(taken % TROD_STEPS_QUEUE));

        if (entry && !is_terminal(&value, in, entry - 1))
            return "has steps of no function in its queue";
        if (entry)
            add_symbol(in, value, false);
    }
    return NULL;
}

static const char *read_open(struct piece *out, struct intake *in)
{
    const uint8_t *p = out->section->payload;
    struct nodes nodes = {.at = p + STEPS_BYTES};
    const char *fault;

    if (out->section->npayload < STEPS_BYTES + NODE_BYTES)
        return "is too short";
    out->thread = trod_load32(p);
    out->part = trod_load32(p + 4);
    out->ngiven = trod_load64(p + 40);
    nodes.count = (out->section->npayload - STEPS_BYTES) / NODE_BYTES;
    if (trod_load32(p + 48) < nodes.count)
        nodes.count = trod_load32(p + 48);
    if (!nodes.count)
        return "has no nodes";
    nodes.nundo = trod_load32(p + 20);
    if (nodes.nundo > TROD_STEPS_UNDO)
        return "has more to undo than can be";
    for (uint32_t i = 0; i < nodes.nundo; i++) {
        nodes.node_of_undo[i] = trod_load32(p + 24 + 8 * (size_t)i);
        nodes.next_of_undo[i] = trod_load32(p + 28 + 8 * (size_t)i);
    }
    start_part(in);
    fault = read_nodes(in, &nodes);
    fault = fault ? fault : end_part(&out->grammar, in);
    start_part(in);
    fault = fault ? fault : read_queue(in, p, &nodes);
    return fault ? fault : end_part(&out->queue, in);
}

/* --- threads ---------------------------------------------------------------------------------- */

static int by_part(const void *x, const void *y)
{
    const struct piece *a = x, *b = y;

    if (a->module != b->module)
        return a->module < b->module ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    if (a->open != b->open)
        return a->open ? 1 : -1;
    return (a->section->at > b->section->at) - (a->section->at < b->section->at);
}

static bool is_same_thread(const struct piece *a, const struct piece *b)
{
    return a->module == b->module && a->thread == b->thread;
}

/* Add all parts of a thread. A part that was closed while the file was read occurs twice, open and
 * closed; its queue occurs once. */
static void add_thread(struct reader *r, const struct piece *piece, size_t n)
{
    struct trod_grammar_part *part = trod_new(r->mem, struct trod_grammar_part, 2 * n);
    struct trod_profile_steps steps = {
        .module = piece->module, .thread = piece->thread};
    uint32_t npart = 0, expected = 0;

    for (size_t i = 0; i < n; i++) {
        const struct piece *p = &piece[i], *before = i ? p - 1 : NULL;
        bool again = before && before->part == p->part;

        if (again && before->open == p->open) {
            trod_profile_lose(r, p->section->at,
                "part %" PRIu32 " of thread %" PRIu32
                " occurs twice; the second is skipped",
                p->part, p->thread);
            continue;
        }
        if (p->part > expected)
            trod_profile_lose(r, p->section->at,
                "parts of thread %" PRIu32 " before part %" PRIu32
                " are missing: %" PRIu32,
                p->thread, p->part, p->part - expected);
        expected = p->part == UINT32_MAX ? UINT32_MAX : p->part + 1;
        if (!again)
            part[npart++] = p->grammar;
        if (p->open)
            part[npart++] = p->queue;
        steps.ngiven = trod_sat_add(steps.ngiven, p->ngiven);
    }
    r->ngiven = trod_sat_add(r->ngiven, steps.ngiven);
    steps.grammar.npart = npart;
    steps.grammar.part = part;
    trod_profile_add_steps(&r->builder, &steps);
}

/* Read a part; false, and reported, if it is damaged. */
static bool read_piece(
    struct reader *r, struct piece *out, const struct section *s, struct intake *intake)
{
    struct image *image = trod_profile_image_of(r, s->head.module);
    struct intake *in = image ? &intake[image - r->image] : NULL;
    const char *fault;

    *out = (struct piece){.section = s, .open = s->head.type == TROD_SECTION_STEPS};
    if (!image) {
        trod_profile_lose(r, s->at,
            "the %s section is of module %" PRIu32
            ", which the file does not describe; its steps are lost",
            trod_profile_section_name(s->head.type), s->head.module);
        return false;
    }
    if (!in->r) {
        in->r = r;
        trod_profile_list_places(&in->places, r, image);
    }
    out->module = image->module;
    fault = out->open ? read_open(out, in) : read_part(out, in);
    if (fault)
        trod_profile_lose(r, s->at, "the %s section %s; its steps are lost",
            trod_profile_section_name(s->head.type), fault);
    return !fault;
}

void trod_profile_defer_steps(struct reader *r, const struct section *s)
{
    trod_push(r->mem, r->recorded, r->nrecorded, r->room_recorded, *s);
    r->npart += s->head.type == TROD_SECTION_PART;
}

void trod_profile_read_steps(struct reader *r)
{
    struct piece *piece = trod_new(r->mem, struct piece, r->nrecorded);
    struct intake *intake = trod_new(r->mem, struct intake, r->nimage);
    size_t n = 0;

    for (uint32_t i = 0; i < r->nrecorded; i++)
        n += read_piece(r, &piece[n], &r->recorded[i], intake);
    trod_sort(piece, n, by_part);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && is_same_thread(&piece[i], &piece[j]);)
            j++;
        add_thread(r, &piece[i], j - i);
    }
}
