/* The layout of a sampler's memory, and the capacity of each part. */
#include "sampler.h"

enum {
    HEAD = 64,  /* bytes of a section's head */
    LEAST = 16, /* minimal number of entries */
    ONCE = 2,   /* hashes for each entry */
    MOST_ENTRIES = 65534,
    MOST_CHUNKS = 65535
};

static size_t round_up(size_t size, size_t to)
{
    return (size + to - 1) / to * to;
}

/* The number of lengths whose probabilities are listed: all, except for uniform ones. */
static uint32_t nlength_of(const struct trod_sampler_options *o)
{
    uint32_t n, count = 0;

    if (o->lengths == TROD_SAMPLE_LIST)
        return o->nlength;
    if (o->lengths == TROD_SAMPLE_INVERSE)
        return o->longest - o->shortest + 1;
    if (o->lengths == TROD_SAMPLE_POWERS)
        for (n = 1; n <= o->longest; n *= 2)
            count += n >= o->shortest;
    return count;
}

static double mean_length(const struct trod_sampler_options *o)
{
    double weight = 1, sum = 0, blocks = 0;
    uint32_t n;

    if (o->lengths == TROD_SAMPLE_LIST) {
        for (n = 0; n < o->nlength; n++)
            blocks += o->length[n].length * (double)o->length[n].chance;
        return blocks;
    }
    if (o->lengths == TROD_SAMPLE_UNIFORM)
        return ((double)o->shortest + o->longest) / 2;
    for (n = o->shortest; n <= o->longest; n++) {
        if (o->lengths == TROD_SAMPLE_POWERS && n & (n - 1))
            continue;
        weight = o->lengths == TROD_SAMPLE_POWERS ? weight * o->bias : 1.0 / n;
        sum += weight;
        blocks += weight * n;
    }
    return sum > 0 ? blocks / sum : 0;
}

/* The text takes a byte or two for each block; long subpaths are more often new than short ones. */
static uint32_t nchunk_of(const struct trod_sampler_options *o, uint32_t nentry)
{
    uint32_t longest = (5 * o->longest + TROD_SAMPLE_TEXT - 1) / TROD_SAMPLE_TEXT;
    double n = nentry * (1.1 + mean_length(o) / 16) + 1;

    n = n > 2 * longest + 1 ? n : 2 * longest + 1;
    return n < MOST_CHUNKS ? (uint32_t)n : MOST_CHUNKS;
}

static size_t take(size_t *end, size_t count, size_t size)
{
    size_t at = round_up(*end, size);

    *end = at + count * size;
    return at;
}

static void lay_out(struct trod_sampler_layout *out,
    const struct trod_sampler_options *o, uint32_t nentry)
{
    size_t end = round_up(sizeof(struct trod_sampler), 8);
    bool window = o->ageing == TROD_SAMPLE_WINDOW;

    out->nentry = nentry;
    out->nchunk = nchunk_of(o, nentry);
    out->nindex = nentry + nentry / 2;
    for (out->nring = 2; out->nring < o->longest;)
        out->nring *= 2;
    out->nlength = nlength_of(o);
    out->nlog = window ? (uint32_t)o->period : 0;
    out->nonce = window || o->ones ? 0 : ONCE * nentry;
    out->ring = end;
    end += out->nring * sizeof(struct trod_sampler_block);
    out->once = take(&end, out->nonce, 8);
    out->likely = take(&end, out->nlength, 8);
    out->row = take(&end, 2 * (size_t)o->longest, 4);
    out->index = take(&end, out->nindex, 4);
    out->nthinned = take(&end, window ? nentry : 0, 4);
    out->length = take(&end, out->nlength, 2);
    out->log = take(&end, out->nlog, 2);
    out->private_size = round_up(end, 8);
    end = HEAD + sizeof(struct trod_format_sample) +
          nentry * sizeof(struct trod_format_sampled) +
          out->nchunk * sizeof(struct trod_format_chunk);
    out->shared = round_up(end, TROD_FORMAT_PAGE) - HEAD;
}

static bool fits(
    const struct trod_sampler_layout *layout, const struct trod_sampler_options *o)
{
    return HEAD + layout->shared + layout->private_size <= o->memory;
}

bool __trod_sampler_layout(
    struct trod_sampler_layout *out, const struct trod_sampler_options *o)
{
    uint32_t low = LEAST, high = MOST_ENTRIES;

    lay_out(out, o, low);
    if (o->ageing == TROD_SAMPLE_WINDOW && o->period > o->memory)
        return false;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;

        lay_out(out, o, middle);
        if (fits(out, o) && out->nchunk < MOST_CHUNKS)
            low = middle;
        else
            high = middle - 1;
    }
    lay_out(out, o, low);
    return fits(out, o);
}

size_t __trod_sampler_shared_size(const struct trod_sampler_options *o)
{
    struct trod_sampler_layout layout;

    __trod_sampler_layout(&layout, o);
    return layout.shared;
}

size_t __trod_sampler_private_size(const struct trod_sampler_options *o)
{
    struct trod_sampler_layout layout;

    __trod_sampler_layout(&layout, o);
    return layout.private_size;
}
