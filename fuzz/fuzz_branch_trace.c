/* Branch trace files: arbitrary bytes are read up to the first error; what is read survives a round trip. The bytes
 * are tried as a file, and as the contents of chunks with valid heads and checksums.
 */
#include "fuzz.h"

#include "branch/branch.h"
#include "branch/trace_layout.h"
#include "zstd/zstd_port.h"

enum { MOST_INSNS = 20000 };

static void store(char *at, uint64_t value, int nbyte)
{
    for (int i = 0; i < nbyte; i++)
        at[i] = (char)(value >> 8 * i);
}

static void add_chunk(struct trod_string *out, uint8_t kind, const uint8_t *bytes,
    size_t length, uint64_t first, uint64_t count)
{
    char head[TRACE_CHUNK] = TRACE_CHUNK_MAGIC;

    head[4] = (char)kind;
    store(head + 8, length, 4);
    store(head + 12, length, 4);
    store(head + 16, first, 8);
    store(head + 24, count, 8);
    store(head + 32, trod_crc32(bytes, length), 4);
    store(head + 36, trod_crc32(head, 36), 4);
    out->sink.put(&out->sink, head, sizeof head);
    out->sink.put(&out->sink, (const char *)bytes, length);
}

static void add_head(struct trod_string *out)
{
    char head[TRACE_HEAD] = TROD_BRANCH_TRACE_MAGIC;

    store(head + 8, TROD_BRANCH_TRACE_VERSION, 4);
    store(head + 16, trod_crc32("", 0), 4);
    store(head + 20, trod_crc32(head, 20), 4);
    out->sink.put(&out->sink, head, sizeof head);
}

static bool read(struct trod_branch_sink *to, struct trod_branch_health *health,
    const void *bytes, size_t length, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_branch_read_options options = {&trod_zstd_branch_codec, 0, MOST_INSNS};

    return trod_branch_read(to, health, "fuzz", bytes, length, &options, mem, err);
}

/* What was read must be a valid stream. */
static void check(const void *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_branch_hasher before, after;
    struct trod_branch_checker checker;
    struct trod_branch_health health;
    struct trod_branch_writer write;
    struct trod_branch_sink *to[3] = {&before.sink, &checker.sink, &write.sink};
    struct trod_branch_tee tee;
    struct trod_err err = {0};
    struct trod_string file;

    trod_string_init(&file, mem);
    trod_branch_hasher_init(&before);
    trod_branch_hasher_init(&after);
    trod_branch_checker_init(&checker, mem);
    trod_branch_writer_init(&write, &file.sink, "fuzz", &trod_zstd_branch_codec, mem);
    trod_branch_tee_init(&tee, to, 3);
    if (!read(&tee.sink, &health, bytes, length, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST(!checker.count[TROD_BRANCH_BAD_CODE]);
    FUZZ_MUST(!checker.count[TROD_BRANCH_BAD_FLAG]);
    FUZZ_MUST(!checker.count[TROD_BRANCH_BAD_THREAD]);
    trod_branch_writer_finish(&write);
    FUZZ_MUST_DO(read(&after.sink, &health, file.text, file.length, mem, &err), &err);
    FUZZ_MUST(!health.cut_off && !health.ndamaged);
    FUZZ_MUST(before.codes == after.codes && before.branches == after.branches);
}

/* Bytes 0 and 1: where the codes end. Byte 2: number of codes. Byte 3: number of instructions that run. */
static void try_chunks(const uint8_t *bytes, size_t length, struct trod_arena *mem)
{
    struct trod_string file;
    size_t cut;

    if (length < 4)
        return;
    cut = (bytes[0] | (size_t)bytes[1] << 8) % (length - 3);
    trod_string_init(&file, mem);
    add_head(&file);
    add_chunk(&file, TRACE_CODES, bytes + 4, cut, 0, bytes[2]);
    add_chunk(&file, TRACE_RUNS, bytes + 4 + cut, length - 4 - cut, 0, bytes[3]);
    check(file.text, file.length, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES) {
        check(bytes, length, &mem);
        try_chunks(bytes, length, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
