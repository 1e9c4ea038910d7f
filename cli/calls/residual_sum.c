#include "calls/recordings.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Summary of the stages of 'trod calls residual'. In the map, followed calls are frames; other
 * calls are comments, with the reason.
 */

struct site {
    const char *unit, *function;
    const char *callee; /* if the block is unknown; otherwise "" */
    uint64_t node;
    const char *why; /* NULL: followed */
};

struct sites {
    struct trod_arena *mem;
    struct site *site;
    size_t nsite, room;
    const char *unit;
};

/* --- comments ----------------------------------------------------------------------------- */

static const char *unit_of(struct sites *s, const char *from, const char *end)
{
    struct trod_token name;
    struct trod_text text;
    struct trod_err err;

    trod_text_init(&text, "unit", from, (size_t)(end - from));
    return trod_text_next(&name, &text, s->mem, &err) && name.kind == TROD_T_NAME
               ? name.name
               : "";
}

/* The last occurrence of a word in a text, or NULL. */
static char *find_last(char *text, const char *word)
{
    char *found = NULL;

    for (char *at = strstr(text, word); at; at = strstr(at + 1, word))
        found = at;
    return found;
}

static void add_site(struct sites *s, const struct site *site)
{
    trod_push(s->mem, s->site, s->nsite, s->room, *site);
}

/* `# the call of CALLEE in block 4 of FUNCTION is not followed: WHY`; the block may be missing. */
static void read_left(struct sites *s, char *line)
{
    static const char head[] = "# the call of ", not_into[] = " is not followed: ";
    struct site site = {.unit = s->unit, .callee = "", .node = UINT64_MAX};
    char *end, *of, *block;

    if (strncmp(line, head, sizeof head - 1) != 0 || !(end = strstr(line, not_into)))
        return;
    site.why = end + sizeof not_into - 1;
    *end = '\0';
    if (!(of = find_last(line, " of ")))
        return;
    site.function = of + 4;
    *of = '\0';
    block = find_last(line, " in block ");
    if (!block || !trod_text_uint(&site.node, block + strlen(" in block ")))
        site.callee = line;
    add_site(s, &site);
}

static void read_comments(struct sites *s, const struct trod_string *text)
{
    const char *at = text->text, *stop = at + text->length, *end;

    for (; at < stop; at = end + (end < stop)) {
        end = memchr(at, '\n', (size_t)(stop - at));
        if (!end)
            end = stop;
        if (end - at > 5 && memcmp(at, "unit ", 5) == 0)
            s->unit = unit_of(s, at + 5, end);
        else if (*at == '#')
            read_left(s, trod_copy_text(s->mem, at, (size_t)(end - at)));
    }
}

/* --- frames ------------------------------------------------------------------------------- */

static void add_frames(struct sites *s, const struct trod_map *map)
{
    for (uint32_t i = 0; i < map->nentry; i++) {
        const struct trod_map_entry *entry = &map->entry[i];

        for (uint32_t f = 1; f < entry->nframe; f++)
            add_site(s, &(struct site){.unit = entry->unit,
                            .function = entry->frame[entry->frame[f].parent].function,
                            .callee = "",
                            .node = entry->frame[f].node});
    }
}

/* Does a path have blocks in several frames? */
static bool goes_across(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_path id)
{
    const struct trod_dag *dag = entry->numbering.dag;
    uint32_t nstep, frame = TROD_NONE;

    if (entry->nframe < 2 || id >= entry->numbering.npath)
        return false;
    nstep = trod_number_decode(map->step, &entry->numbering, id);
    for (uint32_t i = 0; i < nstep; i++) {
        trod_node v = dag->shape.src_of_edge[map->step[i]];
        uint32_t here;

        if (v >= dag->graph->nnode)
            continue; /* ENTRY */
        here = trod_map_frame_of(entry, v);
        if (frame != TROD_NONE && here != frame)
            return true;
        frame = here;
    }
    return false;
}

uint64_t cli_residual_across(const struct trod_map *map,
    const struct trod_profile_function *function, const trod_path *id, size_t nid)
{
    const struct trod_map_entry *entry = trod_map_find(map, function);
    uint64_t n = 0;

    for (size_t i = 0; entry && i < nid; i++)
        n += goes_across(map, entry, id[i]);
    return n;
}

/* Not counted as a reason: such a call is followed from its own function. */
static const char too_deep[] = "it is deeper than the limit on frames";

/* --- sites and reasons -------------------------------------------------------------------- */

static int compare_places(const struct site *a, const struct site *b)
{
    int way = strcmp(a->unit, b->unit);

    if (!way)
        way = strcmp(a->function, b->function);
    if (!way)
        way = (a->node > b->node) - (a->node < b->node);
    return way ? way : strcmp(a->callee, b->callee);
}

/* Followed calls first, then others by reason. */
static int compare_sites(const void *va, const void *vb)
{
    const struct site *a = va, *b = vb;
    int way = compare_places(a, b);

    if (way)
        return way;
    if (!a->why || !b->why)
        return (a->why != NULL) - (b->why != NULL);
    return strcmp(a->why, b->why);
}

static void count_reason(
    struct cli_residual *r, const char *why, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < r->nreason; i++)
        if (strcmp(r->reason[i].why, why) == 0) {
            r->reason[i].nsite++;
            return;
        }
    trod_push(mem, r->reason, r->nreason, r->room_reason,
        (struct cli_residual_reason){why, 1});
}

static int compare_reasons(const void *va, const void *vb)
{
    const struct cli_residual_reason *a = va, *b = vb;
    int way = (a->nsite < b->nsite) - (a->nsite > b->nsite);

    return way ? way : strcmp(a->why, b->why);
}

void cli_residual_sites(struct cli_residual *r, const struct trod_map *map,
    const struct trod_string *text, struct trod_arena *mem)
{
    struct sites s = {.mem = mem, .unit = ""};
    size_t next;

    read_comments(&s, text);
    add_frames(&s, map);
    trod_sort(s.site, s.nsite, compare_sites);
    for (size_t i = 0; i < s.nsite; i = next) {
        bool partly = false;

        for (next = i + 1;
            next < s.nsite && compare_places(&s.site[i], &s.site[next]) == 0;)
            next++;
        if (s.site[i].why) {
            r->nsite_left++;
            count_reason(r, s.site[i].why, mem);
        } else {
            r->nsite_gone++;
            for (size_t k = i; k < next; k++)
                partly |= s.site[k].why && strcmp(s.site[k].why, too_deep) != 0;
            r->nsite_partly += partly;
        }
    }
    trod_sort(r->reason, r->nreason, compare_reasons);
}

/* --- output ------------------------------------------------------------------------------- */

static void put_text(struct cli *cli, const struct cli_residual *r)
{
    struct trod_sink *sink = &cli->out.sink;

    if (r->wpp)
        trod_put(sink,
            "# stage 1, whole program paths: %" PRIu64 " segments of depth %" PRIu64
            " in %" PRIu64 " functions, %" PRIu64 " runs\n",
            r->nsubpath, r->depth, r->nfunction_ran, r->nrun[0]);
    else
        trod_put(sink,
            "# stage 1, subpaths: %" PRIu64 " ran, of %" PRIu64
            " functions, in %" PRIu64 " runs\n",
            r->nsubpath, r->nfunction_ran, r->nrun[0]);
    trod_put(sink,
        "# stage 2, tests: %" PRIu64 " paths, %" PRIu64
        " of them across calls, in %" PRIu64 " runs\n",
        r->ntested, r->ntested_across, r->nrun[1]);
    trod_put(sink, "#   call sites followed, %" PRIu64 " deep: %" PRIu64, r->depth,
        r->nsite_gone);
    if (r->nsite_partly)
        trod_put(sink, ", %" PRIu64 " of them not everywhere", r->nsite_partly);
    trod_put(sink, "; not followed: %" PRIu64 "\n", r->nsite_left);
    for (uint32_t i = 0; i < r->nreason; i++)
        trod_put(sink, "# %8" PRIu64 "  %s\n", r->reason[i].nsite, r->reason[i].why);
    if (r->field)
        trod_put(sink,
            "# stage 3, production: %" PRIu64 " untested paths, %" PRIu64
            " of them across calls, in %" PRIu64 " runs\n",
            r->nuntested, r->nuntested_across, r->nrun[2]);
    else
        trod_put(sink, "# stage 3, production: the program is built\n");
}

static void put_json(struct trod_json *json, const struct cli_residual *r)
{
    trod_json_open(json, "stages", '{');
    trod_json_uint(json, "depth", r->depth);
    trod_json_bool(json, "wpp", r->wpp);
    trod_json_uint(json, "runs", r->nrun[0]);
    trod_json_uint(json, r->wpp ? "segments" : "subpaths", r->nsubpath);
    trod_json_uint(json, "functions", r->nfunction_ran);
    trod_json_uint(json, "test_runs", r->nrun[1]);
    trod_json_uint(json, "tested", r->ntested);
    trod_json_uint(json, "tested_across_calls", r->ntested_across);
    trod_json_uint(json, "sites", r->nsite_gone);
    trod_json_uint(json, "sites_not_everywhere", r->nsite_partly);
    trod_json_uint(json, "sites_left_out", r->nsite_left);
    trod_json_open(json, "left_out", '[');
    for (uint32_t i = 0; i < r->nreason; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "why", r->reason[i].why);
        trod_json_uint(json, "sites", r->reason[i].nsite);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    if (r->field) {
        trod_json_uint(json, "field_runs", r->nrun[2]);
        trod_json_uint(json, "untested", r->nuntested);
        trod_json_uint(json, "untested_across_calls", r->nuntested_across);
    }
    trod_json_close(json, '}');
}

void cli_residual_put(struct cli *cli, const struct cli_residual *r)
{
    if (cli->options.form == CLI_JSON)
        put_json(&cli->json, r);
    else
        put_text(cli, r);
}
