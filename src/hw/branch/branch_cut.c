#include "branch/branch.h"

static void cut_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    trod_branch_put_code(((struct trod_branch_cutter *)to)->on, code);
}

static void cut_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    trod_branch_put_image(((struct trod_branch_cutter *)to)->on, image);
}

static void cut_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_branch_cutter *c = (struct trod_branch_cutter *)to;
    uint64_t at = c->ninsn;

    c->ninsn += run->code->ninsn;
    if (at < c->from || (c->to && at >= c->to))
        return;
    if (run->thread < TROD_BRANCH_THREADS)
        trod_add(c->ran, run->thread);
    trod_branch_put_run(c->on, run);
}

static void cut_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_branch_cutter *c = (struct trod_branch_cutter *)to;

    if (thread >= TROD_BRANCH_THREADS || !trod_has(c->ran, thread) ||
        (c->to && c->ninsn >= c->to))
        return;
    trod_drop(c->ran, thread);
    trod_branch_put_end(c->on, thread);
}

void trod_branch_cutter_init(struct trod_branch_cutter *cutter,
    struct trod_branch_sink *on, uint64_t from, uint64_t to)
{
    *cutter =
        (struct trod_branch_cutter){.sink = {cut_code, cut_image, cut_run, cut_end},
            .on = on,
            .from = from,
            .to = to};
}
