/* Replay inputs through a fuzz target, without libFuzzer: one TAP test per
 * file named, and one for no bytes at all.  What a sanitizer or an assertion
 * finds ends the process, and the plan is then short of tests: a failure.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* The whole file, in memory of just its size so that a read past the end is
 * seen; NULL with errno set if it cannot be read.
 */
static uint8_t *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    long size;

    if (!file)
        return NULL;
    if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0) {
        *length = (size_t)size;
        bytes = malloc(*length ? *length : 1);
        if (bytes && fread(bytes, 1, *length, file) != *length) {
            free(bytes);
            bytes = NULL;
        }
    }
    fclose(file);
    return bytes;
}

static int replay(int number, const char *path)
{
    size_t length;
    uint8_t *bytes = read_whole(path, &length);

    if (!bytes) {
        fprintf(stderr, "# %s: %s\n", path, strerror(errno));
        printf("not ok %d - %s\n", number, path);
        return 1;
    }
    LLVMFuzzerTestOneInput(bytes, length);
    free(bytes);
    printf("ok %d - %s\n", number, path);
    return 0;
}

int main(int argc, char **argv)
{
    static const uint8_t nothing[1];
    int nfailed = 0;

    /* Lines must be out before a crash takes the buffer with it. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("1..%d\n", argc);
    LLVMFuzzerTestOneInput(nothing, 0);
    printf("ok 1 - no bytes\n");
    for (int i = 1; i < argc; i++)
        nfailed += replay(i + 1, argv[i]);
    return nfailed != 0;
}
