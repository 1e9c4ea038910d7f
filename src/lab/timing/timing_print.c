#include "timing/timing.h"

#include <inttypes.h>
#include <string.h>

const char trod_timing_caveat[] =
    "The model is not validated against a real machine: only differences between designs "
    "are meaningful, not absolute numbers.";

enum { COUNTS = 12 };

struct count {
    const char *key, *words;
    uint64_t value;
};

static void list_counts(struct count *out, const struct trod_timing_events *e)
{
    const struct count list[COUNTS] = {{"runs", "runs", e->nrun},
        {"instructions", "instructions", e->ninsn},
        {"branches", "branches", e->nbranch},
        {"mispredicted", "mispredicted", e->nmispredict},
        {"misfetched", "misfetched", e->nmisfetch},
        {"l1iReads", "lines of code read", e->nl1i},
        {"l1iMisses", "misses of them", e->nl1i_miss},
        {"l1dAccesses", "loads and stores", e->nl1d},
        {"l1dMisses", "misses of them", e->nl1d_miss},
        {"l2Accesses", "lines from the second cache", e->nl2},
        {"l2Misses", "misses of them", e->nl2_miss},
        {"writtenBack", "lines written back", e->nback}};

    memcpy(out, list, sizeof list);
}

static double by(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static void print_events(struct trod_sink *sink, const struct trod_timing_events *e)
{
    struct count count[COUNTS];

    list_counts(count, e);
    for (int i = 0; i < COUNTS; i++)
        trod_put(sink, "%15" PRIu64 "  %s\n", count[i].value, count[i].words);
    trod_put(sink, "%15" PRIu64 "  power of caches, where the cheapest access is %d\n",
        e->power, TROD_TIMING_COST);
    if (e->cycle_power)
        trod_put(sink, "%15" PRIu64 "  the same, shared by accesses in one cycle\n",
            e->cycle_power);
    if (e->nblind)
        trod_put(sink,
            "%15" PRIu64 "  instructions with unknown registers: no dependences\n",
            e->nblind);
    if (e->nunseen)
        trod_put(sink,
            "%15" PRIu64 "  loads and stores with unknown addresses: treated as hits\n",
            e->nunseen);
    if (e->nodd)
        trod_put(sink, "%15" PRIu64 "  runs with an impossible successor\n", e->nodd);
}

static uint32_t count_designs(struct trod_timing_cycles **out,
    const struct trod_timing *core, struct trod_arena *mem)
{
    uint32_t count = trod_timing_designs(core);

    *out = trod_new(mem, struct trod_timing_cycles, (size_t)count + 1);
    trod_timing_cycles_of(*out, core);
    return count;
}

void trod_timing_report(struct trod_sink *sink, const struct trod_timing *core,
    const struct trod_timing_machine *machine, struct trod_arena *mem)
{
    const struct trod_timing_events *events = trod_timing_events_of(core);
    struct trod_timing_cycles *c;
    uint32_t count = count_designs(&c, core, mem);

    trod_put(sink, "machine %s\n", machine->name);
    print_events(sink, events);
    if (!count)
        return;
    trod_put(sink, "\n%15s %6s %9s %12s %12s %12s  design\n", "cycles", "IPC",
        "overhead", "served", "stalled", "injected");
    for (uint32_t i = 0; i < count; i++)
        trod_put(sink,
            "%15" PRIu64 " %6.3f %8.2f%% %12" PRIu64 " %12" PRIu64 " %12" PRIu64
            "  %s\n",
            c[i].cycles, by(events->ninsn, c[i].cycles),
            100 * (by(c[i].cycles, c[0].cycles) - (c[0].cycles ? 1 : 0)), c[i].nbranch,
            c[i].nstall, c[i].ninjected, c[i].design->name);
    trod_put(sink, "\n%s\n", trod_timing_caveat);
}

void trod_timing_json(struct trod_json *json, const struct trod_timing *core,
    const struct trod_timing_machine *machine, struct trod_arena *mem)
{
    const struct trod_timing_events *events = trod_timing_events_of(core);
    struct count list[COUNTS];
    struct trod_timing_cycles *c;
    uint32_t count = count_designs(&c, core, mem);

    trod_json_text(json, "machine", machine->name);
    trod_json_text(json, "caveat", trod_timing_caveat);
    trod_json_open(json, "events", '{');
    list_counts(list, events);
    for (int i = 0; i < COUNTS; i++)
        trod_json_uint(json, list[i].key, list[i].value);
    trod_json_uint(json, "power", events->power);
    if (events->cycle_power)
        trod_json_uint(json, "cyclePower", events->cycle_power);
    trod_json_uint(json, "blind", events->nblind);
    trod_json_uint(json, "unseen", events->nunseen);
    trod_json_uint(json, "odd", events->nodd);
    trod_json_close(json, '}');
    trod_json_open(json, "designs", '[');
    for (uint32_t i = 0; i < count; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "design", c[i].design->name);
        trod_json_uint(json, "cycles", c[i].cycles);
        trod_json_real(json, "ipc", by(events->ninsn, c[i].cycles));
        trod_json_real(
            json, "overhead", by(c[i].cycles, c[0].cycles) - (c[0].cycles ? 1 : 0));
        trod_json_uint(json, "served", c[i].nbranch);
        trod_json_uint(json, "service", c[i].service);
        trod_json_uint(json, "stalled", c[i].nstall);
        trod_json_uint(json, "stall", c[i].stall);
        trod_json_uint(json, "injected", c[i].ninjected);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}
