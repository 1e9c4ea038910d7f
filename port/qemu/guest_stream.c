#include "qemu/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "zstd/zstd_port.h"

/* Writes everything that a process executes to a trace file, one for each process. All functions
 * are called with a lock held. */

static struct {
    const char *path; /* as requested */
    char own[4096];   /* the actual path */
    FILE *file;
    struct trod_sink out;
    struct trod_branch_writer writer;
    struct trod_arena mem;
    uint32_t nthread;
    uint64_t most; /* limit on instructions; 0: none */
} stream;

static void exhausted(void *ctx)
{
    (void)ctx;
    fprintf(stderr, "trod: no memory for the trace of an emulated program\n");
    _exit(70);
}

static void put_bytes(struct trod_sink *sink, const char *bytes, size_t length)
{
    (void)sink;
    if (!stream.file || fwrite(bytes, 1, length, stream.file) == length)
        return;
    fprintf(stderr, "trod: %s: %s; the trace ends here\n", stream.own, strerror(errno));
    fclose(stream.file);
    stream.file = NULL;
}

/* The first process gets the requested name, others get .1, .2, ... appended. */
static FILE *create(void)
{
    for (unsigned i = 0; i < 1000000; i++) {
        int fd;

        if (i)
            snprintf(stream.own, sizeof stream.own, "%s.%u", stream.path, i);
        else
            snprintf(stream.own, sizeof stream.own, "%s", stream.path);
        fd = open(stream.own, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0)
            return fdopen(fd, "w");
        if (errno != EEXIST)
            break;
    }
    fprintf(
        stderr, "trod: %s: %s; there will be no trace\n", stream.own, strerror(errno));
    return NULL;
}

void qemu_stream_open(const char *path, const char *program, uint64_t most)
{
    stream.most = most;
    stream.path = path;
    stream.nthread = 0;
    stream.file = create();
    trod_arena_init(&stream.mem, exhausted, NULL);
    stream.out = (struct trod_sink){.put = put_bytes};
    trod_branch_writer_init(
        &stream.writer, &stream.out, program, &trod_zstd_branch_codec, &stream.mem);
}

void qemu_stream_image(const struct trod_image *image)
{
    trod_branch_put_image(&stream.writer.sink, image);
}

void qemu_stream_code(const struct trod_code *code)
{
    trod_branch_put_code(&stream.writer.sink, code);
}

uint32_t qemu_stream_thread(void)
{
    return stream.nthread++;
}

bool qemu_stream_is_full(void)
{
    return stream.most && stream.writer.ninsn >= stream.most;
}

void qemu_stream_run(struct qemu_stream_thread *of, const struct trod_code *code,
    uint64_t next, uint64_t slot)
{
    struct trod_run run = {.code = code,
        .next = next,
        .stack = slot,
        .thread = of->number,
        .naccess = of->naccess,
        .taken = trod_branch_is_taken(code, next),
        .odd = !trod_branch_may_go(code, next),
        .access = of->access};

    if (of->number < TROD_BRANCH_THREADS && !qemu_stream_is_full())
        trod_branch_put_run(&stream.writer.sink, &run);
    of->naccess = 0;
}

void qemu_stream_end(const struct qemu_stream_thread *of)
{
    if (of->number < TROD_BRANCH_THREADS && !qemu_stream_is_full())
        trod_branch_put_end(&stream.writer.sink, of->number);
}

void qemu_stream_close(void)
{
    trod_branch_writer_finish(&stream.writer);
    if (stream.file && fclose(stream.file))
        fprintf(stderr, "trod: %s: %s; the trace is incomplete\n", stream.own,
            strerror(errno));
    stream.file = NULL;
    trod_arena_free(&stream.mem);
}

void qemu_stream_forget(void)
{
    if (stream.file)
        close(fileno(
            stream.file)); /* its buffer belongs to the parent, so it is not flushed */
    stream.file = NULL;
    trod_arena_free(&stream.mem);
}

void qemu_stream_access(struct qemu_stream_thread *of, uint16_t insn, uint64_t address,
    unsigned size, bool store)
{
    if (of->naccess == of->room) {
        uint32_t room = of->room ? 2 * of->room : 256;
        struct trod_access *grown = realloc(of->access, room * sizeof *grown);

        if (!grown)
            exhausted(NULL);
        of->access = grown;
        of->room = room;
    }
    of->access[of->naccess++] = (struct trod_access){.address = address,
        .insn = insn,
        .size = (uint8_t)(size < 255 ? size : 255),
        .store = store};
}
