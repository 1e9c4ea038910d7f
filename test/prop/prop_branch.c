/* Streams: the checker accepts the run of a random program, its text form parses back, and a
 * spoiled stream is rejected.
 */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "kit/machine_program.h"
#include "zstd/zstd_port.h"

enum fault {
    NONE,
    STRAY,     /* a run goes elsewhere */
    UNTAKEN,   /* is said not to be taken, or to be */
    ODD,       /* is said to be odd, or not */
    LOST,      /* is lost */
    TWICE,     /* is there twice */
    MISPLACED, /* its access is of another instruction */
    RESIZED,   /* a code has other bounds */
    MISREAD,   /* a digit of the text is another */
    SPOILED,   /* a byte of a trace file is another */
    SHORTENED, /* its last bytes are gone */
    LATE       /* a part is cut out a run later */
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
    struct kit_walked walked;
    struct spoiler spoil;
    struct sample s;
    bool ok;

    begin(&s);
    draw_options(&options, p);
    spoil = (struct spoiler){{spoil_code, NULL, spoil_run, spoil_end}, &c.sink,
        fault_in(ctx), kit_draw(p, 10), 0};
    trod_branch_checker_init(&c, &s.mem);
    kit_program_draw(&program, draws, &options, &s.mem);
    kit_program_walk(&program, &spoil.sink, draws, &walked);
    ok = trod_branch_checked(&c, &s.err);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    if (ok &&
        (c.nrun != walked.nrun || c.ninsn != walked.ninsn ||
            c.naccess != walked.naccess || c.count[TROD_BRANCH_ODD] != walked.nodd ||
            c.nend != walked.nthread || c.ncode != program.ncode)) {
        kit_note(p, "counts differ");
        ok = false;
    }
    if (ok && !walked.nsignal &&
        (walked.nodd || c.count[TROD_BRANCH_RETURN_AWAY] > walked.nthread)) {
        kit_note(p, "odd without signals");
        ok = false;
    }
    if (ok && !walked.nlongjmp && !walked.nsignal &&
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
    ok = ok && before.all == after.all && before.codes == after.codes &&
         before.branches == after.branches && strcmp(text.text, back.text) == 0;
    if (!ok)
        kit_note(p, "%s--- and back:\n%s", text.text, back.text);
    return end(&s, ok);
}

/* --- trace files ------------------------------------------------------------------------------------------ */

/* A walk, written and hashed; chunks end where draws say. */
struct traced {
    struct trod_string file;
    struct trod_branch_hasher hash;
    struct trod_branch_writer writer;
    struct kit_prop *p;
    bool flushes;
};

static struct trod_branch_sink flusher;
static struct traced *flushed;

static void flush_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    (void)to;
    (void)run;
    if (flushed->flushes && kit_draw(flushed->p, 16) == 1)
        trod_branch_writer_flush(&flushed->writer);
}

static void trace(struct traced *out, struct trod_branch_sink *also, struct kit_prop *p,
    struct trod_arena *mem)
{
    struct trod_branch_sink *to[4] = {
        &out->writer.sink, &out->hash.sink, &flusher, also};
    struct kit_walk_options options;
    struct trod_branch_tee tee;

    draw_options(&options, p);
    out->p = p;
    out->flushes = kit_draw(p, 2);
    flushed = out;
    flusher.run = flush_run;
    trod_string_init(&out->file, mem);
    trod_branch_hasher_init(&out->hash);
    trod_branch_writer_init(&out->writer, &out->file.sink, "a walk",
        kit_draw(p, 2) ? &trod_zstd_branch_codec : NULL, mem);
    trod_branch_tee_init(&tee, to, also ? 4 : 3);
    kit_walk(&tee.sink, p, &options, mem);
    trod_branch_writer_finish(&out->writer);
}

static bool read_trace(struct trod_branch_sink *to, struct trod_branch_health *health,
    const struct traced *t, uint64_t from, uint64_t upto, struct sample *s)
{
    struct trod_branch_read_options options = {&trod_zstd_branch_codec, from, upto};

    return trod_branch_read(to, health, "walk", (const uint8_t *)t->file.text,
        t->file.length, &options, &s->mem, &s->err);
}

static bool traces_read_back(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_branch_health health;
    struct trod_branch_hasher after;
    struct traced t;
    struct sample s;
    bool ok;

    begin(&s);
    trace(&t, NULL, p, &s.mem);
    if (fault == SPOILED)
        t.file.text[kit_draw(p, t.file.length)] ^= 4;
    if (fault == SHORTENED)
        t.file.length -= 1 + kit_draw(p, 100);
    trod_branch_hasher_init(&after);
    ok = read_trace(&after.sink, &health, &t, 0, 0, &s);
    if (!ok)
        kit_note(p, "%s", s.err.text);
    ok = ok && t.hash.all == after.all && t.hash.codes == after.codes &&
         t.hash.branches == after.branches && !health.cut_off && !health.ndamaged &&
         !health.nlost && health.ninsn == t.writer.ninsn;
    if (!ok)
        kit_note(p, "%zu bytes, %u chunks, %u damaged", t.file.length, health.nchunk,
            health.ndamaged);
    return end(&s, ok);
}

/* Whatever is wrong with a file, what is read of it can have been. */
static bool damage_is_said(struct kit_prop *p, void *ctx)
{
    struct trod_branch_health health = {0};
    struct trod_branch_checker c;
    struct traced t;
    struct sample s;
    uint64_t at;
    bool ok, read;

    (void)ctx;
    begin(&s);
    trace(&t, NULL, p, &s.mem);
    at = kit_draw(p, t.file.length);
    if (kit_draw(p, 2) || fault_in(ctx) == SPOILED)
        t.file.text[at] ^= (char)(1 + kit_draw(p, 255));
    else
        t.file.length = at;
    trod_branch_checker_init(&c, &s.mem);
    read = read_trace(&c.sink, &health, &t, 0, 0, &s);
    ok = !read || ((health.cut_off || health.ndamaged) &&
                      trod_branch_checked(&c, &s.err) && c.ninsn <= t.writer.ninsn);
    if (fault_in(ctx) == SPOILED)
        ok = ok && !health.ndamaged;
    if (!ok)
        kit_note(
            p, "byte %" PRIu64 ": %u damaged, %s", at, health.ndamaged, s.err.text);
    return end(&s, ok);
}

static bool parts_are_parts(struct kit_prop *p, void *ctx)
{
    struct trod_branch_cutter *cutter;
    struct trod_branch_hasher before, after;
    struct trod_branch_health health;
    uint64_t from = kit_draw(p, 300),
             upto = kit_draw(p, 2) ? from + kit_draw(p, 300) : 0;
    struct traced t;
    struct sample s;
    bool ok;

    begin(&s);
    cutter = trod_new(&s.mem, struct trod_branch_cutter, 1);
    trod_branch_hasher_init(&before);
    trod_branch_hasher_init(&after);
    trod_branch_cutter_init(cutter, &before.sink, from + (fault_in(ctx) == LATE), upto);
    trace(&t, &cutter->sink, p, &s.mem);
    ok = read_trace(&after.sink, &health, &t, from, upto, &s);
    ok = ok && before.branches == after.branches && before.all == after.all &&
         before.codes == after.codes;
    if (!ok)
        kit_note(p, "%" PRIu64 " to %" PRIu64 ", %u of %u chunks", from, upto,
            health.nread, health.nchunk);
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"walks are sound", walks_are_sound,
            {STRAY, UNTAKEN, ODD, LOST, TWICE, MISPLACED, RESIZED}},
        {"text reads back", text_reads_back, {MISREAD}},
        {"traces read back", traces_read_back, {SPOILED, SHORTENED}},
        {"damage is said", damage_is_said, {SPOILED}},
        {"parts are parts", parts_are_parts, {LATE}},
    };

    return kit_run_tested("branch", tested, sizeof tested / sizeof *tested);
}
