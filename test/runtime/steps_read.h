/* steps_read: an independent reader of recorded steps, which compares a profile with the log of steps_log.h. */
#ifndef STEPS_READ_H
#define STEPS_READ_H

#include "steps_log.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files ------------------------------------------------------------------------ */

/* The profile of a process. */
static inline const uint8_t *map_profile(size_t *size, pid_t pid)
{
    const uint8_t *bytes;
    char name[64];
    struct stat file;
    int fd;

    snprintf(name, sizeof name, "%d.trod", (int)pid);
    fd = open(name, O_RDWR);
    MUST(fd >= 0 && !fstat(fd, &file));
    *size = (size_t)file.st_size;
    bytes = mmap(NULL, *size, PROT_READ, MAP_SHARED, fd, 0);
    MUST(bytes != MAP_FAILED);
    close(fd);
    return bytes;
}

/* The profile of a process that may write to it: its pages are mapped again when it has grown. */
static inline void follow_profile(const uint8_t **bytes, size_t *size, pid_t pid)
{
    struct stat file;
    char name[64];

    snprintf(name, sizeof name, "%d.trod", (int)pid);
    MUST(!stat(name, &file));
    if ((size_t)file.st_size == *size)
        return;
    if (*bytes)
        munmap((void *)(uintptr_t)*bytes, *size);
    *bytes = map_profile(size, pid);
}

/* --- steps ------------------------------------------------------------------------ */

struct found {
    uint32_t thread, part;
    const struct trod_format_steps *live; /* or */
    const uint8_t *at;                    /* of a closed part */
};

enum { MOST_FOUND = 100000 };
static struct found found[MOST_FOUND];

static inline uint64_t varint(const uint8_t **at)
{
    uint64_t value = 0;
    unsigned shift = 0;

    for (;; shift += 7) {
        uint8_t byte = *(*at)++;

        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return value;
    }
}

static inline int by_part(const void *x, const void *y)
{
    const struct found *a = x, *b = y;

    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    return (a->live != NULL) - (b->live != NULL);
}

static inline size_t find_parts(const uint8_t *bytes, size_t size)
{
    size_t at, n = 0;

    for (at = 4096; at + 64 <= size;) {
        struct trod_format_head head;

        memcpy(&head, bytes + at, sizeof head);
        if (head.magic != TROD_SECTION_MAGIC) {
            at += 4096;
            continue;
        }
        MUST(n < MOST_FOUND);
        if (head.type == TROD_SECTION_STEPS) {
            found[n].live = (const void *)(bytes + at + 64);
            found[n].thread = found[n].live->thread;
            found[n].part = found[n].live->part;
            n++;
        } else if (head.type == TROD_SECTION_PART) {
            found[n].live = NULL;
            found[n].at = bytes + at + 64;
            found[n].thread = head.thread;
            found[n].part = (uint32_t)varint(&found[n].at);
            MUST(varint(&found[n].at) == 0); /* given up */
            n++;
        }
        at += head.size;
    }
    qsort(found, n, sizeof *found, by_part);
    return n;
}

struct taker {
    uint32_t *out;
    size_t count, room;
};

static inline void take(struct taker *taker, uint32_t terminal)
{
    if (taker->count < taker->room)
        taker->out[taker->count] = terminal;
    taker->count++;
}

enum { DEEPEST = 10000 };

static inline uint32_t live_next(const struct trod_format_steps *live, uint32_t n)
{
    const struct trod_format_node *node = (const void *)(live + 1);
    uint32_t i;

    for (i = 0; i < live->nundo; i++) {
        if (live->undo[i].node == n)
            return live->undo[i].next;
    }
    return node[n].next;
}

/* The last node of rule 0. */
static inline uint32_t take_nodes(
    struct taker *taker, const struct trod_format_steps *live)
{
    static struct {
        uint32_t guard, at;
    } open[DEEPEST];
    const struct trod_format_node *node = (const void *)(live + 1);
    uint32_t depth = 0, last = 0, n = live_next(live, 0), guard = 0;

    for (;;) {
        if (n == guard) {
            if (!depth)
                return last;
            depth--;
            guard = open[depth].guard;
            n = live_next(live, open[depth].at);
            continue;
        }
        if (!depth)
            last = n;
        MUST(n < live->nnode && taker->count <= LOG);
        if (node[n].symbol & TROD_STEPS_RULE) {
            MUST(node[n].symbol < TROD_STEPS_GUARD && depth < DEEPEST);
            open[depth].guard = guard;
            open[depth++].at = n;
            guard = node[n].symbol & ~TROD_STEPS_RULE;
            n = live_next(live, guard);
        } else {
            take(taker, node[n].symbol);
            n = live_next(live, n);
        }
    }
}

static inline void take_live(
    struct taker *taker, const struct trod_format_steps *live, bool closed)
{
    uint32_t last = closed ? 0 : take_nodes(taker, live);
    uint32_t i = live->taken + (live->linking && last == live->linking);

    for (; i != live->queued; i++) {
        if (live->queue[i % TROD_STEPS_QUEUE])
            take(taker, live->queue[i % TROD_STEPS_QUEUE] - 1);
    }
}

static inline void take_rule(
    struct taker *taker, const uint8_t *const *rule, uint32_t r, unsigned depth)
{
    const uint8_t *at = rule[r];
    uint64_t n = varint(&at);

    MUST(depth < DEEPEST);
    while (n--) {
        uint64_t code = varint(&at);

        if (code & 1)
            take_rule(taker, rule, (uint32_t)(code >> 1), depth + 1);
        else
            take(taker, (uint32_t)(code >> 1));
    }
}

static inline void take_part(struct taker *taker, const uint8_t *at)
{
    uint64_t nrule = varint(&at), r, n;
    const uint8_t **rule = malloc(nrule * sizeof *rule);

    MUST(rule);
    for (r = 0; r < nrule; r++) {
        rule[r] = at;
        for (n = varint(&at); n; n--)
            varint(&at);
    }
    take_rule(taker, rule, 0, 0);
    free(rule);
}

/* The steps of a thread. */
static inline size_t steps_in(
    uint32_t *out, size_t room, const uint8_t *bytes, size_t size, uint32_t thread)
{
    struct taker taker = {out, 0, room};
    size_t n = find_parts(bytes, size), i;
    bool closed = false;

    for (i = 0; i < n; i++) {
        if (found[i].thread != thread)
            continue;
        closed = i && found[i].live && !found[i - 1].live &&
                 found[i - 1].thread == thread && found[i - 1].part == found[i].part;
        if (found[i].live)
            take_live(&taker, found[i].live, closed);
        else
            take_part(&taker, found[i].at);
    }
    return taker.count;
}

/* --- the log ---------------------------------------------------------------------- */

/* Whether a thread's steps are those logged, but perhaps for the last. */
static inline bool is_as_logged(const uint8_t *bytes, size_t size, uint32_t thread)
{
    static uint32_t seen[LOG];
    size_t n = atomic_load(&logged->count),
           got = steps_in(seen, LOG, bytes, size, thread);

    return (got == n || got + 1 == n) &&
           !memcmp(seen, logged->terminal, got * sizeof *seen);
}

/* For the other reader: the checksum of what was logged. */
static inline void leave_checksum(void)
{
    size_t n = atomic_load(&logged->count) * sizeof *logged->terminal, i;
    const uint8_t *at = (const uint8_t *)logged->terminal;
    uint32_t crc = UINT32_MAX;
    FILE *file = fopen("crc", "w");
    int bit;

    for (i = 0; i < n; i++) {
        crc ^= at[i];
        for (bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
    }
    MUST(file && fprintf(file, "%" PRIu32, ~crc) > 0 && !fclose(file));
}

/* The steps of this process are those logged, and all of them; the status of a scenario. */
static inline int steps_are_there(void)
{
    size_t size;
    const uint8_t *bytes = map_profile(&size, getpid());

    MUST(is_as_logged(bytes, size, 0));
    leave_checksum();
    return 0;
}

#endif
