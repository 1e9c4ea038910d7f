#include "qemu/qemu.h"

#include <elf.h>
#include <string.h>

#include <capstone/capstone.h>

#include "capstone/branch_words.h"

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

/* --- aarch64 and riscv64 ----------------------------------------------------------------------- */

static void word_decode(struct qemu_branch *out, enum qemu_machine machine, uint64_t pc,
    const unsigned char *bytes, size_t size)
{
    struct trod_word_branch branch;
    uint32_t insn = 0;

    if (size != (machine == QEMU_RISCV64 && (bytes[0] & 3) != 3 ? 2 : 4)) {
        out->whole = false;
        return;
    }
    memcpy(&insn, bytes, size); /* little-endian, as trod is */
    if (machine == QEMU_AARCH64)
        trod_aarch64_branch(&branch, pc, insn);
    else
        trod_riscv_branch(&branch, pc, insn, size);
    out->kind = branch.kind;
    out->target = branch.target;
}

void qemu_branch_decode(struct qemu_branch *out, enum qemu_machine machine, uint64_t pc,
    const unsigned char *bytes, size_t size, size_t have)
{
    *out = (struct qemu_branch){.kind = TROD_BRANCH_NONE, .whole = true};
    if (machine == QEMU_X86_64)
        x86_decode(out, pc, bytes, size, have);
    else
        word_decode(out, machine, pc, bytes, size);
    if (!out->whole)
        out->kind = TROD_BRANCH_NONE;
}
