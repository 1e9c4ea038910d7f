#include "explore/hardware.h"

#include <math.h>
#include <string.h>

struct burst {
    uint32_t notes;
    uint64_t rate, length;
    int period;
    struct trod_edit edit;
    struct trod_editor *editor;
    struct trod_edit_result result;
    bool done;
};

struct hardware_bursts {
    struct trod_arena *mem;
    struct burst **burst;
    uint32_t nburst, room;
};

struct hardware_bursts *trod_hardware_bursts_build(struct trod_arena *mem)
{
    struct hardware_bursts *bursts = trod_new(mem, struct hardware_bursts, 1);

    bursts->mem = mem;
    return bursts;
}

static bool build_editor(
    struct burst *burst, struct trod_arena *mem, struct trod_err *err)
{
    static const struct trod_edit_options options;
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
    if (!trod_edit_parse(&burst->edit, file, 2, &settings, mem, err))
        return false;
    burst->editor = trod_editor_build(&burst->edit, &options, mem);
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
    if (!build_editor(burst, bursts->mem, err))
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

static double accuracy_of(const struct trod_edit_result *result)
{
    const struct trod_edit_profile *profile = result->profile;

    if (!result->nprofile || !profile->nall || profile->nref_lost)
        return (double)NAN;
    return profile->compared ? 100 * profile->overlap.top.overlap : 0;
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

    if (!burst->done)
        trod_editor_result(&burst->result, burst->editor, NULL, 0, bursts->mem);
    burst->done = true;
    return metric == HARDWARE_ACCURACY ? accuracy_of(&burst->result)
                                       : cost_of(burst->result.counts, metric);
}
