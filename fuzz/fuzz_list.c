/* A list of paths: what is accepted survives a round trip, and obeys the laws of sets. */
#include "fuzz.h"

#include "pathset/pathset.h"

static const char *print(const struct trod_list *list, struct trod_arena *mem)
{
    struct trod_string text;
    struct trod_json json;

    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_list_json(&json, NULL, list, NULL, mem);
    trod_string_init(&text, mem);
    trod_list_print(&text.sink, list, NULL);
    return text.text;
}

static void check_again(const struct trod_list *list, struct trod_arena *mem)
{
    const char *printed = print(list, mem);
    struct trod_err err = {0};
    struct trod_list back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_list_check(list, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST(trod_list_begins(&text, mem));
    FUZZ_MUST_DO(trod_list_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
}

/* Of a list with itself: union and intersection are the list, the difference is empty. */
static void check_sets(const struct trod_list *list, struct trod_arena *mem)
{
    for (int op = TROD_LIST_UNION; op <= TROD_LIST_AND; op++) {
        struct trod_err err = {0};
        struct trod_list out;

        FUZZ_MUST_DO(
            trod_list_combine(&out, (enum trod_list_op)op, list, list, mem, &err),
            &err);
        FUZZ_MUST_DO(trod_list_check(&out, &err), &err);
        FUZZ_MUST(trod_list_count(&out) ==
                  (op == TROD_LIST_MINUS ? 0 : trod_list_count(list)));
    }
}

static void check_match(const struct trod_list *list, struct trod_arena *mem)
{
    struct trod_profile_function *known =
        trod_new(mem, struct trod_profile_function, list->nfunction);
    struct trod_list_match match;
    struct trod_list kept;

    for (size_t i = 0; i < list->nfunction; i++)
        known[i] = list->function[i].function;
    trod_list_match(&match, list, known, list->nfunction, mem);
    FUZZ_MUST(match.nfunction_of_fate[TROD_FATE_SAME] == list->nfunction);
    trod_list_keep(&kept, list, &match, mem);
    FUZZ_MUST(trod_list_count(&kept) == trod_list_count(list));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_err err = {0};
    struct trod_list list;
    struct trod_arena mem;
    struct trod_text text;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES) {
        if (trod_list_parse(&list, &text, &mem, &err)) {
            check_again(&list, &mem);
            check_sets(&list, &mem);
            check_match(&list, &mem);
        } else {
            FUZZ_MUST(err.code == TROD_E_INPUT || err.code == TROD_E_MISMATCH);
            FUZZ_MUST(err.text[0] != '\0' && memchr(err.text, '\0', sizeof err.text));
        }
    }
    trod_arena_free(&mem);
    return 0;
}
