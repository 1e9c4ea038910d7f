/* Bursts: the events of a profile equal a brute-force sum; the text form parses back; overlaps
 * follow the definition.
 */
#include "scratch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "burst/burst.h"

enum fault {
    NONE,
    COUNT_TOO_HIGH, /* of a method, a call or a loop */
    CHARACTER_GONE, /* of the text */
    TWICE,          /* calls through pointers count where they are and where they go */
    FORGOTTEN,      /* one is not there */
    APART           /* shares are taken as they are in one of the two alone */
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

static const char *text_of(const struct trod_bursts *bursts, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_bursts_print(&text.sink, bursts);
    return text.text;
}

/* Plant: the first that ran, ran once more. */
static void miscount(struct trod_bursts *bursts, struct trod_arena *mem)
{
    if (bursts->nmethod) {
        struct trod_bursts_method *method =
            trod_new(mem, struct trod_bursts_method, bursts->nmethod);

        memcpy(method, bursts->method, bursts->nmethod * sizeof *method);
        method->nentry++;
        bursts->method = method;
    } else if (bursts->ncall) {
        struct trod_bursts_call *call =
            trod_new(mem, struct trod_bursts_call, bursts->ncall);

        memcpy(call, bursts->call, bursts->ncall * sizeof *call);
        call->count++;
        bursts->call = call;
    } else if (bursts->nloop) {
        struct trod_bursts_loop *loop =
            trod_new(mem, struct trod_bursts_loop, bursts->nloop);

        memcpy(loop, bursts->loop, bursts->nloop * sizeof *loop);
        loop->nenter++;
        bursts->loop = loop;
    }
}

/* --- random ones -------------------------------------------------------------------------- */

enum { MOST = 8 };

static const char *draw_name(struct kit_prop *p)
{
    static const char *const name[] = {
        "main", "parse", "a b", "\"", "?0000000000000001", "*", "x.part.0", "\\"};

    return name[kit_draw(p, sizeof name / sizeof *name)];
}

static uint64_t draw_count(struct kit_prop *p)
{
    return kit_draw(p, 8) == 7 ? UINT64_MAX - kit_draw(p, 3) : kit_draw(p, 20);
}

static void draw_bursts(
    struct trod_bursts *out, struct kit_prop *p, struct trod_arena *mem)
{
    struct trod_bursts_method *method = trod_new(mem, struct trod_bursts_method, MOST);
    struct trod_bursts_call *call = trod_new(mem, struct trod_bursts_call, MOST);
    struct trod_bursts_loop *loop = trod_new(mem, struct trod_bursts_loop, MOST);
    struct trod_profile_burst *how = trod_new(mem, struct trod_profile_burst, 2);
    size_t nmethod = kit_draw(p, MOST), ncall = kit_draw(p, MOST);
    size_t nloop = kit_draw(p, MOST);

    *out = (struct trod_bursts){.name = draw_name(p), .how = how};
    for (uint64_t n = kit_draw(p, 3); n-- > 0;) {
        uint32_t type = (uint32_t)kit_draw(p, TROD_BURST_TYPES);
        struct trod_profile_burst *one = &how[out->nhow++];

        one->nthread = 1 + kit_draw(p, 3);
        one->how.types = UINT32_C(1) << type;
        one->how.trigger = (uint32_t)kit_draw(p, 4);
        one->how.type[type].burst = 1 + kit_draw(p, 10);
        one->how.type[type].weight = 1 + kit_draw(p, 1000);
        one->most_weight[type] = one->how.type[type].weight + kit_draw(p, 2);
    }
    out->nhow = trod_profile_sum_bursts(how, out->nhow);
    out->nunknown = kit_draw(p, 2);
    for (size_t i = 0; i < nmethod; i++)
        method[i] = (struct trod_bursts_method){
            draw_name(p), draw_name(p), draw_count(p), 1 + kit_draw(p, 20)};
    for (size_t i = 0; i < ncall; i++)
        call[i] = (struct trod_bursts_call){.function = draw_name(p),
            .file = draw_name(p),
            .site = (uint32_t)kit_draw(p, 2),
            .line = (uint32_t)kit_draw(p, 2),
            .column = (uint32_t)kit_draw(p, 2),
            .callee = draw_name(p),
            .indirect = kit_draw(p, 2),
            .count = 1 + kit_draw(p, 20)};
    for (size_t i = 0; i < nloop; i++) {
        loop[i] = (struct trod_bursts_loop){.function = draw_name(p),
            .file = draw_name(p),
            .loop = (uint32_t)kit_draw(p, 2),
            .line = (uint32_t)kit_draw(p, 2),
            .nenter = draw_count(p)};
        loop[i].ntrip[kit_draw(p, TROD_BURST_TRIPS_MOST)] = 1 + kit_draw(p, 5);
    }
    trod_bursts_order(out, method, nmethod, call, ncall, loop, nloop);
}

static bool text_is_parsed_back(struct kit_prop *p, void *ctx)
{
    struct trod_bursts bursts, back;
    struct trod_token head, name;
    struct trod_text cursor;
    struct sample s;
    char *text;
    bool same;

    begin(&s);
    draw_bursts(&bursts, p, &s.mem);
    if (!trod_bursts_check(&bursts, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    text = trod_copy_text(
        &s.mem, text_of(&bursts, &s.mem), strlen(text_of(&bursts, &s.mem)));
    if (fault_in(ctx) == CHARACTER_GONE) {
        size_t at = kit_draw(p, strlen(text));

        memmove(text + at, text + at + 1, strlen(text) - at);
    }
    trod_text_init(&cursor, "text", text, strlen(text));
    if (!trod_text_next(&head, &cursor, &s.mem, &s.err) ||
        !trod_text_next(&name, &cursor, &s.mem, &s.err) ||
        !trod_token_is_word(&head, "bursts") || name.kind != TROD_T_NAME ||
        !trod_bursts_parse(&back, name.name, &cursor, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&back, &s.mem);
    same = strcmp(text_of(&bursts, &s.mem), text_of(&back, &s.mem)) == 0;
    if (!same)
        kit_note(p, "%s", text);
    return end(&s, same && trod_bursts_check(&back, &s.mem, &s.err));
}

/* --- from events -------------------------------------------------------------------------- */

enum { FUNCTIONS = 3, SITES = 3, MOST_EVENTS = 40 };

/* All functions are alike: a loop, a call of f0, one through a pointer, a load. */
static void put_map(struct trod_string *out)
{
    for (int f = 0; f < FUNCTIONS; f++) {
        trod_put(&out->sink,
            "unit u%d.c burst\nfunction f%d %016x %016x 0000000000000000\nfile u.c\n",
            f, f, f + 1, f + 1);
        trod_put(&out->sink,
            "numbering f%d ballarus\n>: 0 1+2 2+3\n0: >1 3+1\n1: >2\n2: >2 3+1\n3:\n",
            f);
        trod_put(&out->sink, "events f%d\nloop 0 2 7\ncall 0 1 5 3 f0\n", f);
        trod_put(&out->sink, "call 1 2 6 9 *\nref 0 2 load 8 9 9\n");
    }
}

static uint64_t draw_event(struct kit_prop *p)
{
    uint64_t kind = 1 + kit_draw(p, 9), a = kit_draw(p, SITES), b = 0;

    if (kind <= 2)
        a = 0;
    if (kind == 5)
        b = kit_draw(p, 20);
    if (kind == 7)
        b = kit_draw(p, 3);
    return kind * (UINT64_C(1) << 56) + a * (UINT64_C(1) << 32) + b;
}

struct world {
    struct trod_profile profile;
    struct trod_map map;
    struct event {
        uint32_t function; /* FUNCTIONS: in no map */
        uint64_t id, count;
    } event[MOST_EVENTS];
    uint32_t nevent;
};

static bool draw_world(struct world *out, struct kit_prop *p, struct sample *s)
{
    struct trod_profile_function *function =
        trod_new(&s->mem, struct trod_profile_function, FUNCTIONS + 1);
    struct trod_profile_module module = {.path = "app",
        .build_id = "",
        .mode = TROD_MODE_BURST,
        .nfunction = FUNCTIONS + 1,
        .function = function};
    struct trod_profile_builder builder;
    struct trod_string map;
    struct trod_text cursor;

    for (uint32_t f = 0; f <= FUNCTIONS; f++)
        function[f] = (struct trod_profile_function){.name = f + 1,
            .graph = f + 1,
            .cuts = TROD_EVENTS_CUTS,
            .npath = TROD_EVENTS_NPATH,
            .counted = TROD_COUNTED_EVENTS};
    trod_profile_builder_init(&builder, &s->mem);
    trod_profile_add_module(&builder, &module);
    *out = (struct world){0};
    for (uint64_t n = kit_draw(p, MOST_EVENTS); n-- > 0;) {
        struct event *e = &out->event[out->nevent++];
        struct trod_profile_path *path = trod_new(&s->mem, struct trod_profile_path, 1);
        struct trod_profile_tally tally = {.npath = 1, .path = path};

        *e = (struct event){
            (uint32_t)kit_draw(p, FUNCTIONS + 1), draw_event(p), 1 + kit_draw(p, 100)};
        *path = (struct trod_profile_path){e->id, e->count};
        tally.function = e->function;
        trod_profile_add_tally(&builder, &tally);
    }
    trod_string_init(&map, &s->mem);
    put_map(&map);
    trod_text_init(&cursor, "map", map.text, map.length);
    return trod_profile_build(&out->profile, &builder, &s->err) &&
           trod_map_parse(&out->map, &cursor, &s->mem, &s->err);
}

static const char *name_of(uint32_t function)
{
    static const char *const name[] = {"f0", "f1", "f2", "?0000000000000004"};

    return name[function];
}

/* How often, by looking at all of them; site or loop ANY: wherever. */
#define ANY UINT64_MAX

static uint64_t sum(
    const struct world *w, const char *function, uint64_t kind, uint64_t a, uint64_t b)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < w->nevent; i++) {
        const struct event *e = &w->event[i];

        if (strcmp(name_of(e->function), function) == 0 && e->id >> 56 == kind &&
            (a == ANY || (e->id >> 32 & 0xffffff) == a) &&
            (b == ANY || (e->id & 0xffffffff) == b))
            n += e->count;
    }
    return n;
}

static const char *name_at(
    void *ctx, const struct trod_profile_module *module, uint64_t offset)
{
    (void)ctx;
    return strcmp(module->path, "app") == 0 && !offset ? "start" : NULL;
}

static bool is_call_right(
    const struct world *w, const struct trod_bursts_call *call, enum fault fault)
{
    bool known = call->function[0] == 'f';
    uint64_t all = sum(w, call->function, 6, call->site, ANY);
    uint64_t resolved = fault == TWICE ? 0 : sum(w, call->function, 7, call->site, ANY);
    uint64_t line = known && call->site < 2 ? 5 + call->site : 0;
    const char *callee;

    if (call->line != line)
        return false;
    if (strcmp(call->callee, "elsewhere") == 0)
        return call->indirect &&
               call->count == sum(w, call->function, 7, call->site, 0);
    if (strcmp(call->callee, "start") == 0)
        return call->indirect &&
               call->count == sum(w, call->function, 7, call->site, 1);
    if (strcmp(call->callee, "+0x1") == 0)
        return call->indirect &&
               call->count == sum(w, call->function, 7, call->site, 2);
    callee = known && !call->site ? "f0" : "?";
    return strcmp(call->callee, callee) == 0 && call->count == all - resolved;
}

static bool is_loop_right(const struct world *w, const struct trod_bursts_loop *loop)
{
    bool known = loop->function[0] == 'f' && !loop->loop;

    for (uint64_t i = 0; i < TROD_BURST_TRIPS_MOST; i++)
        if (loop->ntrip[i] != sum(w, loop->function, 5, loop->loop, i))
            return false;
    return loop->nenter == sum(w, loop->function, 3, loop->loop, ANY) &&
           loop->nagain == sum(w, loop->function, 4, loop->loop, ANY) &&
           loop->line == (known ? 7 : 0) && loop->depth == (known ? 1 : 0);
}

/* Nothing is omitted: the counts of all members add up to the counts that were recorded. */
static bool are_all_there(const struct world *w, const struct trod_bursts *bursts)
{
    uint64_t entered = 0, again = 0, called = 0, iterations = 0, want[9] = {0};
    uint64_t pointed = 0;

    for (size_t i = 0; i < bursts->nmethod; i++) {
        entered += bursts->method[i].nentry;
        again += bursts->method[i].nagain;
    }
    for (size_t i = 0; i < bursts->ncall; i++)
        called += bursts->call[i].count;
    for (size_t i = 0; i < bursts->nloop; i++)
        iterations += bursts->loop[i].nenter + bursts->loop[i].nagain;
    for (uint32_t f = 0; f <= FUNCTIONS; f++) {
        for (uint64_t kind = 1; kind <= 7; kind++)
            want[kind] += sum(w, name_of(f), kind, ANY, ANY);
        for (uint64_t site = 0; site < SITES; site++) {
            uint64_t at = sum(w, name_of(f), 6, site, ANY);
            uint64_t to = sum(w, name_of(f), 7, site, ANY);

            pointed += at > to ? at : to;
        }
    }
    return entered == want[1] && again == want[2] && iterations == want[3] + want[4] &&
           called == pointed;
}

static bool events_add_up(struct kit_prop *p, void *ctx)
{
    struct trod_bursts_symbols symbols = {name_at, NULL};
    struct trod_bursts bursts;
    struct sample s;
    struct world w;
    bool right = true;

    begin(&s);
    if (!draw_world(&w, p, &s) ||
        !trod_bursts_build(&bursts, &w.profile, &w.map, &symbols, &s.mem, &s.err) ||
        !trod_bursts_check(&bursts, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    if (fault_in(ctx) == COUNT_TOO_HIGH)
        miscount(&bursts, &s.mem);
    if (fault_in(ctx) == FORGOTTEN && bursts.ncall)
        bursts.ncall--;
    for (size_t i = 0; i < bursts.nmethod; i++)
        right =
            right &&
            bursts.method[i].nentry ==
                sum(&w, bursts.method[i].function, 1, ANY, ANY) &&
            bursts.method[i].nagain == sum(&w, bursts.method[i].function, 2, ANY, ANY);
    for (size_t i = 0; i < bursts.ncall; i++)
        right = right && is_call_right(&w, &bursts.call[i], fault_in(ctx));
    for (size_t i = 0; i < bursts.nloop; i++)
        right = right && is_loop_right(&w, &bursts.loop[i]);
    right = right && are_all_there(&w, &bursts);
    if (!right)
        kit_note(p, "%s", text_of(&bursts, &s.mem));
    return end(&s, right);
}

/* --- overlap ---------------------------------------------------------------------------------- */

static size_t list(struct trod_bursts_member **out, const struct trod_bursts *bursts,
    enum trod_bursts_kind kind, double *total, struct trod_arena *mem)
{
    size_t n = trod_bursts_members(out, bursts, kind, mem);

    *total = 0;
    for (size_t i = 0; i < n; i++)
        *total += (double)(*out)[i].count;
    return n;
}

/* The sum of the lesser shares, every member against every other. */
static double overlap_of(const struct trod_bursts *a, const struct trod_bursts *b,
    enum trod_bursts_kind kind, enum fault fault, struct trod_arena *mem)
{
    struct trod_bursts_member *x, *y;
    double total_x, total_y, all = 0;
    size_t nx = list(&x, a, kind, &total_x, mem), ny = list(&y, b, kind, &total_y, mem);

    if (!(total_x > 0 && total_y > 0))
        return 0; /* loops that were left in a burst, and no iteration: no shares */
    for (size_t i = 0; i < nx; i++)
        for (size_t k = 0; k < ny; k++)
            if (trod_bursts_compare_members(&x[i], &y[k]) == 0) {
                double in_a = (double)x[i].count / total_x;
                double in_b = (double)y[k].count / total_y;

                all += in_a < in_b || fault == APART ? in_a : in_b;
            }
    return all;
}

static bool overlap_is_as_defined(struct kit_prop *p, void *ctx)
{
    enum trod_bursts_kind kind = (enum trod_bursts_kind)kit_draw(p, 4);
    struct trod_bursts_overlap overlap, other;
    struct trod_bursts a, b;
    struct sample s;
    double want;
    bool ok;

    begin(&s);
    draw_bursts(&a, p, &s.mem);
    draw_bursts(&b, p, &s.mem);
    ok = trod_bursts_overlap_build(&overlap, &a, &b, kind, 0, &s.mem, &s.err);
    if (ok != trod_bursts_overlap_build(&other, &b, &a, kind, 0, &s.mem, &s.err))
        return end(&s, wrong(p, "refused one way round"));
    want = overlap_of(&a, &b, kind, fault_in(ctx), &s.mem);
    if (!ok) /* one has none, or they share none */
        return end(&s, !(want > 0) && s.err.code == TROD_E_MISMATCH);
    if (fabs(overlap.overlap.all.overlap - want) > 1e-9 ||
        fabs(overlap.overlap.all.overlap - other.overlap.all.overlap) > 1e-12) {
        kit_note(p, "%g, not %g", overlap.overlap.all.overlap, want);
        return end(&s, false);
    }
    return end(&s, true);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"text of bursts is parsed back", text_is_parsed_back,
            {CHARACTER_GONE, COUNT_TOO_HIGH}},
        {"events add up", events_add_up, {COUNT_TOO_HIGH, TWICE, FORGOTTEN}},
        {"overlaps are as they are defined", overlap_is_as_defined, {APART}},
    };

    return kit_run_tested("prop_burst", tested, sizeof tested / sizeof *tested);
}
