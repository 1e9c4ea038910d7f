/* Productions: texts are rejected with line and column, or are valid and survive a round trip. What was read edits a
 * small stream.
 */
#include "fuzz.h"

#include "edit/edit.h"

static const char *print(const struct trod_edit *edit, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_edit_print(&text.sink, edit);
    return text.text;
}

/* A load, a taken backward branch, and a call. */
static void edit_some(const struct trod_edit *edit, struct trod_arena *mem)
{
    static const struct trod_insn insn[] = {
        {.pc = 0x1000, .size = 4, .nload = 1, .nstore = 1},
        {.pc = 0x1004, .size = 4, .insn_class = TROD_INSN_BRANCH}};
    static const struct trod_code code[] = {
        {0x1000, 0x1004, 0x1008, 0x1000, 0, 2, TROD_BRANCH_IF, insn},
        {0x1000, 0x1004, 0x1008, 0x2000, 1, 2, TROD_BRANCH_CALL, insn},
        {0x1000, 0x1004, 0x1008, 0, 2, 2, TROD_BRANCH_CALL_INDIRECT, NULL}};
    static const struct trod_access access[] = {
        {.address = 64, .size = 8}, {.address = 72, .size = 8, .store = true}};
    struct trod_editor *editor = trod_editor_build(edit, NULL, mem);
    struct trod_edit_print_options options = {0};
    struct trod_edit_result result;
    struct trod_string text;

    for (uint32_t i = 0; i < 40; i++) {
        struct trod_run run = {.code = &code[i % 3],
            .next = 0x1000,
            .taken = true,
            .thread = i % 2,
            .naccess = 2,
            .access = access};

        trod_editor_run(editor, &run);
    }
    trod_editor_result(&result, editor, NULL, 0, mem);
    trod_string_init(&text, mem);
    trod_edit_report(&text.sink, edit, &result, &options);
}

static void check(const struct trod_edit *edit, struct trod_arena *mem)
{
    const char *printed = print(edit, mem);
    struct trod_edit_file file = {"printed", printed, strlen(printed)};
    struct trod_err err = {0};
    struct trod_edit back;

    FUZZ_MUST_DO(trod_edit_check(edit, mem, &err), &err);
    FUZZ_MUST_DO(trod_edit_parse(&back, &file, 1, NULL, mem, &err), &err);
    FUZZ_MUST_DO(trod_edit_check(&back, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    edit_some(edit, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_edit_file file = {"fuzz", (const char *)bytes, length};
    struct trod_arena mem;
    struct trod_err err = {0};
    struct trod_edit edit;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        if (trod_edit_parse(&edit, &file, 1, NULL, &mem, &err)) {
            check(&edit, &mem);
        } else {
            fuzz_refused(&err);
            FUZZ_MUST(strncmp(err.text, "fuzz:", 5) == 0);
        }
    }
    trod_arena_free(&mem);
    return 0;
}
