#include "capstone/code_decode.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

#include "capstone/branch_words.h"

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

static bool step_fixed(struct step *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte)
{
    struct trod_word_branch branch;
    uint32_t w = 0;
    bool is_trap;

    if (nbyte < 2)
        return false;
    out->size = decoder->machine == EM_RISCV && (bytes[0] & 3) != 3 ? 2 : 4;
    if (nbyte < out->size)
        return false;
    memcpy(&w, bytes, out->size); /* little-endian, as trod is */
    if (decoder->machine == EM_AARCH64)
        trod_aarch64_branch(&branch, pc, w);
    else
        trod_riscv_branch(&branch, pc, w, out->size);
    /* What is no instruction on purpose: udf, and a word of zeros. */
    is_trap = decoder->machine == EM_AARCH64 ? w >> 16 == 0 : out->size == 2 && !w;
    out->kind = is_trap ? TROD_BRANCH_RETURN : branch.kind;
    out->target = branch.target;
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
