#include "commands.h"
#include "input/input.h"
#include "output/output.h"
#include "stage/subject.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_EXPANDED = 100000000, /* terminals, by default */
    HOT_SHOWN = 16             /* terminals shown of a rule */
};

/* A grammar that was read or built, and its origin. */
struct given {
    struct cli_subject place;
    struct trod_grammar grammar;
    bool made; /* built here, not read */
};

/* --- building ----------------------------------------------------------------------- */

static bool add(uint64_t terminal, void *builder)
{
    trod_grammar_add(builder, terminal);
    return true;
}

static bool can_expand(
    struct cli *cli, const struct given *g, uint64_t most, const char *remedy)
{
    struct trod_grammar_sizes sizes;

    trod_grammar_sizes(&sizes, &g->grammar, &cli->mem);
    if (sizes.nterminal <= MOST_EXPANDED || (most && most <= MOST_EXPANDED))
        return true;
    trod_err_set(&cli->err, TROD_E_LIMIT,
        "grammar '%s' produces more than %d terminals; %s", g->grammar.name,
        MOST_EXPANDED, remedy);
    return cli_place(cli, &g->place);
}

/* Build a grammar of the same sequence again. */
static void make_again(struct trod_grammar *out, struct cli *cli,
    const struct trod_grammar *grammar, uint64_t most)
{
    struct trod_grammar_builder builder;

    trod_grammar_builder_init(&builder, most, &cli->mem, &cli->mem);
    trod_grammar_expand(grammar, add, &builder, &cli->mem);
    trod_grammar_build(out, &builder, grammar->name);
}

static void make(
    struct trod_grammar *out, struct cli *cli, const struct trod_sequence *sequence)
{
    struct trod_grammar_builder builder;

    trod_grammar_builder_init(
        &builder, cli->options.most_symbols, &cli->mem, &cli->mem);
    for (size_t i = 0; i < sequence->count; i++)
        trod_grammar_add(&builder, sequence->terminal[i]);
    trod_grammar_build(out, &builder, sequence->name);
}

/* --- output ------------------------------------------------------------------------- */

static void put_sizes(struct cli *cli, const struct trod_grammar *grammar)
{
    static const char *const column[] = {"terminals", "symbols", "rules", "parts",
        "depth", "ratio", "unbounded", "cost"};
    bool bounded = cli->options.most_symbols > 0;
    struct trod_grammar_sizes sizes, whole;
    struct trod_grammar one;
    struct cli_table table;

    trod_grammar_sizes(&sizes, grammar, &cli->mem);
    cli_table_init(&table, "sizes", column, bounded ? 8 : 6, &cli->mem);
    cli_table_uint(&table, sizes.nterminal);
    cli_table_uint(&table, sizes.nsymbol);
    cli_table_uint(&table, sizes.nrule);
    cli_table_uint(&table, sizes.npart);
    cli_table_uint(&table, sizes.depth);
    cli_table_real(&table, sizes.ratio);
    if (bounded) {
        make_again(&one, cli, grammar, 0);
        trod_grammar_sizes(&whole, &one, &cli->mem);
        cli_table_uint(&table, whole.nsymbol);
        cli_table_share(&table,
            whole.nsymbol ? (double)sizes.nsymbol / (double)whole.nsymbol - 1 : 0);
    }
    cli_table_put(cli, &table, grammar->name,
        bounded ? "sizes, and what the bound costs" : "sizes");
}

static bool put_few(uint64_t terminal, void *ctx)
{
    struct trod_sequence_printer *p = ctx;

    if (p->nprinted == p->most) {
        trod_put(p->sink, " ...");
        return false;
    }
    trod_put(p->sink, "%s%" PRIu64, p->nprinted++ ? " " : "", terminal);
    return true;
}

static void put_hot(struct cli *cli, const struct trod_grammar *grammar)
{
    static const char *const column[] = {
        "part", "rule", "count", "length", "weight", "share", "expansion"};
    struct trod_grammar_sizes sizes;
    struct trod_grammar_hot *hot;
    struct cli_table table;
    size_t n = trod_grammar_hot(&hot, grammar, &cli->mem);

    trod_grammar_sizes(&sizes, grammar, &cli->mem);
    cli_table_init(&table, "hot", column, sizeof column / sizeof *column, &cli->mem);
    for (size_t i = 0; i < n && i < cli->options.hot; i++) {
        struct trod_string name, text;
        struct trod_sequence_printer printer = {.sink = &text.sink, .most = HOT_SHOWN};

        trod_string_init(&name, &cli->mem);
        trod_put(&name.sink, "R%" PRIu32, hot[i].rule);
        trod_string_init(&text, &cli->mem);
        trod_grammar_expand_rule(
            &grammar->part[hot[i].part], hot[i].rule, put_few, &printer, &cli->mem);
        cli_table_uint(&table, hot[i].part + 1);
        cli_table_words(&table, name.text);
        cli_table_uint(&table, hot[i].count);
        cli_table_uint(&table, hot[i].length);
        cli_table_uint(&table, hot[i].weight);
        cli_table_share(&table,
            sizes.nterminal ? (double)hot[i].weight / (double)sizes.nterminal : 0);
        cli_table_words(&table, text.text);
    }
    cli_table_put(cli, &table, grammar->name, "hot rules");
}

struct to_json {
    struct trod_json *json;
    uint64_t n, most;
};

static bool put_json(uint64_t terminal, void *ctx)
{
    struct to_json *to = ctx;

    if (to->most && to->n == to->most)
        return false;
    trod_json_uint(to->json, NULL, terminal);
    to->n++;
    return true;
}

static bool put_expanded(struct cli *cli, const struct given *g)
{
    uint64_t most = cli->options.most;
    struct trod_sequence_printer printer = {.sink = &cli->out.sink, .most = most};
    struct to_json to = {.json = &cli->json, .most = most};

    if (!can_expand(cli, g, most, "limit the output with --most=N"))
        return false;
    if (cli->options.form == CLI_JSON) {
        trod_json_open(&cli->json, "sequence", '[');
        trod_grammar_expand(&g->grammar, put_json, &to, &cli->mem);
        trod_json_close(&cli->json, ']');
        return true;
    }
    cli_out_gap(cli);
    trod_sequence_print_head(&cli->out.sink, g->grammar.name);
    trod_grammar_expand(&g->grammar, trod_sequence_print_next, &printer, &cli->mem);
    trod_sequence_print_end(&printer);
    return true;
}

static void put_grammar(struct cli *cli, const struct trod_grammar *grammar)
{
    if (cli->options.form == CLI_JSON) {
        trod_grammar_json(&cli->json, "parts", grammar);
        return;
    }
    cli_out_gap(cli);
    trod_grammar_print(&cli->out.sink, grammar);
}

static bool put(struct cli *cli, const struct given *g)
{
    const struct cli_options *o = &cli->options;

    if (o->form == CLI_JSON) {
        trod_json_open(&cli->json, NULL, '{');
        trod_json_text(&cli->json, "name", g->grammar.name);
    }
    if (o->expand && !put_expanded(cli, g))
        return false;
    if (o->sizes)
        put_sizes(cli, &g->grammar);
    if (o->hot)
        put_hot(cli, &g->grammar);
    if (!o->expand && !o->sizes && !o->hot)
        put_grammar(cli, &g->grammar);
    if (o->form == CLI_JSON)
        trod_json_close(&cli->json, '}');
    return true;
}

/* --- sections ----------------------------------------------------------------------- */

static bool check(struct cli *cli, struct given *g)
{
    if (!cli->options.check && !(TROD_CHECKED && g->made))
        return true;
    return trod_grammar_check(&g->grammar, &cli->mem, &cli->err) ||
           cli_checked(cli, &g->place, !g->made,
               "'trod stage grammar --expand' prints the sequence, from which it can be rebuilt");
}

static bool read_grammar(
    struct given *g, struct cli *cli, const char *name, struct trod_text *text)
{
    struct trod_grammar given;

    if (!trod_grammar_parse(&g->grammar, name, text, &cli->mem, &cli->err) ||
        !check(cli, g))
        return false;
    if (!cli->options.most_symbols)
        return true;
    if (!can_expand(cli, g, 0, "this is too long to rebuild it for --most-symbols"))
        return false;
    given = g->grammar;
    make_again(&g->grammar, cli, &given, cli->options.most_symbols);
    g->made = true;
    return check(cli, g);
}

static bool read_sequence(
    struct given *g, struct cli *cli, const char *name, struct trod_text *text)
{
    struct trod_sequence sequence;

    if (!trod_sequence_parse(&sequence, name, text, &cli->mem, &cli->err))
        return false;
    make(&g->grammar, cli, &sequence);
    g->made = true;
    return check(cli, g);
}

static bool read_section(
    struct given *g, struct cli *cli, const char *head, struct trod_text *text)
{
    struct trod_token name;
    uint32_t line = text->line;

    *g = (struct given){.place = {.file = text->file, .line = line}};
    if (!trod_text_next(&name, text, &cli->mem, &cli->err))
        return false;
    if (name.kind == TROD_T_NAME && strcmp(head, "sequence") == 0)
        return read_sequence(g, cli, name.name, text);
    if (name.kind == TROD_T_NAME && strcmp(head, "grammar") == 0)
        return read_grammar(g, cli, name.name, text);
    text->line = line;
    return trod_text_fail(text, &cli->err,
        "expected the head of a section, 'sequence NAME' or 'grammar NAME', or a line of "
        "one: numbers of a sequence, 'R0: ...' or 'part' of a grammar");
}

static bool put_section(struct cli *cli, const char *head, struct trod_text *text)
{
    struct given g;

    return read_section(&g, cli, head, text) && put(cli, &g);
}

static bool put_file(struct cli *cli, const char *path, void *ctx)
{
    (void)ctx;
    return cli_in_sections(cli, path, put_section, "'sequence NAME' or 'grammar NAME'");
}

bool cli_grammar(struct cli *cli)
{
    if (cli->options.most_symbols > TROD_GRAMMAR_MOST)
        return cli_misused(
            cli, "--most-symbols is at most %" PRIu64, TROD_GRAMMAR_MOST);
    if (cli->options.most && !cli->options.expand)
        return cli_misused(cli, "--most needs --expand");
    cli_profiles_open_json(cli, "grammars");
    if (!cli_profiles_each(cli, put_file, NULL))
        return false;
    cli_profiles_close_json(cli);
    return true;
}
