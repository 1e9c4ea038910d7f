#include "qemu/qemu.h"

#include <elf.h>
#include <string.h>

#include <capstone/capstone.h>

/* Kinds of branches are few, and the emulator tells where instructions begin: no disassembler is needed
 * to know them.
 */

enum qemu_machine qemu_machine_named(const char *target)
{
    static const char *const names[] = {"x86_64", "aarch64", "riscv64"};

    for (int i = 0; i < QEMU_MACHINES; i++)
        if (strcmp(target, names[i]) == 0)
            return (enum qemu_machine)i;
    return QEMU_MACHINES;
}

enum qemu_machine qemu_machine_of_elf(unsigned e_machine)
{
    switch (e_machine) {
    case EM_X86_64:
        return QEMU_X86_64;
    case EM_AARCH64:
        return QEMU_AARCH64;
    case EM_RISCV:
        return QEMU_RISCV64;
    default:
        return QEMU_MACHINES;
    }
}

static int64_t extend(uint64_t value, unsigned bits)
{
    return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static void direct(struct qemu_branch *out, uint8_t kind, uint64_t target)
{
    out->kind = kind;
    out->target = target;
}

/* --- x86-64 ------------------------------------------------------------------------------------- */

static bool is_prefix(unsigned char byte)
{
    static const unsigned char prefixes[] = {
        0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf0};

    return memchr(prefixes, byte, sizeof prefixes) || (byte & 0xf0) == 0x40;
}

/* A displacement takes the rest of the instruction: at least so many bytes. */
static void x86_direct(struct qemu_branch *out, uint8_t kind, uint64_t pc,
    const unsigned char *bytes, size_t at, size_t size, size_t least)
{
    uint64_t value = 0;

    out->kind = kind;
    out->whole = size >= at + least && size <= at + 4;
    if (!out->whole)
        return;
    for (size_t i = size; i-- > at;)
        value = value << 8 | bytes[i];
    out->target = pc + size + (uint64_t)extend(value, (unsigned)(8 * (size - at)));
}

static void x86_group5(struct qemu_branch *out, unsigned modrm)
{
    switch (modrm >> 3 & 7) {
    case 2:
    case 3:
        out->kind = TROD_BRANCH_CALL_INDIRECT;
        break;
    case 4:
    case 5:
        out->kind = TROD_BRANCH_INDIRECT;
        break;
    default:
        break;
    }
}

/* Near the end of a page, the length of an instruction tells whether the emulator has all of it. One that the
 * disassembler does not know is taken for whole.
 */
static bool x86_is_whole(
    uint64_t pc, const unsigned char *bytes, size_t size, size_t have)
{
    static csh handle;
    cs_insn *insn;
    size_t count, length;

    if (((pc + QEMU_INSN_BYTES) ^ pc) < 4096)
        return true;
    if (!handle && cs_open(CS_ARCH_X86, CS_MODE_64, &handle) != CS_ERR_OK)
        return true;
    count = cs_disasm(handle, bytes, have, pc, 1, &insn);
    if (!count)
        return true;
    length = insn->size;
    cs_free(insn, count);
    return length == size;
}

static void x86_decode(struct qemu_branch *out, uint64_t pc, const unsigned char *bytes,
    size_t size, size_t have)
{
    bool narrow = false;
    size_t at = 0;

    while (at < size && is_prefix(bytes[at]))
        narrow |= bytes[at++] == 0x66;
    if (at == size) {
        out->whole = false;
        return;
    }
    switch (bytes[at]) {
    case 0xe8:
        x86_direct(out, TROD_BRANCH_CALL, pc, bytes, at + 1, size, narrow ? 2 : 4);
        return;
    case 0xe9:
        x86_direct(out, TROD_BRANCH_JUMP, pc, bytes, at + 1, size, narrow ? 2 : 4);
        return;
    case 0xeb:
        x86_direct(out, TROD_BRANCH_JUMP, pc, bytes, at + 1, size, 1);
        return;
    case 0xe0:
    case 0xe1:
    case 0xe2:
    case 0xe3:
        x86_direct(out, TROD_BRANCH_IF, pc, bytes, at + 1, size, 1);
        return;
    case 0x0f:
        if (at + 1 < size && (bytes[at + 1] & 0xf0) == 0x80) {
            x86_direct(out, TROD_BRANCH_IF, pc, bytes, at + 2, size, narrow ? 2 : 4);
            return;
        }
        break;
    case 0xc2:
        out->kind = TROD_BRANCH_RETURN;
        out->whole = size == at + 3;
        return;
    case 0xc3:
        out->kind = TROD_BRANCH_RETURN;
        return;
    case 0xca:
    case 0xcb:
    case 0xcf:
        out->kind = TROD_BRANCH_INDIRECT;
        break;
    case 0xff:
        if (at + 1 < size)
            x86_group5(out, bytes[at + 1]);
        break;
    default:
        if ((bytes[at] & 0xf0) == 0x70) {
            x86_direct(out, TROD_BRANCH_IF, pc, bytes, at + 1, size, 1);
            return;
        }
        break;
    }
    out->whole = x86_is_whole(pc, bytes, size, have);
}

/* --- aarch64 ------------------------------------------------------------------------------------- */

static uint32_t word_of(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* By register: plain ones, and those that check a pointer's signature. */
static void aarch64_by_register(struct qemu_branch *out, uint32_t insn)
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

static void aarch64_decode(
    struct qemu_branch *out, uint64_t pc, const unsigned char *bytes, size_t size)
{
    uint32_t insn;

    if (size != 4) {
        out->whole = false;
        return;
    }
    insn = word_of(bytes);
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

static void riscv_wide(struct qemu_branch *out, uint64_t pc, uint32_t insn)
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

static void riscv_narrow(struct qemu_branch *out, uint64_t pc, uint32_t insn)
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

static void riscv_decode(
    struct qemu_branch *out, uint64_t pc, const unsigned char *bytes, size_t size)
{
    if (size == 4 && (bytes[0] & 3) == 3)
        riscv_wide(out, pc, word_of(bytes));
    else if (size == 2 && (bytes[0] & 3) != 3)
        riscv_narrow(out, pc, (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8);
    else
        out->whole = false;
}

void qemu_branch_decode(struct qemu_branch *out, enum qemu_machine machine, uint64_t pc,
    const unsigned char *bytes, size_t size, size_t have)
{
    *out = (struct qemu_branch){.kind = TROD_BRANCH_NONE, .whole = true};
    switch (machine) {
    case QEMU_X86_64:
        x86_decode(out, pc, bytes, size, have);
        break;
    case QEMU_AARCH64:
        aarch64_decode(out, pc, bytes, size);
        break;
    default:
        riscv_decode(out, pc, bytes, size);
        break;
    }
    if (!out->whole)
        out->kind = TROD_BRANCH_NONE;
}
