#include "capstone/code_decode.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

struct trod_code_decoder {
    unsigned machine;
    csh handle; /* x86-64 */
    cs_insn *insn;
};

/* One instruction. */
struct step {
    size_t size;
    uint8_t kind;
    uint64_t target;
};

enum { MOST_INSNS = 4096 }; /* of a block; more is no code */

/* --- x86-64 ------------------------------------------------------------------------------------- */

static bool is_in(const cs_insn *insn, unsigned group)
{
    for (unsigned i = 0; i < insn->detail->groups_count; i++)
        if (insn->detail->groups[i] == group)
            return true;
    return false;
}

static bool has_target(const cs_insn *insn, struct step *out)
{
    const cs_x86 *x86 = &insn->detail->x86;

    if (x86->op_count != 1 || x86->operands[0].type != X86_OP_IMM)
        return false;
    out->target = (uint64_t)x86->operands[0].imm;
    return true;
}

static void classify_x86(struct step *out, const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_UD2:
    case X86_INS_HLT:
        out->kind = TROD_BRANCH_RETURN;
        return;
    case X86_INS_JMP:
    case X86_INS_LJMP:
        out->kind = has_target(insn, out) ? TROD_BRANCH_JUMP : TROD_BRANCH_INDIRECT;
        return;
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
        out->kind = TROD_BRANCH_IF;
        has_target(insn, out);
        return;
    case X86_INS_XBEGIN: /* goes on, or elsewhere if the transaction fails: not by itself */
        return;
    default:
        break;
    }
    if (is_in(insn, CS_GRP_RET) || is_in(insn, CS_GRP_IRET))
        out->kind = TROD_BRANCH_RETURN;
    else if (is_in(insn, CS_GRP_CALL))
        out->kind =
            has_target(insn, out) ? TROD_BRANCH_CALL : TROD_BRANCH_CALL_INDIRECT;
    else if (is_in(insn, CS_GRP_JUMP))
        out->kind = has_target(insn, out) ? TROD_BRANCH_IF : TROD_BRANCH_INDIRECT;
}

static bool step_x86(struct step *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte)
{
    uint64_t at = pc;

    if (!cs_disasm_iter(decoder->handle, &bytes, &nbyte, &at, decoder->insn))
        return false;
    out->size = decoder->insn->size;
    classify_x86(out, decoder->insn);
    return true;
}

/* --- aarch64 and riscv64 ---------------------------------------------------------------------------- */

static uint64_t extend(uint64_t value, unsigned bits)
{
    return (uint64_t)((int64_t)(value << (64 - bits)) >> (64 - bits));
}

static void direct(struct step *out, uint8_t kind, uint64_t target)
{
    out->kind = kind;
    out->target = target;
}

static void classify_aarch64(struct step *out, uint64_t pc, uint32_t w)
{
    if ((w & 0x7c000000) == 0x14000000)
        direct(out, w >> 31 ? TROD_BRANCH_CALL : TROD_BRANCH_JUMP,
            pc + extend((w & 0x3ffffff) << 2, 28));
    else if ((w & 0xff000010) == 0x54000000 || (w & 0x7e000000) == 0x34000000)
        direct(out, TROD_BRANCH_IF, pc + extend((w >> 5 & 0x7ffff) << 2, 21));
    else if ((w & 0x7e000000) == 0x36000000)
        direct(out, TROD_BRANCH_IF, pc + extend((w >> 5 & 0x3fff) << 2, 16));
    else if ((w & 0xfe000000) == 0xd6000000) {
        static const uint8_t kind[4] = {TROD_BRANCH_INDIRECT, TROD_BRANCH_CALL_INDIRECT,
            TROD_BRANCH_RETURN, TROD_BRANCH_RETURN};

        out->kind = kind[w >> 21 & 3];
    } else if (w >> 16 == 0) {
        out->kind = TROD_BRANCH_RETURN; /* udf */
    }
}

static bool is_link(uint32_t r)
{
    return r == 1 || r == 5;
}

static void classify_jalr(struct step *out, uint32_t rd, uint32_t rs)
{
    if (is_link(rd))
        out->kind = TROD_BRANCH_CALL_INDIRECT;
    else
        out->kind = is_link(rs) ? TROD_BRANCH_RETURN : TROD_BRANCH_INDIRECT;
}

static void classify_riscv(struct step *out, uint64_t pc, uint32_t w)
{
    uint32_t rd = w >> 7 & 31;

    switch (w & 0x7f) {
    case 0x6f:
        direct(out, is_link(rd) ? TROD_BRANCH_CALL : TROD_BRANCH_JUMP,
            pc + extend((w >> 31 & 1) << 20 | (w >> 12 & 0xff) << 12 |
                            (w >> 20 & 1) << 11 | (w >> 21 & 0x3ff) << 1,
                     21));
        break;
    case 0x67:
        classify_jalr(out, rd, w >> 15 & 31);
        break;
    case 0x63:
        direct(out, TROD_BRANCH_IF,
            pc + extend((w >> 31 & 1) << 12 | (w >> 7 & 1) << 11 |
                            (w >> 25 & 0x3f) << 5 | (w >> 8 & 0xf) << 1,
                     13));
        break;
    default:
        break;
    }
}

/* Instructions of two bytes. */
static void classify_rvc(struct step *out, uint64_t pc, uint32_t w)
{
    switch (w & 0xe003) {
    case 0xa001:
        direct(out, TROD_BRANCH_JUMP,
            pc + extend((w >> 12 & 1) << 11 | (w >> 11 & 1) << 4 | (w >> 9 & 3) << 8 |
                            (w >> 8 & 1) << 10 | (w >> 7 & 1) << 6 | (w >> 6 & 1) << 7 |
                            (w >> 3 & 7) << 1 | (w >> 2 & 1) << 5,
                     12));
        break;
    case 0xc001:
    case 0xe001:
        direct(out, TROD_BRANCH_IF,
            pc + extend((w >> 12 & 1) << 8 | (w >> 10 & 3) << 3 | (w >> 5 & 3) << 6 |
                            (w >> 3 & 3) << 1 | (w >> 2 & 1) << 5,
                     9));
        break;
    case 0x8002:
        if ((w >> 2 & 31) == 0 && (w >> 7 & 31))
            classify_jalr(out, w >> 12 & 1, w >> 7 & 31);
        break;
    default:
        break;
    }
}

static bool step_fixed(struct step *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte)
{
    uint32_t w = 0;

    if (nbyte < 2)
        return false;
    out->size = decoder->machine == EM_RISCV && (bytes[0] & 3) != 3 ? 2 : 4;
    if (nbyte < out->size)
        return false;
    memcpy(&w, bytes, out->size); /* little-endian, as trod is */
    if (decoder->machine == EM_AARCH64)
        classify_aarch64(out, pc, w);
    else if (out->size == 4)
        classify_riscv(out, pc, w);
    else if (w)
        classify_rvc(out, pc, w);
    else
        out->kind = TROD_BRANCH_RETURN;
    return true;
}

/* --- blocks ----------------------------------------------------------------------------------------------- */

struct trod_code_decoder *trod_code_decoder_open(
    unsigned machine, struct trod_arena *mem)
{
    struct trod_code_decoder *decoder = trod_new(mem, struct trod_code_decoder, 1);

    decoder->machine = machine;
    if (machine == EM_AARCH64 || machine == EM_RISCV)
        return decoder;
    if (machine != EM_X86_64 ||
        cs_open(CS_ARCH_X86, CS_MODE_64, &decoder->handle) != CS_ERR_OK)
        return NULL;
    cs_option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON);
    decoder->insn = cs_malloc(decoder->handle);
    return decoder;
}

void trod_code_decoder_close(struct trod_code_decoder *decoder)
{
    if (decoder->insn)
        cs_free(decoder->insn, 1);
    if (decoder->handle)
        cs_close(&decoder->handle);
}

bool trod_code_decode(struct trod_code *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte)
{
    size_t at = 0;

    *out = (struct trod_code){.pc = pc, .last = pc, .after = pc};
    while (out->ninsn < MOST_INSNS && at < nbyte) {
        struct step step = {.kind = TROD_BRANCH_NONE};
        bool ok = decoder->machine == EM_X86_64
                      ? step_x86(&step, decoder, pc + at, bytes + at, nbyte - at)
                      : step_fixed(&step, decoder, pc + at, bytes + at, nbyte - at);

        if (!ok)
            return false;
        out->last = pc + at;
        at += step.size;
        out->after = pc + at;
        out->ninsn++;
        out->kind = step.kind;
        out->target = step.target;
        if (step.kind != TROD_BRANCH_NONE)
            return true;
    }
    return false;
}
