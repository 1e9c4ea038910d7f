#include "output/output.h"
#include "sample/subpaths.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROOM = 1 << 20 };

/* --- bytes -------------------------------------------------------------------------------------- */

/* An incomplete record at the end of a chunk is moved before the next bytes. */
static bool read_all(struct cli_blocks *b, struct cli *cli, const char *name, int fd)
{
    struct trod_trace trace = {.name = name, .take = b->take, .ctx = b->ctx};
    char *bytes = trod_new(&cli->mem, char, ROOM);
    size_t have = 0, used;

    for (;;) {
        ssize_t n = read(fd, bytes + have, ROOM - have);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s", name, strerror(errno));
        if (n == 0)
            break;
        have += (size_t)n;
        if (!trod_trace_take(&used, &trace, bytes, have, &cli->err))
            return false;
        have -= used;
        memmove(bytes, bytes + used, have);
        if (b->tick)
            b->tick(b->ctx);
    }
    b->ncut = have;
    return true;
}

static bool read_file(struct cli_blocks *b, struct cli *cli)
{
    bool from_stdin = strcmp(b->name, "-") == 0;
    const char *name = from_stdin ? "<stdin>" : b->name;
    int fd = from_stdin ? STDIN_FILENO : open(b->name, O_RDONLY | O_CLOEXEC);
    bool ok;

    if (fd < 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s; name a trace of blocks",
            name, strerror(errno));
    ok = read_all(b, cli, name, fd);
    if (!from_stdin)
        close(fd);
    return ok;
}

uint64_t cli_blocks_count(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    struct trod_trace_head head;
    uint64_t n = 0;
    off_t at = 0;

    if (fd < 0)
        return 0;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        while (pread(fd, &head, sizeof head, at) == sizeof head &&
               head.magic == TROD_TRACE_MAGIC) {
            n += head.nblock;
            at += (off_t)(sizeof head + head.nblock * sizeof(uint32_t));
        }
    close(fd);
    return n;
}

/* --- programs ------------------------------------------------------------------------------------ */

/* The program inherits only the write end of the pipe. */
static bool start(
    struct trod_child *child, int *fd, struct cli_blocks *b, struct cli *cli)
{
    char pattern[80], to[32];
    int end[2];
    bool ok;

    if (pipe2(end, O_CLOEXEC) != 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "a pipe: %s", strerror(errno));
    /* A larger pipe is faster, but not required. */
    (void)fcntl(end[0], F_SETPIPE_SZ, ROOM);
    (void)fcntl(end[1], F_SETFD, 0);
    snprintf(pattern, sizeof pattern, "%s/%%e.%%p.%%m.trod", b->folder);
    snprintf(to, sizeof to, "fd:%d", end[1]);
    setenv("TROD_OUT", pattern, 1);
    setenv("TROD_BLOCKS", to, 1);
    ok = trod_child_start(child, b->argv, NULL, &cli->err);
    unsetenv("TROD_BLOCKS");
    close(end[1]);
    *fd = end[0];
    if (!ok)
        close(end[0]);
    return ok;
}

static void find_profiles(struct cli_blocks *b, struct cli *cli)
{
    char pattern[80];
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*.trod", b->folder);
    if (glob(pattern, 0, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        trod_push(&cli->mem, b->profile.item, b->profile.count, b->profile.room,
            trod_copy(&cli->mem, found.gl_pathv[i]));
    }
    globfree(&found);
}

/* Closing the pipe stops a program whose blocks are no longer needed. */
static bool read_program(struct cli_blocks *b, struct cli *cli)
{
    struct trod_child child;
    struct trod_err ignored;
    bool ok;
    int fd;

    snprintf(b->folder, sizeof b->folder, "/tmp/trod-blocks-XXXXXX");
    if (!mkdtemp(b->folder)) {
        b->folder[0] = '\0';
        return trod_fail(&cli->err, TROD_E_SYSTEM, "/tmp: %s", strerror(errno));
    }
    if (!start(&child, &fd, b, cli))
        return false;
    ok = read_all(b, cli, b->argv[0], fd);
    close(fd);
    ok = trod_child_wait(&child, ok ? &cli->err : &ignored) && ok;
    find_profiles(b, cli);
    if (ok)
        cli_note_ending(cli, child.name, &child);
    return ok;
}

bool cli_blocks_read(struct cli_blocks *blocks, struct cli *cli)
{
    return blocks->argv ? read_program(blocks, cli) : read_file(blocks, cli);
}

void cli_blocks_end(struct cli_blocks *blocks)
{
    if (!blocks->folder[0])
        return;
    for (uint32_t i = 0; i < blocks->profile.count; i++)
        unlink(blocks->profile.item[i]);
    rmdir(blocks->folder);
}
