#include "lift/lift.h"

#include <inttypes.h>

const char *trod_seen_image_fault(const struct trod_image *image)
{
    if (image->start >= image->end)
        return "an image ends behind where it starts, not before";
    if (image->offset + (image->end - image->start) < image->offset)
        return "an image of a file that would be larger than 2^64 bytes";
    return NULL;
}

const char *trod_seen_code_fault(const struct trod_code *code)
{
    if (code->kind >= TROD_BRANCH_KINDS)
        return "a code of no known kind";
    if (code->pc > code->last || code->last >= code->after)
        return "a code's first, last and next address ascend; these do not";
    if (!code->ninsn || code->ninsn > code->after - code->pc)
        return "a code has an instruction at least, and no more than bytes";
    if (!trod_branch_is_direct(code->kind) && code->target)
        return "only if, jump and call have a target; it is 0x0 for all others";
    return NULL;
}

const char *trod_seen_path_fault(const struct trod_seen_path *path)
{
    uint32_t length = path->path.length;

    if (!path->count)
        return "a path that was seen has a count; remove it, or count it";
    if (length % 64 && path->path.outcome[length / 64] >> length % 64)
        return "a path with bits behind its outcomes";
    return NULL;
}

static bool fault_of(
    struct trod_err *err, const char *what, uint64_t number, const char *fault)
{
    return !fault ||
           trod_fail(err, TROD_E_INTERNAL, "%s %" PRIu64 ": %s", what, number, fault);
}

bool trod_seen_check(const struct trod_seen *seen, struct trod_err *err)
{
    for (uint32_t i = 0; i < seen->nimage; i++)
        if (!fault_of(err, "image", i, trod_seen_image_fault(&seen->image[i])))
            return false;
    for (uint32_t i = 0; i < seen->ncode; i++) {
        if (!fault_of(err, "code", i, trod_seen_code_fault(&seen->code[i])))
            return false;
        if (seen->code[i].number != i)
            return fault_of(err, "code", i, "its number is another");
    }
    for (uint64_t i = 0; i < seen->npath; i++)
        if (!fault_of(err, "path", i, trod_seen_path_fault(&seen->path[i])))
            return false;
    return true;
}
