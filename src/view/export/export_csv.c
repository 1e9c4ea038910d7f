#include "export/export.h"

#include <inttypes.h>
#include <string.h>

/* One row per path, as in RFC 4180: lines end with CR LF, and the first one has the column names. */

/* Spreadsheets execute text that begins with = + - @ as a formula. A leading apostrophe prevents that. */
void trod_export_csv_field(struct trod_sink *sink, const char *text)
{
    bool formula = *text && strchr("=+-@\t\r", *text);

    if (!text[strcspn(text, "\",\r\n")]) {
        trod_put(sink, "%s%s", formula ? "'" : "", text);
        return;
    }
    trod_put(sink, "\"%s", formula ? "'" : "");
    for (; *text; text++)
        trod_put(sink, *text == '"' ? "\"\"" : "%c", *text);
    trod_put(sink, "\"");
}

static void put_text(struct trod_sink *sink, const char *text)
{
    trod_put(sink, ",");
    trod_export_csv_field(sink, text ? text : "");
}

struct printer {
    struct trod_sink *sink;
    struct trod_export_stacks stacks;
    struct trod_string text; /* reused for each row */
    bool exact;
};

static void put_stack(
    struct printer *p, const struct trod_export_stack *stack, bool blocks)
{
    p->text.length = 0;
    p->text.text[0] = '\0';
    trod_export_put_stack(&p->text.sink, &p->stacks, stack, blocks);
    put_text(p->sink, p->text.text);
}

static void put_ticks(struct printer *p, double ticks)
{
    trod_put(p->sink, ",%.17g", trod_time_in_unit(p->stacks.in->times, ticks));
}

/* Empty fields: the path was not timed. */
static void put_time(struct printer *p, const struct trod_time *time)
{
    const struct trod_times *times = p->stacks.in->times;

    if (!time) {
        trod_put(p->sink, ",,,,,,");
        return;
    }
    trod_put(p->sink, ",%s", trod_time_unit(times));
    put_ticks(p, (double)time->own);
    put_ticks(p, (double)time->with);
    put_ticks(p, trod_time_mean(time));
    put_ticks(p, trod_time_quantile(time, 0.5));
    put_ticks(p, trod_time_quantile(time, 0.99));
}

static void put_row(struct printer *p, const struct trod_export_stack *stack)
{
    const struct trod_profile_module *module =
        stack->subpath ? NULL : &p->stacks.in->profile->module[stack->module];
    uint32_t line =
        stack->entry && stack->entry->numbering.dag
            ? trod_flow_line(stack->entry, stack->entry->numbering.dag->graph->entry)
            : 0;

    trod_export_csv_field(p->sink, module ? module->path : "");
    put_text(p->sink, module ? module->build_id : "");
    put_text(p->sink, stack->name);
    put_text(p->sink, stack->display_name);
    put_text(p->sink, stack->file);
    trod_put(p->sink, ",");
    if (line)
        trod_put(p->sink, "%" PRIu32, line);
    trod_put(p->sink, ",%" PRIu64 ",%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%.17g", stack->id,
        trod_export_kind_name(stack->kind),
        stack->subpath ? "sampled"
                       : trod_profile_counted_name(stack->function->counted),
        p->exact ? "yes" : "no", stack->count, stack->weight,
        p->stacks.count ? (double)stack->count / (double)p->stacks.count : 0);
    put_stack(p, stack, false);
    put_stack(p, stack, true);
    if (p->stacks.in->times)
        put_time(p, stack->time);
    trod_put(p->sink, "\r\n");
}

bool trod_export_csv(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct printer p = {.sink = sink};

    (void)err;
    p.exact = in->subpaths ? in->subpaths->exact : trod_profile_is_exact(in->profile);
    trod_string_init(&p.text, mem);
    trod_export_stacks(&p.stacks, in, mem);
    trod_put(sink,
        "module,build_id,function,name,file,line,id,kind,counted,exact,count,weight,"
        "share,path,blocks%s\r\n",
        in->times ? ",unit,own,with_callees,mean,p50,p99" : "");
    for (size_t i = 0; i < p.stacks.nstack; i++)
        put_row(&p, &p.stacks.stack[i]);
    return true;
}
