#include "export/export.h"

#include <inttypes.h>

/* One line per path: the function and the blocks, separated by semicolons, then a blank and the count. The format
 * cannot escape semicolons or line breaks in a frame's name, and has no comments. No name may end in a blank and a
 * number, since flamegraph.pl would read it as a second count.
 */

void trod_export_collapsed_name(struct trod_sink *sink, const char *name)
{
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;

        if (c == ';')
            trod_put(sink, ",");
        else if (c < ' ' || c == 0x7f)
            trod_put(sink, "\\x%02x", c);
        else
            sink->put(sink, name, 1);
    }
}

static void put_block(struct trod_sink *sink, const struct trod_export_stacks *stacks,
    const struct trod_export_place *place, const struct trod_export_stack *stack,
    struct trod_arena *mem)
{
    trod_put(sink, ";");
    if (place->node == TROD_NONE) {
        if (stack->subpath)
            trod_export_collapsed_name(sink, place->display_name);
        else
            trod_put(sink, "path =%" PRIu64, stack->id);
        return;
    }
    trod_export_collapsed_name(sink, trod_export_label(stacks, place, mem));
}

/* Incomplete or estimated counts are marked in the root frame, which is visible in every flame graph. */
static void put_root(
    struct trod_sink *sink, const struct trod_export_stack *stack, bool exact)
{
    enum trod_format_counted counted = stack->function->counted;

    trod_export_collapsed_name(sink, stack->display_name);
    if (!stack->subpath && counted != TROD_COUNTED_ALL &&
        counted != TROD_COUNTED_RESIDUAL)
        trod_put(sink, " [%s paths only]", trod_profile_counted_name(counted));
    if (!exact)
        trod_put(sink, " [estimated]");
}

static void put_all(struct trod_sink *sink, const struct trod_exported *in, bool timed,
    struct trod_arena *mem)
{
    bool exact =
        in->subpaths ? in->subpaths->exact : trod_profile_is_exact(in->profile);
    struct trod_export_stacks stacks;
    struct trod_export_place *place;

    trod_export_stacks(&stacks, in, mem);
    place = trod_new(mem, struct trod_export_place, stacks.most_places);
    for (size_t i = 0; i < stacks.nstack; i++) {
        const struct trod_export_stack *stack = &stacks.stack[i];
        uint64_t value = !timed ? stack->count
                         : stack->time
                             ? trod_time_rounded(in->times, (double)stack->time->own)
                             : 0;
        uint32_t n = trod_export_places(place, &stacks, stack);

        if (timed && !value)
            continue;
        put_root(sink, stack, exact);
        for (uint32_t k = 0; k < n; k++)
            put_block(sink, &stacks, &place[k], stack, mem);
        trod_put(sink, " %" PRIu64 "\n", value);
    }
}

bool trod_export_collapsed(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    (void)err;
    put_all(sink, in, false, mem);
    return true;
}

bool trod_export_collapsed_time(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    (void)err;
    put_all(sink, in, true, mem);
    return true;
}
