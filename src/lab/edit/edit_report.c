#include "profile/overlap.h"
#include "edit/edit.h"

#include <inttypes.h>

enum { MOST = 10, MOST_DATA = 6 };

double trod_edit_overhead(const struct trod_edit_part *part,
    const struct trod_edit_counts *counts, double cpi)
{
    double cycles = (double)counts->ninsn * cpi;

    return cycles > 0 ? ((double)part->nbubble + (double)part->nop * cpi) / cycles : 0;
}

static struct trod_edit_part sum_of(const struct trod_edit_cost *cost)
{
    return (struct trod_edit_part){
        .nbubble = cost->basic.nbubble + cost->checks.nbubble + cost->sampling.nbubble,
        .nop = cost->basic.nop + cost->checks.nop + cost->sampling.nop};
}

static double cpi_of(const struct trod_edit_print_options *options)
{
    return options->cpi > 0 ? options->cpi : TROD_EDIT_CPI;
}

static size_t most_of(const struct trod_edit_print_options *options)
{
    return options->most ? options->most : MOST;
}

static const char *s_of(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* --- text -------------------------------------------------------------------------------------------- */

static void print_stream(struct trod_sink *sink, const struct trod_edit_counts *c)
{
    trod_put(sink,
        "# %" PRIu64 " instruction%s in %" PRIu64 " run%s of %" PRIu64
        " code%s, by %" PRIu64 " thread%s; %" PRIu64 " event%s\n",
        c->ninsn, s_of(c->ninsn), c->nrun, s_of(c->nrun), c->ncode, s_of(c->ncode),
        c->nthread, s_of(c->nthread), c->nevent, s_of(c->nevent));
    if (c->nblind)
        trod_put(sink,
            "# the instructions of %" PRIu64
            " code%s are unknown: patterns match only their branches\n",
            c->nblind, s_of(c->nblind));
}

static void print_registers(struct trod_sink *sink, const struct trod_edit *edit)
{
    for (uint32_t i = 0; i < edit->nregister; i++) {
        const struct trod_edit_register *reg = &edit->reg[i];

        trod_put(sink, "%s%s %" PRIu64, i ? ", " : "# ", reg->name, reg->raised);
        if (reg->period != TROD_EDIT_FIXED)
            trod_put(
                sink, " %s", trod_edit_period_name((enum trod_edit_period)reg->period));
    }
    trod_put(sink, edit->nregister ? "\n" : "");
}

static void print_part(struct trod_sink *sink, const char *name, const char *replaced,
    const struct trod_edit_part *part, const struct trod_edit_counts *counts,
    double cpi)
{
    trod_put(sink, "%-14s %12s %12" PRIu64 " %12" PRIu64 " %9.3f%%\n", name, replaced,
        part->nbubble, part->nop, 100 * trod_edit_overhead(part, counts, cpi));
}

static void print_cost(struct trod_sink *sink, const char *name,
    const struct trod_edit_cost *cost, const struct trod_edit_counts *counts,
    double cpi)
{
    struct trod_edit_part sum = sum_of(cost);

    trod_put(sink, "%-14s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %9.3f%%\n", name,
        cost->nreplace, sum.nbubble, sum.nop,
        100 * trod_edit_overhead(&sum, counts, cpi));
}

static void print_costs(
    struct trod_sink *sink, const struct trod_edit_counts *counts, double cpi)
{
    const struct trod_edit_cost *plain = &counts->plain;

    trod_put(sink, "%-14s %12s %12s %12s %10s\n", "editing", "replaced", "bubbles",
        "micro-ops", "overhead");
    print_cost(sink, "plain", plain, counts, cpi);
    print_part(sink, "  events", "", &plain->basic, counts, cpi);
    print_part(sink, "  checks", "", &plain->checks, counts, cpi);
    print_part(sink, "  sampling", "", &plain->sampling, counts, cpi);
    print_cost(sink, "conditional", &counts->conditional, counts, cpi);
}

static double more(uint64_t cycles, uint64_t base)
{
    return base ? ((double)cycles - (double)base) / (double)base : 0;
}

static void print_timed(struct trod_sink *sink, const struct trod_edit_timed *t)
{
    trod_put(sink,
        "timed on %s: %" PRIu64 " cycles; plain %" PRIu64
        ", %.3f%% more; conditional %" PRIu64 ", %.3f%% more\n",
        t->machine, t->base, t->plain, 100 * more(t->plain, t->base), t->conditional,
        100 * more(t->conditional, t->base));
}

static void print_members(struct trod_sink *sink, const struct trod_edit_profile *p,
    const struct trod_edit_print_options *options)
{
    bool pairs = p->notes == TROD_EDIT_CALLS;

    trod_put(sink, " rank      sampled   share          all   share  %s\n",
        pairs ? "site and callee" : "method");
    for (size_t i = 0; i < p->nmember && i < most_of(options); i++) {
        const struct trod_edit_member *m = &p->member[i];

        trod_put(sink, "%5zu %12" PRIu64 " %6.2f%% %12" PRIu64 " %6.2f%%  0x%" PRIx64,
            i + 1, m->sampled, 100 * trod_overlap_share(&p->overlap, i, false), m->all,
            100 * trod_overlap_share(&p->overlap, i, true), m->a);
        if (pairs)
            trod_put(sink, " 0x%" PRIx64, m->b);
        trod_branch_put_place(sink, options->places, m->a);
        if (pairs)
            trod_branch_put_place(sink, options->places, m->b);
        trod_put(sink, "\n");
    }
}

static void put_data(struct trod_sink *sink, const struct trod_streams *of,
    const struct trod_stream *stream)
{
    for (uint32_t k = 0; k < stream->length && k < MOST_DATA; k++)
        trod_put(sink, " 0x%" PRIx64, of->datum[stream->datum[k]].offset);
    if (stream->length > MOST_DATA)
        trod_put(sink, " and %u more", stream->length - MOST_DATA);
}

static void print_streams(struct trod_sink *sink, const struct trod_edit_profile *p,
    const struct trod_edit_print_options *options)
{
    trod_put(sink,
        "%" PRIu64 " of %" PRIu64 " addresses; %zu stream%s sampled, %zu in all\n",
        p->sampled.nref, p->all.nref, p->sampled.nstream, s_of(p->sampled.nstream),
        p->all.nstream);
    if (p->nref_lost)
        trod_put(sink,
            "# there was no space for %" PRIu64
            " more addresses: streams cover only the first\n",
            p->nref_lost);
    trod_put(sink, " rank         heat   share  length  addresses, of all\n");
    for (size_t i = 0; i < p->all.nstream && i < most_of(options); i++) {
        const struct trod_stream *s = &p->all.stream[i];

        trod_put(sink, "%5zu %12" PRIu64 " %6.2f%% %7u ", i + 1, s->heat,
            100 * (double)s->heat / (double)p->all.total, s->length);
        put_data(sink, &p->all, s);
        trod_put(sink, "\n");
    }
}

static void print_profile(struct trod_sink *sink, const struct trod_edit_profile *p,
    const struct trod_edit_print_options *options)
{
    trod_put(sink,
        "%s: %s at %" PRIu64 " of %" PRIu64 " instructions, in %" PRIu64 " burst%s\n",
        p->handler, trod_edit_notes_name(p->notes), p->nsampled, p->nall, p->nburst,
        s_of(p->nburst));
    if (p->notes == TROD_EDIT_NOTHING_NOTED)
        return;
    if (p->compared)
        trod_put(sink, "accuracy: complete %.2f%%, top 90%% %.2f%%\n",
            100 * p->overlap.all.overlap, 100 * p->overlap.top.overlap);
    else
        trod_put(sink, "accuracy: nothing to compare\n");
    if (p->notes == TROD_EDIT_STREAMS)
        print_streams(sink, p, options);
    else if (p->nmember)
        print_members(sink, p, options);
}

void trod_edit_report(struct trod_sink *sink, const struct trod_edit *edit,
    const struct trod_edit_result *result,
    const struct trod_edit_print_options *options)
{
    print_stream(sink, result->counts);
    print_registers(sink, edit);
    print_costs(sink, result->counts, cpi_of(options));
    if (options->timed)
        print_timed(sink, options->timed);
    for (size_t i = 0; i < result->nprofile; i++)
        print_profile(sink, &result->profile[i], options);
}

/* --- JSON -------------------------------------------------------------------------------------------- */

static void json_part(struct trod_json *json, const char *key,
    const struct trod_edit_part *part, const struct trod_edit_counts *counts,
    double cpi)
{
    trod_json_open(json, key, '{');
    trod_json_uint(json, "bubbles", part->nbubble);
    trod_json_uint(json, "micro_ops", part->nop);
    trod_json_real(json, "overhead", trod_edit_overhead(part, counts, cpi));
    trod_json_close(json, '}');
}

static void json_cost(struct trod_json *json, const char *key,
    const struct trod_edit_cost *cost, const struct trod_edit_counts *counts,
    double cpi)
{
    struct trod_edit_part sum = sum_of(cost);

    trod_json_open(json, key, '{');
    trod_json_uint(json, "replaced", cost->nreplace);
    json_part(json, "all", &sum, counts, cpi);
    json_part(json, "events", &cost->basic, counts, cpi);
    json_part(json, "checks", &cost->checks, counts, cpi);
    json_part(json, "sampling", &cost->sampling, counts, cpi);
    trod_json_close(json, '}');
}

static void json_address(struct trod_json *json, const char *key, uint64_t address)
{
    char text[20];
    size_t at = sizeof text - 1;

    text[at] = '\0';
    do
        text[--at] = "0123456789abcdef"[address & 15];
    while (address >>= 4);
    text[--at] = 'x';
    text[--at] = '0';
    trod_json_text(json, key, text + at);
}

static void json_members(struct trod_json *json, const struct trod_edit_profile *p,
    const struct trod_edit_print_options *options)
{
    trod_json_uint(json, "members", p->nmember);
    trod_json_open(json, "hottest", '[');
    for (size_t i = 0; i < p->nmember && i < most_of(options); i++) {
        const struct trod_edit_member *m = &p->member[i];

        trod_json_open(json, NULL, '{');
        json_address(json, p->notes == TROD_EDIT_CALLS ? "site" : "method", m->a);
        trod_branch_json_place(json, "place", options->places, m->a);
        if (p->notes == TROD_EDIT_CALLS) {
            json_address(json, "callee", m->b);
            trod_branch_json_place(json, "callee_place", options->places, m->b);
        }
        trod_json_uint(json, "sampled", m->sampled);
        trod_json_uint(json, "all", m->all);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_streams(struct trod_json *json, const struct trod_edit_profile *p,
    const struct trod_edit_print_options *options)
{
    trod_json_uint(json, "addresses_sampled", p->sampled.nref);
    trod_json_uint(json, "addresses", p->all.nref);
    trod_json_uint(json, "addresses_lost", p->nref_lost);
    trod_json_uint(json, "streams_sampled", p->sampled.nstream);
    trod_json_uint(json, "streams", p->all.nstream);
    trod_json_open(json, "hottest", '[');
    for (size_t i = 0; i < p->all.nstream && i < most_of(options); i++) {
        const struct trod_stream *s = &p->all.stream[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "heat", s->heat);
        trod_json_uint(json, "times", s->times);
        trod_json_open(json, "addresses", '[');
        for (uint32_t k = 0; k < s->length; k++)
            json_address(json, NULL, p->all.datum[s->datum[k]].offset);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_profile(struct trod_json *json, const struct trod_edit_profile *p,
    const struct trod_edit_print_options *options)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "handler", p->handler);
    trod_json_text(json, "notes", trod_edit_notes_name(p->notes));
    trod_json_uint(json, "sampled", p->nsampled);
    trod_json_uint(json, "all", p->nall);
    trod_json_uint(json, "bursts", p->nburst);
    if (p->compared) {
        trod_json_real(json, "accuracy", p->overlap.all.overlap);
        trod_json_real(json, "accuracy_top", p->overlap.top.overlap);
    }
    if (p->notes == TROD_EDIT_STREAMS)
        json_streams(json, p, options);
    else if (p->notes != TROD_EDIT_NOTHING_NOTED)
        json_members(json, p, options);
    trod_json_close(json, '}');
}

static void json_timed(struct trod_json *json, const struct trod_edit_timed *t)
{
    trod_json_open(json, "timed", '{');
    trod_json_text(json, "machine", t->machine);
    trod_json_uint(json, "base", t->base);
    trod_json_uint(json, "plain", t->plain);
    trod_json_uint(json, "conditional", t->conditional);
    trod_json_close(json, '}');
}

void trod_edit_json(struct trod_json *json, const struct trod_edit *edit,
    const struct trod_edit_result *result,
    const struct trod_edit_print_options *options)
{
    const struct trod_edit_counts *c = result->counts;

    trod_json_uint(json, "instructions", c->ninsn);
    trod_json_uint(json, "runs", c->nrun);
    trod_json_uint(json, "codes", c->ncode);
    trod_json_uint(json, "codes_unknown", c->nblind);
    trod_json_uint(json, "threads", c->nthread);
    trod_json_uint(json, "events", c->nevent);
    trod_json_open(json, "registers", '{');
    for (uint32_t i = 0; i < edit->nregister; i++)
        trod_json_uint(json, edit->reg[i].name, edit->reg[i].raised);
    trod_json_close(json, '}');
    trod_json_open(json, "fired", '{');
    for (uint32_t i = 0; i < edit->nproduction; i++)
        trod_json_uint(json, edit->production[i].name, c->nfired[i]);
    trod_json_close(json, '}');
    json_cost(json, "plain", &c->plain, c, cpi_of(options));
    json_cost(json, "conditional", &c->conditional, c, cpi_of(options));
    if (options->timed)
        json_timed(json, options->timed);
    trod_json_open(json, "profiles", '[');
    for (size_t i = 0; i < result->nprofile; i++)
        json_profile(json, &result->profile[i], options);
    trod_json_close(json, ']');
}
