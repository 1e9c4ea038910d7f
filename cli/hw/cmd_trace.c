#include "commands.h"
#include "hw/processor.h"
#include "output/output.h"

#include <inttypes.h>

#include "ipt/ipt_port.h"
#include "zstd/zstd_port.h"

enum { STACK = 32 }; /* branches, as in current processors */

/* All analyses that may be requested of a stream, side by side. */
struct wanted {
    struct trod_branch_checker check;
    struct trod_branch_hasher hash;
    struct trod_branch_printer print;
    struct trod_branch_writer write;
    struct trod_ipt_writer packets;
    struct cli_code code;
    struct trod_branch_stack_printer stacks;
    struct trod_branch_tee tee;
    struct trod_branch_sink *to[3];
    size_t count;
};

/* --- output ----------------------------------------------------------------------------------------- */

static void put_findings(struct cli *cli, const struct trod_branch_checker *c)
{
    static const char *const key[TROD_BRANCH_FINDINGS] = {"badCodes", "badFlags",
        "badSequence", "badAccesses", "badThreads", "odd", "returnsAway",
        "returnsThroughOtherSlots", "returnsDown", "returnsAbove"};
    struct trod_json *json = &cli->json;

    trod_json_open(json, "found", '{');
    for (int i = 0; i < TROD_BRANCH_FINDINGS; i++)
        trod_json_uint(json, key[i], c->count[i]);
    trod_json_close(json, '}');
}

static void put_json(
    struct cli *cli, const struct cli_branches *in, const struct wanted *w)
{
    const struct trod_branch_checker *c = &w->check;
    struct trod_json *json = &cli->json;
    struct trod_string hash;

    trod_string_init(&hash, &cli->mem);
    trod_put(&hash.sink, "%016" PRIx64, w->hash.branches);
    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "version", 1);
    trod_json_text(json, "name", in->name);
    trod_json_text(json, "file", in->file);
    trod_json_uint(json, "images", c->nimage);
    trod_json_uint(json, "codes", c->ncode);
    trod_json_uint(json, "threads", c->nthread);
    trod_json_uint(json, "instructions", c->ninsn);
    trod_json_uint(json, "accesses", c->naccess);
    trod_json_uint(json, "runs", c->nrun);
    trod_json_uint(json, "branches", w->hash.nbranch);
    trod_json_open(json, "runsOfKind", '{');
    for (int k = 0; k < TROD_BRANCH_KINDS; k++)
        trod_json_uint(json, trod_branch_kind_name((uint8_t)k), c->nrun_of_kind[k]);
    trod_json_close(json, '}');
    trod_json_uint(json, "taken", c->ntaken);
    put_findings(cli, c);
    trod_json_text(json, "hash", hash.text);
    trod_json_uint(json, "bytes", in->nbyte);
    trod_json_bool(json, "cutOff", in->health.cut_off);
    trod_json_uint(json, "damaged", in->health.ndamaged);
    trod_json_uint(json, "lost", in->health.nlost);
    trod_json_close(json, '}');
}

static void put_summary(
    struct cli *cli, const struct cli_branches *in, const struct wanted *w)
{
    struct trod_sink *out = &cli->out.sink;
    bool part = cli->options.from || cli->options.to;

    cli_out_gap(cli);
    trod_put_name(out, in->name);
    trod_put(out, "\n");
    trod_branch_checked_print(out, &w->check);
    trod_put(out, "%12s %016" PRIx64 "\n", "hash", w->hash.branches);
    if (in->is_trace && w->hash.nbranch && !part)
        trod_put(out, "%12.4f bytes a branch\n",
            (double)in->nbyte / (double)w->hash.nbranch);
}

/* --- the command -------------------------------------------------------------------------------------- */

/* How many output forms were requested? */
static int nforms(const struct cli_options *o)
{
    return o->as_text + o->as_trace + o->packets + (o->stacks != 0) +
           (o->form == CLI_JSON);
}

static void want(struct wanted *w, struct cli *cli, const char *name, uint64_t seed)
{
    const struct cli_options *o = &cli->options;

    w->count = 0;
    trod_branch_checker_init(&w->check, &cli->mem);
    trod_branch_hasher_init(&w->hash);
    if (o->check || TROD_CHECKED || nforms(o) == (o->form == CLI_JSON)) {
        w->to[w->count++] = &w->check.sink;
        w->to[w->count++] = &w->hash.sink;
    }
    if (o->as_text) {
        trod_branch_printer_init(&w->print, &cli->out.sink, name);
        w->to[w->count++] = &w->print.sink;
    } else if (o->as_trace) {
        trod_branch_writer_init(
            &w->write, &cli->out.sink, name, &trod_zstd_branch_codec, &cli->mem);
        w->to[w->count++] = &w->write.sink;
    } else if (o->packets) {
        trod_ipt_writer_init(&w->packets, &cli->out.sink, 0, &cli->mem);
        w->packets.memory = w->code.memory;
        w->packets.nmemory = w->code.nmemory;
        w->to[w->count++] = &w->packets.sink;
    } else if (o->stacks) {
        trod_branch_stack_printer_init(
            &w->stacks, &cli->out.sink, STACK, o->stacks, seed, &cli->mem);
        w->to[w->count++] = &w->stacks.sink;
    }
    trod_branch_tee_init(&w->tee, w->to, w->count);
}

static bool answer(struct cli *cli, const struct cli_branches *in, struct wanted *w)
{
    struct trod_err fault;

    if (!cli->options.check)
        return true;
    if (!trod_branch_checked(&w->check, &fault))
        return cli_no(cli, "%s: %s", in->file, fault.text);
    if (in->health.cut_off || in->health.ndamaged)
        return cli_no(cli, "%s: parts of it could not be read", in->file);
    return true;
}

bool cli_branches(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    const char *path = o->file.count ? o->file.item[0] : "-";
    struct wanted *w = trod_new(&cli->mem, struct wanted, 1);
    struct cli_branches in;
    uint64_t seed = 1;

    if (o->file.count > 1)
        return cli_misused(cli, "expected one trace; traces cannot be added");
    if (nforms(o) > 1)
        return cli_misused(
            cli, "--text, --trace, --pt, --stacks or --json: choose one");
    if (o->seed && !trod_text_uint(&seed, o->seed))
        return cli_misused(cli, "--seed: '%s' is not a whole number", o->seed);
    if ((o->as_trace || o->packets) && cli_to_terminal(cli))
        return cli_misused(
            cli, "binary output cannot be written to a terminal; name a file with -o");
    if (!cli_code_read(&w->code, cli) || !cli_branches_open(&in, cli, path))
        return false;
    want(w, cli, o->name_field ? o->name_field : in.name, seed);
    if (!cli_branches_drive(&w->tee.sink, &in, cli))
        return false;
    if (o->as_trace)
        trod_branch_writer_finish(&w->write);
    else if (o->packets)
        trod_ipt_writer_finish(&w->packets);
    else if (o->form == CLI_JSON)
        put_json(cli, &in, w);
    else if (!nforms(o))
        put_summary(cli, &in, w);
    return answer(cli, &in, w);
}
