#include "profdata/profdata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child/child.h"

static const char default_program[] = "llvm-profdata-19";

/* Two files without a name, in memory. */
struct files {
    int in, out;
};

static bool fail_errno(struct trod_err *err, const char *what, int error)
{
    return trod_fail(err, TROD_E_SYSTEM, "%s: %s", what, strerror(error));
}

static bool open_files(struct files *out, struct trod_err *err)
{
    out->in = memfd_create("proftext", MFD_CLOEXEC);
    out->out = out->in < 0 ? -1 : memfd_create("profdata", MFD_CLOEXEC);
    if (out->out >= 0)
        return true;
    if (out->in >= 0)
        close(out->in);
    return fail_errno(err, "a file in memory", errno);
}

static bool write_all(int fd, const char *at, size_t left, struct trod_err *err)
{
    while (left) {
        ssize_t n = write(fd, at, left);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail_errno(err, "writing to memory", errno);
        at += n;
        left -= (size_t)n;
    }
    return lseek(fd, 0, SEEK_SET) == 0 || fail_errno(err, "memory", errno);
}

static bool copy_all(struct trod_sink *sink, int fd, struct trod_err *err)
{
    char bytes[1 << 14];
    ssize_t n;

    if (lseek(fd, 0, SEEK_SET) != 0)
        return fail_errno(err, "memory", errno);
    while ((n = read(fd, bytes, sizeof bytes)) != 0) {
        if (n < 0 && errno != EINTR)
            return fail_errno(err, "reading from memory", errno);
        if (n > 0)
            sink->put(sink, bytes, (size_t)n);
    }
    return true;
}

/* Both are named by their numbers: it opens what it reads more than once. */
static bool run(
    const char *program, char *kind, const struct files *files, struct trod_err *err)
{
    char name[] = "llvm-profdata", merge[] = "merge", to[] = "-o";
    char in[] = "/proc/self/fd/0", out[] = "/proc/self/fd/1", ending[80];
    char *const argv[] = {name, merge, kind, in, to, out, NULL};
    struct trod_child_options options = {.path = program,
        .in = files->in,
        .out = files->out,
        .remedy = "install llvm-19, name yours with TROD_PROFDATA, or export the text "
                  "form and let llvm-profdata merge it"};
    struct trod_child child;

    if (!trod_child_start(&child, argv, &options, err) || !trod_child_wait(&child, err))
        return false;
    return !trod_child_failed(&child) ||
           trod_fail(err, TROD_E_SYSTEM, "%s %s; see its message above", program,
               trod_child_ending(ending, &child));
}

static bool merge(struct trod_sink *sink, const struct trod_string *text, char *kind,
    struct trod_err *err)
{
    const char *program = getenv("TROD_PROFDATA");
    struct files files;
    bool ok;

    if (!program || !*program)
        program = default_program;
    if (!open_files(&files, err))
        return false;
    ok = write_all(files.in, text->text, text->length, err) &&
         run(program, kind, &files, err) && copy_all(sink, files.out, err);
    close(files.in);
    close(files.out);
    return ok;
}

static bool put_counters(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    char kind[] = "--instr";
    struct trod_string text;

    trod_string_init(&text, mem);
    return trod_export_llvm(&text.sink, in, mem, err) && merge(sink, &text, kind, err);
}

const struct trod_export_format trod_profdata_formats[] = {
    {"profdata",
        "the same as llvm, indexed by llvm-profdata-19: clang -fprofile-use, llvm-cov",
        true, put_counters, 0},
    {0},
};
