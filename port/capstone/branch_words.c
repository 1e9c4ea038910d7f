#include "capstone/branch_words.h"

static int64_t extend(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static void direct(struct trod_word_branch *out, uint8_t kind, uint64_t target)
{
    out->kind = kind;
    out->target = target;
}

/* --- aarch64 ------------------------------------------------------------------------------------- */

/* By register: plain ones, and those that check a pointer's signature. */
static void aarch64_by_register(struct trod_word_branch *out, uint32_t insn)
{
    switch (insn >> 21 & 0xf) {
    case 0: /* br, braaz */
    case 8: /* braa */
        out->kind = TROD_BRANCH_INDIRECT;
        break;
    case 1:
    case 9:
        out->kind = TROD_BRANCH_CALL_INDIRECT;
        break;
    case 2:
        out->kind = TROD_BRANCH_RETURN;
        break;
    default:
        break;
    }
}

void trod_aarch64_branch(struct trod_word_branch *out, uint64_t pc, uint32_t insn)
{
    *out = (struct trod_word_branch){.kind = TROD_BRANCH_NONE};
    if ((insn & 0x7c000000) == 0x14000000)
        direct(out, insn >> 31 ? TROD_BRANCH_CALL : TROD_BRANCH_JUMP,
            pc + 4 * (uint64_t)extend(insn & 0x3ffffff, 26));
    else if ((insn & 0xff000000) == 0x54000000 || /* b.cond, bc.cond */
             (insn & 0x7e000000) == 0x34000000)   /* cbz, cbnz */
        direct(out, TROD_BRANCH_IF, pc + 4 * (uint64_t)extend(insn >> 5 & 0x7ffff, 19));
    else if ((insn & 0x7e000000) == 0x36000000) /* tbz, tbnz */
        direct(out, TROD_BRANCH_IF, pc + 4 * (uint64_t)extend(insn >> 5 & 0x3fff, 14));
    else if ((insn & 0xfe1f0000) == 0xd61f0000)
        aarch64_by_register(out, insn);
}

/* --- riscv64 -------------------------------------------------------------------------------------- */

/* Registers that hold return addresses, by convention. */
static bool is_link(uint32_t reg)
{
    return reg == 1 || reg == 5;
}

static void riscv_wide(struct trod_word_branch *out, uint64_t pc, uint32_t insn)
{
    uint32_t rd = insn >> 7 & 31, rs = insn >> 15 & 31;

    switch (insn & 0x7f) {
    case 0x6f: /* jal */
        direct(out, is_link(rd) ? TROD_BRANCH_CALL : TROD_BRANCH_JUMP,
            pc + (uint64_t)extend((insn >> 31) << 20 | (insn >> 12 & 0xff) << 12 |
                                      (insn >> 20 & 1) << 11 |
                                      (insn >> 21 & 0x3ff) << 1,
                     21));
        break;
    case 0x67: /* jalr */
        out->kind = is_link(rd)   ? TROD_BRANCH_CALL_INDIRECT
                    : is_link(rs) ? TROD_BRANCH_RETURN
                                  : TROD_BRANCH_INDIRECT;
        break;
    case 0x63:
        direct(out, TROD_BRANCH_IF,
            pc + (uint64_t)extend((insn >> 31) << 12 | (insn >> 7 & 1) << 11 |
                                      (insn >> 25 & 0x3f) << 5 | (insn >> 8 & 0xf) << 1,
                     13));
        break;
    default:
        break;
    }
}

static uint64_t riscv_narrow_jump(uint32_t i)
{
    return (i >> 12 & 1) << 11 | (i >> 11 & 1) << 4 | (i >> 9 & 3) << 8 |
           (i >> 8 & 1) << 10 | (i >> 7 & 1) << 6 | (i >> 6 & 1) << 7 |
           (i >> 3 & 7) << 1 | (i >> 2 & 1) << 5;
}

static uint64_t riscv_narrow_if(uint32_t i)
{
    return (i >> 12 & 1) << 8 | (i >> 10 & 3) << 3 | (i >> 5 & 3) << 6 |
           (i >> 3 & 3) << 1 | (i >> 2 & 1) << 5;
}

static void riscv_narrow(struct trod_word_branch *out, uint64_t pc, uint32_t insn)
{
    uint32_t rs = insn >> 7 & 31;

    switch (insn & 0xe003) {
    case 0xa001: /* c.j */
        direct(
            out, TROD_BRANCH_JUMP, pc + (uint64_t)extend(riscv_narrow_jump(insn), 12));
        break;
    case 0xc001: /* c.beqz, c.bnez */
    case 0xe001:
        direct(out, TROD_BRANCH_IF, pc + (uint64_t)extend(riscv_narrow_if(insn), 9));
        break;
    case 0x8002: /* c.jr, c.jalr, if no second register is named */
        if (!rs || (insn >> 2 & 31))
            break;
        out->kind = insn >> 12 & 1 ? TROD_BRANCH_CALL_INDIRECT
                    : is_link(rs)  ? TROD_BRANCH_RETURN
                                   : TROD_BRANCH_INDIRECT;
        break;
    default:
        break;
    }
}

void trod_riscv_branch(
    struct trod_word_branch *out, uint64_t pc, uint32_t insn, size_t size)
{
    *out = (struct trod_word_branch){.kind = TROD_BRANCH_NONE};
    if (size == 4)
        riscv_wide(out, pc, insn);
    else
        riscv_narrow(out, pc, insn);
}
