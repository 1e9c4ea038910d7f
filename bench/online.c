/* Cost of the online library, in instructions (counted by callgrind) and nanoseconds. A row is an action that is
 * executed very often. The cost of an empty loop is subtracted.
 *
 *     online                  all rows, as JSON
 *     online ROW TIMES        one row, for external tools
 */
#include "bench.h"

#include "trod/online.h"

#include "online/sampler.h"

enum { ROUNDS = 7, FEW = 20000, MANY = 220000, TIMED = 2000000 };

static _Alignas(64) char memory[65536], shared[65536], private[65536];
static struct trod_online *instance;
static struct trod_sampler *sampler;

/* A loop of 12 blocks with an alternative for 4 of them, chosen pseudorandomly. */
static uint32_t trace[4096];

static void make_trace(void)
{
    uint64_t x = 1;

    for (uint32_t i = 0; i < 4096; i++) {
        if (i % 12 == 0)
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        trace[i] = i % 12 + (i % 12 > 7 && x >> 62 == 0 ? 100 : 0);
    }
}

static void expand(void *context, struct trod_online *o, uint64_t path)
{
    (void)context;
    for (uint32_t i = 0; i < 8; i++)
        trod_online_block(o, trace[(path + i) % 4096]);
}

static void open_instance(const char *text)
{
    struct trod_online_options options = {.text = text, .seed = 1, .expand = expand};

    instance = trod_online_create(memory, sizeof memory, &options, NULL);
}

static void open_sampler(const char *text)
{
    struct trod_sampler_options options;
    const char *why;

    __trod_sampler_options_default(&options);
    if (!__trod_sampler_options_parse(&options, text, &why)) {
        fprintf(stderr, "bench: %s\n", why);
        exit(70);
    }
    memset(shared, 0, sizeof shared);
    memset(private, 0, sizeof private);
    sampler = (struct trod_sampler *)private;
    __trod_sampler_open(sampler, (struct trod_format_sample *)shared, &options, 1, 0);
}

/* --- actions -------------------------------------------------------------------------------------- */

static void keep(uint32_t value)
{
    __asm__ volatile("" ::"r"(value) : "memory");
}

static void do_nothing(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        keep(trace[i % 4096]);
}

static void do_blocks(uint32_t times)
{
    struct trod_online *o = instance;

    for (uint32_t i = 0; i < times; i++) {
        uint32_t block = trace[i % 4096];

        keep(block);
        trod_online_block(o, block);
    }
}

static void do_paths(uint32_t times)
{
    struct trod_online *o = instance;

    for (uint32_t i = 0; i < times; i++) {
        uint32_t path = i % 4096;

        keep(trace[path]);
        trod_online_path(o, path, 8);
    }
}

/* Adds blocks while a sample is pending. Clearing `ending` keeps the sample from ending. */
static void do_adds(uint32_t times)
{
    struct trod_sampler *s = sampler;

    __trod_sampler_begin(sampler);
    for (uint32_t i = 0; i <= sampler->mask; i++)
        sampler->ring[i].ending = 0;
    for (uint32_t i = 0; i < times; i++) {
        uint32_t block = trace[i % 4096];

        keep(block);
        keep(__trod_sampler_add(s, block, 255));
    }
}

/* Takes one sample: a gap, a start, its blocks. */
static void do_sample(uint32_t n, uint32_t *at)
{
    keep((uint32_t)__trod_sampler_gap(sampler));
    __trod_sampler_begin(sampler);
    for (uint32_t i = 0; i < n; i++)
        __trod_sampler_add(sampler, trace[(*at)++ % 4096], 255);
    __trod_sampler_raised(sampler);
}

static uint32_t sample_length;

static void do_samples(uint32_t times)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < times; i++)
        do_sample(sample_length, &at);
}

/* Each sample is of a subpath without an entry, so f is raised again and again. */
static void do_new_samples(uint32_t times)
{
    for (uint32_t i = 0; i < times; i++) {
        keep((uint32_t)__trod_sampler_gap(sampler));
        __trod_sampler_begin(sampler);
        for (uint32_t k = 0; k < sample_length; k++)
            __trod_sampler_add(sampler, 5 * i + (k & 3), 255);
        __trod_sampler_raised(sampler);
    }
}

/* --- rows -------------------------------------------------------------------------------------------- */

struct row {
    const char *name;    /* for the command line */
    const char *text;    /* for the table */
    const char *per;     /* unit of the count */
    const char *options; /* of an instance, or of a sampler if samples are taken */
    void (*run)(uint32_t times);
    uint32_t length; /* of the samples */
};

static const struct row rows[] = {
    {"nothing", "", "", NULL, do_nothing, 0},
    {"skip", "skipped", "block", "f=never", do_blocks, 0},
    {"skip-path", "skipped", "path of 8", "f=never", do_paths, 0},
    {"f16k", "at f = 16384", "block", "f=16k,most=1m", do_blocks, 0},
    {"f1k", "at f = 1024", "block", "f=1024,most=1m", do_blocks, 0},
    {"f64", "at f = 64", "block", "f=64,most=1m", do_blocks, 0},
    {"path-f1k", "at f = 1024", "path of 8", "f=1024,most=1m", do_paths, 0},
    {"add", "while a sample is pending", "block", "f=never", do_adds, 1},
    {"s2", "of 2 blocks, seen before", "sample", "lengths=2:1,most=1g", do_samples, 2},
    {"s4", "of 4 blocks, seen before", "sample", "lengths=4:1,most=1g", do_samples, 4},
    {"s8", "of 8 blocks, seen before", "sample", "lengths=8:1,most=1g", do_samples, 8},
    {"s16", "of 16 blocks, seen before", "sample", "lengths=16:1,most=1g", do_samples,
        16},
    {"s32", "of 32 blocks, seen before", "sample", "lengths=32:1,most=1g", do_samples,
        32},
    {"new4", "of 4 blocks, new", "sample", "lengths=4:1", do_new_samples, 4},
    {"new32", "of 32 blocks, new", "sample", "lengths=32:1", do_new_samples, 32},
};

enum { NROW = sizeof rows / sizeof *rows };

static void open_row(const struct row *row)
{
    sample_length = row->length;
    if (row->length)
        open_sampler(row->options);
    else
        open_instance(row->options);
}

static int run_one(const char *name, uint32_t times)
{
    for (int i = 0; i < NROW; i++) {
        if (!strcmp(rows[i].name, name)) {
            open_row(rows + i);
            rows[i].run(times);
            return 0;
        }
    }
    fprintf(stderr, "bench: there is no row %s\n", name);
    return 2;
}

/* --- measuring ---------------------------------------------------------------------------------------- */

static double count_run(const char *self, const char *name, uint32_t times)
{
    char command[600], line[300];
    double count = -1;
    FILE *f;

    snprintf(command, sizeof command,
        "valgrind --tool=callgrind --callgrind-out-file=build/bench/online.out %s %s %u 2>&1",
        self, name, times);
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

/* Instructions of one action, from the difference of a long and a short run. -1: valgrind is missing. */
static double instructions(const char *self, const struct row *row)
{
    double few = count_run(self, row->name, FEW),
           many = count_run(self, row->name, MANY);

    return few < 0 || many < 0 ? -1 : (many - few) / (MANY - FEW);
}

static double nanoseconds(const struct row *row)
{
    double start;

    open_row(row);
    row->run(FEW);
    start = bench_now();
    row->run(TIMED);
    return (bench_now() - start) * 1e9 / TIMED;
}

int main(int argc, char **argv)
{
    static double ns[NROW][ROUNDS];
    struct trod_sink sink;
    struct trod_json json;
    double nothing;

    make_trace();
    if (argc == 3)
        return run_one(argv[1], (uint32_t)strtoul(argv[2], NULL, 10));
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < NROW; i++)
            ns[i][r] = nanoseconds(rows + i);
    for (int i = 1; i < NROW; i++)
        for (int r = 0; r < ROUNDS && rows[i].length <= 1; r++)
            ns[i][r] -= ns[0][r];
    nothing = instructions(argv[0], rows);
    bench_open(&json, &sink, "online");
    for (int i = 1; i < NROW; i++) {
        struct bench_spread spread = bench_spread(ns[i], ROUNDS);
        double count = instructions(argv[0], rows + i);

        trod_json_open(&json, NULL, '{');
        trod_json_text(&json, "action", rows[i].text);
        trod_json_text(&json, "per", rows[i].per);
        if (count >= 0)
            trod_json_real(
                &json, "instructions", rows[i].length > 1 ? count : count - nothing);
        trod_json_real(&json, "ns", spread.median);
        trod_json_real(&json, "ns_low", spread.low);
        trod_json_real(&json, "ns_high", spread.high);
        trod_json_close(&json, '}');
    }
    bench_close(&json);
    return 0;
}
