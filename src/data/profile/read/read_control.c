#include "profile/read/reader.h"

#include <stddef.h>

/* CONTROL holds the settings of a running program. Readers use only the greatest weights of earlier ones. */

void trod_profile_read_control(struct reader *r, const struct section *s)
{
    if (r->health.kind != TROD_FORMAT_LIVE || !(s->head.flags & TROD_SECTION_LIVE)) {
        trod_profile_lose(r, s->at, "a CONTROL section can only be in a live profile");
        return;
    }
    if (s->npayload < sizeof(struct trod_format_control)) {
        trod_profile_lose(r, s->at, "the CONTROL section is too short");
        return;
    }
    if (!r->control.payload)
        r->control = *s;
    r->health.control_at = r->control.at + sizeof(struct trod_format_head);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void widen(
    struct trod_profile_burst *burst, uint32_t t, uint64_t sparsity, uint64_t weight)
{
    if (!trod_profile_has_type(burst, t))
        return;
    burst->most_sparsity[t] = greater(burst->most_sparsity[t], sparsity);
    burst->most_weight[t] = greater(burst->most_weight[t], weight);
}

void trod_profile_widen_weights(struct reader *r)
{
    const uint8_t *most = r->control.payload;

    if (!most)
        return;
    most += offsetof(struct trod_format_control, most);
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++, most += 16)
        for (uint32_t i = 0; i < r->builder.nburst; i++)
            widen(&r->builder.burst[i], t, trod_load64(most), trod_load64(most + 8));
}
