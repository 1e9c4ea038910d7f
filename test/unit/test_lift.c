/* Lifting: validators that find what is broken, exhausted memory, code that is decoded, symbols and lines of
 * this very program. What holds for all is in prop_lift.c; what is found in which code, and the words of
 * refusals, are in test/case/lift.
 */
#include "kit/fixture.h"

#include <elf.h>
#include <string.h>

#include "capstone/code_decode.h"
#include "dwfl/dwfl_port.h"
#include "lift/lift.h"
#include "report/report.h"

static const char loop[] = "seen 1 \"/nowhere/prog\" 1 1700000000 whole\n"
                           "image 0 \"/nowhere/prog\" - 0x1000 0x9000 0x0\n"
                           "image 1 - - 0xa000 0xb000 0x0\n"
                           "code 0x1000 0x1002 0x1004 jump 0x1010 2\n"
                           "code 0x1004 0x1008 0x100a call 0x2000 2\n"
                           "code 0x100a 0x100c 0x1010 none 0x0 2\n"
                           "code 0x1010 0x1012 0x1014 if 0x1004 2\n"
                           "code 0x1014 0x1014 0x1016 indirect 0x0 1\n"
                           "code 0x1018 0x1018 0x1019 return 0x0 1\n"
                           "code 0x2000 0x2003 0x2005 if 0x2008 2\n"
                           "code 0x2005 0x2005 0x2006 return 0x0 1\n"
                           "code 0xa000 0xa003 0xa005 if 0xa000 2\n"
                           "path 0x1000 0x1000 11 1 4\n"
                           "path 0x1000 0x1004 1 3 18\n"
                           "path 0x1000 0x1004 0 1 7\n"
                           "path 0x1000 0x1018 - 1 1\n"
                           "path 0x2000 0x2000 0 4 12\n"
                           "path 0xa000 0xa000 1 9 18\n"
                           "cut 0x1000 0x1000 - 2 12\n"
                           "total 20 41 0\n";

static bool parse(struct trod_seen *out, const char *lines, struct trod_arena *mem)
{
    struct trod_text text;

    trod_text_init(&text, "f", lines, strlen(lines));
    return trod_seen_parse(out, &text, mem, &have.err);
}

static struct trod_lift_function *lift(struct trod_lifted *out, const char *lines)
{
    static struct trod_seen seen;
    const struct trod_seen *one = &seen;

    must(parse(&seen, lines, &have.mem));
    must(trod_lift_build(out, &one, 1, 1, NULL, &have.mem, &have.err));
    must(trod_lift_check(out, &have.mem, &have.err));
    return out->function[0];
}

/* --- validators ------------------------------------------------------------------------------------- */

static void test_seen_check(void **state)
{
    struct trod_seen seen;
    struct trod_code *code;
    struct trod_seen_path *path;
    struct trod_image *image;
    uint64_t bits = 8;

    (void)state;
    must(parse(&seen, loop, &have.mem));
    assert_true(trod_seen_check(&seen, &have.err));
    code = trod_new(&have.mem, struct trod_code, seen.ncode);
    memcpy(code, seen.code, seen.ncode * sizeof *code);
    path = trod_new(&have.mem, struct trod_seen_path, seen.npath);
    memcpy(path, seen.path, seen.npath * sizeof *path);
    image = trod_new(&have.mem, struct trod_image, seen.nimage);
    memcpy(image, seen.image, seen.nimage * sizeof *image);
    seen.code = code;
    seen.path = path;
    seen.image = image;
#define BROKEN(field, value)                              \
    do {                                                  \
        __typeof__(field) was = (field);                  \
        (field) = (value);                                \
        assert_false(trod_seen_check(&seen, &have.err));  \
        assert_int_equal(have.err.code, TROD_E_INTERNAL); \
        (field) = was;                                    \
        assert_true(trod_seen_check(&seen, &have.err));   \
    } while (0)
    BROKEN(code[1].kind, TROD_BRANCH_KINDS);
    BROKEN(code[1].last, code[1].after);
    BROKEN(code[1].pc, code[1].last + 1);
    BROKEN(code[1].ninsn, 0);
    BROKEN(code[1].ninsn, 7);
    BROKEN(code[5].target, 1);
    BROKEN(code[5].number, 6);
    BROKEN(path[0].count, 0);
    BROKEN(path[0].path.outcome, &bits);
    BROKEN(image[0].end, image[0].start);
    BROKEN(image[0].offset, UINT64_MAX);
    BROKEN(image[0].build_id, "AB");
#undef BROKEN
}

static void test_lift_check(void **state)
{
    struct trod_lifted lifted;
    struct trod_lift_function *f;
    struct trod_lift_node *node;
    bool *cut;
    trod_node falls = 0;

    (void)state;
    f = lift(&lifted, loop);
    node = trod_new(&have.mem, struct trod_lift_node, f->graph.nnode);
    memcpy(node, f->node, f->graph.nnode * sizeof *node);
    f->node = node;
    while (node[falls].end != TROD_LIFT_FALLS)
        falls++;
    assert_true(falls < f->ncode);
    node[falls].after--;
    assert_false(trod_lift_check(&lifted, &have.mem, &have.err));
    node[falls].after++;
    node[falls].start = node[falls + 1].start;
    assert_false(trod_lift_check(&lifted, &have.mem, &have.err));
    node[falls].start = f->node[falls].after - 1;
    assert_true(trod_lift_check(&lifted, &have.mem, &have.err));
    f->path[0].count = 0;
    assert_false(trod_lift_check(&lifted, &have.mem, &have.err));
    f->path[0].count = 1;
    f->path[f->npath - 1].id = f->numbering.npath;
    assert_false(trod_lift_check(&lifted, &have.mem, &have.err));
    f = lift(&lifted, loop);
    cut = trod_new(&have.mem, bool, f->graph.nedge);
    f->graph.cut_of_edge = cut;
    assert_false(trod_lift_check(&lifted, &have.mem, &have.err));
    lift(&lifted, loop);
    lifted.function[1]->entry = 0;
    assert_false(trod_lift_check(&lifted, &have.mem, &have.err));
}

/* --- profile and map --------------------------------------------------------------------------------- */

/* The map is read again, and knows every function and path of the profile. */
static void test_map_is_of_the_profile(void **state)
{
    struct trod_lifted lifted;
    struct trod_profile profile;
    struct trod_string text;
    struct trod_text in;
    struct trod_map map;
    static struct trod_seen seen;
    const struct trod_seen *one = &seen;
    uint64_t total = 0;

    (void)state;
    lift(&lifted, loop);
    must(parse(&seen, loop, &have.mem));
    must(trod_lift_profile(&profile, &lifted, &one, 1, NULL, &have.mem, &have.err));
    must(trod_profile_check(&profile, &have.err));
    trod_string_init(&text, &have.mem);
    trod_lift_print_map(&text.sink, &lifted);
    trod_text_init(&in, "map", text.text, text.length);
    must(trod_map_parse(&map, &in, &have.mem, &have.err));
    assert_int_equal(map.nentry, lifted.nfunction);
    for (size_t i = 0; i < profile.ntally; i++) {
        const struct trod_profile_tally *t = &profile.tally[i];
        const struct trod_map_entry *entry =
            trod_map_find(&map, &profile.module[t->module].function[t->function]);

        assert_non_null(entry);
        assert_true(entry->machine);
        for (size_t k = 0; k < trod_profile_npath(&profile, t); k++)
            total += t->path[k].count;
    }
    assert_int_equal(total, 19);
    assert_int_equal(profile.nmodule, 2);
}

static void lift_all(struct trod_arena *mem, void *ctx)
{
    const struct trod_seen *one;
    struct trod_seen seen;
    struct trod_lifted lifted;
    struct trod_profile profile;
    struct trod_string text;
    struct trod_err err;

    (void)ctx;
    one = &seen;
    if (!parse(&seen, loop, mem) ||
        !trod_lift_build(&lifted, &one, 1, 1, NULL, mem, &err) ||
        !trod_lift_profile(&profile, &lifted, &one, 1, NULL, mem, &err))
        abort();
    trod_string_init(&text, mem);
    trod_lift_print_map(&text.sink, &lifted);
    trod_lift_print(&text.sink, &lifted, mem);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(lift_all, NULL) > 50);
}

/* --- code that is decoded ---------------------------------------------------------------------------- */

static void decode(unsigned machine, const char *bytes, size_t n, uint64_t last,
    uint64_t after, uint8_t kind, uint64_t target)
{
    struct trod_code_decoder *d = trod_code_decoder_open(machine, &have.mem);
    struct trod_code code;

    assert_non_null(d);
    assert_true(trod_code_decode(&code, d, 0x1000, (const uint8_t *)bytes, n));
    assert_int_equal(code.pc, 0x1000);
    assert_int_equal(code.last, last);
    assert_int_equal(code.after, after);
    assert_int_equal(code.kind, kind);
    assert_int_equal(code.target, target);
    trod_code_decoder_close(d);
}

#define DECODES(machine, bytes, last, size, kind, target)                       \
    decode(machine, bytes, sizeof(bytes) - 1, 0x1000 + (last), 0x1000 + (size), \
        TROD_BRANCH_##kind, target)

static void test_decode_x86(void **state)
{
    (void)state;
    DECODES(EM_X86_64, "\x55\x53\x74\x10", 2, 4, IF, 0x1014);
    DECODES(EM_X86_64, "\x0f\x84\x00\x00\x00\x80", 0, 6, IF,
        0x1006 + UINT64_C(0xffffffff80000000));
    DECODES(EM_X86_64, "\xe3\xfe", 0, 2, IF, 0x1000);
    DECODES(EM_X86_64, "\xe2\xfe", 0, 2, IF, 0x1000);
    DECODES(EM_X86_64, "\xeb\xfe", 0, 2, JUMP, 0x1000);
    DECODES(EM_X86_64, "\xf3\x0f\x1e\xfa\xff\x25\x01\x00\x00\x00", 4, 10, INDIRECT, 0);
    DECODES(EM_X86_64, "\x3e\xff\xe0", 0, 3, INDIRECT, 0);
    DECODES(EM_X86_64, "\x90\xe8\x00\x00\x00\x00", 1, 6, CALL, 0x1006);
    DECODES(EM_X86_64, "\xff\xd0", 0, 2, CALL_INDIRECT, 0);
    DECODES(EM_X86_64, "\x0f\x05\xc3", 2, 3, RETURN, 0);
    DECODES(EM_X86_64, "\xf3\xc3", 0, 2, RETURN, 0);
    DECODES(EM_X86_64, "\xc2\x08\x00", 0, 3, RETURN, 0);
    DECODES(EM_X86_64, "\x0f\x0b", 0, 2, RETURN, 0);
}

static void test_decode_fixed(void **state)
{
    struct trod_code_decoder *d;
    struct trod_code code;

    (void)state;
    DECODES(EM_AARCH64, "\x1f\x20\x03\xd5\x40\x00\x00\x54", 4, 8, IF, 0x100c);
    DECODES(EM_AARCH64, "\xff\xff\xff\x17", 0, 4, JUMP, 0xffc);
    DECODES(EM_AARCH64, "\x02\x00\x00\x94", 0, 4, CALL, 0x1008);
    DECODES(EM_AARCH64, "\x40\x00\x00\xb4", 0, 4, IF, 0x1008);
    DECODES(EM_AARCH64, "\x40\x00\x08\x37", 0, 4, IF, 0x1008);
    DECODES(EM_AARCH64, "\x20\x02\x1f\xd6", 0, 4, INDIRECT, 0);
    DECODES(EM_AARCH64, "\x20\x02\x3f\xd6", 0, 4, CALL_INDIRECT, 0);
    DECODES(EM_AARCH64, "\xc0\x03\x5f\xd6", 0, 4, RETURN, 0);
    DECODES(EM_RISCV, "\x01\x00\x63\x04\xb5\x00", 2, 6, IF, 0x100a);
    DECODES(EM_RISCV, "\x6f\xf0\xdf\xff", 0, 4, JUMP, 0xffc);
    DECODES(EM_RISCV, "\xef\x00\x80\x00", 0, 4, CALL, 0x1008);
    DECODES(EM_RISCV, "\x67\x80\x00\x00", 0, 4, RETURN, 0);
    DECODES(EM_RISCV, "\x67\x00\x0e\x00", 0, 4, INDIRECT, 0);
    DECODES(EM_RISCV, "\x82\x80", 0, 2, RETURN, 0);
    DECODES(EM_RISCV, "\x02\x97", 0, 2, CALL_INDIRECT, 0);
    DECODES(EM_RISCV, "\x11\xa0", 0, 2, JUMP, 0x1004);
    DECODES(EM_RISCV, "\x11\xc1", 0, 2, IF, 0x1004);
    assert_null(trod_code_decoder_open(EM_386, &have.mem));
    d = trod_code_decoder_open(EM_X86_64, &have.mem);
    assert_false(trod_code_decode(&code, d, 0, (const uint8_t *)"\x90\x90", 2));
    assert_false(trod_code_decode(&code, d, 0, (const uint8_t *)"\xe8\x01", 2));
    trod_code_decoder_close(d);
}

/* --- symbols and lines ----------------------------------------------------------------------------------- */

/* Something to look for: its line is two below. */
enum { LINE_OF_TARGET = __LINE__ + 2 };
int test_lift_target(int x);
int test_lift_target(int x)
{
    return x + 1;
}

extern const char __executable_start[];

static void test_symbols_of_this_program(void **state)
{
    struct trod_image self = {.path = "/proc/self/exe"}, gone = {.path = "/nowhere/x"};
    struct trod_dwfl *dwfl = trod_dwfl_open(&have.mem);
    uint64_t offset = (uintptr_t)test_lift_target - (uintptr_t)__executable_start;
    struct trod_lift_symbol symbol;
    struct trod_lift_files files;
    struct trod_code code;
    const char *source;
    uint32_t line[8];

    (void)state;
    trod_dwfl_files(&files, dwfl);
    if (files.address(files.ctx, &self, offset) != offset)
        offset -= files.address(files.ctx, &self, offset) - offset;
    must(files.symbol(files.ctx, &symbol, &self, offset));
    assert_string_equal(symbol.name, "test_lift_target");
    assert_int_equal(symbol.start, offset);
    assert_true(symbol.end > offset);
    assert_false(symbol.local || symbol.part);
    assert_true(files.symbol(files.ctx, &symbol, &self, symbol.end - 1));
    assert_string_equal(symbol.name, "test_lift_target");
    source = files.source(files.ctx, &self, offset);
    assert_non_null(source);
    assert_non_null(strstr(source, "test_lift.c"));
    assert_true(files.lines(files.ctx, line, 8, &self, offset, symbol.end, source) > 0);
    assert_in_range(line[0], LINE_OF_TARGET, LINE_OF_TARGET + 3);
    assert_true(files.decode(files.ctx, &code, &self, offset));
    assert_int_equal(code.pc, offset);
    assert_false(files.symbol(files.ctx, &symbol, &gone, offset));
    assert_int_equal(files.address(files.ctx, &gone, 5), 5);
    self.build_id = "00";
    assert_false(files.symbol(files.ctx, &symbol, &self, offset));
    trod_dwfl_close(dwfl);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_seen_check, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lift_check, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_map_is_of_the_profile, set_up, tear_down),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test_setup_teardown(test_decode_x86, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_decode_fixed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            test_symbols_of_this_program, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("lift", tests, NULL, NULL);
}
