#include "ipt/ipt_port.h"

#include <intel-pt.h>
#include <string.h>

enum {
    BUFFER = 1 << 12,
    FULL = BUFFER - 64, /* flush threshold: no packet is longer than the rest */
    RETURNS = 64,       /* return addresses that a processor predicts */
    BITS = 47           /* maximum number of bits in a TNT packet */
};

struct trod_ipt_writer_state {
    struct pt_encoder *encoder;
    uint8_t buffer[BUFFER];
    uint64_t ip; /* last address in a packet */
    bool began;  /* a PSB was written */
    bool ended;  /* the next run does not continue the last one */
    bool on;     /* between TIP.PGE and TIP.PGD */
    uint64_t bits;
    uint8_t nbit;
    uint64_t back[RETURNS];
    uint32_t nback, first;
    uint64_t next;      /* successor of the last run */
    uint64_t since_psb; /* bytes written since */
};

/* --- packets ------------------------------------------------------------------------------------------ */

static void flush(struct trod_ipt_writer *w)
{
    struct trod_ipt_writer_state *of = w->of;
    uint64_t n = 0;

    if (pt_enc_get_offset(of->encoder, &n) < 0)
        return;
    w->out->put(w->out, (const char *)of->buffer, (size_t)n);
    (void)pt_enc_sync_set(of->encoder, 0);
}

static void put(struct trod_ipt_writer *w, const struct pt_packet *packet)
{
    uint64_t n = 0;
    int status = pt_enc_next(w->of->encoder, packet);

    assert(status >= 0);
    w->of->since_psb += (uint64_t)status;
    if (pt_enc_get_offset(w->of->encoder, &n) >= 0 && n > FULL)
        flush(w);
}

static void put_bits(struct trod_ipt_writer *w)
{
    struct trod_ipt_writer_state *of = w->of;
    struct pt_packet packet = {.type = of->nbit <= 6 ? ppt_tnt_8 : ppt_tnt_64};

    if (!of->nbit)
        return;
    packet.payload.tnt.bit_size = of->nbit;
    packet.payload.tnt.payload = of->bits;
    put(w, &packet);
    of->bits = of->nbit = 0;
}

static void add_bit(struct trod_ipt_writer *w, bool taken)
{
    struct trod_ipt_writer_state *of = w->of;

    of->bits = of->bits << 1 | taken;
    if (++of->nbit == BITS)
        put_bits(w);
}

/* Writes an address compressed against the previous one. */
static void put_ip(struct trod_ipt_writer *w, enum pt_packet_type type, uint64_t ip)
{
    struct trod_ipt_writer_state *of = w->of;
    struct pt_packet packet = {.type = type};
    uint64_t differs = ip ^ of->ip;

    put_bits(w);
    packet.payload.ip.ipc = differs >> 16 == 0   ? pt_ipc_update_16
                            : differs >> 32 == 0 ? pt_ipc_update_32
                            : differs >> 48 == 0 ? pt_ipc_update_48
                                                 : pt_ipc_full;
    packet.payload.ip.ip = packet.payload.ip.ipc == pt_ipc_update_16   ? ip & 0xffff
                           : packet.payload.ip.ipc == pt_ipc_update_32 ? ip & UINT32_MAX
                           : packet.payload.ip.ipc == pt_ipc_update_48
                               ? ip & UINT64_C(0xffffffffffff)
                               : ip;
    of->ip = ip;
    put(w, &packet);
}

static void put_plain(struct trod_ipt_writer *w, enum pt_packet_type type)
{
    struct pt_packet packet = {.type = type};

    put_bits(w);
    put(w, &packet);
}

static void put_mode(struct trod_ipt_writer *w)
{
    struct pt_packet packet = {.type = ppt_mode};

    packet.payload.mode.leaf = pt_mol_exec;
    packet.payload.mode.bits.exec = pt_set_exec_mode(ptem_64bit);
    put(w, &packet);
}

/* A synchronisation point: previous addresses and calls are forgotten. */
static void put_psb(struct trod_ipt_writer *w)
{
    struct trod_ipt_writer_state *of = w->of;

    put_plain(w, ppt_psb);
    of->ip = 0;
    of->nback = of->first = 0;
    if (of->on) {
        put_mode(w);
        put_ip(w, ppt_fup, of->next);
    }
    put_plain(w, ppt_psbend);
    of->since_psb = 0;
}

/* --- runs --------------------------------------------------------------------------------------------- */

static void begin(struct trod_ipt_writer *w, uint64_t ip)
{
    if (!w->of->began)
        put_psb(w);
    w->of->began = true;
    if (w->of->ended) {
        put_plain(w, ppt_ovf);
        w->of->ip = 0;
    }
    w->of->ended = false;
    put_mode(w);
    put_ip(w, ppt_tip_pge, ip);
    w->of->on = true;
}

static void stop(struct trod_ipt_writer *w)
{
    struct pt_packet packet = {.type = ppt_tip_pgd};

    if (!w->of->on)
        return;
    put_ip(w, ppt_fup, w->of->next);
    packet.payload.ip.ipc = pt_ipc_suppressed;
    put(w, &packet);
    w->of->on = false;
}

static void push(struct trod_ipt_writer_state *of, uint64_t back)
{
    if (of->nback == RETURNS)
        of->first = (of->first + 1) % RETURNS;
    else
        of->nback++;
    of->back[(of->first + of->nback - 1) % RETURNS] = back;
}

/* A call of the next instruction only loads its own address, and has no return to predict. */
static void put_call(struct trod_ipt_writer_state *of, const struct trod_code *code)
{
    if (code->kind == TROD_BRANCH_CALL_INDIRECT || code->target != code->after)
        push(of, code->after);
}

static void put_return(struct trod_ipt_writer *w, uint64_t next)
{
    struct trod_ipt_writer_state *of = w->of;

    if (!w->no_return_compression && of->nback &&
        of->back[(of->first + of->nback - 1) % RETURNS] == next) {
        of->nback--;
        add_bit(w, true);
        return;
    }
    put_ip(w, ppt_tip, next);
}

/* The next address, unless an asynchronous event occurs. */
static uint64_t expected(const struct trod_code *code)
{
    return trod_branch_is_direct(code->kind) && code->kind != TROD_BRANCH_IF
               ? code->target
               : code->after;
}

/* syscall, sysenter, int n */
static bool is_system_call(
    const struct trod_ipt_writer *w, const struct trod_code *code)
{
    if (code->kind != TROD_BRANCH_NONE || code->after - code->last != 2)
        return false;
    for (size_t i = 0; i < w->nmemory; i++) {
        const struct trod_image *image = &w->memory[i].image;

        if (code->last >= image->start && code->after <= image->end) {
            const uint8_t *at = w->memory[i].bytes + (code->last - image->start);

            return at[0] == 0xcd || (at[0] == 0x0f && (at[1] == 0x05 || at[1] == 0x34));
        }
    }
    return false;
}

static void put_system_call(struct trod_ipt_writer *w, uint64_t next)
{
    struct pt_packet packet = {.type = ppt_tip_pgd};

    put_bits(w);
    packet.payload.ip.ipc = pt_ipc_suppressed;
    put(w, &packet);
    put_mode(w);
    put_ip(w, ppt_tip_pge, next);
}

static void write_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_ipt_writer *w = (struct trod_ipt_writer *)to;
    struct trod_ipt_writer_state *of = w->of;
    const struct trod_code *code = run->code;

    if (run->thread != w->thread)
        return;
    if (of->on && of->next != code->pc)
        stop(w);
    if (!of->on)
        begin(w, code->pc);
    if (is_system_call(w, code)) {
        put_system_call(w, run->next);
    } else if (run->odd) {
        if (code->kind == TROD_BRANCH_IF)
            add_bit(w, false);
        else if (code->kind == TROD_BRANCH_CALL)
            put_call(of, code);
        put_ip(w, ppt_fup, expected(code));
        put_ip(w, ppt_tip, run->next);
    } else if (code->kind == TROD_BRANCH_IF) {
        add_bit(w, run->taken);
    } else if (code->kind == TROD_BRANCH_RETURN) {
        put_return(w, run->next);
    } else {
        if (code->kind == TROD_BRANCH_INDIRECT ||
            code->kind == TROD_BRANCH_CALL_INDIRECT)
            put_ip(w, ppt_tip, run->next);
        if (trod_branch_is_call(code->kind))
            put_call(of, code);
    }
    of->next = run->next;
    if (w->psb_every && of->since_psb > w->psb_every && !of->nbit)
        put_psb(w);
}

static void write_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_ipt_writer *w = (struct trod_ipt_writer *)to;

    if (thread != w->thread)
        return;
    stop(w);
    w->of->ended = true;
}

void trod_ipt_writer_init(struct trod_ipt_writer *writer, struct trod_sink *out,
    uint32_t thread, struct trod_arena *mem)
{
    struct trod_ipt_writer_state *of = trod_new(mem, struct trod_ipt_writer_state, 1);
    struct pt_config config;

    pt_config_init(&config);
    config.begin = of->buffer;
    config.end = of->buffer + sizeof of->buffer;
    of->encoder = pt_alloc_encoder(&config);
    if (!of->encoder)
        mem->exhausted(mem->ctx);
    *writer = (struct trod_ipt_writer){.sink = {NULL, NULL, write_run, write_end},
        .out = out,
        .thread = thread,
        .of = of};
}

void trod_ipt_writer_finish(struct trod_ipt_writer *writer)
{
    stop(writer);
    flush(writer);
    pt_free_encoder(writer->of->encoder);
}
