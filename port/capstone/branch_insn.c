#include "capstone/branch_insn.h"

#include <string.h>

static int64_t extend(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static void direct(struct trod_insn_branch *out, uint8_t kind, uint64_t target)
{
    out->kind = kind;
    out->target = target;
}

/* --- x86-64 -------------------------------------------------------------------------------------- */

static bool is_prefix(uint8_t byte)
{
    static const uint8_t prefix[] = {
        0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf0};

    return memchr(prefix, byte, sizeof prefix) || (byte & 0xf0) == 0x40;
}

/* The displacement is the rest of the instruction, at least this many bytes. */
static bool x86_direct(struct trod_insn_branch *out, uint8_t kind, uint64_t pc,
    const uint8_t *bytes, size_t at, size_t size, size_t least)
{
    uint64_t value = 0;

    if (size < at + least || size > at + 4)
        return false;
    for (size_t i = size; i-- > at;)
        value = value << 8 | bytes[i];
    direct(out, kind, pc + size + (uint64_t)extend(value, (unsigned)(8 * (size - at))));
    return true;
}

/* Opcode group 0xff: indirect calls and jumps, near and far. */
static void x86_group5(struct trod_insn_branch *out, unsigned modrm)
{
    unsigned operation = modrm >> 3 & 7;

    if (operation == 2 || operation == 3)
        out->kind = TROD_BRANCH_CALL_INDIRECT;
    else if (operation == 4 || operation == 5)
        out->kind = TROD_BRANCH_INDIRECT;
}

bool trod_x86_branch(
    struct trod_insn_branch *out, uint64_t pc, const uint8_t *bytes, size_t size)
{
    size_t at = 0, least = 4;

    *out = (struct trod_insn_branch){.kind = TROD_BRANCH_NONE};
    for (; at < size && is_prefix(bytes[at]); at++)
        least = bytes[at] == 0x66 ? 2 : least;
    if (at == size)
        return false;
    switch (bytes[at]) {
    case 0xe8:
        return x86_direct(out, TROD_BRANCH_CALL, pc, bytes, at + 1, size, least);
    case 0xe9:
        return x86_direct(out, TROD_BRANCH_JUMP, pc, bytes, at + 1, size, least);
    case 0xeb:
        return x86_direct(out, TROD_BRANCH_JUMP, pc, bytes, at + 1, size, 1);
    case 0xe0: /* loopne, loope, loop, jrcxz */
    case 0xe1:
    case 0xe2:
    case 0xe3:
        return x86_direct(out, TROD_BRANCH_IF, pc, bytes, at + 1, size, 1);
    case 0x0f:
        if (at + 1 < size && (bytes[at + 1] & 0xf0) == 0x80)
            return x86_direct(out, TROD_BRANCH_IF, pc, bytes, at + 2, size, least);
        return true;
    case 0xc2:
        out->kind = TROD_BRANCH_RETURN;
        return size == at + 3;
    case 0xc3:
        out->kind = TROD_BRANCH_RETURN;
        return true;
    case 0xca: /* far returns */
    case 0xcb:
    case 0xcf:
        out->kind = TROD_BRANCH_INDIRECT;
        return true;
    case 0xff:
        if (at + 1 < size)
            x86_group5(out, bytes[at + 1]);
        return true;
    default:
        return (bytes[at] & 0xf0) != 0x70 ||
               x86_direct(out, TROD_BRANCH_IF, pc, bytes, at + 1, size, 1);
    }
}

/* --- aarch64 ------------------------------------------------------------------------------------- */

/* Indirect branches, with and without pointer authentication. */
static void aarch64_by_register(struct trod_insn_branch *out, uint32_t insn)
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

void trod_aarch64_branch(struct trod_insn_branch *out, uint64_t pc, uint32_t insn)
{
    *out = (struct trod_insn_branch){.kind = TROD_BRANCH_NONE};
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

/* Is it a link register by convention? */
static bool is_link(uint32_t reg)
{
    return reg == 1 || reg == 5;
}

static void riscv_wide(struct trod_insn_branch *out, uint64_t pc, uint32_t insn)
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

static void riscv_narrow(struct trod_insn_branch *out, uint64_t pc, uint32_t insn)
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
    case 0x8002: /* c.jr, c.jalr, if the second register is 0 */
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
    struct trod_insn_branch *out, uint64_t pc, uint32_t insn, size_t size)
{
    *out = (struct trod_insn_branch){.kind = TROD_BRANCH_NONE};
    if (size == 4)
        riscv_wide(out, pc, insn);
    else
        riscv_narrow(out, pc, insn);
}
