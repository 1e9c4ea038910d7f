#include "model/model.h"

void trod_branch_queue_init(
    struct trod_branch_queue *q, uint32_t slots, uint8_t slot, struct trod_arena *mem)
{
    assert(slots > 0);
    *q = (struct trod_branch_queue){
        .slots = slots, .slot = slot, .free_at = trod_new(mem, uint64_t, slots)};
}

uint64_t trod_branch_queue_add(
    struct trod_branch_queue *q, uint64_t cycle, uint32_t service)
{
    uint64_t *free_at = &q->free_at[q->next], commit = cycle, start;

    if (*free_at > cycle) {
        commit = *free_at;
        q->nstall++;
        q->stalled += commit - cycle;
    }
    start = q->ready > commit ? q->ready : commit;
    q->ready = start + service;
    *free_at = q->slot == TROD_SLOT_END ? q->ready : start;
    q->next = (q->next + 1) % q->slots;
    return commit;
}

uint32_t trod_model_service(
    uint64_t nupdate, uint64_t npush, uint64_t npop, uint64_t nmiss, uint32_t ways)
{
    unsigned log = ways > 1 ? trod_bit_width(ways - 1) : 0;

    return (uint32_t)(nupdate + npush + 2 * npop + nmiss * log);
}
