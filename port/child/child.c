#include "child/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool fail_start(
    struct trod_err *err, const char *program, int error, const char *remedy)
{
    const char *between = remedy ? "; " : "";

    if (!remedy)
        remedy = "";
    return error == ENOENT && !strchr(program, '/')
               ? trod_fail(err, TROD_E_SYSTEM,
                     "the program '%s' is not on the PATH%s%s", program, between,
                     remedy)
               : trod_fail(err, TROD_E_SYSTEM, "%s: %s%s%s", program, strerror(error),
                     between, remedy);
}

static int redirect(
    posix_spawn_file_actions_t *actions, const struct trod_child_options *options)
{
    const int to[] = {options->in, options->out, options->err};
    int error = 0;

    for (int fd = 0; !error && fd <= STDERR_FILENO; fd++)
        if (to[fd] == TROD_CHILD_NOTHING)
            error = posix_spawn_file_actions_addopen(
                actions, fd, "/dev/null", fd ? O_WRONLY : O_RDONLY, 0);
        else if (to[fd] > 0)
            error = posix_spawn_file_actions_adddup2(actions, to[fd], fd);
    return error;
}

static int spawn(
    pid_t *pid, char *const *argv, const struct trod_child_options *options)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    if (options->mask) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
        posix_spawnattr_setsigmask(&attributes, options->mask);
    }
    error = redirect(&actions, options);
    if (!error)
        error = posix_spawnp(pid, options->path ? options->path : argv[0], &actions,
            &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

bool trod_child_start(struct trod_child *out, char *const *argv,
    const struct trod_child_options *options, struct trod_err *err)
{
    static const struct trod_child_options none;
    int error;

    options = options ? options : &none;
    *out = (struct trod_child){.name = options->path ? options->path : argv[0]};
    error = spawn(&out->pid, argv, options);
    return !error || fail_start(err, out->name, error, options->remedy);
}

bool trod_child_wait(struct trod_child *child, struct trod_err *err)
{
    pid_t pid;
    int status;

    while ((pid = waitpid(child->pid, &status, 0)) < 0)
        if (errno != EINTR)
            return trod_fail(
                err, TROD_E_SYSTEM, "waiting for %s: %s", child->name, strerror(errno));
    child->pid = pid;
    child->status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    child->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return true;
}

const char *trod_child_ending(char out[80], const struct trod_child *child)
{
    if (child->signal)
        snprintf(out, 80, "was killed by signal %d (%s)", child->signal,
            strsignal(child->signal));
    else
        snprintf(out, 80, "ended with status %d", child->status);
    return out;
}

bool trod_child_become(char *const *argv, struct trod_err *err)
{
    execvp(argv[0], argv);
    return fail_start(err, argv[0], errno, NULL);
}
