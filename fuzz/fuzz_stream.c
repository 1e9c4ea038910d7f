/* Data streams: chunks of arbitrary bytes are read up to the first error; texts are rejected or survive a round trip.
 * The streams found in either are valid.
 */
#include "fuzz.h"

#include "stream/stream.h"

enum { MOST_REFS = 4000 };

static const char *print(const struct trod_stream_refs *refs,
    const struct trod_streams *streams, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    if (refs)
        trod_stream_refs_print(&text.sink, refs);
    if (streams)
        trod_streams_print(&text.sink, streams);
    return text.text;
}

static void check_streams(const struct trod_streams *streams, struct trod_arena *mem)
{
    const char *printed = print(NULL, streams, mem), *name;
    struct trod_err err = {0};
    struct trod_streams back;
    struct trod_text text;

    FUZZ_MUST_DO(trod_streams_check(streams, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "streams", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_streams_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(NULL, &back, mem)) == 0);
}

static void check_refs(const struct trod_stream_refs *refs, struct trod_arena *mem)
{
    const char *printed = print(refs, NULL, mem), *name;
    struct trod_stream_options options = {0};
    struct trod_stream_print_options shown = {0};
    struct trod_stream_refs back;
    struct trod_err err = {0};
    struct trod_streams streams;
    struct trod_string report;
    struct trod_text text;

    FUZZ_MUST_DO(trod_stream_refs_check(refs, &err), &err);
    trod_text_init(&text, "printed", printed, strlen(printed));
    name = fuzz_head(&text, "refs", mem, &err);
    FUZZ_MUST(name);
    FUZZ_MUST_DO(trod_stream_refs_parse(&back, name, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, NULL, mem)) == 0);
    for (int by = 0; by <= TROD_STREAM_BY_SITE; by++) {
        options.by = (enum trod_stream_by)by;
        trod_stream_find(&streams, refs, &options, mem, mem);
        check_streams(&streams, mem);
        trod_stream_look(&streams, refs, &options, 50, by % 2, mem, mem);
        FUZZ_MUST_DO(trod_streams_check(&streams, &err), &err);
        trod_string_init(&report, mem);
        trod_stream_report(&report.sink, &streams, &shown, mem);
    }
}

static void try_text(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_err err = {0};
    struct trod_stream_refs refs;
    struct trod_streams streams;
    struct trod_text text;
    const char *name;

    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    name = fuzz_head(&text, "refs", mem, &err);
    if (name) {
        if (trod_stream_refs_parse(&refs, name, &text, mem, &err))
            check_refs(&refs, mem);
        else
            fuzz_refused(&err);
        return;
    }
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    name = fuzz_head(&text, "streams", mem, &err);
    if (name && !trod_streams_parse(&streams, name, &text, mem, &err))
        fuzz_refused(&err);
}

/* Two chunks; the first byte determines where the first one ends. */
static void try_chunks(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    static const struct trod_stream_symbol symbol[] = {{"x", 0, 64}};
    static const struct trod_stream_image image = {
        .global = symbol, .nglobal = 1, .local = symbol, .nlocal = 1};
    struct trod_stream_chunk chunk[2];
    struct trod_stream_refs refs;
    size_t cut = length ? bytes[0] * length / 256 : 0;

    chunk[0] = (struct trod_stream_chunk){bytes, cut};
    chunk[1] = (struct trod_stream_chunk){bytes + cut, length - cut};
    trod_stream_open(&refs, "fuzz", chunk, 2, &image, mem);
    if (length < MOST_REFS)
        check_refs(&refs, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        try_text(bytes, length, &mem);
        try_chunks(bytes, length, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
