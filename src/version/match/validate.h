/* validate: generalises one run of the new program to verdicts on all reused entries.
 *
 *     old entries of an input, mapped + new entries of the same input, all of them -> verdicts for every input
 *
 * One input, such as the cheapest, is profiled completely on the new version. Entries whose old profile of that input is right are
 * trusted on other inputs, too; entries that are wrong are not, whatever the analysis of changes says.
 *
 * Glossary
 *   exercised  of an entry, on an input: its count is not 0 in the old or in the new profile. An entry that is 0 in both says nothing.
 *   agrees     exercised, and both counts are equal; a missing entry counts 0
 *   reusable   the analysis of changes says that it may be reused: how is TROD_HOW_REUSED in the old entries
 *   affected   not reusable
 *   verdict    keep or withdraw a reusable entry, grant or refuse an affected one
 *   trust      probability that the old count is right on another input
 *
 * Trust is the share of agreements, with one more of either kind (Laplace), and with the result of the
 * analysis counted as if it were observations:
 *
 *                     1 + good + 4 own + others agree
 *     trust = -------------------------------------------------
 *              2 + good + bad + 4 own + others agree + others not
 *
 *   own     inputs on which the entry itself agrees
 *   others  other exercised entries of the function, and whether it was called as often as before, on each input
 *   good    8 if reusable, else 0
 *   bad     1 if affected, else 0
 *
 * and 0 if the entry itself disagrees on any input. Entries with a trust of at least 0.7 are reused. So, with defaults:
 *
 *   - an entry that disagrees is withdrawn; one that was not exercised is kept, as long as not many others disagree: if three
 *     of a function do and none agrees, all of it is withdrawn;
 *   - an affected entry is granted if it agrees and nothing disagrees (5/7); one that was not exercised if four
 *     others agree and none disagrees (5/7): the more entries were observed, the less likely the change is in
 *     an unobserved one;
 *   - for a function that was not exercised, the analysis decides: 9/10, or 1/3.
 *
 * If a function is called more or less often than before, its entries are sums over other calls, and an entry that agrees
 * does so by accident, or because the new calls do not reach it on this input. So agreement is not counted in such a
 * function, and the calls count as four entries that disagree: nothing in it is reused (9/14, 1/7).
 *
 * If the entries of a function share one verdict (`whole`; types whose safe level is the function: one block's count follows from
 * others), one that disagrees withdraws all, and one that agrees counts for all.
 */
#ifndef TROD_VALIDATE_H
#define TROD_VALIDATE_H

#include "entry/entry.h"

enum trod_verdict_kind {
    TROD_VERDICT_KEEP,     /* reusable, and reused */
    TROD_VERDICT_WITHDRAW, /* reusable, and profiled again */
    TROD_VERDICT_GRANT,    /* affected, and reused */
    TROD_VERDICT_REFUSE    /* affected, and profiled again */
};

struct trod_verdict {
    enum trod_verdict_kind kind;
    enum trod_how
        how; /* VALIDATED: it agreed itself; REUSED: it was not exercised; NONE: profile again */
    double trust;
};

struct trod_validate_options {
    double least; /* trust of what is reused; 0: 0.7 */
    bool whole;   /* entries of a function share one verdict */
};

/* An input with both profiles. */
struct trod_validate_run {
    const struct trod_entries *was, *now;
    const struct trod_entries *calls_was,
        *calls_now; /* of type calls, both or none: entries of each function */
};

struct trod_validate_entry {
    const struct trod_entry *like; /* its identity */
    bool reusable;
    bool has_was; /* an old profile has it */
    uint32_t nyes, nno,
        nidle; /* number of inputs on which it agrees, disagrees, is not exercised */
    struct trod_verdict verdict;
};

struct trod_validate_function {
    const char *function, *file;
    uint32_t first, nentry; /* into entry */
    uint64_t nyes, nno;     /* sums over its entries */
    uint32_t calls_yes,
        calls_no; /* number of inputs on which it was called as often as before, or not */
    uint32_t nreused;                       /* verdicts that are KEEP or GRANT */
    struct trod_verdict reusable, affected; /* of entries without a run */
};

struct trod_validated {
    struct trod_validate_options options;
    uint32_t nfunction, nentry;
    struct trod_validate_function *function; /* by function, file */
    struct trod_validate_entry *entry;       /* by function, file, part, other, id */
    uint32_t nverdict[TROD_VERDICT_REFUSE + 1];
    uint32_t nyes, nno,
        nidle; /* entries that agree whenever exercised, that do not, that were never exercised */
};

/* cost:   O(entries log entries) */
void trod_validate_build(struct trod_validated *out,
    const struct trod_validate_run *run, uint32_t nrun,
    const struct trod_validate_options *options, struct trod_arena *mem);

/* What to do with an entry of any input: its own verdict if a run had it, otherwise that of its function; for a
 * function without a run, the result of the analysis.
 */
struct trod_verdict trod_validate_find(
    const struct trod_validated *of, const struct trod_entry *like, bool reusable);

/* keep, withdraw, grant, refuse */
const char *trod_verdict_name(enum trod_verdict_kind kind);

/* Check that
 *   - entries are sorted and unique, each in its function; sums are right;
 *   - trust is from 0 to 1, 0 for entries that disagree, and reused entries have at least the required trust;
 *   - verdicts match the analysis; no entry that disagrees is reused.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_validate_check(
    const struct trod_validated *of, struct trod_err *err) TROD_MUST_CHECK;

#endif
