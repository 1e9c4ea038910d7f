#include "edit/editor.h"

#include <inttypes.h>

/* --- methods and calls ------------------------------------------------------------------------------- */

static void count(struct trod_edit_noted *noted, struct trod_arena *mem, uint64_t a,
    uint64_t b, bool fired)
{
    uint32_t member = trod_stream_table_add(&noted->member, a, b);

    if (member >= noted->room) {
        size_t room = noted->room ? 2 * noted->room : 64;

        noted->sampled =
            trod_arena_grow(mem, noted->sampled, noted->room, room, sizeof(uint64_t));
        noted->all =
            trod_arena_grow(mem, noted->all, noted->room, room, sizeof(uint64_t));
        noted->room = room;
    }
    noted->all[member]++;
    noted->sampled[member] += fired;
}

static bool is_last(const struct trod_edit_point *point, const struct trod_run *run)
{
    return point->insn + 1 == run->code->ninsn && run->code->kind != TROD_BRANCH_NONE;
}

/* The target of the branch. The handler can read registers, so targets of indirect branches are known, too. */
static uint64_t goes_to(const struct trod_edit_point *point, const struct trod_run *run)
{
    return point->what.has_target ? point->what.target : run->next;
}

static bool is_call(const struct trod_edit_point *point)
{
    return point->what.classes >> TROD_EDIT_PROC_CALL & 1;
}

/* --- streams ----------------------------------------------------------------------------------------- */

static uint32_t code_of(
    struct trod_editor *e, struct trod_edit_point *point, bool store)
{
    struct trod_edit_reference *reference = e->reference;
    struct trod_stream_code code = {.spot = {.file = ""}};
    char *name;
    uint32_t number;

    if (point->code_of_access[store])
        return point->code_of_access[store] - 1;
    number = trod_stream_table_add(&reference->code_of_pc, point->what.pc, store);
    if (number == reference->names.ncode) {
        name = trod_format(reference->mem, "0x%" PRIx64, point->what.pc);
        code.spot.function = name;
        code.access = store ? TROD_STREAM_STORE : TROD_STREAM_LOAD;
        trod_stream_add_code(&reference->names, &code);
    }
    point->code_of_access[store] = number + 1;
    return number;
}

static void add_ref(struct trod_edit_refs *refs, struct trod_stream_ref ref,
    bool begins, uint32_t thread, struct trod_arena *mem)
{
    if (begins || !refs->nrun) {
        trod_push(mem, refs->run, refs->nrun, refs->room_run,
            (struct trod_stream_run){.thread = thread, .weight = 1});
    }
    trod_push(mem, refs->ref, refs->nref, refs->room, ref);
    refs->run[refs->nrun - 1].nref++;
}

/* begins: a fired event starts a burst. The start is marked at the burst's first access, so a burst
 * without accesses leaves no trace in the stream. */
static void note_accesses(struct trod_editor *e, struct trod_edit_thread *t,
    uint32_t handler, struct trod_edit_point *point, const struct trod_run *run,
    bool fired, bool begins)
{
    struct trod_edit_refs *sampled = &t->sampled[handler];
    bool records = e->reference->writer == e;

    if (fired && begins)
        sampled->begins = true;
    for (uint32_t i = 0; i < run->naccess; i++) {
        const struct trod_access *access = &run->access[i];
        struct trod_stream_ref ref;

        if (access->insn != point->insn)
            continue;
        if (e->nref == e->options.most_refs) {
            e->noted[handler].nref_lost++;
            continue;
        }
        e->nref++;
        if (!fired && !records)
            continue;
        ref = (struct trod_stream_ref){
            .code = code_of(e, point, access->store), .offset = access->address};
        if (records)
            add_ref(&t->all[handler], ref, false, t->number, e->mem);
        if (!fired)
            continue;
        add_ref(sampled, ref, sampled->begins, t->number, e->mem);
        sampled->begins = false;
    }
}

/* --- all --------------------------------------------------------------------------------------------- */

static void note_one(struct trod_editor *e, struct trod_edit_thread *t,
    uint32_t handler, struct trod_edit_point *point, const struct trod_run *run,
    bool fired, bool begins)
{
    struct trod_edit_noted *noted = &e->noted[handler];

    noted->nall++;
    noted->nsampled += fired;
    noted->nburst += begins;
    switch (e->edit->handler[handler].notes) {
    case TROD_EDIT_METHODS:
        count(noted, e->mem, is_call(point) ? goes_to(point, run) : point->what.pc, 0,
            fired);
        break;
    case TROD_EDIT_CALLS:
        if (is_last(point, run))
            count(noted, e->mem, point->what.pc, goes_to(point, run), fired);
        break;
    case TROD_EDIT_STREAMS:
        note_accesses(e, t, handler, point, run, fired, begins);
        break;
    default:
        break;
    }
}

void trod_edit_note(struct trod_editor *e, struct trod_edit_thread *t,
    struct trod_edit_point *point, const struct trod_run *run, uint64_t fired)
{
    uint64_t begins = fired & ~t->on;

    for (uint64_t left = point->interest; left; left &= left - 1) {
        uint32_t s = (uint32_t)__builtin_ctzll(left);

        for (uint64_t h = e->handlers_of[s]; h; h &= h - 1)
            note_one(e, t, (uint32_t)__builtin_ctzll(h), point, run, fired >> s & 1,
                begins >> s & 1);
    }
    t->on = (t->on & ~point->interest) | fired;
}
