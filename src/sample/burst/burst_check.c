#include "burst/burst.h"

static bool is_named(const char *function, const char *file)
{
    return function && *function && file && *file;
}

static bool check_methods(const struct trod_bursts *b, struct trod_err *err)
{
    for (size_t i = 0; i < b->nmethod; i++) {
        const struct trod_bursts_method *m = &b->method[i];
        uint64_t count = trod_bursts_method_count(m);
        uint64_t last = i ? trod_bursts_method_count(m - 1) : count;

        if (!is_named(m->function, m->file) || !count || last < count ||
            (i && last == count && trod_bursts_compare_methods(m - 1, m) >= 0))
            return trod_fail(err, TROD_E_INTERNAL,
                "function %zu has no name, did not run, or is not in order", i);
    }
    return true;
}

static bool check_calls(const struct trod_bursts *b, struct trod_err *err)
{
    for (size_t i = 0; i < b->ncall; i++) {
        const struct trod_bursts_call *c = &b->call[i];
        uint64_t last = i ? c[-1].count : c->count;

        if (!is_named(c->function, c->file) || !is_named(c->callee, c->file) ||
            !c->count || last < c->count ||
            (i && last == c->count && trod_bursts_compare_calls(c - 1, c) >= 0))
            return trod_fail(err, TROD_E_INTERNAL,
                "call %zu has no names, did not run, or is not in order", i);
    }
    return true;
}

static bool has_run(const struct trod_bursts_loop *loop)
{
    uint64_t any = loop->nenter | loop->nagain;

    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++)
        any |= loop->ntrip[i];
    return any;
}

static bool are_in_order(
    const struct trod_bursts_loop *a, const struct trod_bursts_loop *b)
{
    uint64_t x = trod_bursts_loop_count(a), y = trod_bursts_loop_count(b);

    if (x != y)
        return x > y;
    return trod_bursts_compare_loops(a, b) < 0;
}

static bool check_loops(const struct trod_bursts *b, struct trod_err *err)
{
    for (size_t i = 0; i < b->nloop; i++) {
        const struct trod_bursts_loop *l = &b->loop[i];

        if (!is_named(l->function, l->file) || !has_run(l) ||
            (i && !are_in_order(l - 1, l)))
            return trod_fail(err, TROD_E_INTERNAL,
                "loop %zu has no name, did not run, or is not in order", i);
    }
    return true;
}

/* Duplicates with different counts are adjacent only in this order. */
static bool check_once(
    const struct trod_bursts *b, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_bursts_method *method =
        trod_new(mem, struct trod_bursts_method, b->nmethod);
    struct trod_bursts_call *call = trod_new(mem, struct trod_bursts_call, b->ncall);
    struct trod_bursts_loop *loop = trod_new(mem, struct trod_bursts_loop, b->nloop);
    struct trod_bursts again;

    for (size_t i = 0; i < b->nmethod; i++)
        method[i] = b->method[i];
    for (size_t i = 0; i < b->ncall; i++)
        call[i] = b->call[i];
    for (size_t i = 0; i < b->nloop; i++)
        loop[i] = b->loop[i];
    trod_bursts_order(&again, method, b->nmethod, call, b->ncall, loop, b->nloop);
    trod_arena_rewind(mem, mark);
    return (again.nmethod == b->nmethod && again.ncall == b->ncall &&
               again.nloop == b->nloop) ||
           trod_fail(err, TROD_E_INTERNAL, "a function, call or loop occurs twice");
}

bool trod_bursts_check(
    const struct trod_bursts *burst, struct trod_arena *mem, struct trod_err *err)
{
    for (uint32_t i = 0; i < burst->nhow; i++) {
        const struct trod_profile_burst *how = &burst->how[i];
        const char *fault = trod_profile_burst_fault(how);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL, "burst %u %s", i, fault);
        if (how->group || (i && trod_profile_compare_bursts(how - 1, how) >= 0))
            return trod_fail(
                err, TROD_E_INTERNAL, "burst %u is in a group, or not in order", i);
    }
    return check_methods(burst, err) && check_calls(burst, err) &&
           check_loops(burst, err) && check_once(burst, mem, err);
}
