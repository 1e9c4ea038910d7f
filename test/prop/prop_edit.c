/* Productions: the editor equals one that evaluates their text again for each instruction, counts the costs of
 * that, and records what handlers see. Texts are in prop_edit_text.c, bursts in prop_edit_bursts.c.
 */
#include "edit_input.h"

#include <stdio.h>
#include <string.h>

enum { CODES = 256, INSNS = 64, MEMBERS = 4096 };

enum fault {
    NONE,
    FORWARD,   /* < is > */
    FLAT,      /* || binds like && */
    EAGER,     /* a production sees what one before it did */
    TAKEN,     /* branches that are not taken do not match */
    LATE,      /* counters overflow an inc later */
    FORGETFUL, /* inc takes overflow away */
    SHARED,    /* threads have counters in common */
    FREE,      /* checks cost nothing */
    TWICE,     /* a replacement of two productions is there twice */
    GENEROUS,  /* null costs, with conditional control */
    NEAR,      /* methods begin at branches */
    UNBROKEN   /* bursts have no ends */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- evaluated as it is written ------------------------------------------------------------------------ */

struct seen {
    const struct trod_code *code;
    uint32_t insn;
    bool taken;
    bool overflow[COUNTERS], zero[COUNTERS];
    enum fault fault;
};

static bool either(const char **at, const struct seen *s);

static bool take(const char **at, const char *word)
{
    if (strncmp(*at, word, strlen(word)) != 0)
        return false;
    *at += strlen(word);
    return true;
}

static uint64_t pc_of(const struct seen *s)
{
    return s->code->insn ? s->code->insn[s->insn].pc : s->code->last;
}

static bool is_last(const struct seen *s)
{
    return s->insn + 1 == s->code->ninsn;
}

static bool in_class(const struct seen *s, const char *word)
{
    static const char *const words[] = {"alu", "multiply", "divide", "float",
        "float_multiply", "float_divide", "", "nothing", "system"};
    uint8_t kind = is_last(s) ? s->code->kind : TROD_BRANCH_NONE;
    const struct trod_insn *insn = s->code->insn ? &s->code->insn[s->insn] : NULL;

    if (strcmp(word, "any") == 0)
        return true;
    if (strcmp(word, "proc_call") == 0)
        return kind == TROD_BRANCH_CALL || kind == TROD_BRANCH_CALL_INDIRECT;
    if (strcmp(word, "branch") == 0)
        return kind == TROD_BRANCH_IF || kind == TROD_BRANCH_JUMP ||
               kind == TROD_BRANCH_INDIRECT;
    if (strcmp(word, "cond_branch") == 0)
        return kind == TROD_BRANCH_IF && (s->taken || s->fault != TAKEN);
    if (strcmp(word, "jump") == 0)
        return kind == TROD_BRANCH_JUMP || kind == TROD_BRANCH_INDIRECT;
    if (strcmp(word, "indirect") == 0)
        return kind == TROD_BRANCH_INDIRECT || kind == TROD_BRANCH_CALL_INDIRECT;
    if (strcmp(word, "return") == 0)
        return kind == TROD_BRANCH_RETURN;
    if (!insn)
        return false;
    if (strcmp(word, "mem_op") == 0)
        return insn->nload || insn->nstore;
    if (strcmp(word, "load") == 0)
        return insn->nload;
    if (strcmp(word, "store") == 0)
        return insn->nstore;
    return strcmp(word, words[insn->insn_class]) == 0;
}

/* A side, and whether there is one. */
static bool take_side(const char **at, const struct seen *s, uint64_t *out)
{
    char *end;

    if (take(at, "T.PC")) {
        *out = pc_of(s);
        return true;
    }
    if (take(at, "T.Target")) {
        *out = s->code->target;
        return is_last(s) && trod_branch_is_direct(s->code->kind);
    }
    *out = strtoull(*at, &end, 10);
    *at = end;
    return true;
}

static bool related(uint64_t a, uint64_t b, const char *by, size_t n, enum fault fault)
{
    if (n == 1)
        return (by[0] == '<') != (fault == FORWARD) ? a < b : a > b;
    return by[0] == '='   ? a == b
           : by[0] == '!' ? a != b
           : by[0] == '<' ? a <= b
                          : a >= b;
}

static bool term(const char **at, const struct seen *s)
{
    uint64_t a, b, c;
    const char *by;
    char word[20];
    bool there, not;
    size_t n;

    if (take(at, "overflow_"))
        return s->overflow[*(*at)++ - '0'];
    if (take(at, "zero_"))
        return s->zero[*(*at)++ - '0'];
    if (take(at, "T.OPCLASS ")) {
        not = **at == '!';
        *at += 3;
        n = strspn(*at, "abcdefghijklmnopqrstuvwxyz_");
        snprintf(word, sizeof word, "%.*s", (int)n, *at);
        *at += n;
        return in_class(s, word) != not;
    }
    there = take_side(at, s, &a);
    if (take(at, " in ")) {
        take_side(at, s, &b);
        take(at, " .. ");
        take_side(at, s, &c);
        return there && a >= b && a < c;
    }
    by = ++*at;
    n = strcspn(by, " ");
    *at += n + 1;
    there = take_side(at, s, &b) && there;
    return there && related(a, b, by, n, s->fault);
}

static bool operand(const char **at, const struct seen *s)
{
    bool value;

    if (take(at, "!"))
        return !operand(at, s);
    if (!take(at, "("))
        return term(at, s);
    value = either(at, s);
    take(at, ")");
    return value;
}

static bool both(const char **at, const struct seen *s)
{
    bool value = operand(at, s);

    for (;;) {
        if (take(at, " && "))
            value = operand(at, s) && value;
        else if (s->fault == FLAT && take(at, " || "))
            value = operand(at, s) || value;
        else
            return value;
    }
}

static bool either(const char **at, const struct seen *s)
{
    bool value = both(at, s);

    while (take(at, " || "))
        value = both(at, s) || value;
    return value;
}

static bool fires(const struct drawn *d, uint32_t i, const struct seen *s)
{
    const char *at = d->pattern[i];

    return either(&at, s);
}

/* In whatever state of flags. */
static bool may_fire(const struct drawn *d, uint32_t i, struct seen s)
{
    s.fault = NONE;
    for (unsigned flags = 0; flags < 1u << 2 * COUNTERS; flags++) {
        for (int c = 0; c < COUNTERS; c++) {
            s.overflow[c] = flags >> 2 * c & 1;
            s.zero[c] = flags >> (2 * c + 1) & 1;
        }
        if (fires(d, i, &s))
            return true;
    }
    return false;
}

/* --- a brute-force editor ------------------------------------------------------------------------------- */

struct naive_thread {
    bool begun;
    uint64_t value[COUNTERS];
    bool overflow[COUNTERS];
    bool on[REPLACEMENTS];
};

struct naive_member {
    int handler;
    uint64_t a, b, sampled, all;
};

struct naive_totals {
    uint64_t replaced, bubbles, nop;
};

struct injected {
    struct trod_edit_inject inject;
    struct naive_totals *to;
    uint32_t last;
    bool disorder;
};

struct comparison {
    struct trod_branch_sink sink;
    struct kit_prop *p;
    const struct drawn *d;
    const struct trod_edit *edit;
    struct trod_editor *editor;
    enum fault fault;
    bool holds;
    struct injected plain_injected, conditional_injected;

    struct naive_thread thread[THREADS];
    uint8_t may[CODES][INSNS]; /* bits of productions; the highest: it is known */
    uint64_t nfired[PRODUCTIONS];
    struct naive_totals plain, conditional, taken_plain, taken_conditional;
    struct naive_member member[MEMBERS];
    size_t nmember;
    uint64_t entry[MEMBERS];
    size_t nentry;
    uint64_t nburst[REPLACEMENTS], naddress[2];
};

static bool is_blind(const struct trod_code *code, uint32_t i)
{
    return !code->insn && (i + 1 < code->ninsn || code->kind == TROD_BRANCH_NONE);
}

static void do_micros(struct comparison *c, struct naive_thread *t, int control)
{
    uint64_t size = UINT64_C(1) << c->d->bits;

    for (uint32_t i = 0; i < c->d->nmicro[control]; i++) {
        const struct micro *m = &c->d->micro[control][i];
        uint64_t *value = &t->value[m->counter], n = c->d->n[m->reg];

        if (m->kind == 0) {
            if (c->fault == FORGETFUL)
                t->overflow[m->counter] = false;
            *value = (*value + 1) % size;
            if (*value == (c->fault == LATE))
                t->overflow[m->counter] = true;
        } else if (m->kind == 1) {
            *value = (*value + size - 1) % size;
        } else {
            *value = c->d->holds[m->reg] == 0   ? n
                     : c->d->holds[m->reg] == 1 ? size - 1 - n
                                                : (size - n) % size;
            t->overflow[m->counter] = false;
        }
    }
}

static struct naive_thread *thread_of(struct comparison *c, const struct trod_run *run)
{
    struct naive_thread *t = &c->thread[c->fault == SHARED ? 0 : run->thread];

    if (!t->begun) {
        *t = (struct naive_thread){.begun = true};
        do_micros(c, t, CONTROLS - 1);
        c->entry[c->nentry++] = run->code->pc;
    }
    return t;
}

static void set_flags(struct seen *s, const struct naive_thread *t)
{
    for (int i = 0; i < COUNTERS; i++) {
        s->overflow[i] = t->overflow[i];
        s->zero[i] = !t->value[i];
    }
}

static uint8_t may_of(struct comparison *c, const struct seen *s)
{
    uint8_t *may = &c->may[s->code->number][s->insn];

    if (!*may) {
        *may = 0x80;
        for (uint32_t i = 0; i < c->d->nproduction; i++)
            if (may_fire(c->d, i, *s))
                *may |= (uint8_t)(1 << i);
    }
    return *may & 0x7f;
}

static void note_member(
    struct comparison *c, int handler, uint64_t a, uint64_t b, bool fired)
{
    size_t i = 0;

    while (i < c->nmember && (c->member[i].handler != handler || c->member[i].a != a ||
                                 c->member[i].b != b))
        i++;
    if (i == c->nmember && c->nmember < MEMBERS)
        c->member[c->nmember++] =
            (struct naive_member){.handler = handler, .a = a, .b = b};
    c->member[i].all++;
    c->member[i].sampled += fired;
}

static void note(struct comparison *c, struct naive_thread *t, const struct seen *s,
    const struct trod_run *run, int r, bool fired)
{
    uint64_t to =
        trod_branch_is_direct(run->code->kind) ? run->code->target : run->next;

    if (!t->on[r] && fired)
        c->nburst[r]++;
    t->on[r] = fired || (c->fault == UNBROKEN && t->on[r]);
    if (c->d->handler[r] == 1)
        note_member(c, r, in_class(s, "proc_call") ? to : pc_of(s), 0, fired);
    if (c->d->handler[r] == 2 && is_last(s) && run->code->kind != TROD_BRANCH_NONE)
        note_member(c, r, pc_of(s), to, fired);
    for (uint32_t i = 0; c->d->handler[r] == 3 && i < run->naccess; i++)
        if (run->access[i].insn == s->insn) {
            c->naddress[0] += fired;
            c->naddress[1]++;
        }
}

/* One instruction; which fired. */
static uint64_t step(struct comparison *c, struct naive_thread *t, struct seen *s,
    const struct trod_run *run)
{
    uint32_t ncontrol = 0, nbefore = 0, nafter = 0, nflag = 0;
    uint64_t fired = 0;
    uint8_t may = may_of(c, s);
    bool replaced[REPLACEMENTS] = {false}, interest[REPLACEMENTS] = {false};

    set_flags(s, t);
    for (uint32_t i = 0; i < c->d->nproduction; i++) {
        int r = c->d->replacement[i];

        if (c->fault == EAGER)
            set_flags(s, t);
        if (r >= 0 && may >> i & 1)
            interest[r] = true;
        if (may >> i & 1)
            nflag += strstr(c->d->pattern[i], "overflow_") ||
                     strstr(c->d->pattern[i], "zero_");
        if (!fires(c->d, i, s))
            continue;
        fired |= UINT64_C(1) << i;
        c->nfired[i]++;
        if (c->d->control[i] >= 0)
            ncontrol += c->d->nmicro[c->d->control[i]];
        if (c->fault == EAGER && c->d->control[i] >= 0)
            do_micros(c, t, c->d->control[i]);
        if (r >= 0 && (!replaced[r] || c->fault == TWICE)) {
            replaced[r] = true;
            nbefore += c->d->nbefore[r];
            nafter += c->d->nafter[r];
        }
    }
    for (int r = 0; r < REPLACEMENTS; r++)
        if (interest[r])
            note(c, t, s, run, r, replaced[r]);
    if (may) {
        c->plain.replaced++;
        c->plain.bubbles++;
        c->plain.nop +=
            (nflag && c->fault != FREE ? 2 : 0) + ncontrol + nbefore + nafter;
    }
    if (replaced[0] || replaced[1] || replaced[2] || (fired && c->fault == GENEROUS)) {
        c->conditional.replaced++;
        c->conditional.bubbles++;
        c->conditional.nop += nbefore + nafter;
    }
    for (uint32_t i = 0; i < c->d->nproduction && c->fault != EAGER; i++)
        if (fired >> i & 1 && c->d->control[i] >= 0)
            do_micros(c, t, c->d->control[i]);
    return fired;
}

static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct comparison *c = (struct comparison *)to;
    struct naive_thread *t = thread_of(c, run);
    trod_edit_flags flags;

    if (run->code->kind == TROD_BRANCH_CALL)
        c->entry[c->nentry++] = run->code->target;
    if (run->code->kind == TROD_BRANCH_CALL_INDIRECT)
        c->entry[c->nentry++] = run->next;
    c->plain_injected.last = c->conditional_injected.last = 0;
    trod_editor_run(c->editor, run);
    for (uint32_t i = 0; i < run->code->ninsn; i++) {
        struct seen s = {
            .code = run->code, .insn = i, .taken = run->taken, .fault = c->fault};
        uint64_t fired, got = trod_editor_fired(c->editor, i);

        if (is_blind(run->code, i))
            continue;
        fired = step(c, t, &s, run);
        if (fired != got && c->holds) {
            kit_note(c->p, "at 0x%" PRIx64 " fired %" PRIx64 ", not %" PRIx64,
                pc_of(&s), got, fired);
            c->holds = false;
        }
    }
    flags = trod_editor_flags(c->editor, run->thread);
    for (int i = 0; i < COUNTERS; i++)
        if (((flags >> 2 * i & 1) != t->overflow[i] ||
                (flags >> (2 * i + 1) & 1) != !t->value[i]) &&
            c->holds)
            c->holds = wrong(c->p, "flags are others");
}

static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct comparison *c = (struct comparison *)to;

    c->thread[thread].begun = false;
    trod_editor_end(c->editor, thread);
}

/* --- what is left of it ------------------------------------------------------------------------------------ */

static void take_injected(struct trod_edit_inject *to, const struct trod_run *run,
    uint32_t insn, const uint8_t *class, uint32_t nop, uint32_t nbubble)
{
    struct injected *t = (struct injected *)to;

    t->disorder |= insn < t->last || insn > run->code->ninsn;
    t->last = insn;
    t->to->replaced += nbubble > 0;
    t->to->bubbles += nbubble;
    t->to->nop += nop;
    for (uint32_t i = 0; i < nop; i++)
        t->disorder |= class[i] != TROD_EDIT_ALU && class[i] != TROD_EDIT_LOAD;
}

static bool same_cost(const struct trod_edit_cost *got, const struct naive_totals *want,
    const struct naive_totals *taken)
{
    uint64_t bubbles = got->basic.nbubble + got->checks.nbubble + got->sampling.nbubble;
    uint64_t nop = got->basic.nop + got->checks.nop + got->sampling.nop;

    return got->nreplace == want->replaced && bubbles == want->bubbles &&
           nop == want->nop && memcmp(taken, want, sizeof *taken) == 0;
}

/* The last place at an address or before that was called, or a thread began at. */
static uint64_t method_of(const struct comparison *c, uint64_t pc)
{
    uint64_t best = 0;

    for (size_t i = 0; i < c->nentry; i++)
        if (c->entry[i] <= pc && c->entry[i] > best)
            best = c->entry[i];
    return best && c->fault != NEAR ? best : pc;
}

static bool same_members(
    struct comparison *c, const struct trod_edit_profile *got, int r)
{
    uint64_t sum = 0, want = 0;

    for (size_t i = 0; i < got->nmember; i++) {
        const struct trod_edit_member *m = &got->member[i];
        uint64_t sampled = 0, all = 0;

        for (size_t k = 0; k < c->nmember; k++) {
            const struct naive_member *n = &c->member[k];
            uint64_t a = c->d->handler[r] == 1 ? method_of(c, n->a) : n->a;

            if (n->handler != r || a != m->a || n->b != m->b)
                continue;
            sampled += n->sampled;
            all += n->all;
        }
        if (sampled != m->sampled || all != m->all)
            return wrong(c->p, "a member was noted another number of times");
        sum += all;
    }
    for (size_t k = 0; k < c->nmember; k++)
        want += c->member[k].handler == r ? c->member[k].all : 0;
    return sum == want || wrong(c->p, "members are missing");
}

static bool same_profiles(struct comparison *c, struct trod_arena *mem)
{
    struct trod_edit_result result;

    trod_editor_result(&result, c->editor, NULL, 0, mem);
    for (size_t i = 0; i < result.nprofile; i++) {
        const struct trod_edit_profile *got = &result.profile[i];
        int r = got->handler[1] - '0';

        if (got->nburst != c->nburst[r])
            return wrong(c->p, "there is another number of bursts");
        if (got->notes != TROD_EDIT_STREAMS && !same_members(c, got, r))
            return false;
        if (got->notes == TROD_EDIT_STREAMS &&
            (got->sampled.nref != c->naddress[0] || got->all.nref != c->naddress[1]))
            return wrong(c->p, "there is another number of addresses");
    }
    return true;
}

static bool edits(struct kit_prop *p, void *ctx)
{
    struct kit_walk_options options;
    struct trod_edit_file file;
    struct comparison *c;
    struct trod_edit edit;
    struct drawn d;
    struct sample s;

    begin(&s);
    draw_productions(&d, p, &s.mem);
    draw_walk(&options, p);
    kit_note(p, "%s", d.text);
    file = (struct trod_edit_file){"drawn", d.text, strlen(d.text)};
    if (!trod_edit_parse(&edit, &file, 1, NULL, &s.mem, &s.err) ||
        !trod_edit_check(&edit, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    c = trod_new(&s.mem, struct comparison, 1);
    *c = (struct comparison){.sink = {.run = take_run, .end = take_end},
        .p = p,
        .d = &d,
        .edit = &edit,
        .fault = fault_in(ctx),
        .holds = true};
    c->plain_injected =
        (struct injected){.inject = {take_injected}, .to = &c->taken_plain};
    c->conditional_injected =
        (struct injected){.inject = {take_injected}, .to = &c->taken_conditional};
    c->editor = trod_editor_build(&edit,
        &(struct trod_edit_options){.plain = &c->plain_injected.inject,
            .conditional = &c->conditional_injected.inject},
        &s.mem);
    kit_walk(&c->sink, p, &options, &s.mem);
    if (!c->holds)
        return end(&s, false);
    for (uint32_t i = 0; i < d.nproduction; i++)
        if (trod_editor_counts(c->editor)->nfired[i] != c->nfired[i])
            return end(&s, wrong(p, "a production fired another number of times"));
    if (c->plain_injected.disorder || c->conditional_injected.disorder)
        return end(&s, wrong(p, "injected out of order"));
    if (!same_cost(&trod_editor_counts(c->editor)->plain, &c->plain, &c->taken_plain) ||
        !same_cost(&trod_editor_counts(c->editor)->conditional, &c->conditional,
            &c->taken_conditional))
        return end(&s, wrong(p, "it costs something else"));
    return end(&s, same_profiles(c, &s.mem));
}

static const struct kit_tested properties[] = {
    {"an editor does what the text says of each instruction", edits,
        {FORWARD, FLAT, EAGER, TAKEN, LATE, FORGETFUL, SHARED, FREE}},
    {"it costs and notes what that says", edits, {TWICE, GENEROUS, NEAR, UNBROKEN}},
};

int main(void)
{
    return kit_run_tested("edit", properties, sizeof properties / sizeof *properties);
}
