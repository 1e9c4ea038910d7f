#include "entry/foreign.h"

#include <inttypes.h>
#include <string.h>

/* glibc's <sys/gmon_out.h>: a header, then records, each preceded by a tag. */
enum {
    HEADER = 20,    /* "gmon", a version, unused bytes */
    HISTOGRAM = 40, /* from, to, size, rate, unit */
    ARC = 20        /* from, to, count */
};
enum { TAG_HISTOGRAM, TAG_ARC, TAG_BLOCKS };

struct reader {
    struct trod_entries *out;
    const char *file;
    const uint8_t *bytes;
    size_t at, length;
    const struct trod_foreign_symbols *symbols;
    bool callgraph, has_low;
    uint64_t low, nlost;
    struct trod_arena *mem;
    struct trod_err *err;
};

static uint64_t number(const struct reader *r, size_t at, unsigned nbyte)
{
    uint64_t value = 0;

    for (unsigned i = nbyte; i-- > 0;)
        value = value << 8 | r->bytes[at + i];
    return value;
}

static bool has(const struct reader *r, uint64_t nbyte, const char *what)
{
    return r->length - r->at >= nbyte ||
           trod_fail(r->err, TROD_E_INPUT,
               "%s: it ends at byte %zu, inside %s; run the program again until it exits",
               r->file, r->length, what);
}

static bool read_header(struct reader *r)
{
    if (!has(r, HEADER, "its header"))
        return false;
    if (memcmp(r->bytes, "gmon", 4) != 0 || number(r, 4, 4) != 1)
        return trod_fail(r->err, TROD_E_INPUT,
            "%s: not a gmon.out of version 1, the only supported version", r->file);
    r->at = HEADER;
    return true;
}

static bool pass_histogram(struct reader *r)
{
    uint64_t size;

    if (!has(r, HISTOGRAM, "a histogram"))
        return false;
    if (!r->has_low)
        r->low = number(r, r->at, 8);
    r->has_low = true;
    size = number(r, r->at + 16, 4);
    r->at += HISTOGRAM;
    if (!has(r, 2 * size, "a histogram"))
        return false;
    r->at += 2 * size;
    return true;
}

static const char *name_of(const struct reader *r, uint64_t address)
{
    return r->symbols->name(r->symbols->ctx, r->low, address);
}

static bool read_arc(struct reader *r)
{
    const char *from, *to;
    uint64_t count;

    if (!has(r, ARC, "a call"))
        return false;
    from = name_of(r, number(r, r->at, 8));
    to = name_of(r, number(r, r->at + 8, 8));
    count = number(r, r->at + 16, 4);
    r->at += ARC;
    if (!to || (r->callgraph && !from)) {
        r->nlost++;
        return true;
    }
    trod_push(r->mem, r->out->entry, r->out->nentry, r->out->room,
        (struct trod_entry){.function = r->callgraph ? from : to,
            .part = TROD_NONE,
            .other = r->callgraph ? to : NULL,
            .count = count});
    return true;
}

static bool read_record(struct reader *r)
{
    uint8_t tag = r->bytes[r->at++];

    if (tag == TAG_HISTOGRAM)
        return pass_histogram(r);
    if (tag == TAG_ARC)
        return read_arc(r);
    return trod_fail(r->err, TROD_E_INPUT,
        "%s: a record of kind %u at byte %zu is neither a histogram nor a call%s",
        r->file, tag, r->at - 1,
        tag == TAG_BLOCKS ? ": counts of blocks are not read" : "; it is damaged");
}

/* The histogram gives the load address. It comes first; glibc always writes one. */
bool trod_foreign_gmon(struct trod_entries *out, const char *type, const char *file,
    const char *bytes, size_t length, const struct trod_foreign_symbols *symbols,
    uint64_t *nlost, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.out = out,
        .file = file,
        .bytes = (const uint8_t *)bytes,
        .length = length,
        .symbols = symbols,
        .callgraph = strcmp(type, "callgraph") == 0,
        .mem = mem,
        .err = err};

    if (!r.callgraph && strcmp(type, "calls") != 0)
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: gmon.out has no entries of type '%s': it has callgraph and calls",
            file, type);
    if (!symbols)
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: gmon.out has only addresses of functions; name the program that ran",
            file);
    if (!read_header(&r))
        return false;
    while (r.at < r.length)
        if (!read_record(&r))
            return false;
    *nlost = r.nlost;
    return true;
}
