#include "explore/hardware.h"

#include <math.h>
#include <string.h>

struct burst {
    uint32_t notes;
    uint64_t rate, length;
    int period;
    struct trod_edit edit;
    struct trod_editor *editor;
    double accuracy;
    bool done;
};

struct hardware_bursts {
    struct trod_arena *mem;
    struct burst **burst;
    uint32_t nburst, room;
    uint64_t most_refs;
    struct trod_edit_reference
        *reference; /* of all designs of streams; NULL: there are none */
};

struct hardware_bursts *trod_hardware_bursts_build(
    uint64_t most_refs, struct trod_arena *mem)
{
    struct hardware_bursts *bursts = trod_new(mem, struct hardware_bursts, 1);

    bursts->mem = mem;
    bursts->most_refs = most_refs;
    return bursts;
}

/* Productions of all designs of streams are the same, but for their registers. */
static struct trod_edit_reference *reference_of(
    struct hardware_bursts *bursts, const struct burst *burst)
{
    if (burst->notes != TROD_EDIT_STREAMS)
        return NULL;
    if (!bursts->reference)
        bursts->reference = trod_edit_reference_build(bursts->mem);
    return bursts->reference;
}

static bool build_editor(
    struct burst *burst, struct hardware_bursts *bursts, struct trod_err *err)
{
    struct trod_edit_options options = {.most_refs = bursts->most_refs};
    const char *profile = trod_edit_notes_name((enum trod_edit_notes)burst->notes);
    const char *text[] = {trod_edit_shipped("sampling"), trod_edit_shipped(profile)};
    struct trod_edit_file file[2] = {{"sampling", text[0], 0}, {profile, text[1], 0}};
    struct trod_edit_setting setting[] = {
        /* `length` consecutive events out of each `rate * length` */
        {"sampleFreq", (burst->rate - 1) * burst->length},
        {"burstLength", burst->length}};
    struct trod_edit_settings settings = {
        .count = 2, .setting = setting, .period = burst->period + 1};

    assert(text[0] && text[1]);
    file[0].length = strlen(text[0]);
    file[1].length = strlen(text[1]);
    if (!trod_edit_parse(&burst->edit, file, 2, &settings, bursts->mem, err))
        return false;
    options.reference = reference_of(bursts, burst);
    burst->editor = trod_editor_build(&burst->edit, &options, bursts->mem);
    return true;
}

bool trod_hardware_bursts_add(uint32_t *out, struct hardware_bursts *bursts,
    const struct hardware_design *design, struct trod_err *err)
{
    struct burst *burst;

    for (uint32_t i = 0; i < bursts->nburst; i++) {
        burst = bursts->burst[i];
        if (burst->notes == design->notes && burst->rate == design->rate &&
            burst->length == design->burst && burst->period == design->period) {
            *out = i;
            return true;
        }
    }
    burst = trod_new(bursts->mem, struct burst, 1);
    burst->notes = design->notes;
    burst->rate = design->rate;
    burst->length = design->burst;
    burst->period = design->period;
    if (!build_editor(burst, bursts, err))
        return false;
    trod_reserve(bursts->mem, bursts->burst, bursts->nburst, bursts->room);
    bursts->burst[bursts->nburst] = burst;
    *out = bursts->nburst++;
    return true;
}

void trod_hardware_bursts_run(
    struct hardware_bursts *bursts, const struct trod_run *run)
{
    for (uint32_t i = 0; i < bursts->nburst; i++)
        trod_editor_run(bursts->burst[i]->editor, run);
}

void trod_hardware_bursts_end(struct hardware_bursts *bursts, uint32_t thread)
{
    for (uint32_t i = 0; i < bursts->nburst; i++)
        trod_editor_end(bursts->burst[i]->editor, thread);
}

uint64_t trod_hardware_bursts_lost(const struct hardware_bursts *bursts, uint64_t *kept)
{
    uint64_t most = 0, is, lost;

    for (uint32_t i = 0; i < bursts->nburst; i++) {
        trod_editor_addresses(&is, &lost, bursts->burst[i]->editor);
        if (lost > most && kept)
            *kept = is;
        most = lost > most ? lost : most;
    }
    return most;
}

/* NaN: nothing ran, or there were too many addresses. */
static double accuracy_of(const struct burst *burst, struct trod_arena *mem)
{
    const struct trod_edit_profile *profile;
    struct trod_edit_result result;
    uint64_t kept, lost;

    trod_editor_addresses(&kept, &lost, burst->editor);
    if (lost)
        return (double)NAN;
    trod_editor_result(&result, burst->editor, NULL, 0, mem);
    profile = result.profile;
    if (!result.nprofile || !profile->nall)
        return (double)NAN;
    return profile->compared ? 100 * profile->overlap.top.overlap : 0;
}

/* The reference's streams remain; all else is only needed until the accuracy is known. */
static double measure_accuracy(
    struct hardware_bursts *bursts, const struct burst *burst)
{
    uint64_t lost = trod_hardware_bursts_lost(bursts, NULL);
    struct trod_mark mark;
    double accuracy;

    if (bursts->reference && !lost)
        trod_edit_reference_find(bursts->reference);
    mark = trod_arena_mark(bursts->mem);
    accuracy = accuracy_of(burst, bursts->mem);
    trod_arena_rewind(bursts->mem, mark);
    return accuracy;
}

static double cost_of(const struct trod_edit_counts *counts, uint32_t metric)
{
    const struct trod_edit_cost *cost =
        metric == HARDWARE_HPS ? &counts->conditional : &counts->plain;
    double basic = trod_edit_overhead(&cost->basic, counts, TROD_EDIT_CPI);
    double checks = trod_edit_overhead(&cost->checks, counts, TROD_EDIT_CPI);

    if (!counts->ninsn)
        return (double)NAN;
    if (metric == HARDWARE_DISE_BASIC)
        return 100 * basic;
    if (metric == HARDWARE_DISE_CHECKS)
        return 100 * checks;
    return 100 * (basic + checks +
                     trod_edit_overhead(&cost->sampling, counts, TROD_EDIT_CPI));
}

double trod_hardware_bursts_result(
    struct hardware_bursts *bursts, uint32_t which, uint32_t metric)
{
    struct burst *burst = bursts->burst[which];

    if (metric != HARDWARE_ACCURACY)
        return cost_of(trod_editor_counts(burst->editor), metric);
    if (!burst->done)
        burst->accuracy = measure_accuracy(bursts, burst);
    burst->done = true;
    return burst->accuracy;
}
