#include "branch/branch.h"

#include <inttypes.h>

/* The state of a thread. Open calls are stored oldest first. Recursion deeper than DEEPEST drops the oldest. */
struct trod_branch_shadow {
    bool is_live; /* it ran and has not ended */
    bool was_there;
    uint64_t next;
    struct call {
        uint64_t back; /* return address */
        uint64_t slot; /* stack address that holds it, or 0 */
    } *call;
    uint32_t ncall, room;
};

enum { DEEPEST = 1 << 20 };

/* --- codes ------------------------------------------------------------------------------------------ */

static const char *insn_fault(const struct trod_code *code)
{
    uint64_t pc = code->pc;

    for (uint32_t i = 0; i < code->ninsn; i++) {
        const struct trod_insn *insn = &code->insn[i];

        if (insn->pc != pc)
            return "has instructions that are not one behind the other";
        if (!insn->size)
            return "has an instruction without bytes";
        if (insn->insn_class >= TROD_INSN_CLASSES)
            return "has an instruction of no class";
        if (i == code->ninsn - 1 && insn->pc != code->last)
            return "has another last instruction than it says";
        pc += insn->size;
    }
    return pc == code->after ? NULL : "ends elsewhere than its last instruction";
}

static const char *code_fault(const struct trod_code *code)
{
    if (code->kind >= TROD_BRANCH_KINDS)
        return "is of no kind";
    if (!code->ninsn || code->ninsn > UINT16_MAX + UINT32_C(1))
        return "has no instructions, or more than 65536";
    if (code->last < code->pc || code->after <= code->last)
        return "does not end behind where it begins";
    if (code->last - code->pc < code->ninsn - 1)
        return "has more instructions than bytes";
    if (code->target && !trod_branch_is_direct(code->kind))
        return "goes somewhere, but is not direct";
    return code->insn ? insn_fault(code) : NULL;
}

bool trod_branch_check_code(const struct trod_code *code, struct trod_err *err)
{
    const char *fault = code_fault(code);

    return !fault || trod_fail(err, TROD_E_INPUT,
                         "code %" PRIu32 " at 0x%" PRIx64 " %s; its writer has a bug",
                         code->number, code->pc, fault);
}

/* --- findings ----------------------------------------------------------------------------------------- */

const char *trod_branch_finding_name(enum trod_branch_finding finding)
{
    static const char *const name[TROD_BRANCH_FINDINGS] = {
        [TROD_BRANCH_BAD_CODE] = "codes that cannot be",
        [TROD_BRANCH_BAD_FLAG] =
            "runs said to be taken or odd that are not, or not said to be",
        [TROD_BRANCH_BAD_SEQUENCE] = "runs that begin where the one before did not go",
        [TROD_BRANCH_BAD_ACCESS] = "runs with accesses that their code does not do",
        [TROD_BRANCH_BAD_THREAD] = "threads that cannot be",
        [TROD_BRANCH_ODD] = "odd runs",
        [TROD_BRANCH_RETURN_AWAY] = "returns to where nothing was called",
        [TROD_BRANCH_RETURN_SLOT] = "returns through another slot than the call's",
        [TROD_BRANCH_RETURN_DOWN] = "returns to callers further down",
        [TROD_BRANCH_RETURN_ABOVE] = "returns from functions entered before",
    };

    return name[finding];
}

static void find(struct trod_branch_checker *c, enum trod_branch_finding finding,
    const struct trod_run *run)
{
    c->count[finding]++;
    if (finding >= TROD_BRANCH_SOUND || c->first.code != TROD_OK)
        return;
    if (run)
        trod_err_set(&c->first, TROD_E_INPUT,
            "run %" PRIu64 ", of thread %" PRIu32 " and code %" PRIu32 " at 0x%" PRIx64
            ", is the first of the %s",
            c->nrun, run->thread, run->code->number, run->code->pc,
            trod_branch_finding_name(finding));
    else
        trod_err_set(&c->first, TROD_E_INPUT,
            "before run %" PRIu64 " is the first of the %s", c->nrun,
            trod_branch_finding_name(finding));
}

/* --- runs ---------------------------------------------------------------------------------------------- */

static struct trod_branch_shadow *shadow_of(
    struct trod_branch_checker *c, uint32_t thread)
{
    if (thread >= TROD_BRANCH_THREADS)
        return NULL;
    if (thread >= c->room) {
        uint32_t room = c->room ? c->room : 16;

        while (room <= thread)
            room *= 2;
        c->shadow =
            trod_arena_grow(c->mem, c->shadow, c->room, room, sizeof *c->shadow);
        c->room = room;
    }
    return &c->shadow[thread];
}

static void call(struct trod_branch_checker *c, struct trod_branch_shadow *s,
    const struct trod_run *run)
{
    if (s->ncall == DEEPEST) {
        s->ncall /= 2;
        for (uint32_t i = 0; i < s->ncall; i++)
            s->call[i] = s->call[i + DEEPEST / 2];
    }
    trod_push(c->mem, s->call, s->ncall, s->room,
        (struct call){run->code->after, run->stack});
}

/* A return to a caller further down closes the calls above it. A return to an address that no open
 * call expects leaves them open: a signal handler was entered or left.
 */
static void close_calls(struct trod_branch_checker *c, struct trod_branch_shadow *s,
    const struct trod_run *run)
{
    uint32_t at = s->ncall;

    while (at && s->call[at - 1].back != run->next)
        at--;
    if (!s->ncall) {
        find(c, TROD_BRANCH_RETURN_ABOVE, run);
    } else if (!at) {
        find(c, TROD_BRANCH_RETURN_AWAY, run);
    } else {
        const struct call *top = &s->call[at - 1];

        if (at != s->ncall)
            find(c, TROD_BRANCH_RETURN_DOWN, run);
        else if (run->stack && top->slot && run->stack != top->slot)
            find(c, TROD_BRANCH_RETURN_SLOT, run);
        s->ncall = at - 1;
    }
}

/* Compare loads and stores with those of the code's instructions. Accesses of one instruction may
 * come in any order. A predicated instruction may make fewer accesses, a repeated one (rep) more.
 */
static bool accesses_fit(const struct trod_run *run)
{
    const struct trod_code *code = run->code;

    if (run->naccess > TROD_BRANCH_ACCESSES)
        return false;
    for (uint32_t i = 0; i < run->naccess; i++) {
        const struct trod_access *a = &run->access[i];
        const struct trod_insn *insn;

        if (a->insn >= code->ninsn || !a->size ||
            (i && a->insn < run->access[i - 1].insn))
            return false;
        insn = code->insn ? &code->insn[a->insn] : NULL;
        if (insn && !(a->store ? insn->nstore : insn->nload))
            return false;
    }
    return true;
}

static void check_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_branch_checker *c = (struct trod_branch_checker *)to;
    const struct trod_code *code = run->code;
    struct trod_branch_shadow *s = shadow_of(c, run->thread);
    bool odd = !trod_branch_may_go(code, run->next);

    if (code->number >= c->ncode)
        find(c, TROD_BRANCH_BAD_CODE, run);
    if (run->taken != trod_branch_is_taken(code, run->next) || run->odd != odd)
        find(c, TROD_BRANCH_BAD_FLAG, run);
    if (run->naccess && !accesses_fit(run))
        find(c, TROD_BRANCH_BAD_ACCESS, run);
    if (odd)
        find(c, TROD_BRANCH_ODD, run);
    if (!s) {
        find(c, TROD_BRANCH_BAD_THREAD, run);
    } else {
        if (s->is_live && s->next != code->pc)
            find(c, TROD_BRANCH_BAD_SEQUENCE, run);
        c->nthread += !s->was_there;
        s->is_live = s->was_there = true;
        s->next = run->next;
        if (trod_branch_is_call(code->kind))
            call(c, s, run);
        else if (code->kind == TROD_BRANCH_RETURN)
            close_calls(c, s, run);
    }
    c->nrun_of_kind[code->kind]++;
    c->ntaken += code->kind == TROD_BRANCH_IF && run->taken;
    c->ninsn += code->ninsn;
    c->naccess += run->naccess;
    c->nrun++;
}

static void check_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    struct trod_branch_checker *c = (struct trod_branch_checker *)to;
    struct trod_err fault;

    if (code->number != c->ncode) {
        find(c, TROD_BRANCH_BAD_CODE, NULL);
    } else if (!trod_branch_check_code(code, &fault)) {
        if (c->first.code == TROD_OK)
            c->first = fault;
        find(c, TROD_BRANCH_BAD_CODE, NULL);
    }
    c->ncode++;
}

static void check_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    (void)image;
    ((struct trod_branch_checker *)to)->nimage++;
}

static void check_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_branch_checker *c = (struct trod_branch_checker *)to;
    struct trod_branch_shadow *s = shadow_of(c, thread);

    c->nend++;
    if (!s || !s->is_live) {
        find(c, TROD_BRANCH_BAD_THREAD, NULL);
        return;
    }
    s->is_live = false;
    s->ncall = 0;
}

void trod_branch_checker_init(
    struct trod_branch_checker *checker, struct trod_arena *mem)
{
    *checker = (struct trod_branch_checker){
        .sink = {check_code, check_image, check_run, check_end}, .mem = mem};
}

/* --- the result ---------------------------------------------------------------------------------------- */

bool trod_branch_checked(
    const struct trod_branch_checker *checker, struct trod_err *err)
{
    uint64_t n = 0;

    for (int i = 0; i < TROD_BRANCH_SOUND; i++)
        n += checker->count[i];
    return !n ||
           trod_fail(err, TROD_E_INPUT,
               "%s (%" PRIu64 " faults in all); the writer of the trace has a bug",
               checker->first.text, n);
}

void trod_branch_checked_print(
    struct trod_sink *sink, const struct trod_branch_checker *checker)
{
    trod_put(sink, "%12" PRIu32 " images\n%12" PRIu32 " codes\n%12" PRIu32 " threads\n",
        checker->nimage, checker->ncode, checker->nthread);
    trod_put(sink,
        "%12" PRIu64 " instructions\n%12" PRIu64 " accesses\n%12" PRIu64 " runs\n",
        checker->ninsn, checker->naccess, checker->nrun);
    for (int k = 0; k < TROD_BRANCH_KINDS; k++)
        trod_put(sink, "%12" PRIu64 "   %s\n", checker->nrun_of_kind[k],
            trod_branch_kind_name((uint8_t)k));
    trod_put(sink, "%12" PRIu64 " of the ifs taken\n", checker->ntaken);
    for (int i = 0; i < TROD_BRANCH_FINDINGS; i++)
        if (checker->count[i])
            trod_put(sink, "%12" PRIu64 " %s\n", checker->count[i],
                trod_branch_finding_name((enum trod_branch_finding)i));
}
