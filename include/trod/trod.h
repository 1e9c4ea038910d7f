/* trod: read path profiles from a program of your own.
 *
 *     files of profiles + maps in the binaries -> trod_data -> functions, paths, lines
 *
 *     const char *file[] = {"app.1234.trod", "app.1235.trod"};
 *     struct trod_failure why;
 *     struct trod_data *data = trod_data_open(file, 2, NULL, &why);
 *     if (!data) {
 *         fprintf(stderr, "%s\n", why.text);
 *         return why.status;
 *     }
 *     for (size_t f = 0; f < trod_data_nfunction(data); f++) {
 *         const struct trod_data_function *function = trod_data_function(data, f);
 *         for (size_t p = 0; p < function->npath; p++)
 *             printf("%s %s\n", function->name, trod_data_path_text(data, f, p));
 *     }
 *     trod_data_close(data);
 *
 * Other libraries of trod have separate headers: <trod/online.h> samples hot subpaths in interpreters and JIT compilers,
 * <trod/burst.h> is for programs that run their own code in bursts.
 *
 * Memory: everything that the library returns belongs to the trod_data and lives until trod_data_close().
 * Threads: a trod_data may be used by one thread at a time; different ones are independent.
 * Stability: TROD_API changes when a program that was compiled against an older header would break. Fields are only
 * ever added at the end of structs that the library hands out.
 */
#ifndef TROD_TROD_H
#define TROD_TROD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TROD_API 1

/* The TROD_API of the linked library, and its version as "0.1.0". */
int trod_api(void);
const char *trod_version(void);

/* Why something failed: a message that names the thing and the remedy. */
struct trod_failure {
    int status; /* as the command would exit: 3 bad input, 4 does not match, 5 system */
    char text[1000];
};

struct trod_data;

/* Read profiles and add them up. Names and lines come from the maps in the binaries that ran, if these still exist
 * and are of the same build; or from a binary or a file of `trod split` (NULL: none).
 *
 * fails:  NULL, and *why has the reason
 */
struct trod_data *trod_data_open(const char *const *file, size_t nfile,
    const char *binary, struct trod_failure *why);
void trod_data_close(struct trod_data *data);

/* Write the sum as one compressed profile, as `trod merge -o` does. The file is replaced when it is complete.
 *
 * fails:  false, and *why has the reason
 */
bool trod_data_write(
    struct trod_data *data, const char *file, struct trod_failure *why);

/* What is missing from the data, one text each: maps that were not found, counts that were lost. */
size_t trod_data_nnote(const struct trod_data *data);
const char *trod_data_note(const struct trod_data *data, size_t note);

struct trod_data_function {
    const char *name;    /* demangled; "?" and a hash if no map has it */
    const char *linkage; /* linkage name; NULL: unknown */
    const char *file;    /* as given to the compiler; NULL: unknown */
    uint32_t line;       /* of its name; 0: unknown */
    uint64_t npossible;  /* number of possible paths */
    size_t npath;        /* number of paths that ran */
    uint64_t count;      /* sum of their counts */
};

/* Functions in which a path ran, in the order of their modules; the most frequent path of each is the first. */
size_t trod_data_nfunction(const struct trod_data *data);
const struct trod_data_function *trod_data_function(
    const struct trod_data *data, size_t function);

struct trod_data_path {
    uint64_t id; /* from 0 to npossible - 1 */
    uint64_t count;
};

const struct trod_data_path *trod_data_path(
    const struct trod_data *data, size_t function, size_t path);

/* A path on one line, as `trod report --brief` prints it: "entry 12:T 15:F x2 return 31". NULL: no map has the
 * function.
 */
const char *trod_data_path_text(struct trod_data *data, size_t function, size_t path);

/* The lines that a path is on, in order, without consecutive duplicates. NULL and 0: unknown. */
const uint32_t *trod_data_path_lines(
    struct trod_data *data, size_t function, size_t path, size_t *nline);

#ifdef __cplusplus
}
#endif

#endif
