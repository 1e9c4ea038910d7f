#include "burster.h"

/* The counters of a thread: opened when its first path is timed. */

static enum trod_note note_of(int error)
{
    switch (error) {
    case TROD_OS_FILTERED:
        return TROD_NOTE_FILTERED;
    case TROD_OS_UNREADABLE:
        return TROD_NOTE_UNREADABLE;
    case TROD_OS_BUSY:
        return TROD_NOTE_BUSY;
    case TROD_OS_NO_FOLDER: /* ENOENT */
    case TROD_OS_NO_DEVICE:
    case TROD_OS_UNSUPPORTED:
    case TROD_OS_LIMIT: /* EINVAL */
        return TROD_NOTE_ABSENT;
    case TROD_OS_FORBIDDEN:
    case TROD_OS_DENIED:
        return TROD_NOTE_FORBIDDEN;
    default:
        return error < -TROD_OS_UNMAPPED ? TROD_NOTE_UNMAPPED : TROD_NOTE_UNMETERED;
    }
}

/* What is written beside the note. */
static int shown(int error)
{
    if (error <= TROD_OS_UNREADABLE)
        return 0;
    return error < -TROD_OS_UNMAPPED ? error + TROD_OS_UNMAPPED : error;
}

static void close_all(struct trod_meter *meter)
{
    uint32_t i;

    for (i = 0; i < TROD_RT_METRICS; i++) {
        if (meter->page[i])
            __trod_os_meter_close(meter->page[i]);
        meter->page[i] = NULL;
        meter->metric[i] = 0;
    }
    meter->n = 0;
    meter->reads = meter->asks = false;
}

/* Those that are refused for the same reason are in one note, with the error of the last. */
static void refuse(const int *error, const uint32_t *metric, uint32_t n)
{
    enum trod_note note;
    uint32_t i;

    for (note = TROD_NOTE_ABSENT; note <= TROD_NOTE_UNMETERED; note++) {
        uint64_t refused = 0;
        int last = 0;

        for (i = 0; i < n; i++) {
            if (error[i] && note_of(error[i]) == note) {
                refused |= UINT64_C(1) << metric[i];
                last = shown(error[i]);
            }
        }
        if (refused)
            __trod_note_metrics(note, refused, last);
    }
}

uint64_t __trod_meter_open(void *burster)
{
    struct trod_burster *b = burster;
    struct trod_meter *meter = &b->meter;
    int error[TROD_RT_METRICS];
    struct trod_burst_options o;
    struct trod_os_calm calm;
    uint32_t i;

    __trod_os_calm(&calm);
    close_all(meter);
    __trod_burst_started_with(&o);
    for (i = 0; i < o.nmetric; i++) {
        meter->metric[i] = o.metric[i];
        error[i] = 0;
        if (o.metric[i] >= TROD_METER_PAGE_FAULTS)
            meter->asks = true;
        else
            error[i] = __trod_os_meter_open(&meter->page[i], o.metric[i]);
        meter->reads |= meter->page[i] != NULL;
    }
    meter->n = o.nmetric;
    refuse(error, o.metric, o.nmetric);
    meter->open = true;
    __trod_os_resume(&calm);
    return 0;
}

void __trod_meter_forked(struct trod_burster *b)
{
    uint32_t i;

    for (i = 0; i < TROD_RT_METRICS; i++)
        if (b->meter.page[i])
            __trod_os_meter_forked(b->meter.page[i]);
}
