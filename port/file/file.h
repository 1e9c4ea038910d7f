/* port/file: whole files, read and replaced. All of it reports errors as errno does: 0 is success.
 */
#ifndef TROD_FILE_H
#define TROD_FILE_H

#include <signal.h>
#include <sys/stat.h>

#include "base/base.h"

/* --- file.c: all bytes --------------------------------------------------------------------- */

/* What is left to be read; a NUL is after it. Holes of a sparse file are not read, and take no memory. */
int trod_file_read(char **out, size_t *length, int fd, struct trod_arena *mem);

/* The same, and which bytes of it are not in holes. */
struct trod_file_data {
    char *bytes;
    size_t length;
    struct trod_extent *extent; /* ascending */
    uint32_t nextent, room;
};
int trod_file_read_data(struct trod_file_data *out, int fd, struct trod_arena *mem);

/* The same of a file by its name. */
int trod_file_load(
    char **out, size_t *length, const char *path, struct trod_arena *mem);

int trod_file_write(int fd, const char *bytes, size_t length);

/* --- beside.c: files that are replaced when they are whole -------------------------------- */

struct trod_file_beside {
    const char *target;    /* the file that is replaced: what links lead to */
    const char *temporary; /* what takes its place; NULL: its bytes are written over */
    bool exists, direct;   /* direct: pipes and devices, to which fd leads */
    bool watched;
    struct stat before; /* if it exists */
    int fd;             /* to write to */
    struct sigaction before_signal[4], before_size;
};

/* Begin a file of this name. watch: a signal that ends the process takes away what was begun; for programs that own the
 * handlers of their process
 */
int trod_file_begin(
    struct trod_file_beside *out, const char *path, bool watch, struct trod_arena *mem);

/* All is written, or could not be because of this error: put it in its place, or take it away. On failure, the file is as it
 * was.
 */
int trod_file_end(struct trod_file_beside *b, int error);

#endif
