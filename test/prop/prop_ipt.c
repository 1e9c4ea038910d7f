/* Intel PT: packets of the run of a random program in real instructions decode to the same
 * branches.
 */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "ipt/ipt_port.h"
#include "kit/machine_program.h"

enum fault {
    NONE,
    OTHER_CODE, /* the code is not what ran */
    SPOILED,    /* a packet is another */
    UNTAKEN     /* a branch goes the other way */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* Omits other threads, and the direct branches right before the thread ended: no packet shows how many
 * there were, because they may form a loop.
 */
enum { MOST = 4096 };
struct filter {
    struct trod_branch_sink sink;
    struct trod_branch_sink *to;
    uint32_t thread;
    enum fault fault;
    struct trod_run held[MOST];
    size_t nheld;
    bool twice; /* by its packets, an interruption may have happened earlier */
};

static void filter_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct filter *f = (struct filter *)to;
    struct trod_run other = *run;

    if (run->thread != f->thread)
        return;
    if (f->fault == UNTAKEN && run->code->kind == TROD_BRANCH_IF) {
        other.next = run->taken ? run->code->after : run->code->target;
        f->fault = NONE;
    }
    if (run->odd) {
        uint64_t at =
            run->code->kind == TROD_BRANCH_JUMP || run->code->kind == TROD_BRANCH_CALL
                ? run->code->target
                : run->code->after;

        f->twice |= at >= run->code->pc && at < run->code->after;
        for (size_t i = 0; i < f->nheld; i++)
            f->twice |= at >= f->held[i].code->pc && at < f->held[i].code->after;
    }
    if (f->nheld < MOST)
        f->held[f->nheld++] = other;
    if (!run->odd &&
        (run->code->kind == TROD_BRANCH_NONE || run->code->kind == TROD_BRANCH_JUMP ||
            run->code->kind == TROD_BRANCH_CALL))
        return;
    for (size_t i = 0; i < f->nheld; i++)
        trod_branch_put_run(f->to, &f->held[i]);
    f->nheld = 0;
}

static void filter_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct filter *f = (struct filter *)to;

    if (thread == f->thread)
        f->nheld = 0;
}

static struct filter *filter_init(
    struct trod_branch_sink *to, enum fault fault, struct trod_arena *mem)
{
    struct filter *f = trod_new(mem, struct filter, 1);

    f->sink = (struct trod_branch_sink){NULL, NULL, filter_run, filter_end};
    f->to = to;
    f->fault = fault;
    return f;
}

static bool packets_decode(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct kit_draws draws = kit_draws_of_prop(p);
    struct kit_walk_options options = {.x86 = true, .no_insns = true, .no_cuts = true};
    struct trod_branch_hasher before, after;
    struct trod_branch_sink *to[2];
    struct trod_ipt_memory memory = {0};
    struct trod_ipt_health health;
    struct trod_ipt_reader reader;
    struct trod_ipt_writer writer;
    struct kit_program program;
    struct trod_branch_tee tee;
    struct trod_string packets;
    struct filter *sent, *back;
    struct sample s;
    uint8_t *bytes;
    bool ok;

    begin(&s);
    options.nthread = 1 + (uint32_t)kit_draw(p, 2);
    options.nrun = 20 + (uint32_t)kit_draw(p, 400);
    options.longjmp = kit_draw(p, 2);
    options.tails = kit_draw(p, 2);
    options.gaps = kit_draw(p, 2);
    options.signals = kit_draw(p, 2);
    kit_program_draw(&program, draws, &options, &s.mem);
    bytes = trod_new(&s.mem, uint8_t, program.image.end - program.image.start);
    kit_program_bytes(bytes, &program);
    if (fault == OTHER_CODE)
        bytes[program.block[0].last - program.image.start] ^= 1;
    trod_string_init(&packets, &s.mem);
    trod_branch_hasher_init(&before);
    trod_branch_hasher_init(&after);
    trod_ipt_writer_init(&writer, &packets.sink, 0, &s.mem);
    writer.no_return_compression = kit_draw(p, 2);
    writer.psb_every = 64 * kit_draw(p, 2);
    sent = filter_init(&before.sink, fault, &s.mem);
    back = filter_init(&after.sink, NONE, &s.mem);
    to[0] = &writer.sink;
    to[1] = &sent->sink;
    trod_branch_tee_init(&tee, to, 2);
    kit_program_walk(&program, &tee.sink, draws, NULL);
    trod_ipt_writer_finish(&writer);
    /* The thread did not run, or its packets do not determine when it was interrupted. */
    if (!packets.length || sent->twice)
        return end(&s, true);
    if (fault == SPOILED)
        packets.text[packets.length - 1 - kit_draw(p, packets.length - 20)] ^= 8;
    memory.image = program.image;
    memory.bytes = bytes;
    trod_ipt_reader_init(&reader, &back->sink, &memory, 1, &s.mem);
    ok = trod_ipt_read(&reader, &health, 0, (const uint8_t *)packets.text,
             packets.length, &s.err) &&
         !health.nerror && before.nbranch == after.nbranch &&
         before.branches == after.branches;
    if (!ok)
        kit_note(p,
            "%" PRIu64 " branches, %" PRIu64 " come back of %zu bytes; %" PRIu64
            " errors, %s at 0x%" PRIx64 " %s",
            before.nbranch, after.nbranch, packets.length, health.nerror,
            health.error ? health.error : "none", health.address, s.err.text);
    return end(&s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"packets decode", packets_decode, {OTHER_CODE, SPOILED, UNTAKEN}},
    };

    return kit_run_tested("ipt", tested, sizeof tested / sizeof *tested);
}
