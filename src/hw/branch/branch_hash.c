#include "branch/branch.h"

static void hash_insn(uint64_t *all, const struct trod_insn *insn)
{
    uint64_t registers = 0;

    for (int i = 0; i < TROD_INSN_SOURCES; i++)
        registers = trod_mix(registers, insn->source[i]);
    for (int i = 0; i < TROD_INSN_TARGETS; i++)
        registers = trod_mix(registers, insn->target[i]);
    *all = trod_mix(*all, insn->pc);
    *all =
        trod_mix(*all, insn->size | (uint64_t)insn->insn_class << 8 |
                           (uint64_t)insn->nload << 16 | (uint64_t)insn->nstore << 24);
    *all = trod_mix(*all, registers);
}

static void hash_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    uint64_t *all = &((struct trod_branch_hasher *)to)->codes;

    *all = trod_mix(*all, code->number);
    *all = trod_mix(*all, code->pc);
    *all = trod_mix(*all, code->last);
    *all = trod_mix(*all, code->after);
    *all = trod_mix(*all, code->target);
    *all = trod_mix(*all, code->ninsn | (uint64_t)code->kind << 32 |
                              (uint64_t)(code->insn != NULL) << 40);
    for (uint32_t i = 0; code->insn && i < code->ninsn; i++)
        hash_insn(all, &code->insn[i]);
}

static void hash_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_branch_hasher *h = (struct trod_branch_hasher *)to;

    h->all = trod_mix(h->all, run->thread | (uint64_t)run->code->number << 32);
    h->all = trod_mix(h->all, run->next);
    h->all = trod_mix(h->all, run->stack);
    h->all = trod_mix(
        h->all, run->naccess | (uint64_t)run->taken << 32 | (uint64_t)run->odd << 33);
    for (uint32_t i = 0; i < run->naccess; i++) {
        const struct trod_access *a = &run->access[i];

        h->all = trod_mix(h->all, a->address);
        h->all = trod_mix(
            h->all, a->insn | (uint64_t)a->size << 16 | (uint64_t)a->store << 24);
    }
    if (run->code->kind == TROD_BRANCH_NONE)
        return;
    h->nbranch++;
    h->branches = trod_mix(h->branches, run->thread);
    h->branches = trod_mix(h->branches, run->code->last);
    h->branches = trod_mix(h->branches, run->next);
}

static void hash_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_branch_hasher *h = (struct trod_branch_hasher *)to;

    h->all = trod_mix(h->all, UINT64_C(0xe4d) << 32 | thread);
}

void trod_branch_hasher_init(struct trod_branch_hasher *hasher)
{
    *hasher =
        (struct trod_branch_hasher){.sink = {hash_code, NULL, hash_run, hash_end}};
}
