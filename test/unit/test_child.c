#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child/child.h"

static char shell[] = "sh", option[] = "-c";

static void run(struct trod_child *child, const char *command,
    const struct trod_child_options *options)
{
    char text[200], *const argv[] = {shell, option, text, NULL};
    struct trod_err err;

    snprintf(text, sizeof text, "%s", command);
    assert_true(trod_child_start(child, argv, options, &err));
    assert_true(trod_child_wait(child, &err));
}

static void test_ending(void **state)
{
    struct trod_child child;
    char ending[80];

    (void)state;
    run(&child, "true", NULL);
    assert_false(trod_child_failed(&child));
    run(&child, "exit 3", NULL);
    assert_true(trod_child_failed(&child));
    assert_int_equal(child.status, 3);
    assert_string_equal(trod_child_ending(ending, &child), "ended with status 3");
    run(&child, "kill -9 $$", NULL);
    assert_true(trod_child_failed(&child));
    assert_int_equal(child.signal, 9);
    assert_string_equal(
        trod_child_ending(ending, &child), "was killed by signal 9 (Killed)");
}

static void test_redirected(void **state)
{
    int file = memfd_create("said", MFD_CLOEXEC);
    struct trod_child_options options = {
        .in = TROD_CHILD_NOTHING, .out = file, .err = file};
    struct trod_child child;
    char said[20] = "";

    (void)state;
    run(&child, "cat; echo out; echo err >&2", &options);
    assert_false(trod_child_failed(&child));
    assert_int_equal(pread(file, said, sizeof said - 1, 0), 8);
    assert_string_equal(said, "out\nerr\n");
    close(file);
    options = (struct trod_child_options){
        .out = TROD_CHILD_NOTHING, .err = TROD_CHILD_NOTHING};
    run(&child, "echo nobody sees this; echo or this >&2", &options);
    assert_false(trod_child_failed(&child));
}

/* Never a status of 127. */
static void test_missing(void **state)
{
    char none[] = "no-such-program", path[] = "/nonexistent/program";
    char *argv[] = {none, NULL};
    struct trod_child_options options = {.remedy = "write it"};
    struct trod_child child;
    struct trod_err err;

    (void)state;
    assert_false(trod_child_start(&child, argv, NULL, &err));
    assert_int_equal(err.code, TROD_E_SYSTEM);
    assert_string_equal(err.text, "the program 'no-such-program' is not on the PATH");
    argv[0] = path;
    assert_false(trod_child_start(&child, argv, &options, &err));
    assert_string_equal(
        err.text, "/nonexistent/program: No such file or directory; write it");
    assert_false(trod_child_become(argv, &err));
    assert_string_equal(err.text, "/nonexistent/program: No such file or directory");
    options.path = "/";
    argv[0] = shell;
    assert_false(trod_child_start(&child, argv, &options, &err));
    assert_string_equal(err.text, "/: Permission denied; write it");
    child.pid = 1; /* not ours */
    assert_false(trod_child_wait(&child, &err));
    assert_int_equal(err.code, TROD_E_SYSTEM);
}

static void test_any(void **state)
{
    char wait[] = "exit 4", *const argv[] = {shell, option, wait, NULL};
    struct trod_child one, two, any = {.pid = -1, .name = "one of them"};
    struct trod_err err;
    pid_t first;

    (void)state;
    assert_true(trod_child_start(&one, argv, NULL, &err));
    assert_true(trod_child_start(&two, argv, NULL, &err));
    assert_true(trod_child_wait(&any, &err));
    first = any.pid;
    assert_int_equal(any.status, 4);
    any.pid = -1;
    assert_true(trod_child_wait(&any, &err));
    assert_int_equal(first + any.pid, one.pid + two.pid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ending),
        cmocka_unit_test(test_redirected),
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_any),
    };

    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
