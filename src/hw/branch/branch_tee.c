#include "branch/branch.h"

static void tee_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    const struct trod_branch_tee *tee = (const struct trod_branch_tee *)to;

    for (size_t i = 0; i < tee->count; i++)
        trod_branch_put_code(tee->to[i], code);
}

static void tee_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    const struct trod_branch_tee *tee = (const struct trod_branch_tee *)to;

    for (size_t i = 0; i < tee->count; i++)
        trod_branch_put_image(tee->to[i], image);
}

static void tee_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    const struct trod_branch_tee *tee = (const struct trod_branch_tee *)to;

    for (size_t i = 0; i < tee->count; i++)
        trod_branch_put_run(tee->to[i], run);
}

static void tee_end(struct trod_branch_sink *to, uint32_t thread)
{
    const struct trod_branch_tee *tee = (const struct trod_branch_tee *)to;

    for (size_t i = 0; i < tee->count; i++)
        trod_branch_put_end(tee->to[i], thread);
}

void trod_branch_tee_init(
    struct trod_branch_tee *tee, struct trod_branch_sink **to, size_t count)
{
    *tee = (struct trod_branch_tee){{tee_code, tee_image, tee_run, tee_end}, to, count};
}
