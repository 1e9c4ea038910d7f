#include "look/html_kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct facts {
    struct cli *cli;
    struct trod_page_fact *fact;
    uint32_t count, room;
};

static void add_fact(struct facts *f, const char *what, const char *value)
{
    if (!value || !*value)
        return;
    trod_push(
        &f->cli->mem, f->fact, f->count, f->room, (struct trod_page_fact){what, value});
}

static const char *text_of(struct cli *cli, uint64_t number)
{
    return trod_format(&cli->mem, "%" PRIu64, number);
}

static const char *field_of(const struct trod_profile_run *run, const char *key)
{
    for (uint32_t i = 0; i < run->nfield; i++)
        if (strcmp(run->field[i].key, key) == 0)
            return run->field[i].value;
    return NULL;
}

static const char several[] = "several";

/* The value common to all runs; `several` if they differ, NULL if no run has one. */
static const char *common(const struct trod_profile *profile, const char *key)
{
    const char *value = NULL;

    for (uint32_t i = 0; i < profile->nrun; i++) {
        const char *own = field_of(&profile->run[i], key);

        if (own && value && strcmp(own, value) != 0)
            return several;
        value = own ? own : value;
    }
    return value;
}

/* The start of the first run in UTC: a page must not depend on where it is made. */
static const char *first_start(struct cli *cli, const struct trod_profile *profile)
{
    long long first = 0;
    char text[40];
    time_t when;
    struct tm parts;

    for (uint32_t i = 0; i < profile->nrun; i++) {
        const char *start = field_of(&profile->run[i], "start");
        long long seconds = start ? strtoll(start, NULL, 10) : 0;

        if (seconds > 0 && (!first || seconds < first))
            first = seconds;
    }
    when = (time_t)first;
    if (!first || !gmtime_r(&when, &parts) ||
        !strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts))
        return NULL;
    return trod_copy(&cli->mem, text);
}

/* For more modules than this, only their number is shown. */
enum { MOST_MODULES = 3 };

static void add_modules(struct facts *f, const struct trod_profile *profile)
{
    uint32_t n = profile->nmodule;

    if (n)
        add_fact(f, "mode", trod_profile_mode_name(profile->module[0].mode));
    if (n > MOST_MODULES)
        add_fact(f, "modules", text_of(f->cli, n));
    for (uint32_t i = 0; i < n && n <= MOST_MODULES; i++) {
        if (n > 1)
            add_fact(f, "module", profile->module[i].path);
        add_fact(f, "build id", profile->module[i].build_id);
    }
}

/* The format's word "order" means that the process ended normally. */
static const char *ending(const char *word)
{
    return word && strcmp(word, "order") == 0 ? "normal" : word;
}

/* Three digits suffice. Several runs have several times. */
static const char *seconds(struct cli *cli, const char *text)
{
    char *end, brief[48];
    double value = text ? strtod(text, &end) : 0;

    if (!text || end == text || *end)
        return text;
    snprintf(brief, sizeof brief, "%.3g s", value);
    return trod_copy(&cli->mem, brief);
}

void cli_html_facts(struct trod_page *page, struct cli *cli)
{
    const struct trod_profile *profile = page->profile;
    const char *program = common(profile, "program");
    struct facts f = {.cli = cli};

    if (!program && profile->nmodule)
        program = profile->module[0].path;
    add_fact(&f, "program", program);
    add_modules(&f, profile);
    add_fact(&f, "runs", text_of(cli, profile->nrun));
    add_fact(&f, "first run", first_start(cli, profile));
    add_fact(&f, "exit", ending(common(profile, "exit")));
    add_fact(&f, "duration", seconds(cli, common(profile, "duration")));
    add_fact(&f, "host", common(profile, "host"));
    add_fact(&f, "trod", TROD_VERSION);
    page->fact = f.fact;
    page->nfact = f.count;
    if (program && strrchr(program, '/'))
        program = strrchr(program, '/') + 1;
    page->title = program == several ? "several programs" : program ? program : "trod";
}
