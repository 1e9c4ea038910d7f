/* Data streams: objects are found where a simulation has them, references are read back from
 * chunks, the counts of streams equal an exhaustive search, and texts parse back.
 */
#include "scratch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stream/stream.h"

enum { MOST_REFS = 300, MOST_RUNS = 12, MOST_CHANGES = 40, MOST_BYTES = 1 << 14 };

enum fault {
    NONE,
    LATE,        /* a question is about a moment later */
    LARGE,       /* objects have a byte more */
    KEPT,        /* an object is not freed */
    SPOILED,     /* a byte of a chunk is another */
    SHIFTED,     /* an address is another */
    REWEIGHED,   /* a weight is another */
    OVERLAPPING, /* occurrences that overlap count */
    CROSSING,    /* so do those across the ends of runs */
    WEIGHTLESS,  /* weights do not */
    CUT,         /* streams of the greatest length are not looked for */
    MISREAD      /* a digit of the text is another */
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

/* --- objects ------------------------------------------------------------------------------------- */

struct change {
    bool made;
    uint64_t address, size;
};

/* What is where after so many changes; an object that begins where another is takes its place. -1: none. */
static int object_at(
    const struct change *change, uint64_t count, uint64_t address, enum fault fault)
{
    bool there[MOST_CHANGES] = {false};
    int found = -1;

    for (uint64_t i = 0; i < count; i++) {
        for (uint64_t k = 0; k < i; k++) {
            bool over = change[i].made
                            ? change[k].address < change[i].address + change[i].size &&
                                  change[i].address < change[k].address + change[k].size
                            : change[k].address == change[i].address;

            if (change[k].made && over && !(fault == KEPT && !change[i].made))
                there[k] = false;
        }
        there[i] = change[i].made;
    }
    for (uint64_t i = 0; i < count; i++)
        if (there[i] && address - change[i].address < change[i].size + (fault == LARGE))
            found = (int)i;
    return found;
}

static bool finds_objects(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_stream_made made[MOST_CHANGES];
    struct trod_stream_gone gone[MOST_CHANGES];
    uint64_t count = kit_draw(p, MOST_CHANGES), nmade = 0, ngone = 0;
    struct change change[MOST_CHANGES] = {{0}};
    struct trod_stream_heap *heap;
    struct sample s;

    begin(&s);
    for (uint64_t i = 0; i < count; i++) {
        change[i] = (struct change){
            kit_draw(p, 3) != 0, 100 + kit_draw(p, 40), 1 + kit_draw(p, 9)};
        kit_note(p, "%s %" PRIu64 " %" PRIu64, change[i].made ? "made" : "gone",
            change[i].address, change[i].size);
        if (change[i].made)
            made[nmade++] = (struct trod_stream_made){.order = i,
                .address = change[i].address,
                .size = change[i].size,
                .number = i};
        else
            gone[ngone++] = (struct trod_stream_gone){i, change[i].address};
    }
    heap = trod_stream_heap_build(made, nmade, gone, ngone, &s.mem);
    for (uint64_t n = kit_draw(p, 30); n > 0; n--) {
        uint64_t order = kit_draw(p, count + 1), address = 95 + kit_draw(p, 60);
        const struct trod_stream_made *is =
            trod_stream_heap_find(heap, address, fault == LATE ? order + 1 : order);

        if ((is ? (int)is->number : -1) != object_at(change, order, address, fault)) {
            kit_note(p, "at %" PRIu64 ", when there were %" PRIu64, address, order);
            return end(&s, wrong(p, "another object is there"));
        }
    }
    return end(&s, true);
}

/* --- chunks --------------------------------------------------------------------------------------- */

struct bytes {
    uint8_t at[MOST_BYTES];
    size_t count;
};

static void put(struct bytes *b, uint64_t value)
{
    for (; value >= 128; value >>= 7)
        b->at[b->count++] = (uint8_t)(value | 128);
    b->at[b->count++] = (uint8_t)value;
}

static void put_kind(struct bytes *b, enum trod_refs_record kind)
{
    put(b, 2 * (uint64_t)kind + 1);
}

/* References as they were written, and as they come back, in the order of threads. */
struct seen {
    struct {
        uint32_t thread;
        uint64_t weight, nref;
    } run[MOST_RUNS];
    uint32_t nrun;
    struct {
        uint32_t code;
        uint64_t address;
    } ref[MOST_REFS];
    uint32_t nref;
    uint64_t nbad;
    const struct trod_stream_names *names;
};

static void see_run(uint32_t thread, uint64_t weight, void *ctx)
{
    struct seen *seen = ctx;

    if (seen->nrun == MOST_RUNS) {
        seen->nbad++;
        return;
    }
    seen->run[seen->nrun].thread = thread;
    seen->run[seen->nrun].nref = 0;
    seen->run[seen->nrun++].weight = weight;
}

static void see_ref(const struct trod_stream_ref *ref, void *ctx)
{
    struct seen *seen = ctx;

    if (seen->nref == MOST_REFS || !seen->nrun || ref->object >= seen->names->nobject ||
        ref->code >= seen->names->ncode) {
        seen->nbad++;
        return;
    }
    seen->run[seen->nrun - 1].nref++;
    seen->ref[seen->nref].code = seen->names->code[ref->code].spot.column;
    seen->ref[seen->nref++].address = ref->offset;
}

static void begin_chunk(struct bytes *b, uint32_t thread, uint32_t part)
{
    b->count = sizeof(struct trod_format_refs);
    memset(b->at, 0, b->count);
    put_kind(b, TROD_REFS_THREAD);
    put(b, thread);
    put(b, part);
    put(b, 0);
    put(b, 0);
    put(b, 0);
}

static void end_chunk(struct bytes *b)
{
    uint64_t used = b->count - sizeof(struct trod_format_refs);

    for (int i = 0; i < 8; i++)
        b->at[i] = (uint8_t)(used >> 8 * i);
}

enum { MOST_CHUNKS = 8 };

/* Two threads, chunks of each cut at any reference, and in any order in the file. */
static uint32_t draw_chunks(struct seen *want, struct bytes *chunk, struct kit_prop *p)
{
    uint32_t nchunk = 0;

    for (uint32_t thread = 0; thread < 2; thread++) {
        uint64_t last[TROD_REFS_LAST] = {0}, site = 0;
        uint32_t part = 0, nrun = (uint32_t)kit_draw(p, MOST_RUNS / 2);
        struct bytes *b = &chunk[nchunk++];

        begin_chunk(b, thread, part++);
        for (uint32_t r = 0; r < nrun; r++) {
            uint64_t weight = 1 + kit_draw(p, 3), nref = kit_draw(p, 20);

            put_kind(b, TROD_REFS_BURST);
            put(b, weight);
            if (nref)
                see_run(thread, weight, want);
            while (nref--) {
                uint64_t code = kit_draw(p, 200);
                uint64_t address = UINT64_C(1) << kit_draw(p, 64) | kit_draw(p, 16);

                if (kit_draw(p, 8) == 7 && nchunk < MOST_CHUNKS - 1) {
                    end_chunk(b);
                    b = &chunk[nchunk++];
                    begin_chunk(b, thread, part++);
                    put_kind(b, TROD_REFS_ON);
                    put(b, weight);
                    site = 0;
                    memset(last, 0, sizeof last);
                }
                put(b, 2 * trod_refs_zigzag(code - site));
                put(b, trod_refs_zigzag(address - last[code % TROD_REFS_LAST]));
                site = code;
                last[code % TROD_REFS_LAST] = address;
                want->run[want->nrun - 1].nref++;
                want->ref[want->nref].code = (uint32_t)code;
                want->ref[want->nref++].address = address;
            }
        }
        end_chunk(b);
    }
    return nchunk;
}

static void spoil_chunks(
    struct seen *want, struct bytes *chunk, uint32_t nchunk, enum fault fault)
{
    if (fault == SPOILED && nchunk && chunk[0].count > 80)
        chunk[0].at[chunk[0].count - 1] ^= 1;
    if (fault == SHIFTED && want->nref)
        want->ref[want->nref - 1].address++;
    if (fault == REWEIGHED && want->nrun)
        want->run[want->nrun - 1].weight++;
}

static bool chunks_come_back(struct kit_prop *p, void *ctx)
{
    static const struct trod_stream_image nothing;
    static struct seen want, got;
    static struct bytes chunk[MOST_CHUNKS];
    struct trod_stream_chunk given[MOST_CHUNKS];
    struct trod_stream_refs refs;
    struct trod_stream_visitor visitor = {see_run, see_ref, &got};
    uint32_t nchunk, turn;
    struct sample s;
    bool same;

    begin(&s);
    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    nchunk = draw_chunks(&want, chunk, p);
    spoil_chunks(&want, chunk, nchunk, fault_in(ctx));
    turn = (uint32_t)kit_draw(p, nchunk);
    for (uint32_t i = 0; i < nchunk; i++)
        given[i] = (struct trod_stream_chunk){
            chunk[(i + turn) % nchunk].at, chunk[(i + turn) % nchunk].count};
    trod_stream_open(&refs, "x", given, nchunk, &nothing, &s.mem);
    got.names = refs.names;
    trod_stream_each(&refs, &visitor);
    same = !got.nbad && !refs.ndamaged && got.nrun == want.nrun &&
           got.nref == want.nref &&
           memcmp(got.ref, want.ref, got.nref * sizeof *got.ref) == 0;
    for (uint32_t i = 0; same && i < got.nrun; i++)
        same = got.run[i].thread == want.run[i].thread &&
               got.run[i].weight == want.run[i].weight &&
               got.run[i].nref == want.run[i].nref;
    kit_note(p, "%u and %u references, in %u and %u runs", got.nref, want.nref,
        got.nrun, want.nrun);
    return end(&s, same);
}

/* --- references ------------------------------------------------------------------------------------- */

/* Runs of a few data, most of which repeat what was before. */
static void draw_refs(
    struct trod_stream_refs *out, struct kit_prop *p, struct trod_arena *mem)
{
    struct trod_stream_names *names = trod_new(mem, struct trod_stream_names, 1);
    struct trod_stream_ref *ref = trod_new(mem, struct trod_stream_ref, MOST_REFS);
    struct trod_stream_run *run = trod_new(mem, struct trod_stream_run, MOST_RUNS);
    uint64_t ndatum = 1 + kit_draw(p, 5), nrun = 1 + kit_draw(p, MOST_RUNS - 1);
    size_t nref = 0;

    names->mem = mem;
    trod_stream_add_place(names, &(struct trod_stream_spot){"make", "a.c", 3, 4});
    for (uint32_t i = 0; i <= ndatum; i++) {
        trod_stream_add_code(names,
            &(struct trod_stream_code){.spot = {"f", "a.c", i + 10, 0}, .nbyte = 8});
        trod_stream_add_object(
            names, &(struct trod_stream_object){
                       i ? TROD_STREAM_HEAP : TROD_STREAM_STACK, 0, i, NULL});
    }
    for (uint64_t r = 0; r < nrun; r++) {
        run[r].thread = (uint32_t)kit_draw(p, 2);
        run[r].weight = 1 + kit_draw(p, 3);
        for (uint64_t n = kit_draw(p, 30); n > 0 && nref < MOST_REFS; n--) {
            uint64_t back = kit_draw(p, 12);

            ref[nref] = back > 2 && back <= nref
                            ? ref[nref - back]
                            : (struct trod_stream_ref){(uint32_t)kit_draw(p, ndatum),
                                  (uint32_t)kit_draw(p, ndatum), 8 * kit_draw(p, 2)};
            kit_note(p, "%u", ref[nref].object);
            nref++;
            run[r].nref++;
        }
        kit_note(p, "-- weight %" PRIu64, run[r].weight);
    }
    *out = (struct trod_stream_refs){
        .name = "drawn", .names = names, .nrun = nrun, .run = run, .ref = ref};
}

static void draw_options(struct trod_stream_options *out, struct kit_prop *p)
{
    uint32_t shortest = 2 + (uint32_t)kit_draw(p, 3);

    *out = (struct trod_stream_options){.by = (enum trod_stream_by)kit_draw(p, 4),
        .shortest = shortest,
        .longest = shortest + (uint32_t)kit_draw(p, 12),
        .no_stack = kit_draw(p, 4) == 3,
        .most_symbols = kit_draw(p, 4) == 3 ? 20 : 0};
}

/* --- streams ------------------------------------------------------------------------------------------ */

/* Data of all references that count, by run, found the slow way: equal if and only if all that matters
 * is.
 */
struct data {
    uint32_t at[MOST_REFS];
    uint32_t run[MOST_REFS];
    uint32_t count;
};

static bool is_alike(const struct trod_streams *s, const struct trod_stream_datum *d,
    const struct trod_stream_ref *r)
{
    const struct trod_stream_object *o = &s->names->object[r->object];

    if (s->by == TROD_STREAM_BY_SITE)
        return d->code == r->code;
    if (s->by == TROD_STREAM_BY_FIELD && o->kind == TROD_STREAM_HEAP)
        return d->place == o->place && d->offset == r->offset;
    if (s->by == TROD_STREAM_BY_OBJECT && o->kind == TROD_STREAM_HEAP)
        return d->object == r->object;
    return d->object == r->object && d->offset == r->offset;
}

static void list_data(struct data *out, const struct trod_streams *s,
    const struct trod_stream_refs *refs, const struct trod_stream_options *options)
{
    const struct trod_stream_ref *ref = refs->ref;

    out->count = 0;
    for (uint32_t r = 0; r < refs->nrun; r++)
        for (size_t k = 0; k < refs->run[r].nref; k++, ref++) {
            uint32_t d = 0;

            if (options->no_stack &&
                s->names->object[ref->object].kind == TROD_STREAM_STACK)
                continue;
            while (d < s->ndatum && !is_alike(s, &s->datum[d], ref))
                d++;
            out->run[out->count] = r;
            out->at[out->count++] = d;
        }
}

static bool is_at(
    const struct data *data, uint32_t at, const struct trod_stream *s, enum fault fault)
{
    if (at + s->length > data->count ||
        (fault != CROSSING && data->run[at] != data->run[at + s->length - 1]))
        return false;
    return memcmp(data->at + at, s->datum, s->length * sizeof *s->datum) == 0;
}

/* From left to right, and on after each that is found. */
static uint64_t count_times(const struct data *data, const struct trod_stream *s,
    const struct trod_stream_refs *refs, enum fault fault)
{
    uint64_t times = 0;

    for (uint32_t i = 0; i < data->count;)
        if (is_at(data, i, s, fault)) {
            times += fault == WEIGHTLESS ? 1 : refs->run[data->run[i]].weight;
            i += fault == OVERLAPPING ? 1 : s->length;
        } else {
            i++;
        }
    return times;
}

/* Is it there at all, or, of a loop, some rotation of it? */
static bool is_anywhere(const struct data *data, const struct trod_stream *s)
{
    uint32_t turned[MOST_REFS];
    struct trod_stream other = {.length = s->length, .datum = turned};

    for (uint32_t r = 0; r < s->length; r++) {
        for (uint32_t i = 0; i < s->length; i++)
            turned[i] = s->datum[(i + r) % s->length];
        for (uint32_t i = 0; i < data->count; i++)
            if (is_at(data, i, &other, NONE))
                return true;
    }
    return false;
}

static bool counts_streams(struct kit_prop *p, void *ctx)
{
    enum fault fault = fault_in(ctx);
    struct trod_stream_options options;
    struct trod_stream_refs refs;
    struct trod_streams streams;
    struct data data = {.count = 0};
    struct sample s;

    begin(&s);
    draw_refs(&refs, p, &s.mem);
    draw_options(&options, p);
    trod_stream_find(&streams, &refs, &options, &s.mem, &s.mem);
    if (!trod_streams_check(&streams, &s.err))
        return end(&s, wrong(p, s.err.text));
    list_data(&data, &streams, &refs, &options);
    if (data.count != streams.nref)
        return end(&s, wrong(p, "references are missing"));
    for (size_t i = 0; i < streams.nstream; i++)
        if (!is_anywhere(&data, &streams.stream[i]))
            return end(&s, wrong(p, "a stream is nowhere"));
    trod_stream_look(&streams, &refs, &options, SIZE_MAX, true, &s.mem, &s.mem);
    if (!trod_streams_check(&streams, &s.err))
        return end(&s, wrong(p, s.err.text));
    for (size_t i = 0; i < streams.nstream; i++) {
        const struct trod_stream *one = &streams.stream[i];
        uint64_t times = count_times(&data, one, &refs, fault);

        if (times != one->times) {
            kit_note(p, "%" PRIu64 " times, not %" PRIu64, times, one->times);
            return end(&s, wrong(p, "a stream is miscounted"));
        }
    }
    return end(&s, true);
}

/* A row that is there over and over, and nothing else, is a stream, and all of it. */
static bool finds_loops(struct kit_prop *p, void *ctx)
{
    uint32_t length = 2 + (uint32_t)kit_draw(p, 9);
    uint64_t nround = 4 + kit_draw(p, 20);
    uint32_t first = (uint32_t)kit_draw(p, length);
    struct trod_stream_options options = {
        .longest = fault_in(ctx) == CUT ? length - 1 : 0};
    struct trod_stream_names names = {0};
    struct trod_stream_run run = {.weight = 5, .nref = length * nround};
    struct trod_stream_refs refs = {.name = "loop", .names = &names, .nrun = 1};
    struct trod_stream_ref *ref;
    struct trod_streams streams;
    struct sample s;
    bool ok;

    begin(&s);
    names.mem = &s.mem;
    ref = trod_new(&s.mem, struct trod_stream_ref, run.nref);
    for (uint32_t i = 0; i < length; i++)
        trod_stream_add_object(
            &names, &(struct trod_stream_object){TROD_STREAM_GLOBAL, 0, 0,
                        (const char *[]){
                            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}[i]});
    trod_stream_add_code(&names, &(struct trod_stream_code){.spot = {"f", "", 0, 0}});
    for (size_t i = 0; i < run.nref; i++)
        ref[i].object = (uint32_t)((first + i) % length);
    refs.run = &run;
    refs.ref = ref;
    if (options.longest == 1)
        return end(&s, true);
    trod_stream_find(&streams, &refs, &options, &s.mem, &s.mem);
    kit_note(p, "%u in %" PRIu64 " rounds", length, nround);
    ok = streams.nstream && streams.stream[0].length == length &&
         streams.stream[0].times >= 5 * (nround - 3) &&
         streams.datum[streams.stream[0].datum[0]].object == 0;
    return end(&s, ok || wrong(p, "the loop is no stream, or not all of it"));
}

/* --- texts ---------------------------------------------------------------------------------------------- */

static const char *print(const struct trod_stream_refs *refs,
    const struct trod_streams *streams, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    if (refs)
        trod_stream_refs_print(&text.sink, refs);
    else
        trod_streams_print(&text.sink, streams);
    return text.text;
}

static void misread(char *text)
{
    size_t length = strlen(text);

    for (size_t i = length; i--;)
        if (text[i] >= '0' && text[i] <= '9') {
            text[i] = text[i] == '0' ? '1' : '0';
            return;
        }
}

static bool open_text(
    struct trod_text *out, const char **name, const char *text, struct sample *s)
{
    struct trod_token token;

    trod_text_init(out, "f", text, strlen(text));
    return trod_text_next(&token, out, &s->mem, &s->err) &&
           trod_text_take_name(name, "a name", out, &s->mem, &s->err);
}

static bool reads_back(struct kit_prop *p, void *ctx)
{
    struct trod_stream_refs refs, refs_again;
    struct trod_streams streams, streams_again;
    struct trod_stream_options options;
    const char *text, *name;
    struct trod_text cursor;
    struct sample s;
    char *copy;

    begin(&s);
    draw_refs(&refs, p, &s.mem);
    draw_options(&options, p);
    text = print(&refs, NULL, &s.mem);
    copy = trod_copy_text(&s.mem, text, strlen(text));
    if (fault_in(ctx) == MISREAD)
        misread(copy);
    if (!open_text(&cursor, &name, copy, &s) ||
        !trod_stream_refs_parse(&refs_again, name, &cursor, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    if (strcmp(text, print(&refs_again, NULL, &s.mem)) != 0)
        return end(&s, wrong(p, "references do not come back"));
    trod_stream_find(&streams, &refs, &options, &s.mem, &s.mem);
    text = print(NULL, &streams, &s.mem);
    if (!open_text(&cursor, &name, text, &s) ||
        !trod_streams_parse(&streams_again, name, &cursor, &s.mem, &s.err) ||
        !trod_streams_check(&streams_again, &s.err))
        return end(&s, wrong(p, s.err.text));
    return end(&s, strcmp(text, print(NULL, &streams_again, &s.mem)) == 0 ||
                       wrong(p, "streams do not come back"));
}

/* What two have in common is all if they are the same, and half if one of two is missing. */
static bool overlaps(struct kit_prop *p, void *ctx)
{
    struct trod_stream_overlap overlap;
    struct trod_stream_refs refs;
    struct trod_stream_options options;
    struct trod_streams a, b;
    struct sample s;
    double all;

    begin(&s);
    draw_refs(&refs, p, &s.mem);
    draw_options(&options, p);
    trod_stream_find(&a, &refs, &options, &s.mem, &s.mem);
    trod_stream_find(&b, &refs, &options, &s.mem, &s.mem);
    if (fault_in(ctx) == CUT && b.nstream > 1)
        b.nstream--;
    if (!a.nstream)
        return end(&s, true);
    if (!trod_stream_overlap_build(&overlap, &a, &b, 0, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    all = overlap.overlap.all.overlap;
    kit_note(p, "%g", all);
    return end(&s, all > 0.999999 && overlap.overlap.nmember == a.nstream);
}

/* The share of a stream in all heat, by adding up. */
static double share_of(const struct trod_streams *of, const struct trod_streams *in,
    const struct trod_stream *stream, enum fault fault)
{
    double sum = 0, total = 0;

    for (size_t i = 0; i < in->nstream; i++) {
        total += (double)in->stream[i].heat;
        if (trod_stream_compare(of, stream, in, &in->stream[i]) == 0)
            sum += (double)in->stream[i].heat + (fault == REWEIGHED);
    }
    return total > 0 ? sum / total : 0;
}

/* Streams of a profile may be equal: the first of them stands for all. */
static bool is_first(const struct trod_streams *of, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (trod_stream_compare(of, &of->stream[k], of, &of->stream[i]) == 0)
            return false;
    return true;
}

static double common(
    const struct trod_streams *a, const struct trod_streams *b, enum fault fault)
{
    double sum = 0;

    for (size_t i = 0; i < a->nstream; i++)
        if (is_first(a, i))
            sum += fmin(share_of(a, a, &a->stream[i], NONE),
                share_of(a, b, &a->stream[i], fault));
    return sum;
}

/* Sorted before or not, two profiles have in common what comparing each stream with each other says. */
static bool shares_heat(struct kit_prop *p, void *ctx)
{
    struct trod_stream_overlap overlap;
    struct trod_stream_refs refs[2];
    struct trod_stream_options options;
    struct trod_streams of[2];
    struct sample s;
    double is, all;

    begin(&s);
    draw_options(&options, p);
    for (int i = 0; i < 2; i++) {
        draw_refs(&refs[i], p, &s.mem);
        trod_stream_find(&of[i], &refs[i], &options, &s.mem, &s.mem);
        if (kit_draw(p, 2))
            trod_stream_sort_by_data(&of[i], &s.mem);
    }
    if (!of[0].nstream || !of[1].nstream)
        return end(&s, true);
    if (fault_in(ctx) == CUT)
        of[1].nsorted -= of[1].sorted && of[1].nsorted;
    if (!trod_stream_overlap_build(&overlap, &of[0], &of[1], 0, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    all = overlap.overlap.all.overlap;
    is = common(&of[0], &of[1], fault_in(ctx));
    kit_note(p, "%g, not %g", all, is);
    return end(&s, fabs(all - is) < 1e-9);
}

/* --- all of them ------------------------------------------------------------------------------------------ */

static const struct kit_tested properties[] = {
    {"objects are where a simulation has them, at any moment", finds_objects,
        {LATE, LARGE, KEPT}},
    {"references come back from chunks, run by run", chunks_come_back,
        {SPOILED, SHIFTED, REWEIGHED}},
    {"streams are there, as often as trying all places says", counts_streams,
        {OVERLAPPING, CROSSING, WEIGHTLESS}},
    {"a loop is a stream, wherever it is begun", finds_loops, {CUT}},
    {"what is printed reads back", reads_back, {MISREAD}},
    {"all is in common with itself", overlaps, {CUT}},
    {"what is in common is what each stream has in common", shares_heat,
        {CUT, REWEIGHED}},
};

int main(void)
{
    return kit_run_tested("stream", properties, sizeof properties / sizeof *properties);
}
