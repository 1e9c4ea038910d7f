/* Editors that share a reference have the profiles that each has alone. */
#include "edit_input.h"

#include <string.h>

enum fault {
    NONE,
    OTHER, /* alone, a register is another */
    LATE,  /* alone, the first run is not seen */
    LOWER, /* alone, the limit is one address less */
    ALIVE, /* alone, no thread ends */
    MOVED  /* alone, some addresses are others: as many, but other streams */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

enum { EDITORS = 4 };

struct pair {
    struct trod_edit edit, edit_alone;
    struct trod_editor *shared, *alone;
};

struct feeder {
    struct trod_branch_sink sink;
    enum fault fault;
    uint64_t nrun, naddress;
    struct pair pair[EDITORS];
    uint32_t count;
};

/* Few addresses, so that there are streams. */
static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct feeder *f = (struct feeder *)to;
    struct trod_access access[32];
    struct trod_run few = *run;

    few.access = access;
    few.naccess = run->naccess < 32 ? run->naccess : 32;
    for (uint32_t i = 0; i < few.naccess; i++) {
        access[i] = run->access[i];
        access[i].address = access[i].address / 8 % f->naddress;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        trod_editor_run(f->pair[i].shared, &few);
        if (f->fault == MOVED && f->nrun % 3 == 0 && few.naccess)
            access[0].address += f->naddress;
        if (f->fault != LATE || f->nrun)
            trod_editor_run(f->pair[i].alone, &few);
        if (few.naccess)
            access[0].address %= f->naddress;
    }
    f->nrun++;
}

static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct feeder *f = (struct feeder *)to;

    for (uint32_t i = 0; i < f->count; i++) {
        trod_editor_end(f->pair[i].shared, thread);
        if (f->fault != ALIVE)
            trod_editor_end(f->pair[i].alone, thread);
    }
}

/* The shipped productions for streams, or drawn ones; registers of each editor differ. */
struct productions {
    struct trod_edit_file file[2];
    size_t nfile;
    const char *name[2]; /* of registers */
};

static void draw_text(
    struct productions *out, struct kit_prop *p, struct trod_arena *mem)
{
    const char *a = trod_edit_shipped("sampling"), *b = trod_edit_shipped("streams");
    struct drawn d;

    *out = (struct productions){
        {{"a", a, strlen(a)}, {"b", b, strlen(b)}}, 2, {"sampleFreq", "burstLength"}};
    if (kit_draw(p, 3) < 2)
        return;
    draw_productions(&d, p, mem);
    kit_note(p, "%s", d.text);
    *out = (struct productions){{{"drawn", d.text, strlen(d.text)}}, 1, {"r0", "r1"}};
}

static bool draw_pair(struct pair *out, struct kit_prop *p,
    const struct productions *from, struct trod_edit_options *options, enum fault fault,
    struct sample *s)
{
    struct trod_edit_setting setting[] = {
        {from->name[0], 1 + kit_draw(p, 4)}, {from->name[1], 1 + kit_draw(p, 4)}};
    struct trod_edit_settings settings = {.count = 2, .setting = setting};
    struct trod_edit_options alone = *options;

    if (from->nfile == 2)
        settings.period = (int)kit_draw(p, 4);
    kit_note(p, "%s %u, %s %u", setting[0].name, (unsigned)setting[0].n,
        setting[1].name, (unsigned)setting[1].n);
    if (!trod_edit_parse(
            &out->edit, from->file, from->nfile, &settings, &s->mem, &s->err))
        return wrong(p, s->err.text);
    setting[0].n += fault == OTHER;
    if (!trod_edit_parse(
            &out->edit_alone, from->file, from->nfile, &settings, &s->mem, &s->err))
        return wrong(p, s->err.text);
    alone.reference = NULL;
    alone.most_refs -= fault == LOWER && alone.most_refs > 1;
    out->shared = trod_editor_build(&out->edit, options, &s->mem);
    out->alone = trod_editor_build(&out->edit_alone, &alone, &s->mem);
    return true;
}

static bool same_streams(const struct trod_streams *a, const struct trod_streams *b)
{
    bool same = a->nref == b->nref && a->nrun == b->nrun && a->nthread == b->nthread &&
                a->nstream == b->nstream;

    for (size_t i = 0; same && i < a->nstream; i++)
        same = a->stream[i].heat == b->stream[i].heat &&
               trod_stream_compare(a, &a->stream[i], b, &b->stream[i]) == 0;
    return same;
}

static bool same_part(
    const struct trod_overlap_part *a, const struct trod_overlap_part *b)
{
    return a->overlap == b->overlap && a->na == b->na && a->nb == b->nb &&
           a->nboth == b->nboth;
}

static bool same_profile(struct kit_prop *p, const struct trod_edit_profile *a,
    const struct trod_edit_profile *b)
{
    if (a->nall != b->nall || a->nsampled != b->nsampled || a->nburst != b->nburst ||
        a->nmember != b->nmember)
        return wrong(p, "there is another number of samples");
    if (a->nref_lost != b->nref_lost)
        return wrong(p, "another number of addresses is lost");
    if (a->compared != b->compared ||
        (a->compared && (!same_part(&a->overlap.all, &b->overlap.all) ||
                            !same_part(&a->overlap.top, &b->overlap.top))))
        return wrong(p, "the overlap is another");
    if (a->notes != TROD_EDIT_STREAMS)
        return true;
    return (same_streams(&a->sampled, &b->sampled) && same_streams(&a->all, &b->all)) ||
           wrong(p, "streams are others");
}

static bool same_result(
    struct kit_prop *p, const struct pair *pair, struct trod_arena *mem)
{
    struct trod_edit_result a, b;
    bool same = true;

    trod_editor_result(&a, pair->shared, NULL, 0, mem);
    trod_editor_result(&b, pair->alone, NULL, 0, mem);
    for (size_t i = 0; same && i < a.nprofile; i++)
        same = same_profile(p, &a.profile[i], &b.profile[i]);
    return same;
}

static bool shares(struct kit_prop *p, void *ctx)
{
    struct trod_edit_options options = {0};
    struct kit_walk_options walk;
    struct productions from;
    struct feeder *f;
    struct sample s;

    begin(&s);
    draw_text(&from, p, &s.mem);
    draw_walk(&walk, p);
    options.reference = trod_edit_reference_build(&s.mem);
    options.most_refs = kit_draw(p, 3) ? 0 : 1 + kit_draw(p, 40);
    if (fault_in(ctx) == LOWER && !options.most_refs)
        options.most_refs = 20;
    f = trod_new(&s.mem, struct feeder, 1);
    f->sink = (struct trod_branch_sink){.run = take_run, .end = take_end};
    f->fault = fault_in(ctx);
    f->naddress = 1 + kit_draw(p, 4);
    for (uint64_t n = 1 + kit_draw(p, EDITORS); f->count < n; f->count++)
        if (!draw_pair(&f->pair[f->count], p, &from, &options, f->fault, &s))
            return end(&s, false);
    kit_walk(&f->sink, p, &walk, &s.mem);
    /* Its own arena: results come and go, and what all share stays. */
    for (uint32_t i = 0; i < f->count; i++) {
        struct trod_mark mark;
        bool same;

        trod_edit_reference_find(options.reference);
        mark = trod_arena_mark(&s.mem);
        same = same_result(p, &f->pair[f->count - 1 - i], &s.mem);
        trod_arena_rewind(&s.mem, mark);
        if (!same)
            return end(&s, false);
    }
    return end(&s, true);
}

static const struct kit_tested properties[] = {
    {"editors that share a reference have the profiles of each alone", shares,
        {OTHER, LATE, LOWER, ALIVE, MOVED}},
};

int main(void)
{
    return kit_run_tested(
        "edit_shared", properties, sizeof properties / sizeof *properties);
}
