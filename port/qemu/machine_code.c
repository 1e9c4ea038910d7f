#include "qemu/qemu.h"

#include <elf.h>
#include <string.h>

#include <capstone/capstone.h>

#include "capstone/branch_insn.h"

/* There are few kinds of branches, and the emulator knows where instructions begin, so no
 * disassembler is needed.
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

/* --- x86-64 ------------------------------------------------------------------------------------- */

/* Near the end of a page, the length of the instruction shows whether the emulator has all of its
 * bytes. Instructions unknown to the disassembler are treated as complete.
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
    struct trod_insn_branch branch;

    out->whole = trod_x86_branch(&branch, pc, bytes, size);
    out->kind = branch.kind;
    out->target = branch.target;
    if (out->whole && branch.kind != TROD_BRANCH_RETURN &&
        !trod_branch_is_direct(branch.kind))
        out->whole = x86_is_whole(pc, bytes, size, have);
}

/* --- aarch64 and riscv64 ----------------------------------------------------------------------- */

static void word_decode(struct qemu_branch *out, enum qemu_machine machine, uint64_t pc,
    const unsigned char *bytes, size_t size)
{
    struct trod_insn_branch branch;
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
