#include "capstone/code_decode.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <string.h>

#include "capstone/branch_insn.h"

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

enum { MOST_INSNS = 4096 }; /* limit on a block; longer ones are not code */

/* --- x86-64 ------------------------------------------------------------------------------------- */

/* The disassembler determines the length of instructions. */
static bool step_x86(struct step *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte)
{
    const uint8_t *begin = bytes;
    struct trod_insn_branch branch;
    uint64_t at = pc;

    if (!cs_disasm_iter(decoder->handle, &bytes, &nbyte, &at, decoder->insn))
        return false;
    out->size = decoder->insn->size;
    trod_x86_branch(&branch, pc, begin, out->size);
    out->kind = decoder->insn->id == X86_INS_UD2 || decoder->insn->id == X86_INS_HLT
                    ? TROD_BRANCH_RETURN
                    : branch.kind;
    out->target = branch.target;
    return true;
}

/* --- aarch64 and riscv64 ---------------------------------------------------------------------------- */

static bool step_fixed(struct step *out, const struct trod_code_decoder *decoder,
    uint64_t pc, const uint8_t *bytes, size_t nbyte)
{
    struct trod_insn_branch branch;
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
    /* Permanently undefined: udf, and a word of zeros. */
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
