/* Texts of productions: what is printed reads back, is printed the same, and means the same. */
#include "edit_input.h"

#include <string.h>

enum fault {
    NONE,
    MISREAD /* a mark of the text is another */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

static char *print(const struct trod_edit *edit, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_edit_print(&text.sink, edit);
    return text.text;
}

/* What is printed reads back, is printed the same, and means the same. */
static bool reads_back(struct kit_prop *p, void *ctx)
{
    struct trod_edit edit, back;
    struct trod_edit_file file;
    struct drawn d;
    struct sample s;
    char *printed, *at;

    begin(&s);
    draw_productions(&d, p, &s.mem);
    file = (struct trod_edit_file){"drawn", d.text, strlen(d.text)};
    if (!trod_edit_parse(&edit, &file, 1, NULL, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    printed = print(&edit, &s.mem);
    at = fault_in(ctx) == MISREAD ? strchr(printed, '!') : NULL;
    if (at && at[1] != '=')
        *at = ' ';
    file = (struct trod_edit_file){"printed", printed, strlen(printed)};
    if (!trod_edit_parse(&back, &file, 1, NULL, &s.mem, &s.err) ||
        !trod_edit_check(&back, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    kit_note(p, "%s", printed);
    if (strcmp(print(&back, &s.mem), print(&edit, &s.mem)) != 0)
        return end(&s, wrong(p, "it is printed in another way"));
    for (uint32_t i = 0; i < edit.nproduction; i++)
        for (int k = 0; k < 8; k++) {
            struct trod_edit_insn insn = {.pc = 0x400000 + kit_draw(p, 400),
                .target = 0x400000 + kit_draw(p, 400),
                .has_target = kit_draw(p, 2),
                .classes = (uint32_t)kit_draw(p, 1 << TROD_EDIT_CLASSES)};
            trod_edit_flags flags = (trod_edit_flags)kit_draw(p, 64);

            if (trod_edit_fires(&edit, i, &insn, flags) !=
                trod_edit_fires(&back, i, &insn, flags))
                return end(&s, wrong(p, "it means something else"));
        }
    return end(&s, true);
}

static const struct kit_tested properties[] = {
    {"what is printed reads back", reads_back, {MISREAD}},
};

int main(void)
{
    return kit_run_tested(
        "edit_text", properties, sizeof properties / sizeof *properties);
}
