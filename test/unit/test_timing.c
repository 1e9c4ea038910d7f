/* The core's model: kernels whose cycles are counted by hand, as the rules at the head of core.h have it. Of
 * each the derivation stands beside it: F fetch, D dispatch, I issue, C complete, R commit; cycles are those of
 * the last commit, and one, since they begin at 0.
 */
#include "kit/fixture.h"

#include <string.h>

#include "timing/timing.h"

enum { MOST = 128, RUNS = 64 };

/* A kernel: blocks that are run one after the other. */
struct kernel {
    struct trod_timing_machine machine;
    struct trod_code code[RUNS];
    struct trod_insn insn[RUNS][MOST];
    struct trod_run run[RUNS];
    struct trod_access access[RUNS][MOST];
    uint32_t nrun;
};

static struct kernel *kernel_on(const char *machine)
{
    static struct kernel k;

    memset(&k, 0, sizeof k);
    assert_true(trod_timing_machine_named(&k.machine, machine));
    return &k;
}

static const struct trod_insn plain = {.insn_class = TROD_INSN_ALU};
static const struct trod_insn load = {.insn_class = TROD_INSN_ALU, .nload = 1};
static const struct trod_insn store = {.insn_class = TROD_INSN_ALU, .nstore = 1};

/* A block at the end, in lines of its own. */
static struct trod_run *add_block(struct kernel *k)
{
    uint32_t i = k->nrun++;
    struct trod_code *c = &k->code[i];

    c->pc = c->last = c->after = 0x1000 + 0x1000 * (uint64_t)i;
    c->number = i;
    c->insn = k->insn[i];
    k->run[i] = (struct trod_run){.code = c, .access = k->access[i]};
    return &k->run[i];
}

static struct trod_insn *add(struct kernel *k, struct trod_insn insn)
{
    uint32_t i = k->nrun - 1;
    struct trod_code *c = &k->code[i];

    insn.pc = c->last = c->after;
    insn.size = 4;
    c->after += 4;
    k->run[i].next = c->after;
    k->insn[i][c->ninsn] = insn;
    return &k->insn[i][c->ninsn++];
}

static void add_access(struct kernel *k, struct trod_insn insn, uint64_t address)
{
    struct trod_run *run = &k->run[k->nrun - 1];

    add(k, insn);
    k->access[k->nrun - 1][run->naccess++] = (struct trod_access){
        address, (uint16_t)(run->code->ninsn - 1), 8, insn.nstore > 0};
}

/* A block of one branch. */
static void add_branch(struct kernel *k, enum trod_branch_kind kind, bool taken)
{
    struct trod_run *run = add_block(k);
    struct trod_code *c = &k->code[k->nrun - 1];

    add(k, (struct trod_insn){.insn_class = TROD_INSN_BRANCH});
    c->kind = (uint8_t)kind;
    c->target = c->pc + 0x800;
    run->taken = taken;
    run->next = taken ? c->target : c->after;
}

static struct trod_timing *time_designs(
    struct kernel *k, const struct trod_timing_design *design, uint32_t ndesign)
{
    struct trod_timing *core;

    must(trod_timing_machine_check(&k->machine, &have.err));
    core = trod_timing_build(&k->machine, design, ndesign, &have.mem);
    for (uint32_t i = 0; i < k->nrun; i++)
        trod_timing_take(core, &k->run[i]);
    trod_timing_end(core);
    return core;
}

static const struct trod_timing_design base = {.name = "base"};

static uint64_t cycles_with(struct kernel *k, const struct trod_timing_design *design)
{
    struct trod_timing_cycles cycles;

    trod_timing_cycles_of(&cycles, time_designs(k, design, 1));
    return cycles.cycles;
}

static uint64_t cycles_of(struct kernel *k)
{
    return cycles_with(k, &base);
}

/* --- instructions ------------------------------------------------------------------------------------- */

static void test_one(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    add(k, plain);
    assert_int_equal(cycles_of(k), 5); /* F 0, D 1, I 2, C 3, R 4 */
}

static void test_independent(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    for (int i = 0; i < 100; i++)
        add(k, plain);
    /* Four a cycle: F i / 4, R F + 4; F of the last is 24. */
    assert_int_equal(cycles_of(k), 24 + 5);
}

static void test_chain(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    for (int i = 0; i < 100; i++)
        add(k, (struct trod_insn){
                   .insn_class = TROD_INSN_ALU, .source = {3}, .target = {3}});
    /* I 2 + i, C 3 + i; of the last C 102, R 103. */
    assert_int_equal(cycles_of(k), 104);
}

static void test_chain_of_multiplies(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    for (int i = 0; i < 10; i++)
        add(k, (struct trod_insn){
                   .insn_class = TROD_INSN_MULTIPLY, .source = {3}, .target = {3}});
    /* I 2 + 3 i; of the last 29, C 32, R 33. */
    assert_int_equal(cycles_of(k), 34);
}

/* Another register in between does not hide that two are not in a row. */
static void test_two_chains(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    for (int i = 0; i < 100; i++)
        add(k, (struct trod_insn){.insn_class = TROD_INSN_ALU,
                   .source = {(uint8_t)(3 + i % 2)},
                   .target = {(uint8_t)(3 + i % 2)}});
    /* Two chains of 50: of the last I 2 + 49, C 52, R 53. */
    assert_int_equal(cycles_of(k), 54);
}

static void test_units(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    for (int i = 0; i < 4; i++)
        add(k, (struct trod_insn){.insn_class = TROD_INSN_DIVIDE});
    /* Two units, busy for 19 cycles: I 2, 2, 21, 21; C 41, R 42. */
    assert_int_equal(cycles_of(k), 43);

    k = kernel_on("perfect");
    k->machine.units[TROD_TIMING_ALU] = 1;
    add_block(k);
    for (int i = 0; i < 8; i++)
        add(k, plain);
    /* One a cycle: I 2 + i, of the last 9, C 10, R 11. */
    assert_int_equal(cycles_of(k), 12);
}

/* Units that divide are those that multiply: a young multiply goes into a gap, if there is one. */
static void test_gaps(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    k->machine.units[TROD_TIMING_MULTIPLY] = 1;
    add_block(k);
    add(k, (struct trod_insn){.insn_class = TROD_INSN_MULTIPLY, .target = {1}});
    add(k, (struct trod_insn){.insn_class = TROD_INSN_DIVIDE, .source = {1}});
    add(k, (struct trod_insn){.insn_class = TROD_INSN_MULTIPLY});
    /* I 2, C 5; the divide I 5, C 25, R 26; the other multiply I 3, before it. R 26. */
    assert_int_equal(cycles_of(k), 27);

    k = kernel_on("perfect");
    k->machine.units[TROD_TIMING_MULTIPLY] = 1;
    add_block(k);
    add(k, (struct trod_insn){.insn_class = TROD_INSN_DIVIDE});
    add(k, (struct trod_insn){.insn_class = TROD_INSN_MULTIPLY});
    /* I 2; the multiply I 21, C 24, R 25. The divide C 22. */
    assert_int_equal(cycles_of(k), 26);
}

static void test_nothing_and_system(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    k->machine.units[TROD_TIMING_ALU] = 1;
    add_block(k);
    for (int i = 0; i < 8; i++)
        add(k, (struct trod_insn){.insn_class = TROD_INSN_NOTHING});
    /* No unit, no place to issue: D 1 and 2, C 2 and 3, R 3 and 4. */
    assert_int_equal(cycles_of(k), 5);

    k = kernel_on("perfect");
    add_block(k);
    add(k, plain);
    add(k, (struct trod_insn){.insn_class = TROD_INSN_SYSTEM});
    /* The first R 4; the other I 4, C 5, R 6. */
    assert_int_equal(cycles_of(k), 7);
}

/* --- windows --------------------------------------------------------------------------------------------- */

static struct kernel *behind_a_miss(uint32_t rob)
{
    struct kernel *k = kernel_on("table5.3");

    k->machine.l1i.size = 0;
    k->machine.rob = rob;
    add_block(k);
    add_access(k, load, 0x100000);
    for (int i = 0; i < 20; i++)
        add(k, plain);
    return k;
}

static void test_rob(void **state)
{
    (void)state;
    /* The load: I 2, its data at 2 + 1 + 10 + 100 = 113, its operation I 113, C 114, R 115. The others are done: four
     * a cycle, the first three with it; of the last R 115 + 20 / 4 = 120.
     */
    assert_int_equal(cycles_of(behind_a_miss(128)), 121);
    /* Eight places: 0 to 3 R 115, 4 to 7 R 116. 8 to 11 D 115, R 118; 12 to 15 D 116, R 119; 16 to 19 D 118, R 121;
     * the last D 119, when 12 commits; R 122.
     */
    assert_int_equal(cycles_of(behind_a_miss(8)), 123);
    /* One place: each D when the one before R; 115, then three more each: D, I, C, R. */
    assert_int_equal(cycles_of(behind_a_miss(1)), 115 + 20 * 3 + 1);
}

static void test_lsq(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    k->machine.lsq = 2;
    add_block(k);
    for (int i = 0; i < 4; i++)
        add(k, load);
    /* The first two: I 2, data 3, I 3, C 4, R 5. The others D 5, data 7, C 8, R 9. */
    assert_int_equal(cycles_of(k), 10);
}

static void test_ifq(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    k->machine.ifq = 1;
    add_block(k);
    for (int i = 0; i < 5; i++)
        add(k, plain);
    /* F when the one before D: F i, R 4 + i. */
    assert_int_equal(cycles_of(k), 9);
}

/* --- caches ------------------------------------------------------------------------------------------------- */

static void test_ports(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    for (int i = 0; i < 8; i++)
        add(k, load);
    /* Two a cycle: 2, 2, 3, 3, 4, 4, 5, 5; the last operation I 6, C 7, R 8. */
    assert_int_equal(cycles_of(k), 9);

    k = kernel_on("perfect");
    add_block(k);
    for (int i = 0; i < 8; i++)
        add(k, store);
    /* Two commit a cycle: R 4, 4, 5, 5, 6, 6, 7, 7. */
    assert_int_equal(cycles_of(k), 8);
}

static void test_forwarding(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_block(k);
    add_access(k, store, 0x2000);
    add_access(k, load, 0x2000);
    /* The store C 3; the load 3, data 4, I 4, C 5, R 6. */
    assert_int_equal(cycles_of(k), 7);

    k = kernel_on("perfect");
    add_block(k);
    add_access(k, store, 0x2000);
    add_access(k, load, 0x2008);
    /* The load 2, data 3, I 3, C 4, R 5. */
    assert_int_equal(cycles_of(k), 6);
}

static void test_lines(void **state)
{
    struct kernel *k = kernel_on("table5.3");

    (void)state;
    k->machine.l1i.size = 0;
    add_block(k);
    add_access(k, load, 0x2000);
    add_access(k, load, 0x2008);
    /* Both 2; the line comes at 113 for both. I 113, C 114, R 115. */
    assert_int_equal(cycles_of(k), 116);
    add_block(k);
    add_access(k, load, 0x2010);
    /* It is fetched with the others: 3, as there are two ports; it waits for the line, too. */
    assert_int_equal(cycles_of(k), 116);
    add_access(k, load, 0x4000);
    /* 3, data 114, C 115, R 116. */
    assert_int_equal(cycles_of(k), 117);

    /* An access that crosses lines is two. */
    k = kernel_on("perfect");
    add_block(k);
    for (int i = 0; i < 2; i++)
        add_access(k, load, 0x201c);
    /* 2 and 2, then 3 and 3; I 4, C 5, R 6. */
    assert_int_equal(cycles_of(k), 7);
}

/* As long as the calendar, and longer. */
static void test_chain_of_misses(void **state)
{
    struct kernel *k = kernel_on("table5.3");

    (void)state;
    k->machine.l1i.size = 0;
    add_block(k);
    for (uint64_t i = 0; i < 60; i++)
        add_access(k,
            (struct trod_insn){
                .insn_class = TROD_INSN_ALU, .nload = 1, .source = {3}, .target = {3}},
            0x100000 * (i + 1));
    /* Each 111 and its operation: C 2 + 112 (i + 1), of the last 6722, R 6723. */
    assert_int_equal(cycles_of(k), 6724);
    for (int i = 0; i < 8; i++)
        add(k, (struct trod_insn){.insn_class = TROD_INSN_ALU, .source = {3}});
    /* All can issue at 6722, four do: C 6723 and 6724, R 6724, 6725. */
    assert_int_equal(cycles_of(k), 6726);
}

static void test_code_misses(void **state)
{
    struct kernel *k = kernel_on("table5.3");

    (void)state;
    add_block(k);
    for (int i = 0; i < 9; i++)
        add(k, plain);
    /* Lines of 32 bytes: the first comes 110 cycles late, F 110 and 111; the next, of the same line of 64 in the
     * second cache, F 112 + 10, R 126.
     */
    assert_int_equal(cycles_of(k), 127);
}

/* --- branches -------------------------------------------------------------------------------------------------- */

static void test_branches(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_branch(k, TROD_BRANCH_IF, false);
    add_branch(k, TROD_BRANCH_IF, false);
    assert_int_equal(cycles_of(k), 5); /* in one cycle */

    k = kernel_on("perfect");
    add_branch(k, TROD_BRANCH_IF, true);
    add_branch(k, TROD_BRANCH_IF, false);
    assert_int_equal(cycles_of(k), 6); /* F 0, 1: a taken branch ends the cycle */

    k = kernel_on("perfect");
    k->machine.prediction.kind = TROD_TIMING_NOT_TAKEN;
    add_branch(k, TROD_BRANCH_IF, true);
    add_branch(k, TROD_BRANCH_IF, false);
    /* C 3; the next F 3 + 3, R 10. */
    assert_int_equal(cycles_of(k), 11);

    k = kernel_on("perfect");
    k->machine.prediction.kind = TROD_TIMING_TAKEN;
    add_branch(k, TROD_BRANCH_JUMP, true);
    add_branch(k, TROD_BRANCH_JUMP, true);
    /* Its target is unknown before D 1: the next F 2, R 6. */
    assert_int_equal(cycles_of(k), 7);
    k->machine.prediction.btb = 0;
    assert_int_equal(cycles_of(k), 6); /* known: F 1 */
}

static void test_odd_and_threads(void **state)
{
    struct kernel *k = kernel_on("perfect");

    (void)state;
    add_branch(k, TROD_BRANCH_IF, false);
    k->run[0].odd = true;
    add_branch(k, TROD_BRANCH_IF, false);
    assert_int_equal(cycles_of(k), 11); /* as if it was mispredicted */

    k = kernel_on("perfect");
    add_branch(k, TROD_BRANCH_IF, false);
    add_branch(k, TROD_BRANCH_IF, false);
    k->run[1].thread = 7;
    assert_int_equal(cycles_of(k), 10); /* R 4, F 5 */
}

/* --- queues ------------------------------------------------------------------------------------------------------ */

static uint32_t served_in(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    (void)run;
    assert_int_equal(events->nbranch, 1);
    return *(const uint32_t *)ctx;
}

/* Eight branches that can commit in cycles 4 and 5. S: their service begins. */
static uint64_t served(uint32_t queue, uint32_t cycles, bool pipelined, bool at_end)
{
    struct trod_timing_design design = {.name = "queue",
        .queue = queue,
        .pipelined = pipelined,
        .freed_at_end = at_end,
        .service = served_in,
        .ctx = &cycles};
    struct kernel *k = kernel_on("perfect");

    for (int i = 0; i < 8; i++)
        add_branch(k, TROD_BRANCH_IF, false);
    return cycles_with(k, &design);
}

static void test_queue(void **state)
{
    (void)state;
    assert_int_equal(served(1, 0, false, false), 6); /* none of its business */
    /* S(i) = 5 + i, one a cycle. R(7) = S(7 - Q). */
    assert_int_equal(served(1, 1, false, false), 12);
    assert_int_equal(served(2, 1, false, false), 11);
    assert_int_equal(served(4, 1, false, false), 9);
    assert_int_equal(served(8, 1, false, false), 6);
    /* S(i) = 5 + 4 i. */
    assert_int_equal(served(1, 4, false, false), 5 + 4 * 6 + 1);
    assert_int_equal(served(2, 4, false, false), 5 + 4 * 5 + 1);
    assert_int_equal(served(4, 4, false, false), 5 + 4 * 3 + 1);
    assert_int_equal(served(7, 4, false, false), 6); /* S(0) = 5 */
    /* Pipelined: S(i) = 5 + i, whatever a branch takes. */
    assert_int_equal(served(1, 4, true, false), 12);
    assert_int_equal(served(4, 4, true, false), 9);
    /* Freed at the end: R(i) = S(i - 1) + 4, S(i) = R(i) + 1; R(7) = 4 + 7 * 5. */
    assert_int_equal(served(1, 4, false, true), 40);
    /* Two places: R(0) = R(1) = 4, S 5 and 9; R(i) = S(i - 2) + 4: 9, 13, ..., S one or more behind: always 5 + 4 i; R(7) = S(5)
     * + 4 = 29.
     */
    assert_int_equal(served(2, 4, false, true), 30);
}

/* Stalls are reported: the number of branches that wait for the queue, and the cycles this adds. */
static void test_stalls(void **state)
{
    uint32_t cycles = 4;
    struct trod_timing_design design[] = {{.name = "base"},
        {.name = "queue", .queue = 1, .service = served_in, .ctx = &cycles}};
    struct kernel *k = kernel_on("perfect");
    struct trod_timing_cycles c[2];

    (void)state;
    for (int i = 0; i < 3; i++)
        add_branch(k, TROD_BRANCH_IF, false);
    trod_timing_cycles_of(c, time_designs(k, design, 2));
    assert_int_equal(c[0].cycles, 5);
    assert_int_equal(c[1].cycles, 10); /* R 4, 5, 9 */
    assert_int_equal(c[1].nbranch, 3);
    assert_int_equal(c[1].service, 12);
    assert_int_equal(c[1].nstall, 2);
    assert_int_equal(c[1].stall, 1 + 4);
    assert_int_equal(c[0].nbranch, 0);
}

static uint32_t count_calls(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    (void)run;
    (void)events;
    ++*(uint32_t *)ctx;
    return 1;
}

/* A profiler learns: it is asked once for all designs that have it. */
static void test_asked_once(void **state)
{
    uint32_t first = 0, second = 0;
    struct trod_timing_design design[] = {{.name = "base"},
        {.name = "1", .queue = 1, .service = count_calls, .ctx = &first},
        {.name = "2", .queue = 2, .service = count_calls, .ctx = &first},
        {.name = "3", .queue = 2, .service = count_calls, .ctx = &second}};
    struct kernel *k = kernel_on("perfect");
    struct trod_timing_cycles c[4];

    (void)state;
    add_branch(k, TROD_BRANCH_IF, false);
    add_branch(k, TROD_BRANCH_RETURN, true);
    add_block(k);
    add(k, plain);
    trod_timing_cycles_of(c, time_designs(k, design, 4));
    assert_int_equal(first, 2);
    assert_int_equal(second, 2);
    assert_int_equal(c[2].service, 2);
}

static uint32_t service(enum trod_branch_kind kind, uint64_t target)
{
    struct trod_code code = {.last = 100, .target = target, .kind = (uint8_t)kind};
    struct trod_run run = {.code = &code};

    return trod_timing_service(NULL, &run, NULL);
}

/* Table 5.1: update 1, push 1, pop 1 and 1 for the table. */
static void test_service(void **state)
{
    (void)state;
    assert_int_equal(service(TROD_BRANCH_CALL, 7), 2);
    assert_int_equal(service(TROD_BRANCH_CALL_INDIRECT, 0), 2);
    assert_int_equal(service(TROD_BRANCH_RETURN, 0), 3);
    assert_int_equal(service(TROD_BRANCH_IF, 104), 1);
    assert_int_equal(service(TROD_BRANCH_IF, 100), 4);
    assert_int_equal(service(TROD_BRANCH_JUMP, 104), 1);
    assert_int_equal(service(TROD_BRANCH_JUMP, 50), 4);
    assert_int_equal(service(TROD_BRANCH_INDIRECT, 0), 4);
    assert_int_equal(service(TROD_BRANCH_NONE, 0), 0);
    assert_int_equal(trod_timing_service_update(true, 4), 1);
    assert_int_equal(trod_timing_service_update(false, 4), 3);
    assert_int_equal(trod_timing_service_update(false, 1), 1);
    assert_int_equal(trod_timing_service_update(false, 32), 6);
}

/* --- injection -------------------------------------------------------------------------------------------------------- */

static size_t inject_one(
    const struct trod_timing_injected **out, void *ctx, const struct trod_run *run)
{
    (void)run;
    *out = ctx;
    return 1;
}

static uint64_t injected(uint16_t at, bool behind, uint32_t count, uint32_t bubble)
{
    static const struct trod_insn op[8] = {{.insn_class = TROD_INSN_ALU}};
    struct trod_timing_injected what = {op, count, at, behind};
    struct trod_timing_design design = {
        .name = "dise", .bubble = bubble, .inject = inject_one, .ctx = &what};
    struct kernel *k = kernel_on("perfect");
    struct trod_timing_cycles c;

    add_block(k);
    for (int i = 0; i < 4; i++)
        add(k, plain);
    trod_timing_cycles_of(&c, time_designs(k, &design, 1));
    assert_int_equal(c.ninjected, count);
    return c.cycles;
}

static void test_injection(void **state)
{
    (void)state;
    assert_int_equal(injected(0, false, 1, 0), 6); /* five are two cycles */
    /* F 0, 0; a bubble; two more 1, 1, and the others with them: R 5. */
    assert_int_equal(injected(2, false, 2, 1), 6);
    assert_int_equal(injected(1, true, 2, 1), 6); /* the same place */
    /* Behind all: without a bubble F 1, with it 2; R 6. */
    assert_int_equal(injected(3, true, 1, 0), 6);
    assert_int_equal(injected(3, true, 1, 1), 7);
    /* Before all: F 1 to 2 of the eight, then 3, R 7. */
    assert_int_equal(injected(0, false, 8, 1), 8);
}

/* What is fetched after a mispredicted branch waits for it, not for what was injected after it. */
static void test_injection_behind_branch(void **state)
{
    static const struct trod_insn op = {.insn_class = TROD_INSN_DIVIDE};
    struct trod_timing_injected what = {&op, 1, 0, true};
    struct trod_timing_design design = {
        .name = "dise", .bubble = 1, .inject = inject_one, .ctx = &what};
    struct kernel *k = kernel_on("perfect");

    (void)state;
    k->machine.prediction.kind = TROD_TIMING_NOT_TAKEN;
    add_branch(k, TROD_BRANCH_IF, true);
    add_block(k);
    add(k, plain);
    /* The branch C 3. The divide F 1, I 3, C 23, R 24. The other F 6; its own divide F 7, I 9, C 29, R 30. */
    assert_int_equal(cycles_with(k, &design), 31);
}

/* --- events ------------------------------------------------------------------------------------------------------------- */

struct seen {
    uint64_t power[8], cycle_power[8];
    uint32_t count;
};

static void see(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    struct seen *seen = ctx;

    assert_int_equal(run->code->number, seen->count);
    seen->power[seen->count] = events->power;
    seen->cycle_power[seen->count++] = events->cycle_power;
}

/* Two loads in one cycle share what one costs; one in the next has it alone. */
static void test_cycle_power(void **state)
{
    struct kernel *k = kernel_on("perfect");
    struct seen seen = {0};
    struct trod_timing *core;

    (void)state;
    add_block(k);
    add(k, load);
    add_block(k);
    add(k, load);
    add_block(k);
    add(k, load);
    core = trod_timing_build(&k->machine, &base, 1, &have.mem);
    trod_timing_when_final(core, see, &seen);
    for (uint32_t i = 0; i < k->nrun; i++)
        trod_timing_take(core, &k->run[i]);
    assert_int_equal(seen.count, 0); /* others may yet come into the same cycle */
    trod_timing_end(core);
    assert_int_equal(seen.count, 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(seen.power[i], 2 * TROD_TIMING_COST); /* a line of code, too */
    assert_int_equal(seen.cycle_power[0], TROD_TIMING_COST + TROD_TIMING_COST / 2);
    assert_int_equal(seen.cycle_power[1], TROD_TIMING_COST + TROD_TIMING_COST / 2);
    assert_int_equal(seen.cycle_power[2], 2 * TROD_TIMING_COST);
    assert_int_equal(trod_timing_events_of(core)->cycle_power, 5 * TROD_TIMING_COST);
}

/* As many instructions as the reorder buffer has later, nothing can come into its cycles any more. */
static void test_final_when(void **state)
{
    struct kernel *k = kernel_on("perfect");
    struct seen seen = {0};
    struct trod_timing *core;

    (void)state;
    k->machine.rob = 4;
    for (int i = 0; i < 6; i++) {
        add_block(k);
        add(k, load);
        add(k, plain);
    }
    core = trod_timing_build(&k->machine, &base, 1, &have.mem);
    trod_timing_when_final(core, see, &seen);
    for (uint32_t i = 0; i < k->nrun; i++) {
        trod_timing_take(core, &k->run[i]);
        assert_int_equal(seen.count, i < 2 ? 0 : i - 1);
    }
}

static void test_events(void **state)
{
    struct kernel *k = kernel_on("table5.3");
    const struct trod_timing_events *e;
    struct trod_timing_costs cost;
    struct trod_timing *core;

    (void)state;
    add_block(k);
    add_access(k, load, 0x100000);
    add_access(k, store, 0x100008);
    add_access(k, load, 0x100000 + (32 << 10)); /* drives the line out */
    add_branch(k, TROD_BRANCH_JUMP, true);
    trod_timing_costs_fill(&cost, &k->machine);
    core = trod_timing_build(&k->machine, NULL, 0, &have.mem);
    e = trod_timing_take(core, &k->run[0]);
    assert_int_equal(e->ninsn, 3);
    assert_int_equal(e->nl1i, 1);
    assert_int_equal(e->nl1i_miss, 1);
    assert_int_equal(e->nl1d, 3);
    assert_int_equal(e->nl1d_miss, 2);
    assert_int_equal(e->nl2, 3);
    assert_int_equal(e->nl2_miss, 3);
    assert_int_equal(e->nback, 1);
    assert_int_equal(e->nbranch, 0);
    /* Looked up, and filled where it missed; what is written back goes to the second cache. */
    assert_int_equal(e->power,
        2 * cost.l1i + 5 * cost.l1d + 6 * cost.l2 + 3 * cost.memory + cost.l2);
    e = trod_timing_take(core, &k->run[1]);
    assert_int_equal(e->nbranch, 1);
    assert_int_equal(e->nmisfetch, 1);
    assert_int_equal(e->nmispredict, 0);
    e = trod_timing_events_of(core);
    assert_int_equal(e->nrun, 2);
    assert_int_equal(e->ninsn, 4);
    assert_int_equal(trod_timing_metric_of(e, TROD_TIMING_L1_MISSES), 4);
    assert_int_equal(trod_timing_metric_of(e, TROD_TIMING_L2_MISSES), 4);
    assert_string_equal(trod_timing_metric_name(TROD_TIMING_L2_MISSES), "l2_misses");
    assert_null(trod_timing_metric_name(TROD_TIMING_METRICS));
}

/* The costs of table 5.3, as doc/hardware/timing.md derives them. */
static void test_costs(void **state)
{
    struct kernel *k = kernel_on("table5.3");
    struct trod_timing_costs cost;

    (void)state;
    trod_timing_costs_fill(&cost, &k->machine);
    assert_int_equal(cost.l1i, 16);
    assert_int_equal(cost.l1d, 16);
    /* 4 (512 + 31 + 2) 260.8 / 291 / 260.8 = 7.49 times as much */
    assert_int_equal(cost.l2, 120);
    /* 8 343750 / (291 260.8) = 36.2 times */
    assert_int_equal(cost.memory, 580);
    k->machine.cost_l2 = 7;
    trod_timing_costs_fill(&cost, &k->machine);
    assert_int_equal(cost.l2, 7);
}

/* Without instructions, there are as many, and nothing is known of them. */
static void test_blind(void **state)
{
    struct kernel *k = kernel_on("perfect");
    struct trod_timing *core;

    (void)state;
    add_block(k);
    for (int i = 0; i < 8; i++)
        add(k, (struct trod_insn){
                   .insn_class = TROD_INSN_ALU, .source = {3}, .target = {3}});
    k->code[0].insn = NULL;
    core = time_designs(k, &base, 1);
    assert_int_equal(trod_timing_events_of(core)->nblind, 8);
    assert_int_equal(cycles_of(k), 6);
}

/* --- memory ------------------------------------------------------------------------------------------------- */

static void build_all(struct trod_arena *mem, void *ctx)
{
    struct kernel *k = ctx;
    struct trod_timing *core = trod_timing_build(&k->machine, &base, 1, mem);
    struct seen seen = {0};

    trod_timing_when_final(core, see, &seen);
    for (uint32_t i = 0; i < k->nrun; i++)
        trod_timing_take(core, &k->run[i]);
    trod_timing_end(core);
}

static void test_memory(void **state)
{
    struct kernel *k = behind_a_miss(8);

    (void)state;
    assert_true(kit_each_allocation_failure(build_all, k) > 10);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_one),
        TEST(test_independent),
        TEST(test_chain),
        TEST(test_chain_of_multiplies),
        TEST(test_two_chains),
        TEST(test_units),
        TEST(test_gaps),
        TEST(test_nothing_and_system),
        TEST(test_rob),
        TEST(test_lsq),
        TEST(test_ifq),
        TEST(test_ports),
        TEST(test_forwarding),
        TEST(test_lines),
        TEST(test_chain_of_misses),
        TEST(test_code_misses),
        TEST(test_branches),
        TEST(test_odd_and_threads),
        TEST(test_queue),
        TEST(test_stalls),
        TEST(test_asked_once),
        TEST(test_service),
        TEST(test_injection),
        TEST(test_injection_behind_branch),
        TEST(test_cycle_power),
        TEST(test_final_when),
        TEST(test_events),
        TEST(test_costs),
        TEST(test_blind),
        TEST(test_memory),
    };

    return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
