#include "output/output.h"
#include "test/verdict.h"

#include <inttypes.h>

static const char *text_of_row(struct cli *cli, const struct trod_rows *rows, size_t i)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    trod_row_put(&text.sink, rows, &rows->row[i]);
    return text.text;
}

static void add_row(struct trod_rows *rows, const struct trod_suite *s, uint32_t p)
{
    trod_rows_add(rows, &s->function[s->path[p].function], s->path[p].id, 1, 0);
}

/* --- the first test of each path ------------------------------------------------------------ */

static const char *first_name(const struct trod_suite *s, size_t p)
{
    return s->test[s->test_of_path[s->first_test_of_path[p]]].name;
}

static uint64_t count_tests(const struct trod_suite *s, size_t p)
{
    return s->first_test_of_path[p + 1] - s->first_test_of_path[p];
}

static void print_first(
    struct cli *cli, const struct trod_suite *s, const struct trod_rows *rows)
{
    static const char *const column[] = {"first", "tests", "function and path"};
    struct cli_table table;

    cli_table_init(&table, "first", column, 3, &cli->mem);
    for (size_t i = 0; i < rows->nlisted; i++) {
        size_t p = rows->row[i].order;

        cli_table_file(&table, first_name(s, p));
        cli_table_uint(&table, count_tests(s, p));
        cli_table_words(&table, text_of_row(cli, rows, i));
    }
    trod_put(&cli->out.sink,
        "# %zu of %" PRIu32 " paths: the first of %" PRIu32
        " tests that takes each, and how many do\n",
        rows->nlisted, s->npath, s->ntest);
    cli_table_print(&cli->out.sink, &table);
}

static void json_first(
    struct trod_json *json, const struct trod_suite *s, const struct trod_rows *rows)
{
    trod_json_uint(json, "paths", s->npath);
    trod_json_open(json, "first", '[');
    for (size_t i = 0; i < rows->nlisted; i++) {
        size_t p = rows->row[i].order;

        trod_json_open(json, NULL, '{');
        trod_row_json(json, rows, &rows->row[i]);
        trod_json_text(json, "test", first_name(s, p));
        trod_json_uint(json, "tests", count_tests(s, p));
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

bool cli_first_put(struct cli *cli, struct cli_suite *t)
{
    const struct trod_suite *s = &t->suite;
    struct trod_rows rows;

    /* Rows of one function keep the order in which they were added, by id. */
    t->options.sort = TROD_SORT_FUNCTION;
    t->options.most = t->most;
    trod_rows_init(&rows, &t->map, &t->options, &cli->mem);
    for (uint32_t p = 0; p < s->npath; p++)
        add_row(&rows, s, p);
    trod_rows_finish(&rows);
    if (cli->options.form == CLI_JSON)
        json_first(&cli->json, s, &rows);
    else
        print_first(cli, s, &rows);
    return true;
}

/* --- paths that predict failure --------------------------------------------------------------- */

static void print_suspects(struct cli *cli, const struct trod_suspects *all,
    const struct trod_rows *rows, uint32_t npredict)
{
    static const char *const column[] = {"importance", "increase", "low", "failed",
        "passed", "ochiai", "sure", "function and path"};
    struct trod_sink *sink = &cli->out.sink;
    struct cli_table table;

    cli_table_init(
        &table, "suspects", column, sizeof column / sizeof *column, &cli->mem);
    for (size_t i = 0; i < rows->count; i++) {
        const struct trod_suspect *s = &all->suspect[i];

        cli_table_real(&table, s->importance);
        cli_table_real(&table, s->increase);
        cli_table_real(&table, s->low);
        cli_table_uint(&table, s->nfailed);
        cli_table_uint(&table, s->npassed);
        cli_table_real(&table, s->ochiai);
        cli_table_yes_no(&table, s->sure);
        cli_table_words(&table, text_of_row(cli, rows, i));
    }
    trod_put(sink,
        "# %" PRIu32 " tests failed, %" PRIu32 " passed; of %" PRIu32
        " paths that failing tests take, %" PRIu32
        " go with failure more than their functions do\n",
        all->nfailed, all->npassed, all->nsuspect, npredict);
    if (all->too_few)
        trod_put(sink,
            "# too few tests for a verdict: the list may be due to chance; at least two must "
            "fail and more must pass\n");
    else if (!all->nsure)
        trod_put(
            sink, "# no verdict: none of these paths is statistically significant\n");
    else
        trod_put(sink,
            "# %" PRIu32
            " are individually significant; among so many paths, %.2g could be so by chance\n",
            all->nsure, all->nchance);
    if (rows->count < npredict)
        trod_put(sink, "# the first %zu of them\n", rows->count);
    if (rows->count)
        cli_table_print(sink, &table);
}

static void json_suspects(struct trod_json *json, const struct trod_suspects *all,
    const struct trod_rows *rows)
{
    trod_json_uint(json, "failed", all->nfailed);
    trod_json_uint(json, "passed", all->npassed);
    trod_json_bool(json, "too_few", all->too_few);
    trod_json_uint(json, "paths", all->nsuspect);
    trod_json_uint(json, "sure", all->nsure);
    trod_json_real(json, "by_chance", all->nchance);
    trod_json_open(json, "suspects", '[');
    for (size_t i = 0; i < rows->count; i++) {
        const struct trod_suspect *s = &all->suspect[i];

        trod_json_open(json, NULL, '{');
        trod_row_json(json, rows, &rows->row[i]);
        trod_json_real(json, "importance", s->importance);
        trod_json_real(json, "increase", s->increase);
        trod_json_real(json, "low", s->low);
        trod_json_uint(json, "failed", s->nfailed);
        trod_json_uint(json, "passed", s->npassed);
        trod_json_uint(json, "failed_in_function", s->nfailed_in);
        trod_json_uint(json, "passed_in_function", s->npassed_in);
        trod_json_real(json, "ochiai", s->ochiai);
        trod_json_bool(json, "sure", s->sure);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

bool cli_suspects_put(struct cli *cli, struct cli_suite *t)
{
    struct trod_suspects all;
    struct trod_rows rows;
    uint32_t npredict = 0;

    trod_suite_suspects(&all, &t->suite, &cli->mem);
    if (TROD_CHECKED && !trod_suspects_check(&all, &t->suite, &cli->mem, &cli->err))
        return false;
    /* Paths that predict nothing have no increase, and come last. */
    while (npredict < all.nsuspect && all.suspect[npredict].increase > 0)
        npredict++;
    trod_rows_init(&rows, &t->map, &t->options, &cli->mem);
    for (uint32_t i = 0; i < npredict && i < t->most; i++)
        add_row(&rows, &t->suite, all.suspect[i].path);
    if (cli->options.form == CLI_JSON)
        json_suspects(&cli->json, &all, &rows);
    else
        print_suspects(cli, &all, &rows, npredict);
    return true;
}
