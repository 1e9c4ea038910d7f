#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Runs that shrinking may take: a second or so for a property of 50 us. */
enum { BUDGET_RUNS = 20000 };

/* And seconds, for properties that are slow. */
enum { BUDGET_SECONDS = 5 };

/* Most draws that one item of a list is expected to make. */
enum { MAX_ITEM = 6 };

#define NOTHING SIZE_MAX

struct shrinker {
    struct kit_choices *best;
    struct kit_choices candidate, made;
    kit_fails fails;
    void *ctx;
    size_t nrun;
    time_t until;
};

void kit_choices_add(struct kit_choices *choices, uint64_t value)
{
    if (choices->count == choices->room) {
        size_t room = choices->room ? 2 * choices->room : 64;
        uint64_t *longer = realloc(choices->at, room * sizeof *longer);

        if (!longer) {
            fputs("# kit: out of memory\n", stderr);
            abort();
        }
        choices->at = longer;
        choices->room = room;
    }
    choices->at[choices->count++] = value;
}

void kit_choices_copy(struct kit_choices *to, const struct kit_choices *from)
{
    to->count = 0;
    for (size_t i = 0; i < from->count; i++)
        kit_choices_add(to, from->at[i]);
}

void kit_choices_free(struct kit_choices *choices)
{
    free(choices->at);
    memset(choices, 0, sizeof *choices);
}

/* Shorter is smaller; of two equally long, the one that is first lower. */
static bool is_smaller(const struct kit_choices *a, const struct kit_choices *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (size_t i = 0; i < a->count; i++)
        if (a->at[i] != b->at[i])
            return a->at[i] < b->at[i];
    return false;
}

static bool is_spent(const struct shrinker *s)
{
    return s->nrun >= BUDGET_RUNS || time(NULL) > s->until;
}

/* Run the candidate; where it fails and is smaller it becomes the best.  What the
 * run really drew counts, not what it was given.
 */
static bool improve(struct shrinker *s)
{
    s->nrun++;
    if (!s->fails(&s->made, &s->candidate, s->ctx) || !is_smaller(&s->made, s->best))
        return false;
    kit_choices_copy(s->best, &s->made);
    return true;
}

static bool try_set(struct shrinker *s, size_t i, uint64_t value)
{
    if (is_spent(s))
        return false;
    kit_choices_copy(&s->candidate, s->best);
    s->candidate.at[i] = value;
    return improve(s);
}

/* Delete a run of choices and, where `lower` is the index of one before it, lower
 * that by one.  The second is for lists, drawn as their length and then their items:
 * an item goes only when the length is lowered with it.
 */
static bool try_delete(struct shrinker *s, size_t from, size_t length, size_t lower)
{
    struct kit_choices *c = &s->candidate;

    if (is_spent(s))
        return false;
    kit_choices_copy(c, s->best);
    if (lower != NOTHING)
        c->at[lower]--;
    memmove(c->at + from, c->at + from + length,
        (c->count - from - length) * sizeof *c->at);
    c->count -= length;
    return improve(s);
}

/* Neighbouring runs overlap by three quarters: a few tries for the long ones, one
 * per choice for the short ones.
 */
static bool delete_runs(struct shrinker *s)
{
    const struct kit_choices *best = s->best;
    bool better = false;

    for (size_t length = best->count; length > 0; length /= 2)
        for (size_t end = best->count; end >= length; end -= (length + 3) / 4)
            if (end <= best->count && try_delete(s, end - length, length, NOTHING))
                better = true;
    return better;
}

static bool delete_items(struct shrinker *s)
{
    const struct kit_choices *best = s->best;
    bool better = false;

    for (size_t count = 0; count < best->count; count++)
        for (size_t length = 1; length <= MAX_ITEM; length++)
            for (size_t from = count + 1; from + length <= best->count; from++)
                while (from + length <= best->count && best->at[count] > 0 &&
                       try_delete(s, from, length, count))
                    better = true;
    return better;
}

/* Zero if that still fails, else the least value that bisection finds. */
static bool lower_one(struct shrinker *s, size_t i)
{
    const struct kit_choices *best = s->best;
    uint64_t passes = 0;
    bool better = false;

    if (best->at[i] == 0)
        return false;
    if (try_set(s, i, 0))
        return true;
    while (i < best->count && best->at[i] > passes + 1 && !is_spent(s)) {
        uint64_t middle = passes + (best->at[i] - passes) / 2;

        if (try_set(s, i, middle))
            better = true;
        else
            passes = middle;
    }
    /* Where failing is not monotonic bisection may have stopped too early. */
    while (i < best->count && best->at[i] > 0 && try_set(s, i, best->at[i] - 1))
        better = true;
    return better;
}

static bool lower_each(struct shrinker *s)
{
    bool better = false;

    for (size_t i = 0; i < s->best->count; i++)
        better |= lower_one(s, i);
    return better;
}

size_t kit_shrink(struct kit_choices *best, kit_fails fails, void *ctx)
{
    struct shrinker s = {.best = best, .fails = fails, .ctx = ctx};
    bool better = true;

    s.until = time(NULL) + BUDGET_SECONDS;
    while (better && !is_spent(&s)) {
        better = delete_runs(&s);
        better |= lower_each(&s);
        better |= delete_items(&s);
    }
    kit_choices_free(&s.candidate);
    kit_choices_free(&s.made);
    return s.nrun;
}
