/* Print the ten hottest paths of some profiles: the library in sixty lines.
 *
 *     cc -o hottest hottest.c $(pkg-config --cflags --libs trod)
 *     ./hottest app.*.trod
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <trod/trod.h>

static struct trod_data *data;

struct row {
    size_t function, path;
};

static uint64_t count_of(const struct row *row)
{
    return trod_data_path(data, row->function, row->path)->count;
}

static int hottest_first(const void *a, const void *b)
{
    uint64_t x = count_of((const struct row *)a), y = count_of((const struct row *)b);

    return (x < y) - (x > y);
}

int main(int argc, char **argv)
{
    struct trod_failure why;
    struct row *row = NULL;
    size_t nrow = 0;

    data = trod_data_open((const char *const *)argv + 1, (size_t)argc - 1, NULL, &why);
    if (!data) {
        fprintf(stderr, "hottest: %s\n", why.text);
        return why.status;
    }
    for (size_t f = 0; f < trod_data_nfunction(data); f++)
        for (size_t p = 0; p < trod_data_function(data, f)->npath; p++) {
            row = (struct row *)realloc(row, (nrow + 1) * sizeof *row);
            if (!row)
                return 5;
            row[nrow].function = f;
            row[nrow++].path = p;
        }
    if (nrow)
        qsort(row, nrow, sizeof *row, hottest_first);
    for (size_t i = 0; i < nrow && i < 10; i++) {
        const char *text = trod_data_path_text(data, row[i].function, row[i].path);

        printf("%10" PRIu64 "  %s  %s\n", count_of(&row[i]),
            trod_data_function(data, row[i].function)->name, text ? text : "?");
    }
    free(row);
    trod_data_close(data);
    return 0;
}
