#include "edit/editor.h"

static uint64_t max_of(const struct trod_edit *edit)
{
    return (UINT64_C(1) << edit->bits) - 1;
}

/* --- building ---------------------------------------------------------------------------------------- */

/* Copy control items, with named sequences replaced by their items. */
static void flatten(
    struct trod_edit_micros *out, struct trod_editor *e, uint32_t first, uint32_t count)
{
    const struct trod_edit *edit = e->edit;
    struct trod_edit_micro *micro;
    uint32_t n = 0;

    for (uint32_t i = first; i < first + count; i++)
        n += edit->item[i].kind == TROD_EDIT_CONTROL
                 ? edit->sequence[edit->item[i].name].count
                 : 1;
    micro = trod_new(e->mem, struct trod_edit_micro, n);
    *out = (struct trod_edit_micros){.count = n, .micro = micro};
    for (uint32_t i = first; i < first + count; i++) {
        const struct trod_edit_item *item = &edit->item[i];
        uint32_t many = 1;

        if (item->kind == TROD_EDIT_CONTROL) {
            many = edit->sequence[item->name].count;
            item = &edit->item[edit->sequence[item->name].first];
        }
        for (uint32_t k = 0; k < many; k++)
            *micro++ =
                (struct trod_edit_micro){item[k].kind, item[k].number, item[k].name};
    }
}

static uint32_t size_of(const struct trod_editor *e, const struct trod_edit_item *item)
{
    return item->kind == TROD_EDIT_INSN   ? 0
           : item->kind == TROD_EDIT_CALL ? e->edit->handler[item->name].nop
                                          : 1;
}

/* Count the micro-operations before and after the instruction. */
static void measure_sequence(struct trod_editor *e, uint32_t s)
{
    const struct trod_edit_sequence *sequence = &e->edit->sequence[s];
    const struct trod_edit_item *item = &e->edit->item[sequence->first];
    uint32_t *count = &e->nbefore[s], n = 0;

    if (sequence->is_control)
        return;
    for (uint32_t i = 0; i < sequence->count; i++)
        n += size_of(e, &item[i]);
    e->ops[s] = trod_new(e->mem, uint8_t, (size_t)n + 1);
    n = 0;
    for (uint32_t i = 0; i < sequence->count; i++) {
        uint32_t size = size_of(e, &item[i]);

        if (item[i].kind == TROD_EDIT_INSN)
            count = &e->nafter[s];
        if (item[i].kind == TROD_EDIT_CALL)
            e->handlers_of[s] |= UINT64_C(1) << item[i].name;
        *count += size;
        for (; size; size--)
            e->ops[s][n++] =
                item[i].kind == TROD_EDIT_OP ? item[i].number : TROD_EDIT_ALU;
    }
}

static void take_production(struct trod_editor *e, uint32_t p)
{
    const struct trod_edit_production *production = &e->edit->production[p];

    flatten(&e->control[p], e, production->first, production->count);
    for (uint32_t i = 0; i < production->nterm; i++) {
        uint8_t kind = e->edit->term[production->first_term + i].kind;

        if (kind == TROD_EDIT_OVERFLOW || kind == TROD_EDIT_ZERO)
            e->conditional |= UINT64_C(1) << p;
    }
    if (production->replacement == TROD_EDIT_NONE)
        return;
    for (uint32_t h = 0; h < e->edit->nhandler; h++)
        if (e->handlers_of[production->replacement] >> h & 1)
            e->noted[h].called = true;
}

struct trod_edit_reference *trod_edit_reference_build(struct trod_arena *mem)
{
    struct trod_edit_reference *reference =
        trod_new(mem, struct trod_edit_reference, 1);

    reference->mem = mem;
    reference->names.mem = mem;
    trod_stream_add_object(
        &reference->names, &(struct trod_stream_object){.kind = TROD_STREAM_UNKNOWN});
    trod_stream_table_init(&reference->code_of_pc, mem);
    return reference;
}

/* The first editor records all references. */
static void take_reference(struct trod_editor *e)
{
    struct trod_edit_reference *reference = e->options.reference;

    if (!reference)
        reference = trod_edit_reference_build(e->mem);
    e->reference = reference;
    if (reference->writer) {
        assert(reference->writer->edit->nhandler == e->edit->nhandler &&
               reference->writer->options.most_refs == e->options.most_refs);
        return;
    }
    reference->writer = e;
    reference->all =
        trod_new(reference->mem, struct trod_edit_all, e->edit->nhandler + 1);
}

struct trod_editor *trod_editor_build(const struct trod_edit *edit,
    const struct trod_edit_options *options, struct trod_arena *mem)
{
    struct trod_editor *e = trod_new(mem, struct trod_editor, 1);

    *e = (struct trod_editor){.edit = edit, .mem = mem};
    if (options)
        e->options = *options;
    e->options.check = e->options.check ? e->options.check : TROD_EDIT_CHECK;
    e->options.bubble = e->options.bubble ? e->options.bubble : 1;
    e->options.most_refs = e->options.most_refs ? e->options.most_refs : TROD_EDIT_REFS;
    e->nfired = trod_new(mem, uint64_t, edit->nproduction + 1);
    e->counts.nfired = e->nfired;
    e->control = trod_new(mem, struct trod_edit_micros, edit->nproduction + 1);
    e->ops = trod_new(mem, uint8_t *, edit->nsequence + 1);
    e->nbefore = trod_new(mem, uint32_t, edit->nsequence + 1);
    e->nafter = trod_new(mem, uint32_t, edit->nsequence + 1);
    e->handlers_of = trod_new(mem, uint64_t, edit->nsequence + 1);
    e->noted = trod_new(mem, struct trod_edit_noted, edit->nhandler + 1);
    for (uint32_t h = 0; h < edit->nhandler; h++)
        trod_stream_table_init(&e->noted[h].member, mem);
    for (uint32_t s = 0; s < edit->nsequence; s++)
        measure_sequence(e, s);
    for (uint32_t p = 0; p < edit->nproduction; p++)
        take_production(e, p);
    if (edit->start != TROD_EDIT_NONE)
        flatten(&e->start, e, edit->sequence[edit->start].first,
            edit->sequence[edit->start].count);
    take_reference(e);
    trod_stream_table_init(&e->entry, mem);
    return e;
}

/* --- codes ------------------------------------------------------------------------------------------- */

static bool make_point(struct trod_edit_point *out, struct trod_editor *e,
    const struct trod_code *code, uint32_t i)
{
    *out = (struct trod_edit_point){.insn = i};
    if (!trod_edit_insn(&out->what, code, i))
        return false;
    for (uint32_t p = 0; p < e->edit->nproduction; p++) {
        uint32_t replacement = e->edit->production[p].replacement;

        if (!trod_edit_may_fire(e->edit, p, &out->what))
            continue;
        out->is_event |= e->control[p].count > 0;
        if (replacement != TROD_EDIT_NONE)
            out->interest |= UINT64_C(1) << replacement;
        else if (e->options.exhaustive)
            continue;
        out->may |= UINT64_C(1) << p;
    }
    out->depends = (out->may & e->conditional) != 0;
    return out->may || out->is_event;
}

static void make_points(
    struct trod_edit_points *out, struct trod_editor *e, const struct trod_code *code)
{
    struct trod_edit_point point;
    uint32_t room = 0;

    *out = (struct trod_edit_points){.seen = true};
    e->counts.ncode++;
    e->counts.nblind += !code->insn;
    for (uint32_t i = code->insn || !code->ninsn ? 0 : code->ninsn - 1; i < code->ninsn;
        i++)
        if (make_point(&point, e, code, i))
            trod_push(e->mem, out->point, out->count, room, point);
    if (code->kind == TROD_BRANCH_CALL)
        trod_stream_table_add(&e->entry, code->target, 0);
}

static struct trod_edit_points *points_of(
    struct trod_editor *e, const struct trod_code *code)
{
    if (code->number >= e->room_code) {
        size_t room = e->room_code ? 2 * e->room_code : 256;

        while (room <= code->number)
            room *= 2;
        e->of_code =
            trod_arena_grow(e->mem, e->of_code, e->room_code, room, sizeof *e->of_code);
        e->room_code = room;
    }
    if (!e->of_code[code->number].seen)
        make_points(&e->of_code[code->number], e, code);
    return &e->of_code[code->number];
}

/* --- counters ---------------------------------------------------------------------------------------- */

static uint64_t content_of(
    struct trod_editor *e, struct trod_edit_thread *t, uint32_t r)
{
    const struct trod_edit_register *reg = &e->edit->reg[r];
    uint64_t n = reg->raised, max = max_of(e->edit);

    if (reg->period == TROD_EDIT_JITTER)
        n = n - n / 2 + trod_rng_below(&t->rng, n / 2 * 2 + 1);
    if (reg->holds == TROD_EDIT_VALUE)
        return n;
    return (reg->holds == TROD_EDIT_BELOW_MAX ? max - n : max - n + 1) & max;
}

static void carry_out(struct trod_editor *e, struct trod_edit_thread *t,
    const struct trod_edit_micro *micro)
{
    uint64_t *value = &t->value[micro->counter], max = max_of(e->edit);
    trod_edit_flags overflow = UINT32_C(1) << 2 * micro->counter, zero = overflow << 1;

    if (micro->kind == TROD_EDIT_SET) {
        *value = content_of(e, t, micro->reg);
        t->flags &= ~overflow;
    } else if (micro->kind == TROD_EDIT_INC) {
        *value = (*value + 1) & max;
        t->flags |= *value ? 0 : overflow;
    } else {
        *value = (*value - 1) & max;
    }
    t->flags = *value ? t->flags & ~zero : t->flags | zero;
}

static void control(struct trod_editor *e, struct trod_edit_thread *t,
    const struct trod_edit_micros *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        carry_out(e, t, &all->micro[i]);
}

/* --- threads ----------------------------------------------------------------------------------------- */

static struct trod_edit_thread *begin_thread(struct trod_editor *e, uint32_t number)
{
    struct trod_edit_thread *t = trod_new(e->mem, struct trod_edit_thread, 1);

    *t = (struct trod_edit_thread){.begun = true, .number = number};
    for (uint32_t c = 0; c < TROD_EDIT_COUNTERS; c++)
        t->flags |= UINT32_C(2) << 2 * c;
    trod_rng_init(&t->rng, trod_mix(e->options.seed, number));
    t->sampled = trod_new(e->mem, struct trod_edit_refs, e->edit->nhandler + 1);
    t->all = trod_new(e->mem, struct trod_edit_refs, e->edit->nhandler + 1);
    control(e, t, &e->start);
    trod_push(e->mem, e->thread, e->nthread, e->room_all, t);
    e->counts.nthread++;
    return t;
}

static struct trod_edit_thread *thread_of(
    struct trod_editor *e, const struct trod_run *run)
{
    if (run->thread >= e->room_thread) {
        size_t room = e->room_thread ? 2 * e->room_thread : 16;

        while (room <= run->thread)
            room *= 2;
        e->of_thread = trod_arena_grow(
            e->mem, e->of_thread, e->room_thread, room, sizeof *e->of_thread);
        e->room_thread = room;
    }
    if (!e->of_thread[run->thread]) {
        e->of_thread[run->thread] = begin_thread(e, run->thread);
        trod_stream_table_add(&e->entry, run->code->pc, 0);
    }
    return e->of_thread[run->thread];
}

void trod_editor_end(struct trod_editor *e, uint32_t thread)
{
    if (thread < e->room_thread)
        e->of_thread[thread] = NULL;
}

/* --- runs -------------------------------------------------------------------------------------------- */

static uint64_t fire(struct trod_editor *e, const struct trod_edit_thread *t,
    struct trod_edit_point *point)
{
    if (point->known && point->flags == t->flags)
        return point->fired;
    point->known = true;
    point->flags = t->flags;
    point->fired = 0;
    for (uint64_t left = point->may; left; left &= left - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(left);

        if (e->options.exhaustive ||
            trod_edit_fires(e->edit, p, &point->what, t->flags))
            point->fired |= UINT64_C(1) << p;
    }
    return point->fired;
}

/* Fill e->row with checks, then with the part of each replacement that is before the instruction, or after it. */
static void fill_row(struct trod_editor *e, uint32_t nlook, uint64_t replacements,
    bool after, uint32_t nop)
{
    uint32_t n = 0;

    if (nop > e->room_row) {
        e->row = trod_arena_grow(e->mem, e->row, e->room_row, (size_t)nop * 2, 1);
        e->room_row = (size_t)nop * 2;
    }
    while (n < nlook)
        e->row[n++] = TROD_EDIT_ALU;
    for (uint64_t left = replacements; left; left &= left - 1) {
        int s = __builtin_ctzll(left);
        uint32_t from = after ? e->nbefore[s] : 0;
        uint32_t count = after ? e->nafter[s] : e->nbefore[s];

        for (uint32_t i = 0; i < count; i++)
            e->row[n++] = e->ops[s][from + i];
    }
    assert(n == nop);
}

static void inject(struct trod_editor *e, struct trod_edit_inject *to,
    const struct trod_run *run, uint32_t insn, uint32_t nlook, uint64_t replacements)
{
    uint32_t nbefore = nlook, nafter = 0;

    if (!to)
        return;
    for (uint64_t left = replacements; left; left &= left - 1) {
        nbefore += e->nbefore[__builtin_ctzll(left)];
        nafter += e->nafter[__builtin_ctzll(left)];
    }
    fill_row(e, nlook, replacements, false, nbefore);
    to->inject(to, run, insn, e->row, nbefore, e->options.bubble);
    if (!nafter)
        return;
    fill_row(e, 0, replacements, true, nafter);
    to->inject(to, run, insn + 1, e->row, nafter, 0);
}

/* Add the cost of a point with the given number of micro-instructions and these replacements. */
static void charge(struct trod_editor *e, const struct trod_edit_point *point,
    const struct trod_run *run, uint32_t ncontrol, uint64_t replacements)
{
    struct trod_edit_cost *plain = &e->counts.plain, *some = &e->counts.conditional;
    struct trod_edit_part *base = e->options.exhaustive ? &plain->sampling
                                  : point->is_event     ? &plain->basic
                                                        : &plain->checks;
    uint32_t nop = 0, bubble = e->options.bubble;
    uint32_t look =
        e->options.exhaustive ? 0 : (point->depends ? e->options.check : 0) + ncontrol;

    for (uint64_t left = replacements; left; left &= left - 1)
        nop += e->nbefore[__builtin_ctzll(left)] + e->nafter[__builtin_ctzll(left)];
    plain->nreplace++;
    base->nbubble += bubble;
    base->nop += look;
    plain->sampling.nop += nop;
    inject(e, e->options.plain, run, point->insn, look, replacements);
    if (!replacements)
        return;
    some->nreplace++;
    some->sampling.nbubble += bubble;
    some->sampling.nop += nop;
    inject(e, e->options.conditional, run, point->insn, 0, replacements);
}

static void run_point(struct trod_editor *e, struct trod_edit_thread *t,
    struct trod_edit_point *point, const struct trod_run *run)
{
    uint64_t fired, replacements = 0;
    uint32_t ncontrol = 0;

    e->counts.nevent += point->is_event;
    if (!point->may)
        return;
    fired = fire(e, t, point);
    for (uint64_t left = fired; left; left &= left - 1) {
        uint32_t p = (uint32_t)__builtin_ctzll(left);
        uint32_t replacement = e->edit->production[p].replacement;

        e->nfired[p]++;
        ncontrol += e->options.exhaustive ? 0 : e->control[p].count;
        if (replacement != TROD_EDIT_NONE)
            replacements |= UINT64_C(1) << replacement;
    }
    e->counts.npoint++;
    charge(e, point, run, ncontrol, replacements);
    if (point->interest)
        trod_edit_note(e, t, point, run, replacements);
    for (uint64_t left = fired; left && ncontrol; left &= left - 1)
        control(e, t, &e->control[__builtin_ctzll(left)]);
}

void trod_editor_run(struct trod_editor *e, const struct trod_run *run)
{
    struct trod_edit_points *points = points_of(e, run->code);
    struct trod_edit_thread *t = thread_of(e, run);

    e->counts.nrun++;
    e->counts.ninsn += run->code->ninsn;
    e->last = points;
    if (run->code->kind == TROD_BRANCH_CALL_INDIRECT)
        trod_stream_table_add(&e->entry, run->next, 0);
    for (uint32_t i = 0; i < points->count; i++)
        run_point(e, t, &points->point[i], run);
}

uint64_t trod_editor_fired(const struct trod_editor *e, uint32_t insn)
{
    for (uint32_t i = 0; e->last && i < e->last->count; i++)
        if (e->last->point[i].insn == insn)
            return e->last->point[i].fired;
    return 0;
}

trod_edit_flags trod_editor_flags(const struct trod_editor *e, uint32_t thread)
{
    return thread < e->room_thread && e->of_thread[thread] ? e->of_thread[thread]->flags
                                                           : 0;
}

const struct trod_edit_counts *trod_editor_counts(const struct trod_editor *e)
{
    return &e->counts;
}

void trod_editor_addresses(uint64_t *kept, uint64_t *lost, const struct trod_editor *e)
{
    *kept = e->nref;
    *lost = 0;
    for (uint32_t h = 0; h < e->edit->nhandler; h++)
        *lost += e->noted[h].nref_lost;
}

static void sink_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    trod_editor_run(((struct trod_edit_sink *)to)->editor, run);
}

static void sink_end(struct trod_branch_sink *to, uint32_t thread)
{
    trod_editor_end(((struct trod_edit_sink *)to)->editor, thread);
}

void trod_edit_sink_init(struct trod_edit_sink *out, struct trod_editor *editor)
{
    *out = (struct trod_edit_sink){
        .sink = {.run = sink_run, .end = sink_end}, .editor = editor};
}
