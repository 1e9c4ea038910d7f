#include "commands.h"
#include "input/input.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

#include "dwfl/dwfl_port.h"

/* Frames that were on the stack when programs ended. END of a live profile lists return addresses,
 * a run keeps them, and the program's debug information identifies the calls.
 */
struct frames {
    struct cli *cli;
    struct trod_flow_frame *frame;
    size_t count, room;
};

/* A return address and its number of frames. */
struct address {
    uint64_t offset, count;
};

struct addresses {
    struct address *item;
    size_t count, room;
};

TROD_ORDER(by_offset, struct address, TROD_UP(offset))

/* `stop OFFSET COUNT`, hexadecimal and decimal. */
static bool read_address(struct address *out, const char *text)
{
    char *end;

    out->offset = strtoull(text, &end, 16);
    if (end == text || *end != ' ')
        return false;
    out->count = strtoull(end, &end, 10);
    return !*end && out->count;
}

/* Does a run belong to this module? Decided by its program; always true with a single module. */
static bool is_of(const struct trod_profile *profile,
    const struct trod_profile_run *run, const struct trod_profile_module *module)
{
    bool program = false, image = false;

    for (uint32_t k = 0; k < run->nfield; k++) {
        const struct trod_profile_field *f = &run->field[k];

        program |=
            strcmp(f->key, "program") == 0 && strcmp(f->value, module->path) == 0;
        image |= strcmp(f->key, "image") == 0 && strcmp(f->value, "program") == 0;
    }
    return profile->nmodule == 1 || (program && image);
}

static void list_addresses(struct addresses *out, struct cli *cli,
    const struct trod_profile *profile, const struct trod_profile_module *module)
{
    size_t n = 0;

    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0;
            is_of(profile, &profile->run[i], module) && k < profile->run[i].nfield;
            k++) {
            const struct trod_profile_field *f = &profile->run[i].field[k];
            struct address address;

            if (strcmp(f->key, "stop") != 0 || !read_address(&address, f->value))
                continue;
            trod_push(&cli->mem, out->item, out->count, out->room, address);
        }
    trod_sort(out->item, out->count, by_offset);
    for (size_t i = 0; i < out->count; i++) {
        if (n && out->item[n - 1].offset == out->item[i].offset)
            out->item[n - 1].count += out->item[i].count;
        else
            out->item[n++] = out->item[i];
    }
    out->count = n;
}

static void add_calls(
    struct frames *f, struct trod_dwfl_frames *dwfl, const struct address *address)
{
    struct trod_dwfl_call *call;
    size_t n = trod_dwfl_calls(&call, dwfl, address->offset);

    for (size_t i = 0; i < n; i++) {
        trod_push(&f->cli->mem, f->frame, f->count, f->room,
            (struct trod_flow_frame){
                call[i].function, call[i].unit, call[i].line, address->count});
    }
}

/* Opens the binary where it ran, or one named by --binary. */
static struct trod_dwfl_frames *open_module(
    struct cli *cli, const struct trod_profile_module *module)
{
    const struct cli_list *binary = &cli->options.binary;
    struct trod_dwfl_frames *found = NULL;

    for (uint32_t i = 0; !found && i < binary->count; i++)
        found = trod_dwfl_frames_open(binary->item[i], module->build_id, &cli->mem);
    return found ? found
                 : trod_dwfl_frames_open(module->path, module->build_id, &cli->mem);
}

static void add_module(struct frames *f, const struct trod_profile *profile,
    const struct trod_profile_module *module)
{
    struct addresses addresses = {0};
    struct trod_dwfl_frames *dwfl;

    list_addresses(&addresses, f->cli, profile, module);
    dwfl = addresses.count ? open_module(f->cli, module) : NULL;
    if (!dwfl)
        return;
    for (size_t i = 0; i < addresses.count; i++)
        add_calls(f, dwfl, &addresses.item[i]);
    trod_dwfl_frames_close(dwfl);
}

void cli_add_unfinished(
    struct cli *cli, struct trod_flows *flows, const struct trod_profile *profile)
{
    struct frames f = {.cli = cli};

    for (uint32_t i = 0; i < profile->nmodule; i++)
        add_module(&f, profile, &profile->module[i]);
    trod_flows_add_unfinished(
        flows, profile, &(struct trod_flow_frames){f.frame, f.count}, &cli->mem);
}
