#include "clang/clang_port.h"
#include "clang/code/code.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* trod-clang: reads one unit in one mode and prints one text. */

static const struct trod_clang_mode modes[] = {
    {"constructs", trod_clang_constructs},
    {"code", trod_clang_code},
    {"depends", trod_clang_depends},
    {0},
};

enum { DONE = 0, USAGE = 2, UNREADABLE = 3, SYSTEM = 5 };

static _Noreturn void out_of_memory(void *ctx)
{
    (void)ctx;
    fputs("trod-clang: out of memory\n", stderr);
    exit(SYSTEM);
}

static const struct trod_clang_mode *mode_of(const char *name)
{
    for (const struct trod_clang_mode *m = modes; m->name; m++)
        if (strcmp(m->name, name) == 0)
            return m;
    return NULL;
}

static int usage(void)
{
    fputs("Usage: trod-clang MODE --root DIR --directory DIR "
          "{--command 'LINE' | -- COMPILER ARGUMENT...}\n"
          "Modes:",
        stderr);
    for (const struct trod_clang_mode *m = modes; m->name; m++)
        fprintf(stderr, " %s", m->name);
    fputs("\n", stderr);
    return USAGE;
}

static int fail(const struct trod_err *err)
{
    fprintf(stderr, "trod-clang: %s\n", err->text);
    return err->code == TROD_E_SYSTEM ? SYSTEM : UNREADABLE;
}

static void put_stdout(struct trod_sink *sink, const char *bytes, size_t length)
{
    fwrite(bytes, 1, length, sink->ctx);
}

/* --- one run --------------------------------------------------------------------------------- */

struct run {
    const struct trod_clang_mode *mode;
    int argc;
    char **argv;
    int status;
};

static void *carry_out(void *of)
{
    struct run *run = of;
    struct trod_sink out = {.put = put_stdout, .ctx = stdout};
    struct trod_clang_unit unit;
    struct trod_arena mem;
    struct trod_err err = {0};

    trod_arena_init(&mem, out_of_memory, NULL);
    if (!trod_clang_unit_read(&unit, run->argc, run->argv, &mem, &err)) {
        fprintf(stderr, "trod-clang: %s\n", err.text);
        run->status = err.code == TROD_E_SYSTEM ? SYSTEM : USAGE;
    } else if (!run->mode->run(&out, &unit, &mem, &err)) {
        run->status = fail(&err);
    }
    trod_arena_free(&mem);
    return NULL;
}

/* Syntax trees can be deeply nested, and both clang and trod-clang walk them recursively, so the
 * stack is large. Unused stack costs nothing.
 */
static bool start(struct run *run)
{
    const size_t stack = (size_t)1 << 30;
    pthread_attr_t attributes;
    pthread_t thread;
    bool ok;

    /* Otherwise clang continues in a thread of its own with a small stack. */
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    if (pthread_attr_init(&attributes) != 0)
        return false;
    ok = pthread_attr_setstacksize(&attributes, stack) == 0 &&
         pthread_create(&thread, &attributes, carry_out, run) == 0;
    pthread_attr_destroy(&attributes);
    return ok && pthread_join(thread, NULL) == 0;
}

int main(int argc, char **argv)
{
    struct run run = {.mode = argc > 1 ? mode_of(argv[1]) : NULL,
        .argc = argc - 2,
        .argv = argv + 2,
        .status = DONE};

    if (!run.mode)
        return usage();
    if (!start(&run))
        carry_out(&run);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "trod-clang: writing standard output: %s\n", strerror(errno));
        return SYSTEM;
    }
    return run.status;
}
