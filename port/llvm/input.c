#include "cc/cc.h"
#include "file/file.h"
#include "llvm/command.h"
#include "llvm/port.h"
#include "zstd/zstd_port.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Noreturn void trod_llvm_fail(const struct trod_err *err)
{
    fprintf(stderr, "trod: %s\n", err->text);
    trod_bridge_remove_files();
    exit((int)err->code);
}

char *trod_llvm_command(struct trod_arena *mem)
{
    static const char head[] = TROD_COMMAND_HEAD;
    const char *number = getenv("TROD_COMMAND_FD");
    char first[sizeof head - 1], *text;
    size_t length = 0, size;
    struct stat file;
    uint64_t fd;

    if (!number || !trod_text_uint(&fd, number) || fd > INT_MAX ||
        fstat((int)fd, &file) != 0 || !S_ISREG(file.st_mode) ||
        pread((int)fd, first, sizeof first, 0) != (ssize_t)sizeof first ||
        memcmp(first, head, sizeof first) != 0)
        return NULL;
    size = (size_t)file.st_size - sizeof first;
    text = trod_new(mem, char, size + 1);
    while (length < size) {
        ssize_t n = pread(
            (int)fd, text + length, size - length, (off_t)(sizeof first + length));

        if (n <= 0)
            return NULL;
        length += (size_t)n;
    }
    return text;
}

static bool records_all(void)
{
    const char *record = getenv(trod_cc_option[TROD_CC_RECORD].variable);

    return record && strcmp(record, "all") == 0;
}

/* Is it the working directory of the compiler, however the path is spelled? */
static bool is_working_folder(const char *folder)
{
    struct stat named, own;

    return *folder == '/' && stat(folder, &named) == 0 && stat(".", &own) == 0 &&
           named.st_dev == own.st_dev && named.st_ino == own.st_ino;
}

/* Removes the user's home directory, or otherwise the first directory of the path. A directory that
 * the user substituted is kept. */
const char *trod_llvm_directory(struct trod_arena *mem)
{
    const char *folder = getenv("TROD_DIRECTORY"), *home = getenv("HOME"), *rest;
    size_t n = home ? strlen(home) : 0;

    if (!folder || records_all() || !is_working_folder(folder))
        return folder;
    if (n > 1 && strncmp(folder, home, n) == 0 && folder[n] == '/')
        return folder + n + 1;
    rest = strchr(folder + 1, '/');
    return rest && rest[1] ? rest + 1 : trod_copy_text(mem, ".", 1);
}

const char *trod_llvm_file(const char *name, struct trod_arena *mem)
{
    const char *folder = getenv("TROD_DIRECTORY");

    return !folder || records_all() || !is_working_folder(folder) ||
                   strncmp(name, "/usr/", 5) == 0
               ? name
               : trod_only_relative(folder, name, mem);
}

bool trod_llvm_read_bytes(char **out, size_t *length, const char *path,
    struct trod_arena *mem, struct trod_err *err)
{
    int error = trod_file_load(out, length, path, mem);

    return !error || trod_fail(err, TROD_E_SYSTEM, "%s: %s", path, strerror(error));
}

bool trod_llvm_read_profile(struct trod_profile *out, const char *path,
    const char *bytes, size_t length, const char *else_, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_profile_read_options options = {
        .name = path, .codec = &trod_zstd_codec};
    struct trod_profile_health health;
    struct trod_text text;
    bool more = true;

    if (trod_profile_is_binary((const uint8_t *)bytes, length))
        return trod_profile_read(
            out, &health, (const uint8_t *)bytes, length, &options, mem, err);
    trod_text_init(&text, path, bytes, length);
    if (!trod_profile_parse(out, &more, &text, mem, err))
        return false;
    return more ||
           trod_fail(err, TROD_E_INPUT, "%s: neither a profile nor %s", path, else_);
}
