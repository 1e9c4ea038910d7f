/* branch_words: which instructions of aarch64 and riscv64 are branches. They are words, and branches are few: no disassembler
 * is needed to know them.
 */
#ifndef TROD_BRANCH_WORDS_H
#define TROD_BRANCH_WORDS_H

#include "branch/branch.h"

struct trod_word_branch {
    uint8_t kind;    /* enum trod_branch_kind */
    uint64_t target; /* of direct ones */
};

void trod_aarch64_branch(struct trod_word_branch *out, uint64_t pc, uint32_t insn);
/* size: 2 or 4, as its two lowest bits say */
void trod_riscv_branch(
    struct trod_word_branch *out, uint64_t pc, uint32_t insn, size_t size);

#endif
