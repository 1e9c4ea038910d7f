#include "qemu/qemu.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* If the guest calls execve(), the new program would run natively, without the emulator. So
 * execve() is replaced by an emulator of that program. */

enum { DEEPEST_SCRIPT = 4, HEAD = 256 };

static struct trod_arena *memory;
static enum qemu_machine machine;
static char **own; /* this emulator's command line, up to the guest's program */
static uint32_t nown, room_own;
static const char *program; /* name of the guest's program, as given */

struct words {
    char **word;
    uint32_t count, room;
};

static void add(struct words *to, char *word)
{
    trod_push(memory, to->word, to->count, to->room, word);
}

/* --- this emulator -------------------------------------------------------------------------------- */

static size_t read_all(const char *path, char **out)
{
    size_t length = 0, room = 4096;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *out = trod_new(memory, char, room + 1);
    if (fd < 0)
        return 0;
    for (ssize_t got; (got = read(fd, *out + length, room - length)) > 0;) {
        length += (size_t)got;
        if (length == room) {
            *out = trod_arena_grow(memory, *out, room + 1, 2 * room + 1, 1);
            room *= 2;
        }
    }
    close(fd);
    return length;
}

/* `trod emulate` gives the program's name with -0 NAME. */
void qemu_exec_init(enum qemu_machine guest, struct trod_arena *mem)
{
    char *line;
    size_t length;

    memory = mem;
    machine = guest;
    length = read_all("/proc/self/cmdline", &line);
    for (size_t at = 0; at < length; at += strlen(line + at) + 1) {
        if (strcmp(line + at, "-0") == 0) {
            size_t name = at + 3;

            if (name < length)
                program = realpath(line + name + strlen(line + name) + 1, NULL);
            return;
        }
        trod_push(memory, own, nown, room_own, line + at);
    }
    nown = 0;
}

const char *qemu_exec_program(void)
{
    return program ? program : "?";
}

/* --- the guest's memory ----------------------------------------------------------------------------- */

static bool read_guest(void *out, uint64_t at, size_t size)
{
    struct iovec to = {.iov_base = out, .iov_len = size},
                 from = {.iov_base = qemu_at(at), .iov_len = size};

    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)size;
}

/* Reads byte by byte, because the string may end right before an unmapped page. */
static char *read_string(uint64_t at)
{
    size_t length = 0, room = 64;
    char *out = trod_new(memory, char, room);

    for (; length < (1 << 20); length++) {
        if (length == room) {
            out = trod_arena_grow(memory, out, room, 2 * room, 1);
            room *= 2;
        }
        if (!read_guest(out + length, at + length, 1))
            return NULL;
        if (!out[length])
            return out;
    }
    return NULL;
}

static bool read_words(struct words *out, uint64_t base, uint64_t at)
{
    *out = (struct words){0};
    if (!at)
        return true;
    for (at += base;; at += 8) {
        uint64_t word;
        char *text;

        if (!read_guest(&word, at, sizeof word))
            return false;
        if (!word)
            return true;
        text = read_string(word + base);
        if (!text)
            return false;
        add(out, text);
    }
}

/* --- the program to run --------------------------------------------------------------------------------- */

struct target {
    char *path;
    struct words argv;
};

/* A script is run by the interpreter in its first line. */
static bool take_script(struct target *to, char *head)
{
    char *at = head + 2, *interpreter, *argument = NULL;
    struct words argv = {0};

    head[strcspn(head, "\n")] = '\0';
    at += strspn(at, " \t");
    interpreter = at;
    at += strcspn(at, " \t");
    if (*at) {
        *at++ = '\0';
        at += strspn(at, " \t");
        for (size_t end = strlen(at); end && strchr(" \t", at[end - 1]);)
            at[--end] = '\0';
        if (*at)
            argument = at;
    }
    if (!*interpreter)
        return false;
    add(&argv, interpreter);
    if (argument)
        add(&argv, argument);
    add(&argv, to->path);
    for (uint32_t i = 1; i < to->argv.count; i++)
        add(&argv, to->argv.word[i]);
    to->path = interpreter;
    to->argv = argv;
    return true;
}

/* Resolves scripts to a program that this emulator can run. False: the guest's own execve() will
 * fail with the reason; or, with *why set, it runs outside of the emulator.
 */
static bool find_program(struct target *to, const char **why)
{
    for (int depth = 0; depth <= DEEPEST_SCRIPT; depth++) {
        char *head = trod_new(memory, char, HEAD + 1);
        Elf64_Ehdr elf;
        struct stat stat_of;
        ssize_t got;
        int fd;

        if (access(to->path, X_OK) < 0 || stat(to->path, &stat_of) < 0 ||
            !S_ISREG(stat_of.st_mode))
            return false;
        fd = open(to->path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            *why = "cannot be read";
            return false;
        }
        got = read(fd, head, HEAD);
        close(fd);
        if (got >= 2 && head[0] == '#' && head[1] == '!') {
            if (!take_script(to, head))
                return false;
            continue;
        }
        if (got < (ssize_t)sizeof elf || memcmp(head, ELFMAG, SELFMAG) != 0)
            return false;
        memcpy(&elf, head, sizeof elf);
        if (elf.e_ident[EI_CLASS] == ELFCLASS64 &&
            qemu_machine_of_elf(elf.e_machine) == machine)
            return true;
        *why = "is for another machine";
        return false;
    }
    return false;
}

/* --- replacing this process ------------------------------------------------------------------------------ */

/* Variables that would affect the emulator itself if they were in its environment. */
static bool is_for_guest_only(const char *variable)
{
    return (strncmp(variable, "LD_", 3) == 0 || strncmp(variable, "QEMU_", 5) == 0 ||
               strncmp(variable, "GLIBC_TUNABLES=", 15) == 0) &&
           !strchr(variable, ',');
}

static void become(const struct target *to, const struct words *env)
{
    static char environment[] = "-E", name[] = "-0";
    struct words argv = {0}, outer = {0};

    for (uint32_t i = 0; i < nown; i++) {
        /* Omitted: variables of the old environment. */
        if (strcmp(own[i], "-E") == 0 && i + 1 < nown)
            i++;
        else
            add(&argv, own[i]);
    }
    for (uint32_t i = 0; i < env->count; i++)
        if (is_for_guest_only(env->word[i])) {
            add(&argv, environment);
            add(&argv, env->word[i]);
        } else {
            add(&outer, env->word[i]);
        }
    add(&argv, name);
    add(&argv, to->argv.count ? to->argv.word[0] : to->path);
    add(&argv, to->path);
    for (uint32_t i = 1; i < to->argv.count; i++)
        add(&argv, to->argv.word[i]);
    add(&argv, NULL);
    add(&outer, NULL);
    execve("/proc/self/exe", argv.word, outer.word);
}

/* The path of a program relative to an open directory. */
static char *path_in(int folder, char *path)
{
    char link[64], *out;
    ssize_t length;

    if (strcmp(path, "/proc/self/exe") == 0 && program)
        return trod_copy(memory, program);
    if (path[0] == '/' || (folder == AT_FDCWD && path[0]))
        return path;
    out = trod_new(memory, char, PATH_MAX + strlen(path) + 2);
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    length = readlink(link, out, PATH_MAX);
    if (length <= 0)
        return NULL;
    if (path[0]) {
        out[length] = '/';
        memcpy(out + length + 1, path, strlen(path) + 1);
    }
    return out;
}

void qemu_exec_enter(uint64_t base, int folder, uint64_t path, uint64_t argv,
    uint64_t envp, void (*before)(void), const char **why)
{
    struct trod_mark mark = trod_arena_mark(memory);
    struct target to;
    struct words env;

    *why = NULL;
    to.path = nown && path ? read_string(path + base) : NULL;
    if (to.path)
        to.path = path_in(folder, to.path);
    if (to.path && read_words(&to.argv, base, argv) && read_words(&env, base, envp) &&
        find_program(&to, why)) {
        before();
        become(&to, &env);
    }
    trod_arena_rewind(memory, mark);
}
