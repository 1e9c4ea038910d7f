#include "match/validate.h"

#include <string.h>

static bool fail(
    const struct trod_validate_entry *e, const char *what, struct trod_err *err)
{
    return trod_fail(
        err, TROD_E_INTERNAL, "verdict on '%s': %s", e->like->function, what);
}

static int text_order(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int order_of(const struct trod_entry *a, const struct trod_entry *b)
{
    int order = text_order(a->function, b->function);

    order = order ? order : text_order(a->file, b->file);
    order = order ? order : (a->part > b->part) - (a->part < b->part);
    order = order ? order : text_order(a->other, b->other);
    return order ? order : (a->id > b->id) - (a->id < b->id);
}

static bool check_entry(const struct trod_validated *of,
    const struct trod_validate_function *f, const struct trod_validate_entry *e,
    struct trod_err *err)
{
    const struct trod_verdict *v = &e->verdict;
    bool reused = v->kind == TROD_VERDICT_KEEP || v->kind == TROD_VERDICT_GRANT;
    bool of_reusable = v->kind == TROD_VERDICT_KEEP || v->kind == TROD_VERDICT_WITHDRAW;

    if (text_order(f->function, e->like->function) ||
        text_order(f->file, e->like->file))
        return fail(e, "it is in another function", err);
    if (!(v->trust >= 0 && v->trust <= 1) || (e->nno && v->trust > 0))
        return fail(e, "its trust cannot be", err);
    if (reused != (v->trust >= of->options.least) ||
        reused != (v->how != TROD_HOW_NONE))
        return fail(e, "it goes against trust", err);
    if (of_reusable != e->reusable || (reused && (e->nno || !e->has_was)))
        return fail(e, "it goes against what was seen", err);
    return e->nyes || v->how != TROD_HOW_VALIDATED ||
           fail(e, "it was never exercised and is called validated", err);
}

static bool check_function(
    const struct trod_validated *of, uint32_t at, uint32_t *next, struct trod_err *err)
{
    const struct trod_validate_function *f = &of->function[at];
    uint64_t nyes = 0, nno = 0;

    if (f->first != *next || f->nentry > of->nentry - f->first)
        return trod_fail(
            err, TROD_E_INTERNAL, "verdicts on '%s' are out of place", f->function);
    for (uint32_t i = f->first; i < f->first + f->nentry; i++) {
        const struct trod_validate_entry *e = &of->entry[i];

        if (i && order_of(e[-1].like, e->like) >= 0)
            return fail(e, "it is out of order", err);
        if (!check_entry(of, f, e, err))
            return false;
        nyes += e->nyes;
        nno += e->nno;
    }
    *next = f->first + f->nentry;
    return (nyes == f->nyes && nno == f->nno) ||
           trod_fail(
               err, TROD_E_INTERNAL, "verdicts on '%s' do not add up", f->function);
}

bool trod_validate_check(const struct trod_validated *of, struct trod_err *err)
{
    uint32_t next = 0, sum = 0;

    for (uint32_t i = 0; i < of->nfunction; i++)
        if (!check_function(of, i, &next, err))
            return false;
    for (unsigned k = 0; k <= TROD_VERDICT_REFUSE; k++)
        sum += of->nverdict[k];
    return (next == of->nentry && sum == of->nentry &&
               of->nyes + of->nno + of->nidle == of->nentry) ||
           trod_fail(err, TROD_E_INTERNAL, "verdicts do not add up");
}
