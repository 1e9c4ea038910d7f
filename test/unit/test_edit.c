/* Productions: texts that are read and come back, by hand which events bursts have, what both ways of editing
 * cost, what handlers note, validators that find what is broken, exhausted memory. What holds for all is in
 * prop_edit.c, prop_edit_text.c and prop_edit_bursts.c; the words of refusals are in test/case/edit.
 */
#include "kit/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "edit/edit.h"

/* --- productions ---------------------------------------------------------------------------------- */

static bool read_text(struct trod_edit *out, const char *text)
{
    struct trod_edit_file file = {"f", text, strlen(text)};

    return trod_edit_parse(out, &file, 1, NULL, &have.mem, &have.err);
}

static void read_shipped(struct trod_edit *out, const char *first, const char *second,
    uint64_t freq, uint64_t burst)
{
    struct trod_edit_setting setting[] = {{"sampleFreq", freq}, {"burstLength", burst}};
    struct trod_edit_settings settings = {.count = 2, .setting = setting};
    const char *a = trod_edit_shipped(first), *b = trod_edit_shipped(second);
    struct trod_edit_file file[] = {{first, a, strlen(a)}, {second, b, strlen(b)}};

    must(trod_edit_parse(out, file, 2, &settings, &have.mem, &have.err));
    must(trod_edit_check(out, &have.mem, &have.err));
}

static const char *print(const struct trod_edit *edit)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_edit_print(&text.sink, edit);
    return text.text;
}

/* What a pattern is when it is printed. */
static const char *pattern(const char *written)
{
    struct trod_edit edit;
    struct trod_string text;
    const char *printed;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "P: %s => null, null", written);
    must(read_text(&edit, text.text));
    must(trod_edit_check(&edit, &have.mem, &have.err));
    printed = print(&edit) + 3;
    return trod_copy_text(
        &have.mem, printed, (size_t)(strstr(printed, " => ") - printed));
}

static void test_patterns(void **state)
{
    static const struct {
        const char *written, *printed;
    } row[] = {
        {"overflow_1", NULL},
        {"!overflow_1", NULL},
        {"!!zero_15", NULL},
        {"T.OPCLASS == load", NULL},
        {"T.OPCLASS != load", NULL},
        {"!(T.OPCLASS == load)", "T.OPCLASS != load"},
        {"!(T.OPCLASS != load)", NULL},
        {"T.PC in 4096..0x2000", "T.PC in 0x1000 .. 0x2000"},
        {"T.Target <= T.PC", NULL},
        {"(T.PC) < 1", ""},
        {"T.PC == 10", "T.PC == 0xa"},
        {"overflow_1 && overflow_2 || zero_1", NULL},
        {"(overflow_1 && overflow_2) || zero_1", "overflow_1 && overflow_2 || zero_1"},
        {"overflow_1 && (overflow_2 || zero_1)", NULL},
        {"overflow_1 && (overflow_2 && zero_1)", NULL},
        {"(overflow_1 && overflow_2) && zero_1", "overflow_1 && overflow_2 && zero_1"},
        {"overflow_1 || (overflow_2 || zero_1)", NULL},
        {"!(overflow_1 && zero_1)", NULL},
        {"!(T.PC < 0x1) && zero_1", NULL},
        {"((((zero_1))))", "zero_1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (row[i].printed && !*row[i].printed)
            continue;
        assert_string_equal(
            pattern(row[i].written), row[i].printed ? row[i].printed : row[i].written);
    }
}

static void test_text(void **state)
{
    static const char all[] =
        "bits 20\n"
        "register a = 5\n"
        "register b = max - 7\n"
        "register c = 9 to overflow prime with a\n"
        "register d = 100 to overflow jitter\n"
        "handler h = calls 15\n"
        "handler g = nothing 0\n"
        "P: T.OPCLASS == return && T.Target == T.PC => R, C, inc_2, set_3(c)\n"
        "Q: zero_0 => null, null\n"
        "C: inc_1; dec_2; set_0(a)\n"
        "R: op(alu) call(h) T.INSN op(float_divide) call(g)\n"
        "START: set_1(d)\n";
    struct trod_edit edit, back;

    (void)state;
    must(read_text(&edit, all));
    must(trod_edit_check(&edit, &have.mem, &have.err));
    assert_string_equal(print(&edit), all);
    must(read_text(&back, print(&edit)));
    assert_string_equal(print(&back), all);
    assert_int_equal(edit.reg[2].raised, 12); /* 12 + 5 is prime */
    assert_int_equal(edit.reg[3].raised, 100);
    assert_int_equal(edit.start, 2);
    /* The arrow of the report, marks that may be there, and lines that continue. */
    must(read_text(&edit, "P:zero_1&&\n  overflow_1 \xe2\x87\x92\n  null,C C:inc_1;"));
    assert_string_equal(print(&edit), "P: zero_1 && overflow_1 => null, C\nC: inc_1\n");
    must(read_text(&edit, ""));
    assert_string_equal(print(&edit), "");
}

static void test_settings(void **state)
{
    struct trod_edit_setting setting[] = {{"HotMethod_handler", 30}, {"nobody", 1}};
    struct trod_edit_settings settings = {.count = 1, .setting = setting};
    const char *a = trod_edit_shipped("sampling"), *b = trod_edit_shipped("methods");
    struct trod_edit_file file[] = {{"a", a, strlen(a)}, {"b", b, strlen(b)}};
    struct trod_edit edit;

    (void)state;
    settings.period = TROD_EDIT_PRIME + 1;
    must(trod_edit_parse(&edit, file, 2, &settings, &have.mem, &have.err));
    assert_int_equal(edit.handler[0].nop, 30);
    /* 999 and a burst of 1 are 1000; the next prime is 1009. */
    assert_int_equal(edit.reg[0].raised, 1008);
    settings.period = TROD_EDIT_JITTER + 1;
    must(trod_edit_parse(&edit, file, 2, &settings, &have.mem, &have.err));
    assert_int_equal(edit.reg[0].period, TROD_EDIT_JITTER);
    assert_int_equal(edit.reg[0].raised, 999);
    settings.count = 2;
    assert_false(trod_edit_parse(&edit, file, 2, &settings, &have.mem, &have.err));
    assert_string_equal(have.err.text,
        "there is no register or handler 'nobody' to set; there are: sampleFreq "
        "burstLength HotMethod_handler");
}

static void test_shipped(void **state)
{
    static const char *const name[] = {"sampling", "methods", "calls", "streams",
        "literal/sampling", "literal/methods", "literal/calls", "literal/streams"};

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        const char *text = trod_edit_shipped(name[i]);
        char path[100], bytes[4000];
        size_t length;
        FILE *file;

        assert_non_null(text);
        snprintf(path, sizeof path, "example/hps/%s.hps", name[i]);
        file = fopen(path, "r");
        assert_non_null(file);
        length = file ? fread(bytes, 1, sizeof bytes - 1, file) : 0;
        if (file)
            fclose(file);
        bytes[length] = '\0';
        assert_string_equal(bytes, text);
    }
    assert_null(trod_edit_shipped("nothing"));
}

/* --- streams by hand ------------------------------------------------------------------------------- */

/* Blocks of two instructions: a load at 0x100 * letter, and a branch 4 after it. */
static struct trod_insn insn[26][2];
static struct trod_code code[26];

static void set_code(char letter, uint8_t kind, uint64_t target)
{
    int i = letter - 'a';
    uint64_t pc = 0x100 * (uint64_t)(i + 1);

    insn[i][0] = (struct trod_insn){.pc = pc, .size = 4, .nload = 1};
    insn[i][1] =
        (struct trod_insn){.pc = pc + 4, .size = 4, .insn_class = TROD_INSN_BRANCH};
    code[i] = (struct trod_code){.pc = pc,
        .last = pc + 4,
        .after = pc + 8,
        .target = target,
        .number = (uint32_t)i,
        .ninsn = 2,
        .kind = kind,
        .insn = insn[i]};
}

/* c: a call of 0x1000; i: one through a pointer, to 0x2000; b: back, taken; n: the same, not taken; f: forward;
 * j: a jump back; r: a return.
 */
static void set_codes(void)
{
    set_code('c', TROD_BRANCH_CALL, 0x1000);
    set_code('i', TROD_BRANCH_CALL_INDIRECT, 0);
    set_code('b', TROD_BRANCH_IF, 0x100);
    set_code('n', TROD_BRANCH_IF, 0x100);
    set_code('f', TROD_BRANCH_IF, 0x10000);
    set_code('j', TROD_BRANCH_JUMP, 0x100);
    set_code('r', TROD_BRANCH_RETURN, 0);
}

static void run_letter(struct trod_editor *editor, char letter, uint32_t thread)
{
    const struct trod_code *c = &code[letter - 'a'];
    struct trod_access access = {.address = 0x5000 + (uint64_t)letter, .size = 8};
    struct trod_run run = {.code = c,
        .next = letter == 'n' ? c->after
                : c->target   ? c->target
                              : 0x2000,
        .thread = thread,
        .taken = letter != 'n',
        .naccess = 1,
        .access = &access};

    trod_editor_run(editor, &run);
}

/* Which of the runs had production `name` fired at their branch: 1 or 0. */
static const char *fired(
    const struct trod_edit *edit, const char *letters, const char *name, uint32_t at)
{
    struct trod_editor *editor = trod_editor_build(edit, NULL, &have.mem);
    char *out = trod_new(&have.mem, char, strlen(letters) + 1);
    uint32_t p = 0;

    set_codes();
    while (strcmp(edit->production[p].name, name) != 0)
        p++;
    for (size_t i = 0; letters[i]; i++) {
        run_letter(editor, letters[i], 0);
        out[i] = trod_editor_fired(editor, at) >> p & 1 ? '1' : '0';
    }
    return out;
}

/* On is event k, from 1, if (k - 1) mod (n + b) is n or more; of each kind of event. */
static void test_bursts(void **state)
{
    static const char events[] = "cbjincbjicbnccccccbbbbbbjicn";
    struct trod_edit edit;

    (void)state;
    for (uint64_t n = 1; n < 6; n++)
        for (uint64_t b = 1; b < 5; b++) {
            const char *on;

            read_shipped(&edit, "sampling", "methods", n, b);
            on = fired(&edit, events, "M1", 1);
            for (size_t k = 0; events[k]; k++)
                assert_int_equal(on[k], k % (n + b) >= n ? '1' : '0');
        }
    read_shipped(&edit, "sampling", "methods", 2, 1);
    assert_string_equal(fired(&edit, "ccccccc", "M1", 1), "0010010");
    /* What is no event changes nothing. */
    assert_string_equal(fired(&edit, "cfrcfrcfrcc", "M1", 1), "00000010000");
    read_shipped(&edit, "sampling", "calls", 2, 2);
    assert_string_equal(fired(&edit, "ccbcccic", "C1", 1), "00010011");
    /* Loads after the n-th event, up to the b-th of the burst. */
    read_shipped(&edit, "sampling", "streams", 2, 2);
    assert_string_equal(fired(&edit, "ccffcfccc", "S1", 0), "001111100");
}

/* As published: what goes wrong, one by one. */
static void test_literal(void **state)
{
    static const char mended[] =
        "register n = 2 to overflow register b = 2 to overflow "
        "START: set_1(n); set_2(b) A: inc_1 B: inc_2 H: T.INSN ";
    struct trod_edit edit;
    struct trod_string text;

    (void)state;
    trod_string_init(&text, &have.mem);
    /* overflow_1 is set until the event after the burst has been decoded: three of a burst of two. The one that
     * ends it is counted by nothing: five to an iteration, not four.
     */
    trod_put(&text.sink,
        "%s C: set_1(n); set_2(b) P1: T.OPCLASS == proc_call && !overflow_1 => null, A "
        "P3: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => null, B "
        "P5: T.OPCLASS == proc_call && overflow_1 && overflow_2 => null, C "
        "Q: T.OPCLASS == proc_call && overflow_1 => H, null",
        mended);
    must(read_text(&edit, text.text));
    assert_string_equal(fired(&edit, "cccccccccccc", "Q", 1), "001110011100");
    /* P5 without overflow_2: the first event of a burst ends it, whatever its length. */
    trod_string_init(&text, &have.mem);
    trod_put(&text.sink,
        "%s C: set_1(n); set_2(b) P1: T.OPCLASS == proc_call && !overflow_1 => null, A "
        "P3: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => null, B "
        "P5: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => null, C "
        "Q: T.OPCLASS == proc_call && overflow_1 => H, null",
        mended);
    must(read_text(&edit, text.text));
    assert_string_equal(fired(&edit, "cccccccccccc", "Q", 1), "001001001001");
    /* All of it: a counter holds max - n, so that there are n + 1 between; branches forward are events, and
     * those back are not.
     */
    read_shipped(&edit, "literal/sampling", "literal/calls", 2, 2);
    assert_string_equal(fired(&edit, "cccccccccccc", "C1", 1), "000100010001");
    assert_string_equal(fired(&edit, "bbbbbbbbcccc", "C1", 1), "000000000001");
    assert_string_equal(fired(&edit, "ffffffffcccc", "C1", 1), "000000000010");
    assert_string_equal(fired(&edit, "fffcccc", "C1", 1), "0001000");
    /* Methods: && binds tighter than ||. */
    read_shipped(&edit, "literal/sampling", "literal/methods", 1000, 2);
    assert_string_equal(fired(&edit, "cbfccc", "M1", 1), "100111");
}

/* --- counters ---------------------------------------------------------------------------------------- */

static void test_counters(void **state)
{
    struct trod_edit edit;

    (void)state;
    /* Two bits: 3 is the greatest. A counter begins with 0, and zero is a flag of what it is. */
    must(read_text(&edit, "bits 2 P: T.OPCLASS == proc_call => null, inc_1 "
                          "O: overflow_1 && T.OPCLASS == proc_call => null, null "
                          "Z: zero_1 && T.OPCLASS == proc_call => null, null"));
    assert_string_equal(fired(&edit, "cccccccccc", "O", 1), "0000111111");
    assert_string_equal(fired(&edit, "cccccccccc", "Z", 1), "1000100010");
    /* Down, and set again at 0: every third. */
    must(read_text(&edit,
        "register n = 2 START: set_3(n) P: T.OPCLASS == proc_call && !zero_3 => null, dec_3 "
        "Z: zero_3 && T.OPCLASS == proc_call => null, set_3(n)"));
    assert_string_equal(fired(&edit, "ccccccccc", "Z", 1), "001001001");
    /* dec wraps and sets no flag; set takes the flag away. */
    must(read_text(&edit, "bits 2 register m = max - 0 "
                          "P: T.OPCLASS == proc_call => null, dec_1 "
                          "Q: T.OPCLASS == return => null, set_1(m), inc_1 "
                          "S: T.OPCLASS == jump => null, set_1(m) "
                          "O: overflow_1 => null, null"));
    assert_string_equal(fired(&edit, "cccccrcrjc", "O", 1), "0000001110");
    /* All that match fire, and none sees what another does. */
    must(read_text(&edit,
        "A: !overflow_1 => null, set_1(m), inc_1 B: !overflow_1 => null, "
        "inc_2 register m = max - 0"));
    assert_string_equal(fired(&edit, "ccc", "A", 1), "000");
    assert_string_equal(fired(&edit, "ccc", "B", 0), "100");
}

static void test_threads(void **state)
{
    struct trod_edit edit;
    struct trod_editor *editor;

    (void)state;
    set_codes();
    read_shipped(&edit, "sampling", "calls", 2, 1);
    editor = trod_editor_build(&edit, NULL, &have.mem);
    run_letter(editor, 'c', 0);
    run_letter(editor, 'c', 7);
    run_letter(editor, 'c', 0);
    assert_int_equal(trod_editor_flags(editor, 0) >> 2 & 1, 1);
    assert_int_equal(trod_editor_flags(editor, 7) >> 2 & 1, 0);
    assert_int_equal(trod_editor_counts(editor)->nthread, 2);
    /* Another of the same number begins anew. */
    trod_editor_end(editor, 0);
    run_letter(editor, 'c', 0);
    assert_int_equal(trod_editor_flags(editor, 0) >> 2 & 1, 0);
    assert_int_equal(trod_editor_counts(editor)->nthread, 3);
}

/* Within half and one and a half, around n, and not always the same. */
static void test_jitter(void **state)
{
    uint64_t count[16] = {0}, sum = 0, nburst = 0;
    struct trod_edit_settings settings = {.period = TROD_EDIT_JITTER + 1};
    const char *a = trod_edit_shipped("sampling"), *b = trod_edit_shipped("calls");
    struct trod_edit_file file[] = {{"a", a, strlen(a)}, {"b", b, strlen(b)}};
    struct trod_edit_setting setting = {"sampleFreq", 6};
    struct trod_edit edit;
    const char *on;
    char *calls;
    size_t last;

    (void)state;
    settings.count = 1;
    settings.setting = &setting;
    must(trod_edit_parse(&edit, file, 2, &settings, &have.mem, &have.err));
    calls = trod_new(&have.mem, char, 20001);
    memset(calls, 'c', 20000);
    on = fired(&edit, calls, "C1", 1);
    last = strchr(on, '1') - on;
    for (size_t i = last + 1; i < 20000; i++)
        if (on[i] == '1') {
            size_t between = i - last - 1;

            assert_in_range(between, 3, 9);
            count[between]++;
            sum += between;
            nburst++;
            last = i;
        }
    for (size_t i = 3; i <= 9; i++)
        assert_in_range(count[i], nburst / 7 - nburst / 20, nburst / 7 + nburst / 20);
    assert_in_range(sum, 6 * nburst - nburst / 5, 6 * nburst + nburst / 5);
}

/* --- cost -------------------------------------------------------------------------------------------- */

/* What was injected, as text: run, instruction, micro-operations, bubbles. */
struct listed {
    struct trod_edit_inject inject;
    struct trod_string text;
};

static void list(struct trod_edit_inject *to, const struct trod_run *run, uint32_t at,
    const uint8_t *class, uint32_t nop, uint32_t nbubble)
{
    struct trod_sink *sink = &((struct listed *)to)->text.sink;

    trod_put(sink, "%c%u", (char)('a' + run->code->number), at);
    for (uint32_t i = 0; i < nop; i++)
        trod_put(sink, "%c", trod_edit_class_name((enum trod_edit_class) class[i])[0]);
    trod_put(sink, "/%u ", nbubble);
}

static void test_cost(void **state)
{
    struct listed plain = {.inject = {list}}, conditional = {.inject = {list}};
    struct trod_edit_options options = {
        .plain = &plain.inject, .conditional = &conditional.inject};
    const struct trod_edit_counts *counts;
    struct trod_editor *editor;
    struct trod_edit edit;

    (void)state;
    set_codes();
    trod_string_init(&plain.text, &have.mem);
    trod_string_init(&conditional.text, &have.mem);
    /* Calls are events; what each load of a burst becomes has an operation after the instruction. */
    must(read_text(&edit, "register n = 1 to overflow handler h = nothing 4 "
                          "P: T.OPCLASS == proc_call && !overflow_1 => null, inc_1 "
                          "Q: T.OPCLASS == proc_call && overflow_1 => null, set_1(n) "
                          "L: T.OPCLASS == load && overflow_1 => R, null "
                          "R: op(float) call(h) T.INSN op(store) START: set_1(n)"));
    editor = trod_editor_build(&edit, &options, &have.mem);
    for (const char *c = "cfcf"; *c; c++)
        run_letter(editor, *c, 0);
    /* Off, its event on: then a load, whose call takes it off again after its own load. */
    assert_string_equal(plain.text.text,
        "c0aa/1 c1aaa/1 f0aafaaaa/1 f1s/0 c0aafaaaa/1 c1s/0 c1aaa/1 f0aa/1 ");
    assert_string_equal(conditional.text.text, "f0faaaa/1 f1s/0 c0faaaa/1 c1s/0 ");
    counts = trod_editor_counts(editor);
    assert_int_equal(counts->plain.nreplace, 6);
    assert_int_equal(counts->plain.basic.nbubble, 2);
    assert_int_equal(counts->plain.basic.nop, 6);
    assert_int_equal(counts->plain.checks.nbubble, 4);
    assert_int_equal(counts->plain.checks.nop, 8);
    assert_int_equal(counts->plain.sampling.nbubble, 0);
    assert_int_equal(counts->plain.sampling.nop, 12);
    assert_int_equal(counts->conditional.nreplace, 2);
    assert_int_equal(counts->conditional.sampling.nbubble, 2);
    assert_int_equal(counts->conditional.sampling.nop, 12);
    assert_int_equal(counts->conditional.basic.nop + counts->conditional.checks.nop, 0);
    assert_int_equal(counts->nevent, 2);
    assert_int_equal(counts->ninsn, 8);
    /* 12 at a cycle each and 2 bubbles, of 8 cycles; at half a cycle, 8 of 4. */
    assert_float_equal(
        trod_edit_overhead(&counts->conditional.sampling, counts, 1), 14.0 / 8, 1e-9);
    assert_float_equal(
        trod_edit_overhead(&counts->conditional.sampling, counts, 0.5), 8.0 / 4, 1e-9);
}

/* Checks and bubbles as wanted; what does not depend on flags is not checked; what two productions want is there
 * once; exhaustively, nothing but replacements is there.
 */
static void test_options(void **state)
{
    static const char text[] = "handler h = nothing 10 A: T.OPCLASS == load => R, null "
                               "B: T.PC > 0 && T.OPCLASS == load => R, null "
                               "C: T.OPCLASS == proc_call && zero_1 => R, inc_2 "
                               "D: T.OPCLASS == return => null, inc_2 "
                               "R: call(h) T.INSN";
    struct trod_edit_options options = {.check = 3, .bubble = 5};
    const struct trod_edit_counts *counts;
    struct trod_editor *editor;
    struct trod_edit edit;

    (void)state;
    set_codes();
    must(read_text(&edit, text));
    editor = trod_editor_build(&edit, &options, &have.mem);
    run_letter(editor, 'c', 0);
    run_letter(editor, 'r', 0);
    counts = trod_editor_counts(editor);
    assert_int_equal(counts->plain.nreplace, 4);
    assert_int_equal(counts->plain.checks.nop, 0);
    assert_int_equal(counts->plain.checks.nbubble, 10);
    assert_int_equal(counts->plain.basic.nop, 3 + 1 + 1);
    assert_int_equal(counts->plain.sampling.nop, 30);
    assert_int_equal(counts->conditional.sampling.nbubble, 15);
    options.exhaustive = true;
    editor = trod_editor_build(&edit, &options, &have.mem);
    run_letter(editor, 'c', 0);
    run_letter(editor, 'r', 0);
    counts = trod_editor_counts(editor);
    assert_int_equal(counts->plain.nreplace, 3);
    assert_int_equal(counts->plain.sampling.nop, 30);
    assert_int_equal(counts->plain.sampling.nbubble, 15);
    assert_int_equal(counts->plain.basic.nop + counts->plain.checks.nop, 0);
    assert_int_equal(counts->nevent, 2);
}

/* A core has what the editor injects, run by run, and no more; a replacement that is all instruction has a bubble
 * nevertheless.
 */
static void test_timing(void **state)
{
    struct trod_edit_injector plain, conditional;
    struct trod_edit_options options = {
        .plain = &plain.inject, .conditional = &conditional.inject};
    struct trod_timing_design design[3] = {{.name = "base"}};
    const struct trod_timing_injected *injected;
    struct trod_timing_machine machine;
    struct trod_timing_cycles cycles[3];
    struct trod_editor *editor;
    struct trod_timing *core;
    struct trod_edit edit;

    (void)state;
    set_codes();
    trod_edit_injector_init(&plain, &have.mem);
    trod_edit_injector_init(&conditional, &have.mem);
    trod_edit_timing_design(&design[1], &plain, "plain", 0);
    trod_edit_timing_design(&design[2], &conditional, "conditional", 0);
    must(read_text(&edit,
        "register n = 2 to overflow handler h = nothing 4 START: set_1(n) "
        "P: T.OPCLASS == proc_call && !overflow_1 => null, inc_1 "
        "Q: T.OPCLASS == proc_call && overflow_1 => R, set_1(n) "
        "N: T.OPCLASS == load && overflow_1 => M, null "
        "M: T.INSN "
        "R: op(store) op(multiply) op(branch) T.INSN op(load)"));
    editor = trod_editor_build(&edit, &options, &have.mem);
    for (const char *c = "cccf"; *c; c++) {
        struct trod_run run = {.code = &code[*c - 'a']};

        run_letter(editor, *c, 0);
        if (c[1] == 'f') {
            assert_int_equal(design[2].inject(&injected, design[2].ctx, &run), 2);
            assert_int_equal(injected[0].at, 0);
            assert_int_equal(injected[0].count, 1);
            assert_int_equal(injected[0].insn[0].insn_class, TROD_INSN_NOTHING);
            assert_int_equal(injected[1].at, 1);
            assert_int_equal(injected[1].count, 4);
            assert_int_equal(injected[1].insn[0].nstore, 1);
            assert_int_equal(injected[1].insn[1].insn_class, TROD_INSN_MULTIPLY);
            assert_int_equal(injected[1].insn[2].insn_class, TROD_INSN_BRANCH);
            assert_int_equal(injected[1].insn[3].nload, 1);
            assert_int_equal(
                injected[1].insn[1].source[0], injected[1].insn[0].target[0]);
            assert_int_equal(
                injected[1].insn[3].source[0], injected[1].insn[2].target[0]);
        }
        /* An injection is returned once. */
        else
            assert_int_equal(design[2].inject(&injected, design[2].ctx, &run), 0);
        assert_int_equal(design[2].inject(&injected, design[2].ctx, &run), 0);
    }
    assert_true(trod_timing_machine_named(&machine, "table5.3"));
    /* Discard what the first editor injected into plain: no core has taken it. */
    trod_edit_injector_init(&plain, &have.mem);
    editor = trod_editor_build(&edit, &options, &have.mem);
    core = trod_timing_build(&machine, design, 3, &have.mem);
    for (int i = 0; i < 3000; i++) {
        struct trod_run run = {.code = &code['c' - 'a'], .next = 0x1000, .taken = true};

        run_letter(editor, 'c', 0);
        trod_timing_take(core, &run);
    }
    trod_timing_end(core);
    trod_timing_cycles_of(cycles, core);
    assert_int_equal(cycles[0].ninjected, 0);
    /* Each third call is replaced, with 4 operations, and its load, by itself. */
    assert_int_equal(cycles[2].ninjected, 1000 * (4 + 1));
    /* Plain: 2 for each check, 1 for what becomes of the counter. */
    assert_int_equal(cycles[1].ninjected, 3000 * (2 + 2 + 1) + 1000 * 4);
    assert_true(cycles[0].cycles < cycles[2].cycles);
    assert_true(cycles[2].cycles < cycles[1].cycles);
}

/* --- profiles ---------------------------------------------------------------------------------------- */

static void profile(struct trod_edit_profile *out, const struct trod_edit *edit,
    const char *letters, const struct trod_edit_options *options, const uint64_t *entry,
    size_t nentry)
{
    struct trod_editor *editor = trod_editor_build(edit, options, &have.mem);
    struct trod_edit_result result;

    set_codes();
    for (; *letters; letters++)
        run_letter(editor, *letters, 0);
    trod_editor_result(&result, editor, entry, nentry, &have.mem);
    assert_int_equal(result.nprofile, 1);
    *out = result.profile[0];
}

static void test_profiles(void **state)
{
    static const uint64_t entry[] = {0x900, 0x280};
    struct trod_edit_options options = {.most_refs = 5};
    struct trod_edit_profile p;
    struct trod_edit edit;

    (void)state;
    /* Blocks are at 0x100 times the letter. The thread begins at c, 0x300; it calls 0x1000 and 0x2000. */
    read_shipped(&edit, "sampling", "calls", 1, 1);
    profile(&p, &edit, "cciicc", NULL, NULL, 0);
    assert_int_equal(p.nmember, 2);
    assert_int_equal(p.member[0].a, 0x304);
    assert_int_equal(p.member[0].b, 0x1000);
    assert_int_equal(p.member[0].all, 4);
    assert_int_equal(p.member[0].sampled, 2);
    assert_int_equal(p.member[1].b, 0x2000);
    assert_int_equal(p.nburst, 3);
    assert_true(p.compared);
    assert_float_equal(p.overlap.all.overlap, 1, 1e-9);
    read_shipped(&edit, "sampling", "methods", 1, 1);
    profile(&p, &edit, "cjjcb", NULL, NULL, 0);
    /* j, at 0xa04, is in what begins at 0x300; b, at 0x204, in nothing that is known. */
    assert_int_equal(p.nmember, 3);
    assert_int_equal(p.member[0].a, 0x300);
    assert_int_equal(p.member[0].all, 2);
    assert_int_equal(p.member[1].a, 0x1000);
    assert_int_equal(p.member[2].a, 0x204);
    profile(&p, &edit, "cjjcb", NULL, entry, 2);
    assert_int_equal(p.member[0].a, 0x900);
    /* Of all addresses, five have room. */
    read_shipped(&edit, "sampling", "streams", 2, 100);
    profile(&p, &edit, "ccffffff", &options, NULL, 0);
    assert_int_equal(p.all.nref, 5);
    assert_int_equal(p.sampled.nref, 3);
    assert_int_equal(p.nref_lost, 3);
    assert_int_equal(p.nsampled, 6);
    profile(&p, &edit, "ccfrfrfr", NULL, NULL, 0);
    assert_int_equal(p.sampled.nstream, 1);
    assert_int_equal(p.sampled.stream[0].heat, 6);
}

/* --- validators, memory ----------------------------------------------------------------------------------- */

static bool is_sound(const struct trod_edit *edit)
{
    return trod_edit_check(edit, &have.mem, &have.err);
}

/* Break one thing after the other. */
static void test_check(void **state)
{
    struct trod_edit sound, edit;
    struct trod_edit_production production[16];
    struct trod_edit_sequence sequence[16];
    struct trod_edit_register reg[4];
    struct trod_edit_handler handler[4];
    struct trod_edit_term term[64];
    struct trod_edit_item item[64];

    (void)state;
    read_shipped(&sound, "sampling", "calls", 5, 2);
#define BREAK(array, count, what)                                \
    do {                                                         \
        edit = sound;                                            \
        memcpy((array), sound.array, (count) * sizeof *(array)); \
        edit.array = (array);                                    \
        assert_true(is_sound(&edit));                            \
        what;                                                    \
        assert_false(is_sound(&edit));                           \
        assert_int_equal(have.err.code, TROD_E_INTERNAL);        \
    } while (0)
    BREAK(term, sound.nterm, term[0].kind = TROD_EDIT_NOT);
    BREAK(term, sound.nterm, term[0].number = TROD_EDIT_CLASSES);
    BREAK(term, sound.nterm, term[1].number = TROD_EDIT_COUNTERS);
    BREAK(term, sound.nterm, term[1].kind = 99);
    BREAK(production, sound.nproduction, production[0].nterm--);
    BREAK(production, sound.nproduction, production[0].nterm = 0);
    BREAK(production, sound.nproduction, production[6].first_term = sound.nterm);
    BREAK(production, sound.nproduction, production[0].replacement = 0);
    BREAK(production, sound.nproduction, production[0].replacement = sound.nsequence);
    BREAK(production, sound.nproduction, production[0].first = sound.nitem);
    BREAK(production, sound.nproduction, production[1].name = "P1");
    BREAK(production, sound.nproduction, production[1].name = "CC1");
    BREAK(sequence, sound.nsequence, sequence[0].count = 0);
    BREAK(sequence, sound.nsequence, sequence[0].is_control = false);
    BREAK(sequence, sound.nsequence, sequence[0].name = "START");
    BREAK(sequence, sound.nsequence, sequence[4].is_control = true);
    BREAK(sequence, sound.nsequence, sequence[4].count--);
    BREAK(item, sound.nitem, item[0].name = sound.nsequence);
    for (uint32_t i = 0; i < sound.nitem; i++)
        BREAK(item, sound.nitem, item[i].kind = 99);
    BREAK(reg, sound.nregister, reg[0].n = 0; reg[0].raised = 0);
    BREAK(reg, sound.nregister, reg[0].raised++);
    BREAK(reg, sound.nregister, reg[0].with = 9);
    BREAK(reg, sound.nregister, reg[1].name = "sampleFreq");
    BREAK(handler, sound.nhandler, handler[0].notes = 9);
    edit = sound;
    edit.start = TROD_EDIT_NONE;
    assert_false(is_sound(&edit));
    edit = sound;
    edit.bits = 2;
    assert_false(is_sound(&edit));
}

static void use_all(struct trod_arena *mem, void *ctx)
{
    const char *a = trod_edit_shipped("sampling"), *b = trod_edit_shipped("streams"),
               *c = trod_edit_shipped("methods");
    struct trod_edit_file file[] = {
        {"a", a, strlen(a)}, {"b", b, strlen(b)}, {"c", c, strlen(c)}};
    struct trod_edit_setting setting = {"sampleFreq", 2};
    struct trod_edit_settings settings = {.count = 1, .setting = &setting};
    struct trod_edit_print_options print_options = {0};
    struct trod_edit_result result;
    struct trod_editor *editor;
    struct trod_string text;
    struct trod_edit edit;

    (void)ctx;
    must(trod_edit_parse(&edit, file, 3, &settings, mem, &have.err));
    must(trod_edit_check(&edit, mem, &have.err));
    editor = trod_editor_build(&edit, NULL, mem);
    for (int i = 0; i < 30; i++)
        run_letter(editor, "cfrb"[i % 4], (uint32_t)(i / 15));
    trod_editor_result(&result, editor, NULL, 0, mem);
    trod_string_init(&text, mem);
    trod_edit_report(&text.sink, &edit, &result, &print_options);
    trod_edit_print(&text.sink, &edit);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    set_codes();
    assert_true(kit_each_allocation_failure(use_all, NULL) > 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(patterns),
        TEST(text),
        TEST(settings),
        TEST(shipped),
        TEST(bursts),
        TEST(literal),
        TEST(counters),
        TEST(threads),
        TEST(jitter),
        TEST(cost),
        TEST(options),
        TEST(timing),
        TEST(profiles),
        TEST(check),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("edit", tests, NULL, NULL);
}
