/* Machines and designs: texts are rejected or survive a round trip. A core built from what was accepted can run. */
#include "fuzz.h"

#include "timing/timing.h"

static const char *print(
    const struct trod_timing_machine *machine, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_timing_machine_print(&text.sink, machine);
    return text.text;
}

static void run(const struct trod_timing_machine *machine,
    const struct trod_timing_design *design, struct trod_arena *mem)
{
    static const struct trod_insn insn[] = {{.pc = 64,
                                                .size = 4,
                                                .insn_class = TROD_INSN_DIVIDE,
                                                .nload = 1,
                                                .target = {1}},
        {.pc = 68,
            .size = 4,
            .insn_class = TROD_INSN_FLOAT_DIVIDE,
            .nstore = 1,
            .source = {1}},
        {.pc = 72, .size = 4, .insn_class = TROD_INSN_BRANCH}};
    static const struct trod_code code = {.pc = 64,
        .last = 72,
        .after = 76,
        .target = 64,
        .ninsn = 3,
        .kind = TROD_BRANCH_IF,
        .insn = insn};
    struct trod_access access[2] = {
        {.insn = 0, .size = 8}, {.insn = 1, .size = 8, .store = true}};
    struct trod_run one = {.code = &code, .naccess = 2, .access = access};
    struct trod_timing *core = trod_timing_build(machine, design, 1, mem);
    struct trod_timing_cycles cycles;

    for (uint64_t i = 0; i < 50; i++) {
        access[0].address = i * 4093;
        access[1].address = i * 37;
        one.taken = i % 3;
        one.next = one.taken ? code.target : code.after;
        trod_timing_take(core, &one);
    }
    trod_timing_end(core);
    trod_timing_cycles_of(&cycles, core);
    FUZZ_MUST(cycles.cycles >= 5 + 150 / TROD_TIMING_MOST_WIDTH);
}

/* Large machines take long to build. */
static bool is_small(const struct trod_timing_machine *m)
{
    return m->l1i.size + m->l1d.size + m->l2.size < 1 << 20 &&
           (uint64_t)m->rob * m->memory < 1 << 14;
}

static void try_machine(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    static const struct trod_timing_design base = {.name = "base"};
    struct trod_timing_machine machine, back;
    struct trod_err err = {0};
    struct trod_text text;
    const char *printed;

    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (!trod_timing_machine_parse(&machine, &text, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST_DO(trod_timing_machine_check(&machine, &err), &err);
    printed = print(&machine, mem);
    trod_text_init(&text, "printed", printed, strlen(printed));
    FUZZ_MUST_DO(trod_timing_machine_parse(&back, &text, mem, &err), &err);
    FUZZ_MUST(strcmp(printed, print(&back, mem)) == 0);
    if (is_small(&machine))
        run(&machine, &base, mem);
}

static void try_design(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    const char *text = trod_copy_text(mem, (const char *)bytes, length);
    struct trod_timing_machine machine;
    struct trod_timing_design design;
    struct trod_err err = {0};

    trod_timing_machine_named(&machine, "perfect");
    if (trod_timing_design_parse(&design, text, mem, &err))
        run(&machine, &design, mem);
    else
        fuzz_refused(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        try_machine(bytes, length, &mem);
        if (length < 200)
            try_design(bytes, length, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
