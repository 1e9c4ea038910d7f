#include "model/model.h"
#include "base/order.h"

#include <stdlib.h>

void trod_path_window_init(struct trod_path_window *w, struct trod_arena *mem)
{
    *w = (struct trod_path_window){.mem = mem};
}

void trod_path_window_add(struct trod_path_window *w, uint32_t path, uint64_t weight)
{
    if (!weight)
        return;
    while (path >= w->room) {
        uint32_t room = w->room ? 2 * w->room : 1024;

        w->weight_of_path = trod_arena_grow(
            w->mem, w->weight_of_path, w->room, room, sizeof *w->weight_of_path);
        w->room = room;
    }
    if (!w->weight_of_path[path])
        trod_push(w->mem, w->touched, w->ntouched, w->room_touched, path);
    w->weight_of_path[path] = trod_sat_add(w->weight_of_path[path], weight);
    w->total = trod_sat_add(w->total, weight);
}

void trod_path_window_clear(struct trod_path_window *w)
{
    for (uint32_t i = 0; i < w->ntouched; i++)
        w->weight_of_path[w->touched[i]] = 0;
    w->ntouched = 0;
    w->total = 0;
}

TROD_ORDER(lower, uint32_t, trod_compare(*a, *b))

size_t trod_path_window_weights(
    struct trod_path_weight **out, struct trod_path_window *w, struct trod_arena *mem)
{
    *out = trod_new(mem, struct trod_path_weight, w->ntouched);
    trod_sort(w->touched, w->ntouched, lower);
    for (uint32_t i = 0; i < w->ntouched; i++)
        (*out)[i] = (struct trod_path_weight){
            .path = w->touched[i], .weight = w->weight_of_path[w->touched[i]]};
    return w->ntouched;
}
