#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"

static char folder[] = "/tmp/trod-test-file-XXXXXX", name[64];
static struct trod_arena mem;

static int begin(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(name, sizeof name, "%s/file", folder);
    trod_arena_init(&mem, NULL, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    trod_arena_free(&mem);
    unlink(name);
    return rmdir(folder); /* which is empty, then */
}

static void check_file(const char *want)
{
    size_t length;
    char *bytes;

    assert_int_equal(trod_file_load(&bytes, &length, name, &mem), 0);
    assert_int_equal(length, strlen(want));
    assert_string_equal(bytes, want);
}

static int replace(const char *text, int error)
{
    struct trod_file_beside beside;

    assert_int_equal(trod_file_begin(&beside, name, false, &mem), 0);
    assert_int_equal(trod_file_write(beside.fd, text, strlen(text)), 0);
    return trod_file_end(&beside, error);
}

static void test_replaced(void **state)
{
    struct stat status;

    (void)state;
    assert_int_equal(replace("first", 0), 0);
    check_file("first");
    assert_int_equal(chmod(name, 0640), 0);
    assert_int_equal(replace("", 0), 0);
    check_file("");
    assert_int_equal(replace("second", 0), 0);
    assert_int_equal(replace("third", ENOSPC), ENOSPC);
    check_file("second");
    assert_int_equal(stat(name, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

/* A library leaves the handlers of its process alone. */
static void test_watched(void **state)
{
    struct trod_file_beside beside;
    struct sigaction now;

    (void)state;
    assert_int_equal(trod_file_begin(&beside, name, false, &mem), 0);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
    assert_int_equal(trod_file_end(&beside, EIO), EIO);
    assert_int_equal(trod_file_begin(&beside, name, true, &mem), 0);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_false(now.sa_handler == SIG_DFL);
    assert_int_equal(trod_file_end(&beside, EIO), EIO);
    assert_int_equal(sigaction(SIGTERM, NULL, &now), 0);
    assert_true(now.sa_handler == SIG_DFL);
}

/* Longer than what is taken at first for what has no size. */
static void test_pipe(void **state)
{
    enum { SIZE = 200000 };
    char *bytes = malloc(SIZE), *got;
    size_t length;
    int ends[2];

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 'x', SIZE);
    assert_int_equal(pipe(ends), 0);
    assert_true(fcntl(ends[1], F_SETPIPE_SZ, 1 << 18) >= SIZE);
    assert_int_equal(trod_file_write(ends[1], bytes, SIZE), 0);
    close(ends[1]);
    assert_int_equal(trod_file_read(&got, &length, ends[0], &mem), 0);
    close(ends[0]);
    assert_int_equal(length, SIZE);
    assert_memory_equal(got, bytes, SIZE);
    assert_int_equal(got[SIZE], 0);
    free(bytes);
}

static void test_missing(void **state)
{
    size_t length;
    char *bytes;

    (void)state;
    assert_int_equal(
        trod_file_load(&bytes, &length, "/nonexistent/file", &mem), ENOENT);
    assert_int_equal(trod_file_load(&bytes, &length, folder, &mem), EISDIR);
    assert_int_equal(trod_file_write(-1, "x", 1), EBADF);
}

/* Holes are not data, except in small files; what was cut off meanwhile is 0. */
static void test_pieces(void **state)
{
    enum { SIZE = 1 << 20 };
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    struct trod_extent data = {0, 0};
    struct trod_file_pieces pieces;
    struct trod_source source;
    uint8_t head[4], got[8];

    (void)state;
    assert_true(fd >= 0);
    assert_false(trod_file_pieces_begin(&pieces, fd, head, 1));
    assert_int_equal(pwrite(fd, "head", 4, 0), 4);
    assert_int_equal(pwrite(fd, "tail", 4, SIZE), 4);
    assert_true(trod_file_pieces_begin(&pieces, fd, head, 4));
    assert_memory_equal(head, "head", 4);
    source = trod_file_source(&pieces);
    assert_int_equal(source.length(source.ctx), SIZE + 4);
    for (uint64_t at = 0; at < SIZE; at = data.to)
        assert_true(source.find(&data, source.ctx, at) && data.from >= at);
    assert_true(data.to >= SIZE + 4);
    assert_false(source.find(&data, source.ctx, SIZE + 4));
    assert_int_equal(ftruncate(fd, SIZE + 2), 0);
    source.read(got, source.ctx, SIZE - 2, sizeof got);
    assert_memory_equal(got, "\0\0ta\0\0\0\0", sizeof got);
    assert_int_equal(pieces.error, 0);
    source.read(got, source.ctx, SIZE, sizeof got);
    assert_memory_equal(got, "ta\0\0", 4);
    close(fd);
    source.read(got, source.ctx, 0, sizeof got);
    assert_int_equal(pieces.error, EBADF);
}

static void test_pieces_of_pipe(void **state)
{
    struct trod_file_pieces pieces;
    uint8_t head[1];
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    assert_false(trod_file_pieces_begin(&pieces, ends[0], head, 1));
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_watched),
        cmocka_unit_test(test_pipe),
        cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_pieces_of_pipe),
        cmocka_unit_test(test_missing),
    };

    return cmocka_run_group_tests_name("file", tests, begin, end);
}
