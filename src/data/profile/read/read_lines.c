#include "profile/read/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A copy with escapes replaced; invalid escapes stay as they are. */
static const char *unescape(struct reader *r, const char *from, size_t length)
{
    char *text = trod_new(r->mem, char, length + 1);
    size_t n = 0;

    for (size_t i = 0; i < length; i++) {
        text[n++] = from[i];
        if (from[i] != '\\' || i + 1 == length)
            continue;
        if (from[i + 1] == '\\') {
            i++;
        } else if (from[i + 1] == 'x' && i + 3 < length) {
            int high = digit_of(from[i + 2]), low = digit_of(from[i + 3]);

            if (high < 0 || low < 0 || (!high && !low))
                continue;
            text[n - 1] = (char)(high << 4 | low);
            i += 3;
        }
    }
    return text;
}

static bool read_field(struct reader *r, const char *line, size_t length)
{
    const char *blank = memchr(line, ' ', length);
    size_t nkey = blank ? (size_t)(blank - line) : length;
    size_t skip = blank ? nkey + 1 : nkey;
    struct trod_profile_field *field;

    if (!nkey)
        return false;
    trod_reserve(r->mem, r->field, r->nfield, r->room_field);
    field = &r->field[r->nfield++];
    field->key = trod_copy_text(r->mem, line, nkey);
    field->value = unescape(r, line + skip, length - skip);
    return true;
}

static bool read_note(struct reader *r, const char *line, size_t length)
{
    const char *note = unescape(r, line, length);

    if (strncmp(note, "private ", 8) == 0)
        r->has_private = true;
    if (strncmp(note, "unrecorded ", 11) == 0)
        r->has_unrecorded = true;
    if (strncmp(note, "given ", 6) == 0)
        r->has_given = true;
    trod_profile_add_note(&r->builder, "%s", note);
    return true;
}

static void each_line(struct reader *r, const struct section *s,
    bool (*take)(struct reader *r, const char *line, size_t length))
{
    const char *at = (const char *)s->payload, *end = at + s->npayload;

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);

        if (memchr(at, '\0', length) || (length && !take(r, at, length)))
            trod_profile_lose(r, s->at, "a line of the %s section is skipped: '%.*s'",
                trod_profile_section_name(s->head.type), length > 60 ? 60 : (int)length,
                at);
        at += length + 1;
    }
}

/* A live file has at most one RUN and one END; a second one is a copy. */
static bool is_again(struct reader *r, const struct section *s, bool *seen)
{
    bool again = *seen && r->health.kind == TROD_FORMAT_LIVE;

    *seen = true;
    if (again)
        trod_profile_lose(r, s->at, "a second %s section is skipped",
            trod_profile_section_name(s->head.type));
    return again;
}

/* A packed file has any number of runs, a live file has one. */
void trod_profile_read_run(struct reader *r, const struct section *s)
{
    if (is_again(r, s, &r->has_run))
        return;
    each_line(r, s, read_field);
    if (r->health.kind == TROD_FORMAT_LIVE)
        return;
    trod_profile_add_run(&r->builder, s->head.thread, r->field, r->nfield);
    r->field = NULL;
    r->nfield = r->room_field = 0;
}

/* In a packed file, END contains a checksum of all section heads before it. Files of older versions
 * do not have it.
 */
static void check_chain(struct reader *r, const struct section *s)
{
    char want[32];

    snprintf(want, sizeof want, "chain %08" PRIx32 "\n", r->chain);
    if (s->npayload &&
        (s->npayload < strlen(want) || memcmp(s->payload, want, strlen(want)) != 0))
        trod_profile_lose(r, s->at,
            "the sections differ from those written: some are missing, duplicated, foreign or "
            "out of order");
}

void trod_profile_read_end(struct reader *r, const struct section *s)
{
    if (r->health.kind == TROD_FORMAT_PACKED)
        check_chain(r, s);
    else if (!is_again(r, s, &r->health.ended))
        r->end = *s;
    r->health.ended = true;
}

void trod_profile_read_notes(struct reader *r, const struct section *s)
{
    each_line(r, s, read_note);
}

/* --- SHARED ---------------------------------------------------------------------------------------- */

void trod_profile_read_shared(struct reader *r, const struct section *s)
{
    if (s->npayload < sizeof(struct trod_format_shared))
        trod_profile_lose(
            r, s->at, "the SHARED section is cut off: how its processes ended is lost");
    else if (r->shared.npayload)
        trod_profile_lose(r, s->at, "a second SHARED section is skipped");
    else
        r->shared = *s;
}

static uint64_t shared_word(const struct reader *r, size_t offset)
{
    return trod_load64(r->shared.payload + offset);
}

#define SHARED(r, field) shared_word((r), offsetof(struct trod_format_shared, field))

static void add_field(struct reader *r, const char *key, const char *value)
{
    trod_push(r->mem, r->field, r->nfield, r->room_field,
        (struct trod_profile_field){.key = key, .value = value});
}

static void add_number(struct reader *r, const char *key, uint64_t value)
{
    add_field(r, key, trod_format(r->mem, "%" PRIu64, value));
}

static void add_stops(struct reader *r)
{
    size_t size = sizeof(struct trod_format_shared_stop);

    for (size_t i = 0; i < TROD_SHARED_STOPS; i++) {
        size_t at = offsetof(struct trod_format_shared, stop) + i * size;
        uint64_t place = shared_word(r, at), times = shared_word(r, at + 8);

        if (place && times)
            add_field(r, "stop",
                trod_format(r->mem, "%" PRIx64 " %" PRIu64, place - 1, times));
    }
}

/* Bits of `noted` for the keywords of NOTE sections: losses are reported even if there was no space
 * for the NOTE itself. */
static void add_noted(struct reader *r)
{
    static const char *const key[] = {"private", "shared", "dropped", "unrecorded"};
    uint32_t noted =
        trod_load32(r->shared.payload + offsetof(struct trod_format_shared, noted));

    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        bool there = false;

        for (uint32_t k = 0; k < r->builder.nnote; k++)
            there |= strncmp(r->builder.note[k], key[i], strlen(key[i])) == 0;
        if (noted >> i & 1 && !there)
            trod_profile_add_note(
                &r->builder, "%s a process had no room to note more", key[i]);
    }
    r->has_private |= noted & 1;
    r->has_unrecorded |= noted >> 3 & 1;
}

/* Adds the fields that END would have, and the number of processes. */
static void finish_shared(struct reader *r)
{
    uint64_t nstarted = SHARED(r, nstarted), nended = SHARED(r, nended);

    add_noted(r);
    r->health.ended = nended >= nstarted;
    add_number(r, "processes", nstarted);
    if (r->health.ended)
        add_field(r, "exit", "order");
    else
        add_number(r, "ended", nended);
    if (nended)
        add_field(r, "duration",
            trod_format(r->mem, "%" PRIu64 ".%09" PRIu64,
                SHARED(r, duration) / 1000000000, SHARED(r, duration) % 1000000000));
    add_number(r, "private", SHARED(r, nprivate));
    add_number(r, "lost", SHARED(r, nlost));
    if (SHARED(r, nunrecorded))
        add_number(r, "unrecorded", SHARED(r, nunrecorded));
    if (SHARED(r, npart))
        add_field(r, "stack", "part");
    add_stops(r);
}

/* The value of a numeric field of a live run; 0 if missing. */
static uint64_t number_in(const struct reader *r, const char *key)
{
    uint64_t value = 0;

    for (uint32_t i = 0; i < r->nfield; i++)
        if (strcmp(r->field[i].key, key) == 0 &&
            !trod_text_uint(&value, r->field[i].value))
            return 0;
    return value;
}

/* Report steps that were not recorded: the number from END, or else what threads noted before the program died. */
static void lose_given(struct reader *r, uint64_t ngiven)
{
    ngiven = ngiven ? ngiven : r->ngiven;
    if (ngiven)
        trod_profile_lose(r, r->length,
            "%" PRIu64 " steps that the program had no space to record", ngiven);
    else if (r->has_given)
        trod_profile_lose(
            r, r->length, "steps that the program had no space to record");
}

/* Report what only the end of a live file says. */
void trod_profile_finish_run(struct reader *r)
{
    uint64_t nthread, nlost, nunrecorded, npart;

    /* These fields follow those of RUN, whatever the order of sections. */
    if (r->shared.npayload)
        finish_shared(r);
    else if (r->health.ended)
        each_line(r, &r->end, read_field);
    nthread = number_in(r, "threads");
    nlost = number_in(r, "lost");
    nunrecorded = number_in(r, "unrecorded");
    npart = number_in(r, "parts");
    if (!r->has_run && r->health.nsection)
        trod_profile_lose(
            r, r->length, "there is no RUN section: information about the run is lost");
    if (!r->health.ended) {
        add_field(r, "exit", "unknown");
        if (r->has_private)
            trod_profile_lose(
                r, r->length, "counts that were in memory when the program stopped");
    } else {
        if (nthread > r->ncounts && nthread - r->ncounts > nlost)
            trod_profile_lose(r, r->length,
                "the program wrote %" PRIu64 " COUNTS sections, %" PRIu64 " are here",
                nthread, r->ncounts);
        if (nlost)
            trod_profile_lose(r, r->length,
                "counts of %" PRIu64 " threads, which the program could not write",
                nlost);
    }
    if (npart > r->npart)
        trod_profile_lose(r, r->length,
            "the program wrote %" PRIu64 " PART sections, %" PRIu64 " are here", npart,
            r->npart);
    lose_given(r, number_in(r, "given"));
    if (nunrecorded)
        trod_profile_lose(r, r->length,
            "untested paths, %" PRIu64
            " times, that the program had no memory to record",
            nunrecorded);
    else if (r->has_unrecorded)
        trod_profile_lose(
            r, r->length, "untested paths that the program had no memory to record");
    if (r->nweeded)
        add_number(r, "weeded", r->nweeded);
    trod_profile_add_run(&r->builder, 0, r->field, r->nfield);
}
