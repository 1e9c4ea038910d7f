#include "ipt/ipt_port.h"
#include "capstone/branch_insn.h"

#include <intel-pt.h>
#include <inttypes.h>
#include <string.h>

enum { LONGEST = UINT16_MAX };

/* The state of decoding one thread. */
struct thread_decoder {
    struct trod_ipt_reader *r;
    struct trod_ipt_health *health;
    struct pt_insn_decoder *decoder;
    uint32_t thread;
    bool ran;  /* something was sent since the last end of the thread */
    bool open; /* a block has begun, and its last instruction was not decoded yet */
    uint64_t pc, last, after;
    uint32_t ninsn;
    bool stopped; /* packets stopped, and would resume at: */
    uint64_t at;
    const struct trod_code
        *done; /* a complete block whose successor is not known yet */
};

/* --- codes -------------------------------------------------------------------------------------------- */

/* The kind of branch that ends a block; false: the instruction does not end one. */
static bool classify(uint8_t *kind, uint64_t *target, const struct pt_insn *insn)
{
    struct trod_insn_branch branch = {.kind = TROD_BRANCH_NONE};

    *target = 0;
    switch (insn->iclass) {
    case ptic_call:
    case ptic_jump:
    case ptic_cond_jump:
    case ptic_return:
        trod_x86_branch(&branch, insn->ip, insn->raw, insn->size);
        break;
    case ptic_far_call:
    case ptic_far_return:
    case ptic_far_jump:
        break;
    default:
        return false;
    }
    *kind = branch.kind;
    *target = branch.target;
    return true;
}

static const struct trod_code *code_of(
    struct thread_decoder *d, uint8_t kind, uint64_t target)
{
    struct trod_ipt_reader *r = d->r;
    struct trod_code *code;
    uint64_t hash = trod_mix(trod_mix(0, d->pc), d->last);
    uint32_t found = TROD_TABLE_FIND(
        &r->codes, hash, i, r->code[i]->pc == d->pc && r->code[i]->last == d->last);

    if (found != TROD_TABLE_NONE)
        return r->code[found];
    code = trod_new(r->mem, struct trod_code, 1);
    *code = (struct trod_code){.pc = d->pc,
        .last = d->last,
        .after = d->after,
        .target = target,
        .number = trod_table_add(&r->codes, hash, r->mem),
        .ninsn = d->ninsn,
        .kind = kind};
    trod_push(r->mem, r->code, r->ncode, r->room, code);
    trod_branch_put_code(r->to, code);
    return code;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static void finish(struct thread_decoder *d, uint64_t next)
{
    struct trod_run run = {.code = d->done, .next = next, .thread = d->thread};

    run.taken = trod_branch_is_taken(run.code, next);
    run.odd = !trod_branch_may_go(run.code, next);
    trod_branch_put_run(d->r->to, &run);
    d->health->nrun++;
    d->ran = true;
    d->done = NULL;
}

/* Ends a block early. */
static void cut(struct thread_decoder *d)
{
    d->done = code_of(d, TROD_BRANCH_NONE, 0);
    d->open = false;
}

static void gap(struct thread_decoder *d)
{
    if (d->stopped && d->done)
        finish(d, d->at);
    d->done = NULL;
    d->open = d->stopped = false;
    if (d->ran)
        trod_branch_put_end(d->r->to, d->thread);
    d->ran = false;
}

static void take_insn(struct thread_decoder *d, const struct pt_insn *insn)
{
    uint64_t target;
    uint8_t kind;

    d->health->ninsn++;
    if (d->open && (insn->ip != d->after || d->ninsn == LONGEST))
        cut(d);
    if (d->done)
        finish(d, insn->ip);
    if (!d->open) {
        d->open = true;
        d->pc = insn->ip;
        d->ninsn = 0;
    }
    d->last = insn->ip;
    d->after = insn->ip + insn->size;
    d->ninsn++;
    if (classify(&kind, &target, insn)) {
        d->done = code_of(d, kind, target);
        d->open = false;
    }
}

/* --- events --------------------------------------------------------------------------------------------- */

/* An asynchronous event continues at an address. */
static void divert(struct thread_decoder *d, uint64_t to)
{
    if (d->open)
        cut(d);
    if (d->done)
        finish(d, to);
}

static void take_event(struct thread_decoder *d, const struct pt_event *event)
{
    if (event->status_update)
        return;
    switch (event->type) {
    case ptev_disabled:
        /* A system call continues after it. For other branches the target is unknown. */
        if (!event->ip_suppressed && d->done && d->done->kind != TROD_BRANCH_NONE)
            finish(d, event->variant.disabled.ip);
        else if (d->done && !trod_branch_is_direct(d->done->kind) &&
                 d->done->kind != TROD_BRANCH_NONE)
            gap(d);
        break;
    case ptev_async_disabled:
        d->stopped = true;
        d->at = event->variant.async_disabled.at;
        break;
    case ptev_enabled:
        if (d->stopped && event->variant.enabled.ip != d->at)
            divert(d, event->variant.enabled.ip);
        d->stopped = false;
        break;
    case ptev_async_branch:
        if (!event->ip_suppressed)
            divert(d, event->variant.async_branch.to);
        break;
    case ptev_overflow:
        d->health->noverflow++;
        gap(d);
        break;
    default:
        break;
    }
}

/* --- decoding --------------------------------------------------------------------------------------------- */

static void note_error(struct thread_decoder *d, int status)
{
    struct trod_ipt_health *health = d->health;

    health->nerror++;
    if (health->error)
        return;
    health->error = pt_errstr(pt_errcode(status));
    health->address = d->after;
    if (pt_insn_get_offset(d->decoder, &health->where) < 0)
        health->where = 0;
}

static int drain_events(struct thread_decoder *d, int status)
{
    while (status >= 0 && (status & pts_event_pending)) {
        struct pt_event event;

        status = pt_insn_event(d->decoder, &event, sizeof event);
        if (status >= 0)
            take_event(d, &event);
    }
    return status;
}

/* Decodes from a synchronisation point to the end, or to the first error. */
static void decode(struct thread_decoder *d, int status)
{
    for (;;) {
        struct pt_insn insn = {.iclass = ptic_error};

        status = drain_events(d, status);
        if (status < 0)
            break;
        if (status & pts_eos)
            return;
        status = pt_insn_next(d->decoder, &insn, sizeof insn);
        if (insn.iclass != ptic_error)
            take_insn(d, &insn);
        if (status < 0)
            break;
    }
    if (status != -pte_eos)
        note_error(d, status);
}

/* Searches the memory used last first. */
static int read_memory(
    uint8_t *buffer, size_t size, const struct pt_asid *asid, uint64_t ip, void *ctx)
{
    struct trod_ipt_reader *r = ctx;

    (void)asid;
    for (size_t i = 0; i < r->nmemory; i++, r->recent = (r->recent + 1) % r->nmemory) {
        const struct trod_ipt_memory *m = &r->memory[r->recent];

        if (ip >= m->image.start && ip < m->image.end) {
            if (size > m->image.end - ip)
                size = (size_t)(m->image.end - ip);
            memcpy(buffer, m->bytes + (ip - m->image.start), size);
            return (int)size;
        }
    }
    return -pte_nomap;
}

static bool decode_all(struct thread_decoder *d, struct trod_err *err)
{
    for (;;) {
        int status = pt_insn_sync_forward(d->decoder);

        if (status == -pte_eos)
            break;
        d->health->nsync++;
        if (status < 0)
            note_error(d, status);
        else
            decode(d, status);
        gap(d);
    }
    return d->health->nsync ||
           trod_fail(err, TROD_E_INPUT,
               "no PSB packet, from which decoding could start; are these Intel PT packets?");
}

void trod_ipt_reader_init(struct trod_ipt_reader *reader, struct trod_branch_sink *to,
    const struct trod_ipt_memory *memory, size_t nmemory, struct trod_arena *mem)
{
    *reader = (struct trod_ipt_reader){
        .to = to, .memory = memory, .nmemory = nmemory, .mem = mem};
    for (size_t i = 0; i < nmemory; i++)
        trod_branch_put_image(to, &memory[i].image);
}

bool trod_ipt_read(struct trod_ipt_reader *reader, struct trod_ipt_health *health,
    uint32_t thread, const uint8_t *packets, size_t npacket, struct trod_err *err)
{
    struct thread_decoder d = {.r = reader, .health = health, .thread = thread};
    struct pt_config config;
    bool ok;

    *health = (struct trod_ipt_health){0};
    pt_config_init(&config);
    /* libipt only reads the buffer, but its type is not const, because encoders use it too. */
    memcpy(&config.begin, &packets, sizeof packets);
    config.end = config.begin + npacket;
    d.decoder = pt_insn_alloc_decoder(&config);
    if (!d.decoder)
        return trod_fail(err, TROD_E_INPUT, "no Intel PT packets: the file is empty");
    pt_image_set_callback(pt_insn_get_image(d.decoder), read_memory, reader);
    ok = decode_all(&d, err);
    pt_insn_free_decoder(d.decoder);
    return ok;
}

/* --- decoding without packets ------------------------------------------------------------------------------- */

/* Makes packets for: execution starts here, and no conditional branch is taken. */
static size_t make_packets(uint8_t *buffer, size_t room, uint64_t pc)
{
    static const enum pt_packet_type type[] = {
        ppt_psb, ppt_psbend, ppt_mode, ppt_tip_pge};
    struct pt_packet packet = {.type = ppt_tnt_64};
    struct pt_config config;
    struct pt_encoder *encoder;
    uint64_t length = 0;

    pt_config_init(&config);
    config.begin = buffer;
    config.end = buffer + room;
    encoder = pt_alloc_encoder(&config);
    if (!encoder)
        return 0;
    for (size_t i = 0; i < sizeof type / sizeof *type; i++) {
        struct pt_packet head = {.type = type[i]};

        if (type[i] == ppt_mode) {
            head.payload.mode.leaf = pt_mol_exec;
            head.payload.mode.bits.exec = pt_set_exec_mode(ptem_64bit);
        } else if (type[i] == ppt_tip_pge) {
            head.payload.ip.ipc = pt_ipc_full;
            head.payload.ip.ip = pc;
        }
        (void)pt_enc_next(encoder, &head);
    }
    packet.payload.tnt.bit_size = 47;
    while (pt_enc_next(encoder, &packet) >= 0)
        continue;
    (void)pt_enc_get_offset(encoder, &length);
    pt_free_encoder(encoder);
    return (size_t)length;
}

/* *pc: where to continue after a system call, at which packets would stop. */
static bool walk(struct pt_insn_decoder *decoder, uint64_t *pc, uint64_t last,
    void (*take)(void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
    void *to)
{
    int status = pt_insn_sync_forward(decoder);

    while (status >= 0) {
        struct pt_insn insn = {.iclass = ptic_error};
        struct pt_event event;
        uint64_t target;
        uint8_t kind = TROD_BRANCH_NONE;
        bool ends;

        while (status >= 0 && (status & pts_event_pending))
            status = pt_insn_event(decoder, &event, sizeof event);
        if (status < 0)
            break;
        status = pt_insn_next(decoder, &insn, sizeof insn);
        if (insn.iclass == ptic_error || insn.ip > last)
            break;
        ends = classify(&kind, &target, &insn);
        take(to, insn.ip, insn.size, kind, target);
        if (insn.ip == last)
            return true;
        if (ends && kind != TROD_BRANCH_IF) {
            if (kind == TROD_BRANCH_NONE)
                *pc = insn.ip + insn.size;
            break;
        }
    }
    return false;
}

bool trod_ipt_walk(void *ctx, uint64_t pc, uint64_t last,
    void (*take)(void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target),
    void *to)
{
    uint64_t from;
    bool ok;

    do {
        struct pt_insn_decoder *decoder;
        struct pt_config config;
        uint8_t buffer[2048];

        pt_config_init(&config);
        config.begin = buffer;
        config.end = buffer + make_packets(buffer, sizeof buffer, pc);
        decoder = config.end > config.begin ? pt_insn_alloc_decoder(&config) : NULL;
        if (!decoder)
            return false;
        pt_image_set_callback(pt_insn_get_image(decoder), read_memory, ctx);
        from = pc;
        ok = walk(decoder, &pc, last, take, to);
        pt_insn_free_decoder(decoder);
    } while (!ok && pc > from && pc <= last);
    return ok;
}
