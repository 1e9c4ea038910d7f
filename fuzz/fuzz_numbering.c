/* A numbering with the graph it numbers. */
#include "fuzz.h"

static bool parse(struct trod_numbering *out, const char *bytes, size_t length,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    const char *name;

    trod_text_init(&text, "fuzz", bytes, length);
    name = fuzz_head(&text, "numbering", mem, err);
    if (!name)
        return false;
    if (trod_number_parse(out, name, &text, mem, err))
        return true;
    fuzz_refused(err);
    return false;
}

static void check_again(const struct trod_numbering *n, struct trod_arena *mem)
{
    struct trod_string first, second;
    struct trod_err err = {0};
    struct trod_numbering back;
    struct trod_json json;

    trod_string_init(&first, mem);
    trod_number_print(&first.sink, n);
    FUZZ_MUST_DO(parse(&back, first.text, first.length, mem, &err), &err);
    trod_string_init(&second, mem);
    trod_number_print(&second.sink, &back);
    FUZZ_MUST(strcmp(first.text, second.text) == 0);
    FUZZ_MUST(n->kind == back.kind && n->min == back.min && n->max == back.max);
    FUZZ_MUST(n->npath == back.npath && n->low_bits == back.low_bits);
    trod_json_init(&json, &second.sink);
    trod_number_json(&json, NULL, n);
}

/* Selective and preferential numberings promise nothing about unchosen paths. */
static void validate(const struct trod_numbering *n, struct trod_arena *mem)
{
    struct trod_err err = {0};
    int64_t low, high;

    FUZZ_MUST_DO(trod_graph_check(n->dag->graph, &err), &err);
    FUZZ_MUST_DO(trod_dag_check(n->dag, mem, &err), &err);
    FUZZ_MUST_DO(trod_number_check(n, mem, &err), &err);
    if (fuzz_path_count(n->dag, mem) <= FUZZ_MOST_PATHS)
        FUZZ_MUST_DO(
            trod_number_check_all(n, NULL, NULL, NULL, FUZZ_MOST_PATHS, mem, &err),
            &err);
    if (n->kind == TROD_PACKED) {
        trod_number_unpack(&low, &high, n, n->min);
        FUZZ_MUST(
            (((uint64_t)high << n->low_bits) + (uint64_t)low) == (uint64_t)n->min);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_numbering n;
    struct trod_err err = {0};
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES &&
        parse(&n, (const char *)bytes, length, &mem, &err)) {
        validate(&n, &mem);
        check_again(&n, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
