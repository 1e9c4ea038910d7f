/* port/file: read and replace whole files. All functions return an errno; 0 is success. */
#ifndef TROD_FILE_H
#define TROD_FILE_H

#include <signal.h>
#include <sys/stat.h>

#include "base/base.h"

/* --- file.c: reading ----------------------------------------------------------------------- */

/* Read the rest of a file, and append a NUL. Holes of a sparse file are not read and take no memory. */
int trod_file_read(char **out, size_t *length, int fd, struct trod_arena *mem);

/* The same, and which parts are not holes. */
struct trod_file_data {
    char *bytes;
    size_t length;
    struct trod_extent *extent; /* ascending */
    uint32_t nextent, room;
};
int trod_file_read_data(struct trod_file_data *out, int fd, struct trod_arena *mem);

/* The same for a file by name. */
int trod_file_load(
    char **out, size_t *length, const char *path, struct trod_arena *mem);

int trod_file_write(int fd, const char *bytes, size_t length);

/* --- pieces.c: reading parts ---------------------------------------------------------------- */

/* A file that is read where its bytes are wanted. It may change meanwhile: it is never mapped, so that bytes that
 * are cut off become 0 instead of ending the process.
 */
struct trod_file_pieces {
    int fd;
    size_t length; /* when it was asked for */
    int error;     /* the first one; 0: none */
};

/* Also read its first bytes. False if it is not a file that can be read like this, from its start on, or is shorter.
 */
bool trod_file_pieces_begin(
    struct trod_file_pieces *out, int fd, uint8_t *head, size_t nhead);
/* needs:  pieces stays where it is */
struct trod_source trod_file_source(struct trod_file_pieces *pieces);

/* --- beside.c: files that are replaced when complete -------------------------------------- */

struct trod_file_beside {
    const char *target; /* the file to replace, with links followed */
    const char
        *temporary; /* the file that replaces it; NULL: it is overwritten in place */
    bool exists, direct; /* direct: a pipe or device that fd refers to */
    bool watched;
    struct stat before; /* if it exists */
    int fd;             /* to write to */
    struct sigaction before_signal[4], before_size;
};

/* Begin to write a file. watch: remove the temporary file if a signal ends the process; only for
 * programs that own the signal handlers of their process
 */
int trod_file_begin(
    struct trod_file_beside *out, const char *path, bool watch, struct trod_arena *mem);

/* Finish a file: replace the target, or, if writing failed with this error, remove the temporary
 * file. On failure, the target is unchanged.
 */
int trod_file_end(struct trod_file_beside *b, int error);

#endif
