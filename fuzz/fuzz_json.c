/* JSON: rejected, or a tree in which a traversal finds every value, and which survives a round trip. */
#include "fuzz.h"

/* Numbers are written as strings, because the writer formats numbers its own way. */
static void put(struct trod_json *json, const struct trod_json_doc *doc, uint32_t v)
{
    const struct trod_json_value *value = &doc->value[v];
    bool object = value->kind == TROD_JSON_OBJECT;

    if (!object && value->kind != TROD_JSON_ARRAY) {
        if (value->text)
            trod_json_text(json, value->key, value->text);
        else
            trod_json_bool(json, value->key, value->kind == TROD_JSON_TRUE);
        return;
    }
    trod_json_open(json, value->key, object ? '{' : '[');
    for (uint32_t in = trod_json_first(doc, v); in != TROD_JSON_NONE;
        in = trod_json_next(doc, v, in))
        put(json, doc, in);
    trod_json_close(json, object ? '}' : ']');
}

static uint32_t depth_of(const struct trod_json_doc *doc)
{
    uint32_t most = 0, depth = 0;

    for (uint32_t v = 0; v < doc->nvalue; v++) {
        depth = 0;
        for (uint32_t up = 0; up < v; up++)
            depth += doc->value[up].next > v;
        most = depth > most ? depth : most;
    }
    return most;
}

static uint32_t count(const struct trod_json_doc *doc)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < doc->nvalue; v++) {
        n++;
        for (uint32_t in = trod_json_first(doc, v); in != TROD_JSON_NONE;
            in = trod_json_next(doc, v, in)) {
            FUZZ_MUST(in > v && doc->value[in].next <= doc->value[v].next);
            FUZZ_MUST((doc->value[v].kind == TROD_JSON_OBJECT) ==
                      (doc->value[in].key != NULL));
            if (doc->value[in].key)
                FUZZ_MUST(
                    trod_json_member(doc, v, doc->value[in].key) != TROD_JSON_NONE);
        }
    }
    return n;
}

static void try_json(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_err err = {0};
    struct trod_json_doc doc, back;
    struct trod_string text;
    struct trod_json json;

    if (!trod_json_read(&doc, "fuzz", (const char *)bytes, length, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST(doc.nvalue && doc.value[0].next == doc.nvalue);
    if (doc.nvalue > 2000 || depth_of(&doc) > 60)
        return;
    FUZZ_MUST(count(&doc) == doc.nvalue);
    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    put(&json, &doc, 0);
    FUZZ_MUST_DO(
        trod_json_read(&back, "written", text.text, text.length, mem, &err), &err);
    FUZZ_MUST(back.nvalue == doc.nvalue);
    for (uint32_t v = 0; v < doc.nvalue; v++) {
        FUZZ_MUST(back.value[v].next == doc.value[v].next);
        if (doc.value[v].text)
            FUZZ_MUST(strcmp(back.value[v].text, doc.value[v].text) == 0);
        if (doc.value[v].key)
            FUZZ_MUST(strcmp(back.value[v].key, doc.value[v].key) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES)
        try_json(bytes, length, &mem);
    trod_arena_free(&mem);
    return 0;
}
