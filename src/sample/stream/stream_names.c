#include "stream/stream.h"
#include "base/order.h"

#include <inttypes.h>
#include <string.h>

/* --- tables ------------------------------------------------------------------------------------- */

void trod_stream_table_init(struct trod_stream_table *table, struct trod_arena *mem)
{
    *table = (struct trod_stream_table){.mem = mem};
}

uint32_t trod_stream_table_find(
    const struct trod_stream_table *table, uint64_t a, uint64_t b)
{
    return TROD_TABLE_FIND(&table->pairs, trod_mix(a, b), i,
        table->pair[i].a == a && table->pair[i].b == b);
}

uint32_t trod_stream_table_add(struct trod_stream_table *table, uint64_t a, uint64_t b)
{
    uint32_t found = trod_stream_table_find(table, a, b);

    if (found == TROD_TABLE_NONE) {
        found = trod_table_add(&table->pairs, trod_mix(a, b), table->mem);
        trod_push(table->mem, table->pair, table->count, table->room,
            (struct trod_stream_pair){a, b});
    }
    return found;
}

/* --- names ---------------------------------------------------------------------------------------- */

uint32_t trod_stream_add_code(
    struct trod_stream_names *names, const struct trod_stream_code *code)
{
    return trod_push(names->mem, names->code, names->ncode, names->room_code, *code);
}

uint32_t trod_stream_add_place(
    struct trod_stream_names *names, const struct trod_stream_spot *place)
{
    return trod_push(
        names->mem, names->place, names->nplace, names->room_place, *place);
}

uint32_t trod_stream_add_object(
    struct trod_stream_names *names, const struct trod_stream_object *object)
{
    return trod_push(
        names->mem, names->object, names->nobject, names->room_object, *object);
}

/* --- output --------------------------------------------------------------------------------------- */

void trod_stream_put_spot(struct trod_sink *sink, const struct trod_stream_spot *spot)
{
    if (!trod_put_demangled(sink, spot->function))
        trod_put(sink, "%s", spot->function);
    if (*spot->file)
        trod_put(sink, " %s", spot->file);
    if (spot->line)
        trod_put(sink, ":%" PRIu32, spot->line);
    if (spot->line && spot->column)
        trod_put(sink, ":%" PRIu32, spot->column);
    if (!spot->line && spot->column)
        trod_put(sink, " [%" PRIu32 "]", spot->column);
}

void trod_stream_put_object(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t object)
{
    const struct trod_stream_object *o = &names->object[object];

    switch (o->kind) {
    case TROD_STREAM_HEAP:
        trod_stream_put_spot(sink, &names->place[o->place]);
        trod_put(sink, " #%" PRIu64, o->number);
        break;
    case TROD_STREAM_GLOBAL:
        trod_put(sink, "%s", o->name);
        break;
    case TROD_STREAM_LOCAL:
        trod_put(sink, "%s of thread %" PRIu64, o->name, o->number);
        break;
    case TROD_STREAM_STACK:
        trod_put(sink, "stack of thread %" PRIu64, o->number);
        break;
    case TROD_STREAM_UNKNOWN:
        trod_put(sink, "unknown memory");
        break;
    }
}

/* --- orders --------------------------------------------------------------------------------------- */

int trod_stream_compare_spots(
    const struct trod_stream_spot *a, const struct trod_stream_spot *b)
{
    int by = strcmp(a->file, b->file);

    if (!by)
        by = trod_compare(a->line, b->line);
    if (!by)
        by = trod_compare(a->column, b->column);
    return by ? by : strcmp(a->function, b->function);
}

int trod_stream_compare_codes(
    const struct trod_stream_code *a, const struct trod_stream_code *b)
{
    int by = trod_stream_compare_spots(&a->spot, &b->spot);

    if (!by)
        by = trod_compare(a->access, b->access);
    return by ? by : trod_compare(a->nbyte, b->nbyte);
}

int trod_stream_compare_objects(const struct trod_stream_names *a,
    const struct trod_stream_object *of_a, const struct trod_stream_names *b,
    const struct trod_stream_object *of_b)
{
    int by = trod_compare(of_a->kind, of_b->kind);

    if (!by && of_a->kind == TROD_STREAM_HEAP)
        by = trod_stream_compare_spots(&a->place[of_a->place], &b->place[of_b->place]);
    if (!by && of_a->name && of_b->name)
        by = strcmp(of_a->name, of_b->name);
    return by ? by : trod_compare(of_a->number, of_b->number);
}
