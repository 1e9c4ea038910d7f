#include "super/super.h"

#include <string.h>

void trod_super_input_init(struct trod_super_input *out, struct trod_arena *mem)
{
    *out = (struct trod_super_input){.mem = mem};
    trod_names_init(&out->names, mem);
}

/* The function of a section; UINT32_MAX and a message if its numbering is missing. */
static uint32_t function_of(const struct trod_super_input *in, const char *name,
    const struct trod_text *text, struct trod_err *err)
{
    uint32_t i = trod_names_find(&in->names, name);

    if (i == UINT32_MAX)
        trod_text_error(text, err,
            "there is no function '%.100s' before this; put its numbering there", name);
    return i;
}

static bool read_numbering(struct trod_super_input *in, const char *name,
    struct trod_text *text, struct trod_err *err)
{
    struct trod_numbering *numbering = trod_new(in->mem, struct trod_numbering, 1);
    struct trod_text place = *text;

    if (trod_names_find(&in->names, name) != UINT32_MAX)
        return trod_text_fail(
            text, err, "function '%.100s' occurs twice; remove one", name);
    if (!trod_number_parse(numbering, name, text, in->mem, err))
        return false;
    if (numbering->kind != TROD_BALLARUS)
        return trod_text_fail(&place, err,
            "subpaths have Ball-Larus ids; the numbering of '%.100s' is of another kind",
            name);
    trod_names_add(&in->names, name);
    trod_reserve(in->mem, in->function, in->nfunction, in->room_function);
    trod_reserve(in->mem, in->ran, in->nfunction, in->room_ran);
    in->ran[in->nfunction] = (struct trod_super_ran){0};
    in->function[in->nfunction++] =
        (struct trod_super_function){.name = name, .ballarus = numbering};
    return true;
}

static bool read_calls(struct trod_super_input *in, const char *name,
    struct trod_text *text, struct trod_err *err)
{
    uint32_t i = function_of(in, name, text, err);

    return i != UINT32_MAX &&
           trod_calls_parse(&in->function[i].calls,
               in->function[i].ballarus->dag->graph, text, in->mem, err);
}

static bool read_paths(struct trod_super_input *in, const char *name,
    struct trod_text *text, struct trod_err *err)
{
    uint32_t i = function_of(in, name, text, err);
    struct trod_trails trails = {0};
    struct trod_token token;

    if (i == UINT32_MAX || !trod_text_next(&token, text, in->mem, err))
        return false;
    if (token.kind != TROD_T_LINE && token.kind != TROD_T_END)
        return trod_text_fail(text, err,
            "more than one word after 'paths'; write the paths on lines of their own");
    in->has_ran = true;
    return trod_trails_parse(
               &trails, text, in->function[i].ballarus->dag->graph, in->mem, err) &&
           trod_pathset_encode(
               &in->ran[i].paths, &trails, in->function[i].ballarus, in->mem, err);
}

static bool read_segments(struct trod_super_input *in, const char *name,
    struct trod_text *text, struct trod_err *err)
{
    if (in->has_segments)
        return trod_text_fail(text, err,
            "a second list of segments; combine them with 'trod calls segments'");
    in->has_segments = true;
    return trod_segments_parse(&in->segments, name, text, in->mem, err);
}

/* All functions read so far can be followed. */
static bool build_unit(struct trod_super_input *in, struct trod_err *err)
{
    return trod_super_unit_build(&in->unit, in->function, in->nfunction, in->mem, err);
}

static bool read_super(struct trod_super_input *in, const char *name,
    struct trod_text *text, struct trod_err *err)
{
    struct trod_super_tree tree;

    if (!build_unit(in, err) ||
        !trod_super_parse(&tree, name, text, &in->unit, in->mem, err))
        return false;
    trod_push(in->mem, in->tree, in->ntree, in->room_tree, tree);
    return true;
}

static bool read_section(struct trod_super_input *in, const struct trod_token *head,
    struct trod_text *text, struct trod_err *err)
{
    static const struct {
        const char *head;
        bool (*read)(struct trod_super_input *in, const char *name,
            struct trod_text *text, struct trod_err *err);
    } section[] = {
        {"numbering", read_numbering},
        {"calls", read_calls},
        {"paths", read_paths},
        {"segments", read_segments},
        {"super", read_super},
    };
    struct trod_text place = *text;
    struct trod_token name;

    if (!trod_text_next(&name, text, in->mem, err))
        return false;
    for (size_t i = 0; i < sizeof section / sizeof *section; i++)
        if (head->kind == TROD_T_NAME && name.kind == TROD_T_NAME &&
            strcmp(head->name, section[i].head) == 0)
            return section[i].read(in, name.name, text, err);
    return trod_text_fail(&place, err,
        "expected the head of a section: 'numbering NAME ballarus', 'calls NAME', 'paths "
        "NAME', 'segments NAME DEPTH' or 'super NAME'");
}

bool trod_super_input_read(
    struct trod_super_input *input, struct trod_text *text, struct trod_err *err)
{
    for (;;) {
        struct trod_token head;

        if (!trod_text_next(&head, text, input->mem, err))
            return false;
        if (head.kind == TROD_T_END)
            return build_unit(input, err);
        if (head.kind != TROD_T_LINE && !read_section(input, &head, text, err))
            return false;
    }
}
