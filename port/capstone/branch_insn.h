/* branch_insn: which instructions are branches, and their targets. Branches have few encodings, so
 * no disassembler is needed if the address and length of the instruction are known.
 */
#ifndef TROD_BRANCH_INSN_H
#define TROD_BRANCH_INSN_H

#include "branch/branch.h"

struct trod_insn_branch {
    uint8_t kind;    /* enum trod_branch_kind */
    uint64_t target; /* of direct branches */
};

/* size: of the whole instruction. False: there are fewer bytes than the opcode needs. */
bool trod_x86_branch(
    struct trod_insn_branch *out, uint64_t pc, const uint8_t *bytes, size_t size);
void trod_aarch64_branch(struct trod_insn_branch *out, uint64_t pc, uint32_t insn);
/* size: 2 or 4, according to the two lowest bits */
void trod_riscv_branch(
    struct trod_insn_branch *out, uint64_t pc, uint32_t insn, size_t size);

#endif
