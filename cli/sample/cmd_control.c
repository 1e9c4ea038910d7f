#include "commands.h"
#include "output/output.h"
#include "sample/controlled.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trod/burst.h"
#include "trod/online.h"
#include "zstd/zstd_port.h"

/* --- what is asked ---------------------------------------------------------------------------------- */

static bool is_changed(const struct cli_options *o)
{
    return o->turn_on || o->turn_off || o->reset || o->rate.count || o->burst.count ||
           o->types || o->budget;
}

/* "--rate=calls=50" is "rate.calls=50", "--rate=50" is "rate=50". */
static void put_values(
    struct trod_sink *sink, const char *key, const struct cli_list *values)
{
    for (uint32_t i = 0; i < values->count; i++) {
        const char *value = values->item[i], *is = strchr(value, '=');

        if (is)
            trod_put(sink, ",%s.%.*s=%s", key, (int)(is - value), value, is + 1);
        else
            trod_put(sink, ",%s=%s", key, value);
    }
}

/* What for one type was said wins, wherever it stands. */
static const char *burst_text(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    put_values(&text.sink, "rate", &o->rate);
    put_values(&text.sink, "burst", &o->burst);
    if (o->types)
        trod_put(&text.sink, ",types=%s", o->types);
    if (o->budget)
        trod_put(&text.sink, ",budget=%s", o->budget);
    return text.length ? text.text + 1 : "";
}

static const char *names_of(struct cli *cli, uint32_t types)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++)
        if (types >> t & 1)
            trod_put(
                &text.sink, "%s%s", text.length ? "+" : "", trod_profile_type_name(t));
    return text.text;
}

static bool set_bursts(
    struct trod_format_setting *s, struct cli *cli, const struct cli_controlled *c)
{
    const char *why = trod_burst_set(s, c->block->trigger, burst_text(cli));

    if (why)
        return cli_misused(cli, "%s", why);
    if (c->block->trigger == TROD_BURST_FLAG && cli->options.rate.count)
        return cli_misused(cli,
            "--rate: %s tests a flag, which time sets; use --burst or --budget, or build it with "
            "trigger=count",
            c->path);
    if (s->types & ~c->block->types)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "--types: %s was built without %s, only with %s; build it with 'trod cc "
            "--burst=types=%s'",
            c->path, names_of(cli, s->types & ~c->block->types),
            names_of(cli, c->block->types), names_of(cli, s->types | c->block->types));
    return true;
}

static bool parse_rate(uint64_t *out, struct cli *cli, const char *text)
{
    return (trod_text_uint(out, strncmp(text, "1/", 2) == 0 ? text + 2 : text) &&
               *out && *out <= UINT64_C(1) << 40) ||
           cli_misused(cli,
               "--rate: '%s' is not a whole number from 1 to 2^40; N or 1/N starts a sample at one "
               "block of N",
               text);
}

/* The rate rises by itself when memory is full, and never falls. */
static double highest_rate(struct cli *cli, const char *path)
{
    struct cli_profiles in;
    double most = 0;

    if (!cli_profiles_read(&in, cli, path, &cli->mem))
        return 0;
    for (uint32_t i = 0; i < in.count; i++)
        for (uint32_t k = 0; k < in.profile[i].nsamples; k++) {
            const struct trod_format_sample *how = &in.profile[i].samples[k].how;
            double f = how->frequency[how->level % TROD_SAMPLE_LEVELS];

            most = f > most ? f : most;
        }
    return most;
}

static bool set_online(
    struct trod_format_setting *s, struct cli *cli, const struct cli_controlled *c)
{
    const struct cli_options *o = &cli->options;
    double now;

    if (o->types || o->burst.count)
        return cli_misused(cli,
            "%s samples block sequences: it has no types or bursts; use --on, --off, --rate, "
            "--budget or --reset, or build it with 'trod cc --burst'",
            c->path);
    if (o->budget && !trod_online_budget(&s->budget, o->budget))
        return cli_misused(cli,
            "--budget: '%s' is not a share of the time; say 2%% or 0.02, or 0 for none",
            o->budget);
    if (!o->rate.count)
        return true;
    if (!parse_rate(&s->rate[0], cli, o->rate.item[o->rate.count - 1]))
        return false;
    s->rate[1] = s->rate[0];
    now = highest_rate(cli, c->path);
    return (double)s->rate[0] >= now || o->reset ||
           cli_misused(cli,
               "--rate: samples that are kept stand for %.0f blocks each, so a rate below that "
               "needs --reset, which drops them",
               now);
}

static bool set(
    struct trod_format_setting *s, struct cli *cli, const struct cli_controlled *c)
{
    const struct cli_options *o = &cli->options;

    if (c->is_damaged && (!o->rate.count || o->turn_on == o->turn_off))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: its control section is damaged, and the program goes on as before; say all of it "
            "anew: --on or --off, --rate, and what else is not as by default",
            c->path);
    *s = c->before;
    s->on = o->turn_on || (s->on && !o->turn_off);
    s->nreset += o->reset;
    return c->block->kind == TROD_CONTROL_BURST ? set_bursts(s, cli, c)
                                                : set_online(s, cli, c);
}

/* --- snapshots -------------------------------------------------------------------------------------- */

static const char *snapshot_name(struct cli *cli, const char *path)
{
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    if (strncmp(path, "/proc/", 6) == 0)
        trod_put(
            &text.sink, "process-%.*s.snapshot", (int)strcspn(path + 6, "/"), path + 6);
    else
        trod_put(&text.sink, "%s.snapshot", base);
    return text.text;
}

static bool take_snapshot(
    struct cli *cli, const struct cli_list *files, const char *name)
{
    struct trod_profile profile;
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    return cli_profiles_sum(&profile, cli, files) &&
           trod_profile_write(
               &text.sink, &profile, &trod_zstd_codec, &cli->mem, &cli->err) &&
           cli_out_file(cli, name, &text);
}

/* With a name one of all files, otherwise one of each. */
static bool take_snapshots(struct cli *cli, const struct cli_list *files)
{
    const struct cli_list *said = &cli->options.snapshot;

    if (!said->count)
        return true;
    if (said->item[said->count - 1])
        return take_snapshot(cli, files, said->item[said->count - 1]);
    for (uint32_t i = 0; i < files->count; i++) {
        struct cli_list one = {.item = files->item + i, .count = 1};

        if (!take_snapshot(cli, &one, snapshot_name(cli, files->item[i])))
            return false;
    }
    return true;
}

/* --- one program ------------------------------------------------------------------------------------- */

static void put_text(struct cli *cli, const struct cli_controlled *c,
    const struct trod_format_setting *now)
{
    struct trod_sink *sink = &cli->out.sink;

    trod_put(sink, "%s: process %" PRIu32 "\n", c->path, c->block->pid);
    if (now && !c->is_damaged) {
        trod_put(sink, "  before  ");
        cli_control_put(sink, c->block, &c->before);
        trod_put(sink, "\n");
    }
    trod_put(sink, "  now     ");
    if (!now && c->is_damaged)
        trod_put(sink, "unknown: the control section is damaged");
    else
        cli_control_put(sink, c->block, now ? now : &c->before);
    trod_put(sink, "%s\n",
        now && now->nreset != c->before.nreset ? "; counts begin at 0" : "");
}

static void put_json(struct cli *cli, const struct cli_controlled *c,
    const struct trod_format_setting *now, bool followed)
{
    struct trod_json *json = &cli->json;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "file", c->path);
    trod_json_uint(json, "pid", c->block->pid);
    trod_json_text(
        json, "kind", c->block->kind == TROD_CONTROL_BURST ? "burst" : "online");
    trod_json_bool(json, "damaged", c->is_damaged);
    if (!c->is_damaged)
        cli_control_json(json, "before", c->block, &c->before);
    if (now || !c->is_damaged)
        cli_control_json(json, "now", c->block, now ? now : &c->before);
    if (now)
        trod_json_bool(json, "followed", followed);
    trod_json_close(json, '}');
}

static bool change(struct cli *cli, struct cli_controlled *c,
    struct trod_format_setting *now, bool *followed)
{
    enum cli_control_answer answer;

    if (!set(now, cli, c))
        return false;
    cli_control_write(c, now);
    answer = cli_control_wait(c);
    *followed = answer == CLI_CONTROL_FOLLOWED;
    if (answer == CLI_CONTROL_REFUSED)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: the program does not follow: it was built by another version of trod; use that "
            "one",
            c->path);
    if (!*followed)
        cli_note(cli,
            "%s: no thread has followed yet; each does when it next runs functions that were "
            "compiled by trod",
            c->path);
    return true;
}

static bool control(struct cli *cli, const char *path)
{
    bool changes = is_changed(&cli->options), followed = false, ok;
    struct trod_format_setting now;
    struct cli_controlled c;

    if (!cli_control_open(&c, cli, path))
        return false;
    ok = !changes || change(cli, &c, &now, &followed);
    if (ok && cli->options.form == CLI_JSON)
        put_json(cli, &c, changes ? &now : NULL, followed);
    else if (ok)
        put_text(cli, &c, changes ? &now : NULL);
    cli_control_close(&c);
    return ok;
}

/* --- all of them ---------------------------------------------------------------------------------------- */

static bool is_number(const char *text)
{
    return *text && !text[strspn(text, "0123456789")];
}

/* A child of fork still has its parent's profile mapped: keep its own. Inside a container the program has another id, and all
 * of its profiles are kept.
 */
static void keep_own(
    struct cli_list *list, struct cli *cli, uint32_t from, uint64_t pid)
{
    uint32_t n = from;

    for (uint32_t i = from; i < list->count; i++)
        if (cli_control_pid(cli, list->item[i]) == pid) {
            const char *own = list->item[i];

            list->item[i] = list->item[n];
            list->item[n++] = own;
        }
    if (n > from)
        list->count = n;
}

static bool add(struct cli_list *out, struct cli *cli, const char *word)
{
    uint32_t from = out->count;
    uint64_t pid;

    if (!is_number(word)) {
        cli_list_add(cli, out, word);
        return true;
    }
    if (!trod_text_uint(&pid, word) || !cli_process_profiles(out, cli, pid))
        return trod_fail(&cli->err, TROD_E_SYSTEM,
            "process %s cannot be read: it has ended, or is not yours; for a file of this name, "
            "say ./%s",
            word, word);
    keep_own(out, cli, from, pid);
    return out->count > from ||
           trod_fail(&cli->err, TROD_E_INPUT,
               "process %s has no profile: it was not compiled by 'trod cc', or none of its "
               "functions has run yet",
               word);
}

static bool check_options(struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    if (!o->file.count)
        return cli_misused(cli, "name a process by its id, or the profile it writes");
    return !(o->turn_on && o->turn_off) ||
           cli_misused(cli, "--on and --off cannot be combined");
}

bool cli_control(struct cli *cli)
{
    struct cli_list files = {0};
    bool only_snapshot = cli->options.snapshot.count && !is_changed(&cli->options);

    if (!check_options(cli))
        return false;
    for (uint32_t i = 0; i < cli->options.file.count; i++)
        if (!add(&files, cli, cli->options.file.item[i]))
            return false;
    if (!take_snapshots(cli, &files))
        return false;
    if (only_snapshot)
        return true;
    cli_profiles_open_json(cli, "programs");
    for (uint32_t i = 0; i < files.count; i++)
        if (!control(cli, files.item[i]))
            return false;
    cli_profiles_close_json(cli);
    return true;
}
