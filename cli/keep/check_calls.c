#include "keep/check_calls.h"
#include "input/input.h"
#include "output/output.h"

#include <inttypes.h>
#include <string.h>

static void print_fault(struct cli *cli, const struct trod_map_entry *entry,
    const struct trod_flow_call_fault *fault)
{
    trod_put(&cli->out.sink,
        "%s (%s): entered %" PRIu64 " times, called %" PRIu64
        " times by functions with counts\n",
        entry->name, trod_flow_file(entry), fault->entered, fault->called);
}

static void json_fault(struct cli *cli, const struct trod_map_entry *entry,
    const struct trod_flow_call_fault *fault)
{
    struct trod_json *json = &cli->json;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", entry->name);
    trod_json_text(json, "file", trod_flow_file(entry));
    trod_json_uint(json, "entered", fault->entered);
    trod_json_uint(json, "called", fault->called);
    trod_json_close(json, '}');
}

/* May a process have forked? Then what a path did before the fork counts for parent and child. */
static bool may_have_forked(const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0; k < profile->run[i].nfield; k++) {
            const struct trod_profile_field *f = &profile->run[i].field[k];

            if ((strcmp(f->key, "birth") == 0 && strcmp(f->value, "fork") == 0) ||
                (strcmp(f->key, "processes") == 0 && strcmp(f->value, "1") != 0))
                return true;
        }
    return false;
}

bool cli_check_calls(struct cli *cli, uint32_t *count)
{
    bool json = cli->options.form == CLI_JSON;
    struct trod_flow_call_fault *fault = NULL;
    struct trod_flow_calls calls;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_map map;
    uint32_t n = 0;

    *count = 0;
    if (!cli_profiles_sum(&profile, cli, &cli->options.file) ||
        !cli_maps_read(cli, &map, &profile) ||
        !trod_flows_build(&flows, &profile, &map, &cli->mem, &cli->err))
        return false;
    trod_flow_calls_build(&calls, &flows, &cli->mem);
    if (may_have_forked(&profile))
        cli_note(cli,
            "calls are not compared: what a path did before a fork counts for "
            "the parent and for the child");
    else
        n = trod_flow_calls_check(&fault, &calls, &flows, &cli->mem);
    if (json)
        trod_json_open(&cli->json, "contradictions", '[');
    for (uint32_t i = 0; i < n; i++)
        (json ? json_fault : print_fault)(cli, &map.entry[fault[i].entry], &fault[i]);
    if (json)
        trod_json_close(&cli->json, ']');
    *count = n;
    return true;
}
