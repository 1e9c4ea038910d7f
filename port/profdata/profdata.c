#include "profdata/profdata.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const char default_program[] = "llvm-profdata-19";

/* Where the child finds what it reads and writes. */
enum { CHILD_IN = 0, CHILD_OUT = 3 };

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
static bool start(pid_t *child, const char *program, char *kind,
    const struct files *files, struct trod_err *err)
{
    char name[] = "llvm-profdata", merge[] = "merge", to[] = "-o", in[32], out[32];
    char *const argv[] = {name, merge, kind, in, to, out, NULL};
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return fail_errno(err, program, error);
    snprintf(in, sizeof in, "/proc/self/fd/%d", CHILD_IN);
    snprintf(out, sizeof out, "/proc/self/fd/%d", CHILD_OUT);
    /* In this order: the first may have the number that the second gets. One that has its own already stays open, too. */
    if (!(error = posix_spawn_file_actions_adddup2(&actions, files->in, CHILD_IN)) &&
        !(error = posix_spawn_file_actions_adddup2(&actions, files->out, CHILD_OUT)))
        error = posix_spawnp(child, program, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return trod_fail(err, TROD_E_SYSTEM,
            "the program '%s' is not on the PATH; install llvm-19, name yours with "
            "TROD_PROFDATA, or export the text form and let llvm-profdata merge it",
            program);
    return !error || fail_errno(err, program, error);
}

static bool judge(pid_t child, const char *program, struct trod_err *err)
{
    int status;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return fail_errno(err, program, errno);
    return status == 0 ||
           trod_fail(err, TROD_E_SYSTEM,
               "%s failed with status %d; see its message above", program,
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static bool merge(struct trod_sink *sink, const struct trod_string *text, char *kind,
    struct trod_err *err)
{
    const char *program = getenv("TROD_PROFDATA");
    struct files files;
    pid_t child;
    bool ok;

    if (!program || !*program)
        program = default_program;
    if (!open_files(&files, err))
        return false;
    ok = write_all(files.in, text->text, text->length, err) &&
         start(&child, program, kind, &files, err) && judge(child, program, err) &&
         copy_all(sink, files.out, err);
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
