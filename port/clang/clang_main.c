#include "clang/clang_port.h"
#include "clang/code.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* trod-clang: one unit, one mode, one text. */

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

int main(int argc, char **argv)
{
    const struct trod_clang_mode *mode = argc > 1 ? mode_of(argv[1]) : NULL;
    struct trod_sink out = {.put = put_stdout, .ctx = stdout};
    struct trod_clang_unit unit;
    struct trod_arena mem;
    struct trod_err err = {0};
    int status = DONE;

    if (!mode)
        return usage();
    trod_arena_init(&mem, out_of_memory, NULL);
    if (!trod_clang_unit_read(&unit, argc - 2, argv + 2, &mem, &err)) {
        fprintf(stderr, "trod-clang: %s\n", err.text);
        status = err.code == TROD_E_SYSTEM ? SYSTEM : USAGE;
    } else if (!mode->run(&out, &unit, &mem, &err)) {
        status = fail(&err);
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "trod-clang: writing standard output: %s\n", strerror(errno));
        status = SYSTEM;
    }
    trod_arena_free(&mem);
    return status;
}
