/* Profiles: what files look like byte by byte, what is refused and with which words, and
 * the rules of merging one by one. What holds for all profiles is in prop_profile.c.
 */
#include "kit/fixture.h"
#include "kit/live.h"

#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "zstd/zstd_port.h"

static bool try_parse(struct trod_profile *out, const char *text)
{
    struct trod_text cursor;
    bool more;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_profile_parse(out, &more, &cursor, &have.mem, &have.err);
}

static struct trod_profile parse(const char *text)
{
    struct trod_profile out;

    must(try_parse(&out, text));
    must(trod_profile_check(&out, &have.err));
    return out;
}

static const char *print(const struct trod_profile *profile)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

static struct trod_string pack(
    const struct trod_profile *profile, const struct trod_profile_codec *codec)
{
    struct trod_string out;

    trod_string_init(&out, &have.mem);
    must(trod_profile_write(&out.sink, profile, codec, &have.mem, &have.err));
    return out;
}

static bool try_read(struct trod_profile *out, struct trod_profile_health *health,
    const struct trod_string *bytes)
{
    struct trod_profile_read_options options = {
        .name = "file", .codec = &trod_zstd_codec, .most = 1 << 16};

    return trod_profile_read(out, health, (const uint8_t *)bytes->text, bytes->length,
        &options, &have.mem, &have.err);
}

static struct trod_profile read_back(
    struct trod_profile_health *health, const struct trod_string *bytes)
{
    struct trod_profile out;

    must(try_read(&out, health, bytes));
    must(trod_profile_check(&out, &have.err));
    return out;
}

#define HASHES "0000000000000001 0000000000000002 0000000000000003 "

static const char small[] = "profile\n"
                            "run\n"
                            "program: app\n"
                            "exit: order\n"
                            "module app source 00ff\n"
                            "function " HASHES "600\n"
                            "=0 1\n"
                            "=1 300\n"
                            "=599 2\n";

static struct trod_string small_live(void)
{
    struct trod_profile profile = parse(small);
    struct kit_live_options options = {.nthread = 2};
    struct trod_string out;

    trod_string_init(&out, &have.mem);
    kit_live(&out, &profile, &options, &have.mem);
    return out;
}

static const char *merged(const char *one, const char *other, bool keep_runs);

/* --- bytes ----------------------------------------------------------------------------- */

static void test_crc(void **state)
{
    (void)state;
    assert_int_equal(trod_crc32("123456789", 9), 0xcbf43926);
    assert_int_equal(trod_crc32("", 0), 0);
}

/* The layout of format.h is the layout of the specification, on any machine. */
static void test_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct trod_format_header), 64);
    assert_int_equal(offsetof(struct trod_format_header, first), 16);
    assert_int_equal(offsetof(struct trod_format_header, checksum), 60);
    assert_int_equal(sizeof(struct trod_format_head), 64);
    assert_int_equal(offsetof(struct trod_format_head, size), 8);
    assert_int_equal(offsetof(struct trod_format_head, payload), 16);
    assert_int_equal(offsetof(struct trod_format_head, thread), 32);
    assert_int_equal(offsetof(struct trod_format_head, payload_checksum), 56);
    assert_int_equal(sizeof(struct trod_format_module), 32);
    assert_int_equal(offsetof(struct trod_format_module, nhashed), 24);
    assert_int_equal(sizeof(struct trod_format_function), 56);
    assert_int_equal(offsetof(struct trod_format_function, nslot), 40);
    assert_int_equal(offsetof(struct trod_format_function, counted), 48);
    assert_int_equal(sizeof(struct trod_format_hashed), 24);
    assert_memory_equal(&(uint32_t){TROD_SECTION_MAGIC}, "TORD", 4);
}

static void test_packed_bytes(void **state)
{
    struct trod_profile profile = parse(small);
    struct trod_string bytes = pack(&profile, NULL);
    struct kit_section *section;
    uint32_t n;

    (void)state;
    assert_memory_equal(bytes.text, "\x89TROD\r\n\x1a\6\0\0\0\2\0\0\0\x40", 17);
    n = kit_sections(&section, (const uint8_t *)bytes.text, bytes.length, &have.mem);
    assert_int_equal(n, 4);
    assert_int_equal(section[0].type, TROD_SECTION_RUN);
    assert_memory_equal(
        bytes.text + section[0].at + 64, "program app\nexit order\n", 23);
    assert_int_equal(section[1].type, TROD_SECTION_MODULE);
    assert_int_equal(section[1].payload, 32 + 56 + sizeof "app" + sizeof "00ff");
    assert_int_equal(section[2].type, TROD_SECTION_PATHS);
    /* function 0; 3 paths: 0 once, 1 (distance 0) 300 times, 599 (597) twice */
    assert_int_equal(section[2].payload, 10);
    assert_memory_equal(
        bytes.text + section[2].at + 64, "\0\3\0\1\0\xac\2\xd5\4\2", 10);
    assert_int_equal(section[3].type, TROD_SECTION_END);
    assert_int_equal(section[3].at + 64 + section[3].payload, bytes.length);
    assert_int_equal(section[3].payload, 15);
    assert_memory_equal(bytes.text + section[3].at + 64, "chain ", 6);
}

/* Ids above that of begun are where activations stopped: kept, added up, and no paths. */
static void test_stops(void **state)
{
    static const char text[] =
        "profile\nmodule app source\nfunction 0000000000000001 0000000000000002 "
        "0000000000000003 4\n=1 3\nbegun 5\nstop 0 2\nstop 18446744073709551610 1\n";
    struct trod_profile profile = parse(text), back;
    struct trod_profile_health health;
    struct trod_string packed = pack(&profile, NULL);

    (void)state;
    must(trod_profile_check(&profile, &have.err));
    assert_int_equal(trod_profile_npath(&profile, &profile.tally[0]), 1);
    back = read_back(&health, &packed);
    assert_string_equal(print(&back), text);
    assert_non_null(strstr(merged(text, text, false), "stop 0 4\n"));
    /* None fits above that, and functions that count some paths have none. */
    assert_false(try_parse(&back,
        "profile\nmodule app source\nfunction 0000000000000001 0000000000000002 "
        "0000000000000003 4\nstop 18446744073709551611 1\n"));
    assert_false(try_parse(&back,
        "profile\nmodule app source\nfunction 0000000000000001 0000000000000002 "
        "0000000000000003 4 chosen\nstop 1 1\n"));
}

static void test_compression(void **state)
{
    struct trod_profile profile = parse(small), back;
    struct trod_profile_function *function =
        trod_new(&have.mem, struct trod_profile_function, 2000);
    struct trod_profile_module module = profile.module[0];
    struct trod_profile_health health;
    struct trod_profile_builder builder;
    struct trod_string plain, packed;

    (void)state;
    module.nfunction = 2000;
    module.function = function;
    trod_profile_builder_init(&builder, &have.mem);
    trod_profile_add_module(&builder, &module);
    must(trod_profile_build(&profile, &builder, &have.err));
    plain = pack(&profile, NULL);
    packed = pack(&profile, &trod_zstd_codec);
    assert_true(packed.length < plain.length / 10);
    /* 112032 bytes are more than this reader takes. */
    assert_false(try_read(&back, &health, &packed));
    assert_int_equal(have.err.code, TROD_E_LIMIT);
    assert_non_null(strstr(have.err.text, "decompress to more than 65536 bytes"));
    must(trod_profile_read(&back, &health, (const uint8_t *)packed.text, packed.length,
        &(struct trod_profile_read_options){0}, &have.mem, &have.err));
    assert_int_equal(health.nloss, 1);
    assert_non_null(strstr(back.note[0], "trod was built without zstd"));
}

/* --- live files -------------------------------------------------------------------------- */

static void test_live(void **state)
{
    struct trod_string bytes = small_live();
    struct trod_profile_health health;
    struct trod_profile back = read_back(&health, &bytes);

    (void)state;
    assert_string_equal(print(&back), small);
    assert_int_equal(health.kind, TROD_FORMAT_LIVE);
    assert_int_equal(health.nsection, 5);
    assert_true(health.ended);
    /* Of a program that was killed, or still runs. */
    bytes.length -= TROD_FORMAT_PAGE;
    back = read_back(&health, &bytes);
    assert_false(health.ended);
    assert_int_equal(health.nloss, 0);
    assert_string_equal(back.run[0].field[1].key, "exit");
    assert_string_equal(back.run[0].field[1].value, "unknown");
    assert_int_equal(back.tally[0].npath, 3);
}

/* Half of the second thread's counters are there; the first one's are all. */
static void test_cut_counts(void **state)
{
    struct trod_string bytes = small_live();
    struct kit_section *section;
    struct trod_profile_health health;
    struct trod_profile back;

    (void)state;
    kit_sections(&section, (const uint8_t *)bytes.text, bytes.length, &have.mem);
    assert_int_equal(section[3].type, TROD_SECTION_COUNTS);
    bytes.length = section[3].at + 64 + (size_t)8 * 300 + 5;
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 1);
    assert_non_null(strstr(back.note[0],
        "the COUNTS section of thread 1 in module 0 is cut off: it has 300 of 601 "
        "counters"));
    assert_int_equal(back.tally[0].npath, 3);
    assert_int_equal(back.tally[0].path[1].count, 300);
    assert_int_equal(back.tally[0].path[2].count, 1);
}

/* Change a section and make its checksums right. */
static void tamper(struct trod_string *bytes, uint32_t type, size_t at, char value)
{
    struct kit_section *section;
    uint32_t n =
        kit_sections(&section, (const uint8_t *)bytes->text, bytes->length, &have.mem);
    char *head;
    uint32_t crc;

    for (uint32_t i = 0; i < n; i++) {
        if (section[i].type != type)
            continue;
        head = bytes->text + section[i].at;
        head[at] = value;
        section[i].payload = (unsigned char)head[16] + 256U * (unsigned char)head[17];
        crc = section[i].flags & TROD_SECTION_LIVE
                  ? 0
                  : trod_crc32(head + 64, section[i].payload);
        for (int k = 0; k < 4; k++)
            head[56 + k] = (char)(crc >> 8 * k);
        crc = trod_crc32(head, 60);
        for (int k = 0; k < 4; k++)
            head[60 + k] = (char)(crc >> 8 * k);
    }
}

/* Each change of a byte, and what is said about it. */
static void test_tampered(void **state)
{
    static const struct {
        size_t at;
        const char *says;
        uint32_t type;
        char value;
    } change[] = {
        {4, "a section of unknown type 99", TROD_SECTION_RUN, 99},
        {24, "the RUN section has a flag that is unknown", TROD_SECTION_RUN, 8},
        {24, "has a flag that only what changes while a program runs may have",
            TROD_SECTION_RUN, 2},
        {24, "the RUN section cannot be decompressed", TROD_SECTION_RUN, 1},
        {8, "bytes that do not belong to a section", TROD_SECTION_RUN, 1},
        {64, "a line of the RUN section is skipped", TROD_SECTION_RUN, ' '},
        {66, "a line of the RUN section is skipped", TROD_SECTION_RUN, 0},
        {28, "is of module 0, which the file does not describe", TROD_SECTION_MODULE,
            9},
        {16, "module 0 is too short", TROD_SECTION_MODULE, 3},
        {64 + 8, "module 0 has more functions than", TROD_SECTION_MODULE, 9},
        {64 + 12, "module 0 is of an unknown mode", TROD_SECTION_MODULE, 9},
        {64, "have counters that are not in it", TROD_SECTION_MODULE, 9},
        {64 + 32 + 56 + 8, "has no path or no build id", TROD_SECTION_MODULE, 'x'},
        {64 + 32 + 56 + 4, "is not hexadecimal", TROD_SECTION_MODULE, 'x'},
        {16, "is too short: it has 577 of 601 counters", TROD_SECTION_COUNTS, 8},
        {17, "has more than 601 counters", TROD_SECTION_COUNTS, 0x13},
        {64 + 8, NULL, TROD_SECTION_END, '\\'},
    };

    (void)state;
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        struct trod_string bytes = small_live();
        struct trod_profile_health health;
        struct trod_profile back;
        bool said = !change[i].says;

        tamper(&bytes, change[i].type, change[i].at, change[i].value);
        back = read_back(&health, &bytes);
        assert_int_equal(health.nloss != 0, change[i].says != NULL);
        for (uint32_t k = 0; k < back.nnote; k++)
            said = said || strstr(back.note[k], change[i].says);
        if (!said)
            fail_msg("%s: not in\n%s", change[i].says, print(&back));
    }
}

/* --- functions that are counted in part --------------------------------------------------- */

static const char partial[] = "profile\n"
                              "run\n"
                              "exit: order\n"
                              "module app source 00ff\n"
                              "function " HASHES "600 residual\n"
                              "slots =1 =5\n"
                              "=1 2\n"
                              "=7 3\n"
                              "begun 4\n";

/* 4 hash table entries: path 7 once, one that is half written, a free one, path 7 twice. Then
 * three slots, 5, 1 and none, and begun.
 */
static struct trod_string partial_live(void)
{
    struct trod_profile profile = parse(partial);
    struct kit_live_options options = {0};
    struct trod_string out;

    trod_string_init(&out, &have.mem);
    kit_live(&out, &profile, &options, &have.mem);
    return out;
}

static void test_partial(void **state)
{
    struct trod_string bytes = partial_live();
    struct trod_profile_health health;
    struct trod_profile back = read_back(&health, &bytes);
    struct kit_section *section;

    (void)state;
    assert_string_equal(print(&back), partial);
    assert_int_equal(health.nloss, 0);
    assert_int_equal(trod_profile_nweeded(&back), 0);
    bytes = pack(&back, NULL);
    kit_sections(&section, (const uint8_t *)bytes.text, bytes.length, &have.mem);
    assert_int_equal(section[1].type, TROD_SECTION_MODULE);
    /* counters and hashed: none. Slots: two, of kind 2, ids 1 and 5 */
    assert_memory_equal(bytes.text + section[1].at + 64 + 16, "\0\0\0\0\0\0\0\0", 8);
    assert_memory_equal(bytes.text + section[1].at + 64 + 24, "\0\0\0\0\0\0\0\0", 8);
    assert_memory_equal(bytes.text + section[1].at + 64 + 32 + 40,
        "\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\5\0\0\0\0\0\0\0app", 35);
    back = read_back(&health, &bytes);
    assert_string_equal(print(&back), partial);
}

/* A path that was reported as untested is a chosen one: its count is kept, and it is reported as weeded. */
static void test_weeded(void **state)
{
    struct trod_string bytes = partial_live();
    struct trod_profile_health health;
    struct trod_profile back, twice;
    const struct trod_profile *both[] = {&back, &back};
    struct trod_profile_merge_options options = {0};

    (void)state;
    tamper(&bytes, TROD_SECTION_COUNTS, 64 + 72 + 8, 2); /* entry 3: id 1 */
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 0);
    assert_int_equal(trod_profile_nweeded(&back), 2);
    assert_non_null(strstr(print(&back), "exit: order\nweeded: 2\n"));
    assert_non_null(strstr(print(&back), "=1 4\n=7 1\nbegun 4\n"));
    must(trod_profile_merge(&twice, both, 2, &options, &have.mem, &have.err));
    assert_int_equal(trod_profile_nweeded(&twice), 4);
}

/* Slots of one path are added up, and it is chosen once. */
static void test_slots_of_one_path(void **state)
{
    struct trod_string bytes = partial_live();
    struct trod_profile_health health;
    struct trod_profile back;

    (void)state;
    tamper(&bytes, TROD_SECTION_MODULE, 64 + 32 + 56, 1);        /* slot 0 */
    tamper(&bytes, TROD_SECTION_COUNTS, 64 + (size_t)12 * 8, 9); /* its counter */
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 0);
    assert_non_null(strstr(print(&back), "slots =1\n=1 11\n=7 3\n"));
}

static void test_tampered_partial(void **state)
{
    static const struct {
        size_t at;
        const char *says, *keeps;
        uint32_t type;
        char value;
    } change[] = {
        {64 + 16, "the hash table of paths of module 0 is not in its counters", "=1 2",
            TROD_SECTION_MODULE, 3},
        {64 + 23, "the hash table of paths of module 0 is not in its counters", "=1 2",
            TROD_SECTION_MODULE, 0x7f},
        {64 + 24, "the hash table of paths of module 0 is not in its counters", "=1 2",
            TROD_SECTION_MODULE, 5},
        {64 + 31, "the hash table of paths of module 0 is not in its counters", "=1 2",
            TROD_SECTION_MODULE, 0x55},
        {64 + 32 + 32, "the hash table of paths of module 0 is not in its counters",
            "slots =1 =5", TROD_SECTION_MODULE, 11},
        {64 + 32 + 32, "have counters that are not in it", "slots =1 =5",
            TROD_SECTION_MODULE, 13},
        {64 + 32 + 40, "module 0 has more slots than fit", "exit", TROD_SECTION_MODULE,
            9},
        {64 + 32 + 47, "module 0 has more slots than fit", "exit", TROD_SECTION_MODULE,
            0x7f},
        {64 + 32 + 48,
            "counts in an unknown way; a later version of trod may support it", "exit",
            TROD_SECTION_MODULE, 6},
        {64 + 32 + 48, "has slots for a function that has a counter for each path",
            "exit", TROD_SECTION_MODULE, 0},
        {64 + 32 + 56 + 1, "1 slots of module 0 are of paths", "slots =1\n=1 2\n=7 3",
            TROD_SECTION_MODULE, 9},
        {64 + 9, "1 recorded paths of thread 0 in module 0 are of no function",
            "=1 2\n=7 2\nbegun 4", TROD_SECTION_COUNTS, 9},
        {64, "1 recorded paths of thread 0 in module 0 are of no function",
            "=1 2\n=7 2\nbegun 4", TROD_SECTION_COUNTS, 3},
        {64 + 32 + 48, "2 recorded paths of thread 0 in module 0 are of no function",
            "=1 2\nbegun 4", TROD_SECTION_MODULE, TROD_COUNTED_CHOSEN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        struct trod_string bytes = partial_live();
        struct trod_profile_health health;
        struct trod_profile back;
        bool said = false;

        tamper(&bytes, change[i].type, change[i].at, change[i].value);
        back = read_back(&health, &bytes);
        for (uint32_t k = 0; k < back.nnote; k++)
            said = said || strstr(back.note[k], change[i].says);
        if (!said || !health.nloss || !strstr(print(&back), change[i].keeps))
            fail_msg(
                "%s, %s: not in\n%s", change[i].says, change[i].keeps, print(&back));
    }
}

/* What could not be noted is a loss, whoever says so. */
static void test_unrecorded(void **state)
{
    struct trod_profile profile =
        parse("profile\nrun\nexit: order\nunrecorded: 5\nmodule a source\n");
    struct kit_live_options options = {0};
    struct trod_profile_health health;
    struct trod_profile back;
    struct trod_string bytes;

    (void)state;
    trod_string_init(&bytes, &have.mem);
    kit_live(&bytes, &profile, &options, &have.mem);
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 1);
    assert_non_null(strstr(back.note[0], "untested paths, 5 times"));
    profile = parse("profile\nrun\nunrecorded: x\nexit: unknown\nmodule a source\n");
    trod_string_init(&bytes, &have.mem);
    kit_live(&bytes, &profile, &options, &have.mem);
    tamper(&bytes, TROD_SECTION_RUN, 4, TROD_SECTION_NOTE);
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 2); /* and there is no RUN */
    assert_non_null(strstr(back.note[1], "untested paths that the program"));
}

/* What END contains, and what a note means without it. */
static void test_end(void **state)
{
    struct trod_profile profile =
        parse("profile\nrun\nexit: order\nthreads: 2\nlost: 0\nmodule a source\n"
              "function " HASHES "1\n=0 1\n");
    struct kit_live_options options = {0};
    struct trod_profile_health health;
    struct trod_profile back;
    struct trod_string bytes;

    (void)state;
    trod_string_init(&bytes, &have.mem);
    kit_live(&bytes, &profile, &options, &have.mem);
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 1);
    assert_non_null(strstr(back.note[0], "wrote 2 COUNTS sections, 1 are here"));
    tamper(&bytes, TROD_SECTION_END, 64 + 26, '1'); /* lost 1 */
    back = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 1);
    assert_non_null(strstr(back.note[0], "counts of 1 threads"));
}

/* --- refusals ------------------------------------------------------------------------------ */

static void test_refused(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *says;
    } foreign[] = {
        {"", 0, "file: not a profile"},
        {"\x7f"
         "ELF",
            4, "file: not a profile"},
        {"\x89TROD\n\x1a\1\0\0\0", 11, "modified in transit"},
    };
    struct trod_profile profile = parse(small), out;
    struct trod_profile_health health;
    struct trod_string bytes;
    uint32_t crc;

    (void)state;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        char *copy = trod_copy_text(&have.mem, foreign[i].bytes, foreign[i].length);

        bytes = (struct trod_string){.text = copy, .length = foreign[i].length};
        assert_false(try_read(&out, &health, &bytes));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        assert_non_null(strstr(have.err.text, foreign[i].says));
    }
    for (int field = 8; field <= 12; field += 4) {
        bytes = pack(&profile, NULL);
        bytes.text[field] = 9;
        crc = trod_crc32(bytes.text, 60);
        for (int k = 0; k < 4; k++)
            bytes.text[60 + k] = (char)(crc >> 8 * k);
        assert_false(try_read(&out, &health, &bytes));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        assert_non_null(
            strstr(have.err.text, field == 8 ? "another version" : "unknown kind"));
    }
    /* Without its checksum the header is damaged, and says nothing. */
    bytes = pack(&profile, NULL);
    bytes.text[8] = 9;
    out = read_back(&health, &bytes);
    assert_int_equal(health.nloss, 1);
    assert_int_equal(out.ntally, 1);
}

static void test_bad_text(void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"profil", "text:1: not a profile"},
        {"profile x", "unexpected text after 'profile'"},
        {"profile\nx", "text:2: expected a line of a profile"},
        {"profile\nx: y", "does not belong to a run"},
        {"profile\nrun x", "only the number of a group"},
        {"profile\nrun @x", "only the number of a group"},
        {"profile\nrun @4294967296", "only the number of a group"},
        {"profile\nrun\n\"a b\": c", "is one word"},
        {"profile\nrun\na: b c", "put it in quotes"},
        {"profile\nrun\na: =", "put it in quotes"},
        {"profile\nmodule", "the path of the module"},
        {"profile\nmodule a", "the mode of the module"},
        {"profile\nmodule a both", "the mode of the module"},
        {"profile\nmodule a code xx", "a build id is hexadecimal"},
        {"profile\nfunction " HASHES "1", "a function must belong to a module"},
        {"profile\nmodule a code\nfunction 1", "16 hexadecimal digits, not '1'"},
        {"profile\nmodule a code\nfunction " HASHES, "its number of paths"},
        {"profile\nmodule a code\n=0 1", "a path must belong to a function"},
        {"profile\nmodule a code\nfunction " HASHES "1 some", "chosen, residual, "},
        {"profile\nmodule a code\nfunction " HASHES "1 all", "chosen, residual, "},
        {"profile\nmodule a code\nfunction " HASHES "1 chosen x", "unexpected text"},
        {"profile\nmodule a code\nslots =0", "slots must belong to a function"},
        {"profile\nmodule a code\nfunction " HASHES "1\nslots =0", "has no slots"},
        {"profile\nmodule a code\nfunction " HASHES "1 chosen\nslots 0", "the id of a"},
        {"profile\nmodule a code\nfunction " HASHES "1 chosen\nslots =1", "are below"},
        {"profile\nmodule a code\nfunction " HASHES "9 chosen\nslots =1\nslots =1",
            "must ascend"},
        {"profile\nmodule a code\nfunction " HASHES "1\n=1 1", "ids are below that"},
        {"profile\nmodule a code\nfunction " HASHES "1\n=0 0", "has no line"},
        {"profile\nmodule a code\nfunction " HASHES "1\n=0 1+", "that stopped at"},
        {"profile\nmodule a code\nfunction " HASHES "3\n=1 1\n=1 1", "must ascend"},
        {"profile\nmodule a code\nfunction " HASHES "3\n=1 18446744073709551616",
            "below 2^64"},
        {"profile\nnote", "a note, in quotes"},
    };
    struct trod_profile out;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(try_parse(&out, bad[i].text));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        if (!strstr(have.err.text, bad[i].says))
            fail_msg("%s: %s", bad[i].says, have.err.text);
    }
    assert_false(try_parse(&out, "profile\nmodule a code\nmodule b source"));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
}

/* --- merging --------------------------------------------------------------------------------- */

static const char *merged(const char *one, const char *other, bool keep_runs)
{
    struct trod_profile a = parse(one), b = parse(other), out;
    const struct trod_profile *both[] = {&a, &b};
    struct trod_profile_merge_options options = {.keep_runs = keep_runs};

    if (!trod_profile_merge(&out, both, 2, &options, &have.mem, &have.err))
        return "refused";
    must(trod_profile_check(&out, &have.err));
    return print(&out);
}

#define FUNCTION "function " HASHES "9\n"
#define SLOTS "function " HASHES "9 chosen\n"

static void test_modules_that_are_one(void **state)
{
    (void)state;
    assert_string_equal(
        merged("profile\nmodule b code 01\n" FUNCTION "=1 1\n=2 1\n",
            "profile\nmodule a code 01\n" FUNCTION "=2 4\n=3 1\n", false),
        "profile\nmodule a code 01\n" FUNCTION "=1 1\n=2 5\n=3 1\n");
    /* another build, and no build id where the path is another */
    assert_string_equal(merged("profile\nmodule a code 01\n" FUNCTION "=1 1\n",
                            "profile\nmodule a code 00\n" FUNCTION "=1 2\n", false),
        "profile\nmodule a code 00\n" FUNCTION "=1 2\nmodule a code 01\n" FUNCTION
        "=1 1\n");
    assert_string_equal(merged("profile\nmodule b code\n" FUNCTION,
                            "profile\nmodule a code\n" FUNCTION, false),
        "profile\nmodule a code\n" FUNCTION "module b code\n" FUNCTION);
    /* a build id says the same, the functions do not */
    assert_string_equal(merged("profile\nmodule a code 01\n" FUNCTION,
                            "profile\nmodule a code 01\n" FUNCTION FUNCTION, false),
        "profile\nmodule a code 01\n" FUNCTION "module a code 01\n" FUNCTION FUNCTION);
    /* nor do other paths count */
    assert_string_equal(
        merged("profile\nmodule a code 01\n" SLOTS "slots =2\n=2 1\n",
            "profile\nmodule a code 01\n" SLOTS "slots =2\n=2 4\n", false),
        "profile\nmodule a code 01\n" SLOTS "slots =2\n=2 5\n");
    assert_string_equal(merged("profile\nmodule a code 01\n" SLOTS "slots =2\n",
                            "profile\nmodule a code 01\n" SLOTS "slots =1\n", false),
        "profile\nmodule a code 01\n" SLOTS "slots =1\nmodule a code 01\n" SLOTS
        "slots =2\n");
    assert_string_equal(merged("profile\nmodule a code 01\n" SLOTS,
                            "profile\nmodule a code 01\n" FUNCTION, false),
        "profile\nmodule a code 01\n" FUNCTION "module a code 01\n" SLOTS);
    assert_string_equal(
        merged("profile\nmodule a code 01\n", "profile\nmodule a source 01\n", false),
        "refused");
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
}

static void test_runs_kept_apart(void **state)
{
    static const char one[] = "profile\nrun\npid: 2\nmodule a code\n" FUNCTION "=1 1\n";
    static const char other[] =
        "profile\nrun\npid: 1\nmodule a code\n" FUNCTION "=1 5\n";

    (void)state;
    assert_string_equal(merged(one, other, false),
        "profile\nrun\npid: 1\nrun\npid: 2\nmodule a code\n" FUNCTION "=1 6\n");
    assert_string_equal(merged(one, other, true),
        "profile\nrun @0\npid: 1\nrun @1\npid: 2\nmodule a code\n" FUNCTION
        "=1 5 @0\n=1 1 @1\n");
    /* what was added up before stays so */
    assert_string_equal(merged(merged(one, other, false), one, true),
        "profile\nrun @0\npid: 1\nrun @0\npid: 2\nrun @1\npid: 2\nmodule a code\n" FUNCTION
        "=1 6 @0\n=1 1 @1\n");
}

static void test_counts_stop(void **state)
{
    static const char most[] =
        "profile\nmodule a code\n" FUNCTION "=1 18446744073709551614\n";
    const char *sum = merged(most, most, false);

    (void)state;
    assert_non_null(strstr(sum, "=1 18446744073709551615+\n"));
    assert_non_null(strstr(sum, "note \"stopped counts"));
    assert_string_equal(merged(sum, most, false), sum);
}

/* --- hot and diff ------------------------------------------------------------------------------ */

static void test_hot(void **state)
{
    struct trod_profile profile =
        parse("profile\nrun @0\nrun @1\nx:\nmodule a code\n" FUNCTION
              "=0 5 @0\n=1 1 @0\n=1 9 @1\nfunction " HASHES "8\n=7 5 @0\n");
    struct trod_hot hot;

    (void)state;
    trod_profile_hot(&hot, &profile, 2, &have.mem);
    assert_int_equal(hot.nall, 3);
    assert_int_equal(hot.total, 20);
    assert_int_equal(hot.npath, 2);
    assert_int_equal(hot.path[0].id, 1);
    assert_int_equal(hot.path[0].count, 10);
    assert_int_equal(hot.path[1].id, 0);
    trod_profile_hot(&hot, &profile, 0, &have.mem);
    assert_int_equal(hot.npath, 0);
}

static void test_diff(void **state)
{
    struct trod_profile a =
        parse("profile\nmodule a code 01\n" FUNCTION "=0 5\n=1 1\n=2 1\n"
              "function 0000000000000009 0000000000000001 "
              "0000000000000001 4\n=3 1\n");
    struct trod_profile b =
        parse("profile\nmodule b code 02\n" FUNCTION "=0 5\n=1 2\n=3 1\n"
              "function 0000000000000009 0000000000000002 "
              "0000000000000001 4\n=3 1\n"
              "function 000000000000000a 0000000000000002 "
              "0000000000000001 4\n");
    struct trod_profile_diff diff;

    (void)state;
    must(trod_profile_diff(&diff, &a, &b, &have.mem, &have.err));
    assert_int_equal(diff.nfunction, 4);
    assert_int_equal(diff.function[0].kind, TROD_DIFF_MOVED);
    assert_int_equal(diff.function[0].npath, 4);
    assert_int_equal(diff.function[0].a, 7);
    assert_int_equal(diff.function[0].b, 8);
    assert_string_equal(diff.function[0].module, "a");
    for (int i = 0; i < 4; i++)
        assert_int_equal(trod_diff_path_kind(&diff.function[0].path[i]),
            ((enum trod_diff_kind[]){TROD_DIFF_SAME, TROD_DIFF_MOVED,
                TROD_DIFF_VANISHED, TROD_DIFF_APPEARED})[i]);
    assert_int_equal(diff.function[1].kind, TROD_DIFF_CHANGED);
    assert_int_equal(diff.function[2].kind, TROD_DIFF_CHANGED);
    assert_int_equal(diff.function[3].kind, TROD_DIFF_APPEARED);
    assert_int_equal(diff.npath_of_kind[TROD_DIFF_CHANGED], 2);
    b = parse("profile\nmodule b source\n");
    assert_false(trod_profile_diff(&diff, &a, &b, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
}

/* --- the validator sees -------------------------------------------------------------------------- */

static void test_check(void **state)
{
    struct trod_profile good = parse(small), bad;
    struct trod_profile_run run = good.run[0];
    struct trod_profile_module module[2] = {good.module[0], good.module[0]};
    struct trod_profile_path path[2] = {{1, 1}, {1, 1}};
    struct trod_profile_tally tally = good.tally[0];
    struct trod_profile_field field = {"a b", ""};
    struct trod_profile_function function = good.module[0].function[0];
    uint64_t chosen[2] = {5, 5};
    const char *note[] = {"b", "a"};

    (void)state;
    tally.path = path;
    tally.npath = 2;
#define REFUSES(change, says)                                               \
    (bad = good, change, assert_false(trod_profile_check(&bad, &have.err)), \
        assert_int_equal(have.err.code, TROD_E_INTERNAL),                   \
        assert_non_null(strstr(have.err.text, (says))))
    REFUSES(bad.ngroup = 0, "is in group 0 of 0");
    REFUSES(bad.ngroup = 2, "neither run, tally nor burst");
    REFUSES((bad.run = &run, run.field = &field, run.nfield = 1), "is not a word");
    REFUSES((bad.module = module, bad.nmodule = 2), "there twice");
    REFUSES((bad.module = module, module[0].path = ""), "has no path");
    REFUSES((bad.module = module, module[0].path = "x", module[0].build_id = "G"),
        "is not hexadecimal");
    REFUSES((bad.module = module, module[0].build_id = "",
                memset(&module[0].mode, 9, sizeof module[0].mode)),
        "is of mode");
    REFUSES((bad.module = module, bad.nmodule = 2, module[0] = good.module[0],
                module[0].mode = TROD_MODE_CODE),
        "another mode than the first");
    REFUSES((bad.module = module, bad.nmodule = 2, module[0] = good.module[0],
                module[1].path = "b"),
        "is there again as");
    REFUSES((bad.module = module, module[0] = good.module[0],
                module[0].function = &function, function.counted = TROD_COUNTED_CHOSEN,
                function.chosen = chosen, function.nchosen = 2),
        "chosen path 5 of function 0 in 'app' is not in order");
    REFUSES((bad.module = module, chosen[1] = 600), "not below 600");
    REFUSES((bad.module = module, function.nchosen = 0, bad.tally = &tally,
                path[1].id = 601),
        "above 600");
    path[1].id = path[0].id;
    REFUSES((bad.module = module, function.nchosen = 2,
                function.counted = TROD_COUNTED_ALL),
        "counts in way 0, with 2 slots");
    REFUSES(
        (bad.module = module, memset(&function.counted, 1, sizeof function.counted)),
        "counts in way");
    REFUSES(bad.tally = &tally, "is not in order");
    REFUSES((bad.tally = &tally, path[1].id = 2, path[1].count = 0), "has count 0");
    REFUSES((bad.tally = &tally, tally.npath = 0), "is empty");
    REFUSES((bad.tally = &tally, tally.group = 1), "which are not there");
    REFUSES((bad.tally = &tally, tally.group = 0, tally.npath = 2,
                path[1].count = UINT64_MAX),
        "no note says so");
    REFUSES((bad.note = note, bad.nnote = 2), "out of order");
#undef REFUSES
}

/* --- running out of memory ------------------------------------------------------------------------ */

/* A zstd context is not ours, and a jump would leave it behind. */
static void use_all(struct trod_arena *mem, void *ctx)
{
    const struct trod_string *live = ctx;
    struct trod_profile_merge_options options = {.keep_runs = true};
    const struct trod_profile *both[2];
    struct trod_profile profile, merged_, parsed;
    struct trod_profile_diff diff;
    struct trod_string bytes;
    struct trod_text text;
    struct trod_hot hot;
    struct trod_err err;
    bool more, ok;

    ok = trod_profile_read(
        &profile, NULL, (const uint8_t *)live->text, live->length, NULL, mem, &err);
    both[0] = both[1] = &profile;
    ok = ok && trod_profile_merge(&merged_, both, 2, &options, mem, &err) &&
         trod_profile_diff(&diff, &profile, &merged_, mem, &err);
    trod_profile_hot(&hot, &profile, 1, mem);
    trod_string_init(&bytes, mem);
    ok = ok && trod_profile_write(&bytes.sink, &merged_, NULL, mem, &err);
    trod_string_init(&bytes, mem);
    trod_profile_print(&bytes.sink, &merged_);
    trod_text_init(&text, "text", bytes.text, bytes.length);
    ok = ok && trod_profile_parse(&parsed, &more, &text, mem, &err);
    if (!ok)
        abort();
}

static void test_allocation_failures(void **state)
{
    struct trod_string live = small_live(), slots = partial_live();

    (void)state;
    assert_true(kit_each_allocation_failure(use_all, &live) > 50);
    assert_true(kit_each_allocation_failure(use_all, &slots) > 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(crc),
        TEST(layout),
        TEST(packed_bytes),
        TEST(stops),
        TEST(compression),
        TEST(live),
        TEST(cut_counts),
        TEST(tampered),
        TEST(partial),
        TEST(weeded),
        TEST(slots_of_one_path),
        TEST(tampered_partial),
        TEST(unrecorded),
        TEST(end),
        TEST(refused),
        TEST(bad_text),
        TEST(modules_that_are_one),
        TEST(runs_kept_apart),
        TEST(counts_stop),
        TEST(hot),
        TEST(diff),
        TEST(check),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
