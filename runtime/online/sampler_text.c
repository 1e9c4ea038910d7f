/* The identity of a subpath: its least rotation, a hash, its text. */
#include "sampler.h"

/* --- the least rotation ---------------------------------------------------------------- */

/* Compares two candidate rotations block by block. The greater one is dropped, together with the
 * rotations that start within the common prefix.
 */
static uint32_t least_of_equals(const uint32_t *row, uint32_t n, uint32_t i)
{
    uint32_t j = i + 1, k = 0;

    while (j < n && k < n) {
        uint32_t at = i + k, to = j + k;
        uint32_t a = row[at < n ? at : at - n], b = row[to < n ? to : to - n];

        if (a == b) {
            k++;
            continue;
        }
        if (a > b) {
            i = i + k + 1 > j ? i + k + 1 : j;
            j = i + 1;
        } else {
            j += k + 1;
        }
        k = 0;
    }
    return i;
}

/* In most subpaths the least block occurs once. */
uint32_t __trod_sampler_least(const uint32_t *row, uint32_t n)
{
    uint32_t least = 0, i;
    bool once = true;

    for (i = 1; i < n; i++) {
        if (row[i] < row[least]) {
            least = i;
            once = true;
        } else if (row[i] == row[least]) {
            once = false;
        }
    }
    return once ? least : least_of_equals(row, n, least);
}

/* --- a hash ------------------------------------------------------------------------------ */

static inline uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static inline uint64_t finish(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

/* Austin Appleby's MurmurHash3 (128 bits) of the bytes of the subpath. */
void __trod_sampler_hash(uint64_t out[2], const uint32_t *row, uint32_t n)
{
    const uint64_t c1 = UINT64_C(0x87c37b91114253d5), c2 = UINT64_C(0x4cf5ad432745937f);
    uint64_t h1 = 0, h2 = 0;
    uint32_t i;

    for (i = 0; i < n; i += 4) {
        uint32_t left = n - i;
        uint64_t k1 = row[i], k2 = 0;

        k1 |= left > 1 ? (uint64_t)row[i + 1] << 32 : 0;
        k2 |= left > 2 ? row[i + 2] : 0;
        k2 |= left > 3 ? (uint64_t)row[i + 3] << 32 : 0;
        h1 ^= rotate(k1 * c1, 31) * c2;
        if (left > 2)
            h2 ^= rotate(k2 * c2, 33) * c1;
        if (left < 4)
            break;
        h1 = (rotate(h1, 27) + h2) * 5 + 0x52dce729;
        h2 = (rotate(h2, 31) + h1) * 5 + 0x38495ab5;
    }
    h1 ^= (uint64_t)n * 4;
    h2 ^= (uint64_t)n * 4;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    h1 += h2;
    h2 += h1;
    out[0] = h1;
    out[1] = h2;
}

/* --- identity ---------------------------------------------------------------------------- */

const uint32_t *__trod_sampler_identify(
    struct trod_sampler *s, uint32_t n, uint64_t id[2])
{
    uint32_t *row = s->row, first = 0, i;

    if (s->identity == TROD_SAMPLE_XOR) {
        uint32_t sum[2] = {0, n};

        for (i = 0; i < n; i++)
            sum[0] ^= row[i];
        __trod_sampler_hash(id, sum, 2);
        return row;
    }
    if (s->identity == TROD_SAMPLE_ROTATION)
        first = __trod_sampler_least(row, n);
    for (i = 0; i < first; i++) {
        row[n + i] = row[i];
        __asm__ volatile("" ::: "memory"); /* avoids a call of memcpy */
    }
    __trod_sampler_hash(id, row + first, n);
    return row + first;
}

/* --- text ------------------------------------------------------------------------------------ */

/* The chunk that follows; always within bounds. */
static inline uint32_t next_chunk(const struct trod_sampler *s, uint32_t chunk)
{
    uint32_t next = s->chunk[chunk].next;

    return next < s->nchunk ? next : 0;
}

/* 0: there is none. Chunks that were never used follow those on the free list. */
static uint32_t next_free(struct trod_sampler *s, uint32_t chunk)
{
    uint32_t next = chunk ? next_chunk(s, chunk) : s->free_chunk;

    if (next)
        return next;
    if (s->nchunk == s->all_chunks)
        return 0;
    next = s->nchunk++;
    if (chunk)
        s->chunk[chunk].next = (uint16_t)next;
    else
        s->free_chunk = next;
    return next;
}

bool __trod_sampler_write(struct trod_sampler *s, struct trod_format_sampled *entry,
    const uint32_t *row, uint32_t n)
{
    uint32_t first = next_free(s, 0), chunk = first, at = 0, nbyte = 0, before = 0, i;

    for (i = 0; chunk && i < n; i++) {
        int64_t step = (int64_t)row[i] - before;
        uint64_t left = i ? (uint64_t)step << 1 ^ -(uint64_t)(step < 0) : row[i];

        before = row[i];
        do {
            if (at == TROD_SAMPLE_TEXT) {
                chunk = next_free(s, chunk);
                at = 0;
                if (!chunk)
                    return false;
            }
            s->chunk[chunk].text[at++] =
                (uint8_t)((left & 127) | (left > 127 ? 128 : 0));
            left >>= 7;
            nbyte++;
        } while (left);
    }
    if (!chunk)
        return false;
    s->free_chunk = next_chunk(s, chunk);
    s->chunk[chunk].next = 0;
    entry->chunk = (uint16_t)first;
    entry->nbyte = (uint16_t)nbyte;
    entry->length = (uint16_t)n;
    return true;
}

void __trod_sampler_erase(
    struct trod_sampler *s, const struct trod_format_sampled *entry)
{
    uint32_t first = entry->chunk, last = first, n = 0;

    if (!first || first >= s->nchunk)
        return;
    while (next_chunk(s, last) && n++ < s->nchunk)
        last = next_chunk(s, last);
    s->chunk[last].next = (uint16_t)s->free_chunk;
    s->free_chunk = first;
}
