/* bench: what the benchmark programs share.
 *
 * Each program prints one JSON object: the machine, then rows. bench/tables turns the
 * objects into doc/results.md. Times are medians over interleaved rounds; nothing
 * here asserts on a time.
 */
#ifndef TROD_BENCH_H
#define TROD_BENCH_H

#include "stages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static inline void bench_exhausted(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "bench: out of memory\n");
    exit(5);
}

static inline void bench_require(bool ok, const struct trod_err *err)
{
    if (ok)
        return;
    fprintf(stderr, "bench: %s\n", err->text);
    exit(3);
}

static inline double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void bench_put(struct trod_sink *sink, const char *bytes, size_t length)
{
    (void)sink;
    fwrite(bytes, 1, length, stdout);
}

static inline int bench_by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct bench_spread {
    double median, low, high;
};

/* Sorts the samples. */
static inline struct bench_spread bench_spread(double *sample, uint32_t n)
{
    qsort(sample, n, sizeof *sample, bench_by_size);
    return (struct bench_spread){sample[n / 2], sample[0], sample[n - 1]};
}

/* Open the object and describe the machine. */
static inline void bench_open(
    struct trod_json *json, struct trod_sink *sink, const char *name)
{
    struct utsname u;
    char line[256], cpu[256] = "unknown";
    FILE *f = fopen("/proc/cpuinfo", "r");

    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %255[^\n]", cpu) == 1)
            break;
    if (f)
        fclose(f);
    uname(&u);
    *sink = (struct trod_sink){.put = bench_put};
    trod_json_init(json, sink);
    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "version", 1);
    trod_json_text(json, "bench", name);
    trod_json_open(json, "machine", '{');
    trod_json_text(json, "cpu", cpu);
    trod_json_int(json, "cores", sysconf(_SC_NPROCESSORS_ONLN));
    trod_json_text(json, "kernel", u.sysname);
    trod_json_text(json, "arch", u.machine);
    trod_json_text(json, "compiler", __VERSION__);
    trod_json_close(json, '}');
    trod_json_open(json, "rows", '[');
}

static inline void bench_close(struct trod_json *json)
{
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* The graphs of one file of bench/corpus, one after the other. */
struct bench_corpus {
    char name[64]; /* of the program */
    struct trod_text text;
    char bytes[1 << 20];
};

static inline void bench_corpus_open(struct bench_corpus *out, const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    FILE *f = fopen(path, "r");

    if (!f) {
        perror(path);
        exit(5);
    }
    snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(base, "."), base);
    trod_text_init(
        &out->text, path, out->bytes, fread(out->bytes, 1, sizeof out->bytes, f));
    fclose(f);
}

static inline bool bench_corpus_next(
    struct bench_corpus *corpus, struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_err err;
    bool more;

    bench_require(trod_graph_parse(graph, &more, &corpus->text, mem, &err), &err);
    return more;
}

#endif
