/* Ways to tell subpaths apart, measured on the samples of a real program: what one takes, and what it confuses.
 *
 *     encodings --take TRACE F OUT    sample a trace of blocks (TROD_BLOCKS) at one of F blocks
 *     encodings OUT                   all rows, as JSON
 *     encodings OUT WAY PASSES        one row, for callgrind
 *
 * Each way keeps all samples, so that memory is per subpath, not what a sampler with a limit would thin. The first pass over
 * the samples meets new ones and old ones as the program does; in the second, all have been seen.
 */
#include "bench.h"

#include "online/every.h"
#include "online/online.h"

#include "online/sampler.h"

#include <math.h>

enum { MOST_SAMPLES = 1 << 18, MOST_BLOCKS = 1 << 22, LONGEST = 32, CHUNK = 16 };

/* The samples, one after another: a length, and the blocks. */
static uint32_t stream[MOST_BLOCKS];
static uint32_t nword, nsample;

/* --- taking samples of a trace --------------------------------------------------------------------- */

static struct taker {
    uint32_t ring[LONGEST];
    uint64_t at, random, next;
    double f;
} taker;

static uint64_t draw(void)
{
    taker.random = taker.random * UINT64_C(6364136223846793005) + 1;
    return taker.random >> 33;
}

/* Of the blocks that end here. The length is as likely as a sampler draws it. */
static void take_sample(void)
{
    uint32_t n = 2;

    while (n < LONGEST && draw() % 2)
        n *= 2;
    if (nsample >= MOST_SAMPLES || nword + n >= MOST_BLOCKS || taker.at < LONGEST)
        return;
    stream[nword++] = n;
    for (uint32_t i = 0; i < n; i++)
        stream[nword++] = taker.ring[(taker.at - n + i) % LONGEST];
    nsample++;
}

static bool take(uint64_t thread, const uint32_t *block, size_t nblock, void *ctx,
    struct trod_err *err)
{
    (void)thread;
    (void)ctx;
    (void)err;
    for (size_t i = 0; i < nblock; i++) {
        if (block[i] == TROD_EVERY_GAP) {
            taker.at = 0;
            taker.next = 1;
            continue;
        }
        taker.ring[taker.at++ % LONGEST] = block[i];
        if (--taker.next)
            continue;
        take_sample();
        taker.next = 1 + (uint64_t)(-log((double)(draw() + 1) * 0x1p-31) * taker.f);
    }
    return true;
}

static int take_all(const char *from, const char *f, const char *to)
{
    static char buffer[1 << 22];
    struct trod_trace trace = {.name = from, .take = take};
    struct trod_err err = {0};
    FILE *in = fopen(from, "rb"), *out;
    size_t have = 0, used;

    if (!in)
        return 5;
    taker = (struct taker){.random = 1, .next = 1, .f = strtod(f, NULL)};
    while (!feof(in) && !ferror(in) && have < sizeof buffer &&
           (used = fread(buffer + have, 1, sizeof buffer - have, in)) > 0) {
        have += used;
        bench_require(trod_trace_take(&used, &trace, buffer, have, &err), &err);
        have -= used;
        memmove(buffer, buffer + used, have);
    }
    fclose(in);
    out = fopen(to, "wb");
    if (!out)
        return 5;
    fwrite(stream, sizeof *stream, nword, out);
    return fclose(out) ? 5 : 0;
}

static bool read_stream(const char *name)
{
    FILE *in = fopen(name, "rb");

    if (!in)
        return false;
    nword = (uint32_t)fread(stream, sizeof *stream, MOST_BLOCKS, in);
    fclose(in);
    nsample = 0;
    for (uint32_t i = 0; i < nword; i += 1 + stream[i])
        nsample++;
    return nsample > 0;
}

/* --- a table of ids, as the sampler's -------------------------------------------------------------- */

/* An entry is 32 bytes: count, id, length, a link to its text. */
struct kept {
    uint64_t count, id[2];
    uint32_t length, text; /* bytes of text */
};

enum { SLOTS = 1 << 19 };

static struct kept kept[MOST_SAMPLES];
static uint32_t slot[SLOTS];
static uint32_t nkept;
static uint64_t nbyte;

/* As in trod/format.h: in chunks of 14 bytes and a link. */
static uint32_t text_of(const uint32_t *row, uint32_t n)
{
    uint32_t size = 0, before = 0;

    for (uint32_t i = 0; i < n; i++) {
        int64_t by = (int64_t)row[i] - before;
        uint64_t value = i ? (uint64_t)(by < 0 ? -2 * by - 1 : 2 * by) : row[i];

        do
            size++;
        while (value >>= 7);
        before = row[i];
    }
    return (size + TROD_SAMPLE_TEXT - 1) / TROD_SAMPLE_TEXT * CHUNK;
}

static void count_id(const uint64_t id[2], const uint32_t *row, uint32_t n)
{
    uint32_t i = (uint32_t)(id[0] >> 32) % SLOTS;

    for (; slot[i]; i = (i + 1) % SLOTS) {
        struct kept *one = &kept[slot[i] - 1];

        if (one->id[0] == id[0] && one->id[1] == id[1]) {
            one->count++;
            return;
        }
    }
    kept[nkept] = (struct kept){
        .count = 1, .id = {id[0], id[1]}, .length = n, .text = text_of(row, n)};
    nbyte += sizeof *kept + 6 + kept[nkept].text; /* 1.5 slots of an index */
    slot[i] = ++nkept;
}

/* --- ways ----------------------------------------------------------------------------------------------- */

static void turn(uint32_t *out, const uint32_t *row, uint32_t n)
{
    uint32_t first = __trod_sampler_least(row, n);

    for (uint32_t i = 0; i < n; i++)
        out[i] = row[first + i < n ? first + i : first + i - n];
}

static void do_nothing(const uint32_t *row, uint32_t n)
{
    __asm__ volatile("" ::"r"(row[n - 1]) : "memory");
}

static void do_hash(const uint32_t *row, uint32_t n)
{
    uint32_t least[LONGEST];
    uint64_t id[2];

    turn(least, row, n);
    __trod_sampler_hash(id, least, n);
    count_id(id, least, n);
}

static void do_sequence(const uint32_t *row, uint32_t n)
{
    uint64_t id[2];

    __trod_sampler_hash(id, row, n);
    count_id(id, row, n);
}

static void do_xor(const uint32_t *row, uint32_t n)
{
    uint32_t sum[2] = {0, n};
    uint64_t id[2];

    for (uint32_t i = 0; i < n; i++)
        sum[0] ^= row[i];
    __trod_sampler_hash(id, sum, 2);
    count_id(id, row, n);
}

/* paper: Oren, section 3.2: a linear hash function of the sorted blocks */
static void do_linear(const uint32_t *row, uint32_t n)
{
    uint32_t sorted[LONGEST];
    uint64_t id[2] = {n, n};

    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;

        for (; at && sorted[at - 1] > row[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = row[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        id[0] = id[0] * UINT64_C(6364136223846793005) + sorted[i] + 1;
        id[1] = id[1] * UINT64_C(0x9e3779b97f4a7c15) + sorted[i] + 1;
    }
    count_id(id, row, n);
}

/* Nodes by parent and block, in a table: lists of children would be long at the root. 16 bytes each: the parent, the
 * block, and a count with its level; and 6 of the table.
 */
struct node {
    uint32_t parent, block;
    uint64_t count;
};

enum { NODES = 1 << 21, EDGES = 1 << 22 };

static struct node node[NODES];
static uint32_t edge[EDGES];
static uint32_t nnode;

static uint32_t child_of(uint32_t parent, uint32_t block)
{
    uint64_t x = ((uint64_t)parent << 32 | block) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(x >> 40) % EDGES;

    for (; edge[i]; i = (i + 1) % EDGES)
        if (node[edge[i]].parent == parent && node[edge[i]].block == block)
            return edge[i];
    if (nnode + 1 == NODES)
        exit(5);
    node[++nnode] = (struct node){.parent = parent, .block = block};
    nbyte += sizeof *node + 6;
    return edge[i] = nnode;
}

/* paper: Oren, section 3.1: tries of subpaths, from a block that all rotations agree on */
static void do_trie(const uint32_t *row, uint32_t n)
{
    uint32_t least[LONGEST], at = 0;

    turn(least, row, n);
    for (uint32_t i = 0; i < n; i++)
        at = child_of(at, least[i]);
    nkept += !node[at].count++;
}

struct way {
    const char *name, *text;
    void (*count)(const uint32_t *row, uint32_t n);
};

static const struct way ways[] = {
    {"nothing", "", do_nothing},
    {"hash", "hash of the least rotation", do_hash},
    {"sequence", "hash, rotations distinguished", do_sequence},
    {"xor", "exclusive or", do_xor},
    {"linear", "linear hash, sorted", do_linear},
    {"trie", "trie of the least rotation", do_trie},
};

enum { NWAY = sizeof ways / sizeof *ways };

static void run_passes(const struct way *way, uint32_t passes)
{
    memset(slot, 0, sizeof slot);
    memset(edge, 0, sizeof edge);
    nkept = nnode = 0;
    nbyte = 0;
    while (passes-- > 0)
        for (uint32_t i = 0; i < nword; i += 1 + stream[i])
            way->count(stream + i + 1, stream[i]);
}

/* --- measuring ---------------------------------------------------------------------------------------- */

static double count_run(const char *self, const char *file, const char *way, int passes)
{
    char command[1000], line[300];
    double count = -1;
    FILE *f;

    snprintf(command, sizeof command,
        "valgrind --tool=callgrind --callgrind-out-file=build/bench/encodings.out %s %s %s %d 2>&1",
        self, file, way, passes);
    /* NOLINTNEXTLINE(cert-env33-c): a benchmark, run by its developer */
    f = popen(command, "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f)) {
        const char *at = strstr(line, "Collected :");

        if (at)
            count = strtod(at + 11, NULL);
    }
    pclose(f);
    return count;
}

static void put_row(struct trod_json *json, const char *self, const char *file,
    const struct way *way, const double *nothing)
{
    double one = count_run(self, file, way->name, 1) - nothing[0];
    double two = count_run(self, file, way->name, 2) - nothing[1];

    run_passes(way, 1);
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "way", way->text);
    trod_json_uint(json, "samples", nsample);
    trod_json_uint(json, "subpaths", nkept);
    trod_json_real(json, "bytes", (double)nbyte / nkept);
    trod_json_real(json, "instructions", one / nsample);
    trod_json_real(json, "instructions_seen", (two - one) / nsample);
    trod_json_close(json, '}');
}

int main(int argc, char **argv)
{
    struct trod_sink sink;
    struct trod_json json;
    double nothing[2];

    if (argc == 5 && strcmp(argv[1], "--take") == 0)
        return take_all(argv[2], argv[3], argv[4]);
    if (argc < 2 || !read_stream(argv[1])) {
        fprintf(stderr, "bench: usage: encodings --take TRACE F OUT; encodings OUT\n");
        return 2;
    }
    for (int i = 0; argc == 4 && i < NWAY; i++) {
        if (strcmp(ways[i].name, argv[2]) != 0)
            continue;
        run_passes(ways + i, (uint32_t)strtoul(argv[3], NULL, 10));
        return 0;
    }
    nothing[0] = count_run(argv[0], argv[1], "nothing", 1);
    nothing[1] = count_run(argv[0], argv[1], "nothing", 2);
    bench_open(&json, &sink, "encodings");
    for (int i = 1; i < NWAY; i++)
        put_row(&json, argv[0], argv[1], ways + i, nothing);
    bench_close(&json);
    return 0;
}
