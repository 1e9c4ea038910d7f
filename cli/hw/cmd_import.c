#include "commands.h"
#include "hw/processor.h"
#include "output/output.h"

#include <inttypes.h>
#include <string.h>

#include "ipt/ipt_port.h"
#include "zstd/zstd_port.h"

enum { MOST_PATHS = 20, MOST_STEPS = 6 /* printed of a path */ };

struct import {
    struct trod_branch_paths paths;
    struct trod_branch_checker check;
    struct trod_branch_printer print;
    struct trod_branch_writer write;
    struct trod_branch_tee tee;
    struct trod_branch_sink *to[3];
    size_t nto;
    struct cli_code code;
    struct trod_branch_stacks stacks;
};

/* --- reading -------------------------------------------------------------------------------------------- */

static void report_packets(
    struct cli *cli, const char *file, const struct trod_ipt_health *h)
{
    if (h->noverflow)
        cli_note(cli, "%s: the processor lost packets %" PRIu64 " times", file,
            h->noverflow);
    if (h->nerror)
        cli_note(cli,
            "%s: could not be decoded %" PRIu64 " times; the first, at byte %" PRIu64
            ", behind address 0x%" PRIx64 ": %s",
            file, h->nerror, h->where, h->address, h->error);
}

static bool read_packets(struct import *im, struct cli *cli)
{
    const struct cli_list *file = &cli->options.file;
    struct trod_ipt_reader reader;

    if (!im->code.nmemory)
        return cli_misused(
            cli, "packets cannot be decoded without the code; name it with --image");
    trod_ipt_reader_init(
        &reader, &im->tee.sink, im->code.memory, im->code.nmemory, &cli->mem);
    for (uint32_t i = 0; i < file->count; i++) {
        struct trod_ipt_health health;
        struct cli_bytes in;
        struct trod_err err;

        if (!cli_in_bytes(cli, &in, file->item[i], &cli->mem))
            return false;
        if (!trod_ipt_read(
                &reader, &health, i, (const uint8_t *)in.bytes, in.length, &err))
            return trod_fail(&cli->err, err.code, "%s: %s", in.name, err.text);
        report_packets(cli, in.name, &health);
    }
    return true;
}

static void report_stacks(
    struct cli *cli, const char *file, const struct trod_branch_stacks *s)
{
    if (s->nbroken)
        cli_note(cli, "%s: branch stacks are inconsistent in %" PRIu64 " places", file,
            s->nbroken);
    if (s->nplain)
        cli_note(cli,
            "%s: code is unknown for %" PRIu64
            " stretches between branches; name it with --image, or print it with 'perf "
            "script --show-mmap-events'",
            file, s->nplain);
}

static bool read_stacks(struct import *im, struct cli *cli)
{
    struct trod_branch_decoder decoder = {trod_ipt_walk, NULL};
    struct trod_ipt_reader reader;
    struct cli_bytes in;

    if (cli->options.file.count > 1)
        return cli_misused(
            cli, "expected one file of branch stacks; name one at a time");
    if (!cli_in_bytes(cli, &in,
            cli->options.file.count ? cli->options.file.item[0] : "-", &cli->mem))
        return false;
    if (!im->code.nmemory)
        cli_code_mapped(&im->code, cli, &in);
    trod_ipt_reader_init(
        &reader, &im->tee.sink, im->code.memory, im->code.nmemory, &cli->mem);
    decoder.ctx = &reader;
    if (!trod_branch_parse_stacks(&im->tee.sink, &im->stacks, in.name, in.bytes,
            in.length, im->code.nmemory ? &decoder : NULL, &cli->mem, &cli->err))
        return false;
    report_stacks(cli, in.name, &im->stacks);
    return true;
}

/* --- output --------------------------------------------------------------------------------------------- */

/* bzip2+0x1234, if the file mapped at the address is known. */
static void put_address(
    struct trod_sink *out, const struct import *im, uint64_t address)
{
    for (size_t i = 0; i < im->code.nmemory; i++) {
        const struct trod_image *image = &im->code.memory[i].image;

        if (address >= image->start && address < image->end) {
            const char *slash = strrchr(image->path, '/');

            trod_put(out, "%s+0x%" PRIx64, slash ? slash + 1 : image->path,
                address - image->start + image->offset);
            return;
        }
    }
    trod_put(out, "0x%" PRIx64, address);
}

static void put_path(
    struct trod_sink *out, const struct import *im, const struct trod_branch_path *path)
{
    put_address(out, im, path->start);
    for (uint32_t i = 0; i < path->length; i++) {
        if (i == MOST_STEPS && path->length > MOST_STEPS + 1) {
            trod_put(out, " ... and %" PRIu32 " more", path->length - i);
            break;
        }
        trod_put(out, " ");
        put_address(out, im, path->step[i].from);
        trod_put(out, ">");
        put_address(out, im, path->step[i].to);
    }
}

static void put_text(struct cli *cli, const struct import *im,
    const struct trod_branch_path **order, uint64_t most)
{
    struct trod_sink *out = &cli->out.sink;
    const struct trod_branch_paths *p = &im->paths;

    if (p->sampled)
        trod_put(out,
            "%" PRIu64 " stacks of up to %" PRIu32 " branches; shares are estimated\n",
            im->stacks.nsample, im->stacks.longest);
    trod_put(out, "%" PRIu64 " runs, %" PRIu32 " codes, %" PRIu32 " straight paths\n",
        im->check.nrun, im->check.ncode, p->npath);
    if (p->npath)
        trod_put(out, "\n  share        seen  path\n");
    for (uint64_t i = 0; i < p->npath && i < most; i++) {
        trod_put(out, "%6.2f%%  %10" PRIu64 "  ", 100 * order[i]->weight / p->weight,
            order[i]->nseen);
        put_path(out, im, order[i]);
        trod_put(out, "\n");
    }
}

static void put_json(struct cli *cli, const struct import *im,
    const struct trod_branch_path **order, uint64_t most)
{
    struct trod_json *json = &cli->json;
    const struct trod_branch_paths *p = &im->paths;

    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "version", 1);
    trod_json_bool(json, "estimated", p->sampled);
    trod_json_uint(json, "stacks", im->stacks.nsample);
    trod_json_uint(json, "longest", im->stacks.longest);
    trod_json_uint(json, "broken", im->stacks.nbroken);
    trod_json_uint(json, "undecoded", im->stacks.nplain);
    trod_json_uint(json, "runs", im->check.nrun);
    trod_json_uint(json, "instructions", im->check.ninsn);
    trod_json_uint(json, "codes", im->check.ncode);
    trod_json_uint(json, "paths", p->npath);
    trod_json_open(json, "hottest", '[');
    for (uint64_t i = 0; i < p->npath && i < most; i++) {
        struct trod_string path;

        trod_string_init(&path, &cli->mem);
        put_path(&path.sink, im, order[i]);
        trod_json_open(json, NULL, '{');
        trod_json_real(json, "share", order[i]->weight / p->weight);
        trod_json_uint(json, "seen", order[i]->nseen);
        trod_json_uint(json, "branches", order[i]->length);
        trod_json_text(json, "path", path.text);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- the command ------------------------------------------------------------------------------------------ */

static void want(struct import *im, struct cli *cli, const char *name)
{
    const struct cli_options *o = &cli->options;

    trod_branch_checker_init(&im->check, &cli->mem);
    im->to[im->nto++] = &im->check.sink;
    if (o->as_text) {
        trod_branch_printer_init(&im->print, &cli->out.sink, name);
        im->to[im->nto++] = &im->print.sink;
    } else if (o->as_trace) {
        trod_branch_writer_init(
            &im->write, &cli->out.sink, name, &trod_zstd_branch_codec, &cli->mem);
        im->to[im->nto++] = &im->write.sink;
    } else {
        trod_branch_paths_init(&im->paths, !o->packets, &cli->mem);
        im->to[im->nto++] = &im->paths.sink;
    }
    trod_branch_tee_init(&im->tee, im->to, im->nto);
}

static void put(struct cli *cli, struct import *im)
{
    const struct cli_options *o = &cli->options;
    const struct trod_branch_path **order;
    uint64_t most = o->most ? o->most : MOST_PATHS;

    if (o->as_trace)
        trod_branch_writer_finish(&im->write);
    if (o->as_text || o->as_trace)
        return;
    order = trod_branch_paths_order(&im->paths, &cli->mem);
    if (o->form == CLI_JSON)
        put_json(cli, im, order, most);
    else
        put_text(cli, im, order, most);
}

bool cli_import(struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    struct import *im = trod_new(&cli->mem, struct import, 1);
    const char *path = o->file.count ? o->file.item[0] : "-";
    const char *slash = strrchr(path, '/');

    if (o->as_text + o->as_trace + (o->form == CLI_JSON) > 1)
        return cli_misused(cli, "--text, --trace or --json: choose one");
    if (o->as_trace && cli_to_terminal(cli))
        return cli_misused(
            cli, "a trace file cannot be written to a terminal; name a file with -o");
    if (o->packets && !o->file.count)
        return cli_misused(cli, "--pt: name a file of packets for each thread");
    if (strcmp(path, "-") == 0)
        path = "branches";
    want(im, cli, o->name_field ? o->name_field : slash ? slash + 1 : path);
    if (!cli_code_read(&im->code, cli) ||
        !(o->packets ? read_packets(im, cli) : read_stacks(im, cli)))
        return false;
    put(cli, im);
    return !o->check || trod_branch_checked(&im->check, &cli->err);
}
