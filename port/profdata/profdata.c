#include "profdata/profdata.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child/child.h"
#include "file/file.h"

static const char default_program[] = "llvm-profdata-19";

/* Two anonymous files in memory. */
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

static bool copy_all(
    struct trod_sink *sink, int fd, struct trod_arena *mem, struct trod_err *err)
{
    size_t length;
    char *bytes;
    int error =
        lseek(fd, 0, SEEK_SET) < 0 ? errno : trod_file_read(&bytes, &length, fd, mem);

    if (error)
        return fail_errno(err, "reading from memory", error);
    sink->put(sink, bytes, length);
    return true;
}

/* Passes both by /proc/self/fd, because llvm-profdata opens its input several times. */
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
    struct trod_arena *mem, struct trod_err *err)
{
    const char *program = getenv("TROD_PROFDATA");
    struct files files;
    bool ok;
    int error;

    if (!program || !*program)
        program = default_program;
    if (!open_files(&files, err))
        return false;
    error = trod_file_write(files.in, text->text, text->length);
    if (!error && lseek(files.in, 0, SEEK_SET) < 0)
        error = errno;
    ok = (!error || fail_errno(err, "writing to memory", error)) &&
         run(program, kind, &files, err) && copy_all(sink, files.out, mem, err);
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
    return trod_export_llvm(&text.sink, in, mem, err) &&
           merge(sink, &text, kind, mem, err);
}

const struct trod_export_format trod_profdata_formats[] = {
    {"profdata",
        "the same as llvm, indexed by llvm-profdata-19: clang -fprofile-use, llvm-cov",
        true, put_counters, 0},
    {0},
};
