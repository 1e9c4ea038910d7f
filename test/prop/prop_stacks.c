/* Branch stacks: the branches that are read equal those that ran, with and without the code. */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "prop/stacks.h"

enum fault {
    NONE,
    OTHER /* a digit of an address is another */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* The whole of it: what is seen in stacks are paths that ran. */
static bool stacks_are_of_paths(struct kit_prop *p, void *ctx)
{
    struct kit_walk_options options = {.x86 = true, .no_insns = true, .no_cuts = true};
    struct stacks *s;
    struct sample have;
    bool decoded, ok = true;
    double common = 1;

    begin(&have);
    s = trod_new(&have.mem, struct stacks, 1);
    options.nthread = 1 + (uint32_t)kit_draw(p, 2);
    options.nrun = 20 + (uint32_t)kit_draw(p, 400);
    options.longjmp = kit_draw(p, 2);
    options.tails = kit_draw(p, 2);
    options.gaps = kit_draw(p, 2);
    decoded = kit_draw(p, 2);
    walk(s, kit_draws_of_prop(p), &options, 2 + (uint32_t)kit_draw(p, 31),
        1 + kit_draw(p, 4), &have.mem);
    if (fault_in(ctx) == OTHER && s->text.length > 60)
        s->text.text[s->text.length - 1 - kit_draw(p, 40)] = '4';
    if (parse(s, decoded, &have.mem, &have.err)) {
        ok = trod_branch_checked(&s->check, &have.err);
        if (s->sampled.npath)
            common = trod_branch_paths_overlap(&s->sampled, &s->exact);
        for (uint32_t i = 0; i < s->sampled.npath; i++) {
            struct trod_branch_paths one = s->sampled;

            /* Alone, it has all of its share in common with itself. */
            one.path = &s->sampled.path[i];
            one.npath = 1;
            ok = ok && trod_branch_paths_overlap(&one, &s->exact) > 0;
        }
        ok = ok && !s->health.nbroken && (!decoded || !s->health.nplain);
    }
    if (!ok)
        kit_note(p, "%u paths of %u, %f in common, %" PRIu64 " plain %s\n%s",
            s->sampled.npath, s->exact.npath, common, s->health.nplain, have.err.text,
            s->text.text);
    return end(&have, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"stacks are of paths", stacks_are_of_paths, {OTHER}},
    };

    return kit_run_tested("stacks", tested, sizeof tested / sizeof *tested);
}
