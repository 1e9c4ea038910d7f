#include "profile/read/reader.h"

#include <inttypes.h>
#include <string.h>

enum {
    BURST_BYTES = sizeof(struct trod_format_burst),
    TYPE_BYTES = 40,                     /* per type of event */
    RANGE_BYTES = 16 * TROD_BURST_TYPES, /* after them, in packed files */
    OLD_BYTES = 16 * TROD_BURST_TIME     /* before paths were timed */
};

static void get_how(struct trod_format_burst *out, const uint8_t *p)
{
    *out = (struct trod_format_burst){.thread = trod_load32(p),
        .types = trod_load32(p + 4),
        .trigger = trod_load32(p + 8),
        .period = trod_load32(p + 12),
        .words = trod_load32(p + 16),
        .hz = trod_load32(p + 20),
        .budget = trod_load32(p + 24),
        .time = trod_load64(p + 32),
        .cost = trod_load64(p + 40),
        .nevent = trod_load64(p + 48),
        .npassed = trod_load64(p + 56),
        .nmissed = trod_load64(p + 64)};
    p += 72;
    for (int t = 0; t < TROD_BURST_TYPES; t++, p += TYPE_BYTES) {
        out->type[t].burst = trod_load64(p);
        out->type[t].sparsity = trod_load64(p + 8);
        out->type[t].weight = trod_load64(p + 16);
        out->type[t].nburst = trod_load64(p + 24);
        out->type[t].nevent = trod_load64(p + 32);
    }
    out->ticks = trod_load64(p);
    out->nanoseconds = trod_load64(p + 8);
    out->floor = trod_load64(p + 16);
}

/* A live thread has only its current parameters: they are also the maximum. Parameters that are 0
 * were never set. */
static void fill_live(struct trod_profile_burst *burst)
{
    burst->nthread = 1;
    for (int t = 0; t < TROD_BURST_TYPES; t++) {
        burst->how.type[t].weight += !burst->how.type[t].weight;
        burst->how.type[t].burst += !burst->how.type[t].burst;
        burst->most_sparsity[t] = burst->how.type[t].sparsity;
        burst->most_weight[t] = burst->how.type[t].weight;
    }
}

static void fill_packed(struct trod_profile_burst *burst, const struct section *s)
{
    const uint8_t *p = s->payload + BURST_BYTES;

    burst->group = s->head.thread;
    burst->nthread = burst->how.thread;
    for (size_t t = 0;
        t < TROD_BURST_TYPES && BURST_BYTES + 16 * (t + 1) <= s->npayload;
        t++, p += 16) {
        burst->most_sparsity[t] = trod_load64(p);
        burst->most_weight[t] = trod_load64(p + 8);
    }
}

void trod_profile_read_burst(struct reader *r, const struct section *s)
{
    bool live = r->health.kind == TROD_FORMAT_LIVE;
    struct trod_profile_burst burst = {0};
    const char *fault = "is too short";

    if (live ? s->head.payload >= BURST_BYTES
             : s->npayload >= BURST_BYTES + OLD_BYTES) {
        uint8_t bytes[BURST_BYTES] = {0};

        /* Fields missing from a truncated section are 0. */
        memcpy(bytes, s->payload,
            s->npayload < BURST_BYTES ? s->npayload / 8 * 8 : BURST_BYTES);
        if (live && s->npayload < s->head.payload)
            trod_profile_lose(r, s->at,
                "the BURST section of thread %" PRIu32 " is cut off", s->head.thread);
        get_how(&burst.how, bytes);
        /* The thread has not started sampling yet. */
        if (live && !burst.how.types)
            return;
        if (live)
            fill_live(&burst);
        else
            fill_packed(&burst, s);
        fault = trod_profile_burst_fault(&burst);
    }
    if (fault)
        trod_profile_lose(r, s->at,
            "the BURST section of thread %" PRIu32
            " %s; the sampling parameters are unknown",
            s->head.thread, fault);
    else
        trod_profile_add_burst(&r->builder, &burst);
}

void trod_profile_read_refs(struct reader *r, const struct section *s)
{
    struct trod_profile_refs refs = {.module = s->head.module,
        .thread = s->head.thread,
        .at = s->at + sizeof(struct trod_format_head),
        .nbyte = s->npayload,
        .nwhole = s->head.payload};

    if (r->health.kind != TROD_FORMAT_LIVE) {
        trod_profile_lose(r, s->at, "a REFS section can only be in a live profile");
        return;
    }
    trod_push(r->mem, r->refs, r->health.nrefs, r->room_refs, refs);
}

/* --- from sites to functions ---------------------------------------------------------------------- */

void trod_profile_list_images(struct reader *r)
{
    struct trod_profile_image *image =
        trod_new(r->mem, struct trod_profile_image, r->nimage);

    for (uint32_t i = 0; i < r->nimage; i++) {
        const struct trod_profile_module *module =
            &r->builder.module[r->image[i].module];

        image[i] = (struct trod_profile_image){.number = r->image[i].number,
            .path = module->path,
            .build_id = module->build_id,
            .nfunction = r->image[i].nfunction,
            .function = r->image[i].function,
            .counter_of_function = r->image[i].counter_of_function,
            .nslot_of_function = r->image[i].nslot_of_function,
            .id_of_slot = r->image[i].id_of_slot};
    }
    r->health.image = image;
    r->health.nimage = r->nimage;
    r->health.refs = r->refs;
}

bool trod_profile_find_site(uint32_t *function, uint64_t *id,
    const struct trod_profile_image *image, uint64_t site)
{
    for (uint32_t f = 0; f < image->nfunction; f++) {
        uint64_t first = image->counter_of_function[f];

        if (image->function[f].counted != TROD_COUNTED_EVENTS || first > site ||
            site - first >= image->nslot_of_function[f])
            continue;
        *function = f;
        *id = image->id_of_slot[f][site - first];
        return *id != UINT64_MAX;
    }
    return false;
}
