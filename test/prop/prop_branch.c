/* Streams: what a random program did passes the checker and comes back from its text; what is spoiled does
 * not.
 */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "kit/walking.h"

enum fault {
    NONE,
    STRAY,     /* a run goes elsewhere */
    UNTAKEN,   /* is said not to be taken, or to be */
    ODD,       /* is said to be odd, or not */
    LOST,      /* is lost */
    TWICE,     /* is there twice */
    MISPLACED, /* its access is of another instruction */
    RESIZED,   /* a code has other bounds */
    MISREAD    /* a digit of the text is another */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* --- a sink that spoils one thing -------------------------------------------------------------------- */

struct spoiler {
    struct trod_branch_sink sink;
    struct trod_branch_sink *to;
    enum fault fault;
    uint64_t at, nrun; /* the run that is spoiled */
};

static void spoil_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    struct spoiler *s = (struct spoiler *)to;
    struct trod_code other = *code;

    if (s->fault == RESIZED && code->number == s->at)
        other.after++;
    trod_branch_put_code(s->to, &other);
}

static void spoil_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct spoiler *s = (struct spoiler *)to;
    struct trod_access access[8];
    struct trod_run other = *run;
    bool here = s->nrun++ == s->at;

    if (here && s->fault == STRAY) {
        other.next = run->code->kind == TROD_BRANCH_NONE ? run->code->after : 0x5000;
        other.next += other.next == run->next;
        other.taken = trod_branch_is_taken(other.code, other.next);
        other.odd = !trod_branch_may_go(other.code, other.next);
    }
    other.taken ^= here && s->fault == UNTAKEN;
    other.odd ^= here && s->fault == ODD;
    if (here && s->fault == MISPLACED && run->naccess && run->naccess <= 8) {
        memcpy(access, run->access, run->naccess * sizeof *access);
        access[0].insn = UINT16_MAX;
        other.access = access;
    }
    if (!(here && s->fault == LOST))
        trod_branch_put_run(s->to, &other);
    if (here && s->fault == TWICE)
        trod_branch_put_run(s->to, &other);
}

static void spoil_end(struct trod_branch_sink *to, uint32_t thread)
{
    trod_branch_put_end(((struct spoiler *)to)->to, thread);
}

static void draw_options(struct kit_walk_options *out, struct kit_prop *p)
{
    uint64_t bits = kit_draw(p, 512);

    *out = (struct kit_walk_options){.nthread = bits & 1 ? 3 : 1,
        .nrun = 20 + (uint32_t)kit_draw(p, 200),
        .no_insns = bits & 2,
        .accesses = bits & 4,
        .stacks = bits & 8,
        .longjmp = bits & 16,
        .signals = bits & 32,
        .gaps = bits & 64,
        .tails = bits & 128,
        .whole = bits & 256};
}

/* --- properties ---------------------------------------------------------------------------------------- */

static bool walks_are_sound(struct kit_prop *p, void *ctx)
{
    struct kit_draws draws = kit_draws_of_prop(p);
    struct kit_walk_options options;
    struct trod_branch_checker c;
    struct kit_program program;
    struct kit_walked told;
    struct spoiler spoil;
    struct sample s;
    bool ok;

    begin(&s);
    draw_options(&options, p);
    spoil = (struct spoiler){{spoil_code, NULL, spoil_run, spoil_end}, &c.sink,
        fault_in(ctx), kit_draw(p, 10), 0};
    trod_branch_checker_init(&c, &s.mem);
    kit_program_draw(&program, draws, &options, &s.mem);
    kit_program_walk(&program, &spoil.sink, draws, &told);
    ok = trod_branch_checked(&c, &s.err);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    if (ok && (c.nrun != told.nrun || c.ninsn != told.ninsn ||
                  c.naccess != told.naccess || c.count[TROD_BRANCH_ODD] != told.nodd ||
                  c.nend != told.nthread || c.ncode != program.ncode)) {
        kit_note(p, "counts differ");
        ok = false;
    }
    if (ok && !told.nsignal &&
        (told.nodd || c.count[TROD_BRANCH_RETURN_AWAY] > told.nthread)) {
        kit_note(p, "odd without signals");
        ok = false;
    }
    if (ok && !told.nlongjmp && !told.nsignal &&
        (c.count[TROD_BRANCH_RETURN_DOWN] || c.count[TROD_BRANCH_RETURN_SLOT])) {
        kit_note(p, "returns to others than the caller");
        ok = false;
    }
    return end(&s, ok);
}

/* A digit of one more, where that is still a digit; in names nothing is read from it. */
static void misread(char *text)
{
    char *at = strstr(text, "\nrun ");

    for (at = at ? at + 6 : text; *at; at++)
        if (*at >= '0' && *at < '9' && at[1] != 'x') {
            ++*at;
            return;
        }
}

static bool text_reads_back(struct kit_prop *p, void *ctx)
{
    struct trod_branch_hasher before, after;
    struct trod_branch_printer print, again;
    struct trod_branch_sink *first[2], *second[2];
    struct kit_walk_options options;
    struct trod_string text, back;
    struct trod_branch_tee tee;
    struct trod_token token;
    struct trod_text in;
    struct sample s;
    bool ok;

    begin(&s);
    draw_options(&options, p);
    trod_string_init(&text, &s.mem);
    trod_string_init(&back, &s.mem);
    trod_branch_printer_init(&print, &text.sink, "a walk");
    trod_branch_hasher_init(&before);
    first[0] = &print.sink, first[1] = &before.sink;
    trod_branch_tee_init(&tee, first, 2);
    kit_walk(&tee.sink, p, &options, &s.mem);
    if (fault_in(ctx) == MISREAD)
        misread(text.text);
    trod_branch_printer_init(&again, &back.sink, "a walk");
    trod_branch_hasher_init(&after);
    second[0] = &again.sink, second[1] = &after.sink;
    trod_branch_tee_init(&tee, second, 2);
    trod_text_init(&in, "text", text.text, text.length);
    ok = trod_text_next(&token, &in, &s.mem, &s.err) &&
         trod_text_next(&token, &in, &s.mem, &s.err) &&
         trod_branch_parse(&tee.sink, &in, &s.mem, &s.err);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    ok = ok && before.all == after.all && before.branches == after.branches &&
         strcmp(text.text, back.text) == 0;
    if (!ok)
        kit_note(p, "%s--- and back:\n%s", text.text, back.text);
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"walks are sound", walks_are_sound,
            {STRAY, UNTAKEN, ODD, LOST, TWICE, MISPLACED, RESIZED}},
        {"text reads back", text_reads_back, {MISREAD}},
    };

    return kit_run_tested("branch", tested, sizeof tested / sizeof *tested);
}
